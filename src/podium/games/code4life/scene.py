"""A position of Code 4 Life as plain data, and that data as a picture in the terminal."""

from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from podium.games.code4life.catalogue import (
    CAPACITY,
    KIND_COST,
    KIND_GAIN,
    KIND_HEALTH,
    KIND_RANK,
    KINDS,
    MODULES,
    ROUNDS,
    TYPES,
    unpack,
)
from podium.games.code4life.packed import ONES, covers, shortfall, total
from podium.games.code4life.referee import Code4LifeReferee
from podium.games.code4life.rules import DIAGNOSED, ID_SHIFT, KIND_MASK, SEATS, pool_plus_one
from podium.games.game import Referee, Scene

COLOURS = ("cyan", "magenta")


def scene(referee: Referee) -> Scene:
    """Both robots with their samples, the pool, the cloud, the projects, and the answers of the last round."""
    assert isinstance(referee, Code4LifeReferee)
    return scene_of(referee.state, referee.answers)


def scene_of(state: Any, answers: list[str]) -> Scene:
    """The scene of a state. What is not known in it (a bot's view) has kind None."""
    return {
        "game": "code4life",
        "round": int(state.played),
        "pool": [count - 1 for count in unpack(pool_plus_one(state))],
        "projects": [
            {"needed": unpack(needed), "open": bool(int(state.open) >> index & 1)}
            for index, needed in enumerate(state.project)
        ],
        "robots": [_robot(state, seat, answers[seat]) for seat in range(SEATS)],
        "cloud": [_sample(int(sample)) for sample in state.cloud[: state.clouded]],
    }


def _robot(state: Any, seat: int, answer: str) -> dict[str, Any]:
    samples = []
    for sample in state.tray[seat][: state.carried[seat]]:
        samples.append(_sample(int(sample)))
        samples[-1]["state"] = _state(state, seat, int(sample))
    return {
        "location": MODULES[state.location[seat]],
        "eta": int(state.eta[seat]),
        "score": int(state.score[seat]),
        "storage": unpack(state.storage[seat]),
        "expertise": unpack(state.expertise[seat]),
        "samples": samples,
        "answer": answer,
    }


def _state(state: Any, seat: int, sample: int) -> str:
    """How far a carried sample has come."""
    kind = sample & KIND_MASK
    if not sample & DIAGNOSED or kind >= KINDS:
        return "unknown" if sample & DIAGNOSED else "undiagnosed"
    missing = shortfall(KIND_COST[kind], state.storage[seat] + state.expertise[seat])
    if missing == 0:
        return "ready"
    if not covers(shortfall(pool_plus_one(state), ONES), missing):
        return "blocked"
    return "producible" if total(missing) + total(state.storage[seat]) <= CAPACITY else "no room"


def _sample(sample: int) -> dict[str, Any]:
    kind = sample & KIND_MASK
    known = kind < KINDS
    return {
        "id": sample >> ID_SHIFT,
        "rank": int(KIND_RANK[kind]),
        "diagnosed": bool(sample & DIAGNOSED),
        "gain": TYPES[KIND_GAIN[kind]] if known else None,
        "health": int(KIND_HEALTH[kind]) if known else None,
        "cost": unpack(KIND_COST[kind]) if known else None,
    }


def picture(scene: Scene) -> Group:
    """A table of the robots, then pool, projects and cloud."""
    robots = Table("seat", "module", "score", f"storage {TYPES}", f"expertise {TYPES}", "samples", "answer")
    for seat, robot in enumerate(scene["robots"]):
        place = robot["location"] + (f" in {robot['eta']}" if robot["eta"] else "")
        samples = Text("\n").join(_describe(sample) for sample in robot["samples"])
        counts = [_counts(robot[name]) for name in ("storage", "expertise")]
        row = (str(seat), place, str(robot["score"]), *counts, samples, Text(robot["answer"]))
        robots.add_row(*row, style=COLOURS[seat])
    cloud = Text("cloud   ") + (Text("; ").join(_describe(sample) for sample in scene["cloud"]) or Text("empty"))
    projects = Text("projects")
    for project in scene["projects"]:
        projects.append(f"  {_counts(project['needed'])}", style="bold" if project["open"] else "dim strike")
    head = Text(f"round {scene['round']} of {ROUNDS}   pool {_counts(scene['pool'])}")
    return Group(head, robots, projects, cloud)


def _counts(counts: list[int]) -> str:
    return " ".join(map(str, counts))


def _describe(sample: dict[str, Any]) -> Text:
    """A sample in a few words: id, rank, cost, what it earns."""
    text = f"#{sample['id']} rank {sample['rank']}"
    state = sample.get("state", "")
    if sample["cost"] is None or not sample["diagnosed"]:
        return Text(f"{text} {state}", style="dim")
    cost = "".join(letter * count for letter, count in zip(TYPES, sample["cost"], strict=True))
    return Text(f"{text} {cost} {sample['health']}+{sample['gain']} {state}", style="bold" if state == "ready" else "")
