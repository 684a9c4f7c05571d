"""A position of Code 4 Life as plain data, and that data as a picture in the terminal.

The spots of the board are the modules by name, the molecules `A` to `E`, the ranks `rank 1` to `rank 3`, and the
samples by number: `#7`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from podium.games.code4life.catalogue import (
    CAPACITY,
    KIND_COST,
    KIND_GAIN,
    KIND_HEALTH,
    KIND_RANK,
    MODULES,
    ROUNDS,
    SAMPLE_KINDS,
    TYPES,
    unpack,
)
from podium.games.code4life.packed_counts import covers, shortfall, total
from podium.games.code4life.protocol import answer_of
from podium.games.code4life.rules import seat_moves
from podium.games.code4life.state import DIAGNOSED, ID_SHIFT, KIND_MASK, MOST_MOVES, SEATS, left_in_pool, pool_plus_one
from podium.games.game import Scene, Thoughts
from podium.games.overlays import Choice, Drawing, Sketch, line_through, text_at

COLOURS = ("cyan", "magenta")


def scene(state: Any, answers: Sequence[str | None] = ("", "")) -> Scene:
    """Both robots with their samples, the pool, the cloud, the projects, and the answers of the last round.

    What is not known in the state (a bot's view) has kind None.
    """
    return {
        "game": "code4life",
        "round": int(state.played),
        "pool": [count - 1 for count in unpack(pool_plus_one(state))],
        "projects": [
            {"needed": unpack(needed), "open": bool(int(state.open) >> index & 1)}
            for index, needed in enumerate(state.project)
        ],
        "robots": [_robot(state, seat, answers[seat] or "") for seat in range(SEATS)],
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
    if not sample & DIAGNOSED or kind >= SAMPLE_KINDS:
        return "unknown" if sample & DIAGNOSED else "undiagnosed"
    missing = shortfall(KIND_COST[kind], state.storage[seat] + state.expertise[seat])
    if missing == 0:
        return "ready"
    if not covers(left_in_pool(state), missing):
        return "blocked"
    return "producible" if total(missing) + total(state.storage[seat]) <= CAPACITY else "no room"


def _sample(sample: int) -> dict[str, Any]:
    kind = sample & KIND_MASK
    known = kind < SAMPLE_KINDS
    return {
        "id": sample >> ID_SHIFT,
        "rank": int(KIND_RANK[kind]),
        "diagnosed": bool(sample & DIAGNOSED),
        "gain": TYPES[KIND_GAIN[kind]] if known else None,
        "health": int(KIND_HEALTH[kind]) if known else None,
        "cost": unpack(KIND_COST[kind]) if known else None,
    }


def seen(full: Scene, seat: int) -> Scene:
    """The scene without what undiagnosed samples hold, and without the words of the other player's last answer."""
    robots = [{**robot, "samples": [_veiled(sample) for sample in robot["samples"]]} for robot in full["robots"]]
    robots[1 - seat]["answer"] = ""
    return {**full, "robots": robots, "cloud": [_veiled(sample) for sample in full["cloud"]], "viewer": seat}


def _veiled(sample: dict[str, Any]) -> dict[str, Any]:
    return sample if sample["diagnosed"] else {**sample, "gain": None, "health": None, "cost": None}


def choices(state: Any, seat: int, answers: Sequence[str | None] = ("", "")) -> list[Choice]:
    """What the robot can do where it stands; nothing but waiting while it travels."""
    moves = np.zeros(MOST_MOVES, np.int64)
    count = seat_moves(state, seat, moves)
    here = MODULES[state.location[seat]]
    texts = [answer_of(state, seat, int(move)) for move in moves[:count]]
    return [Choice(a, _words(here, a), tuple(_spots(here, a))) for a in texts if a != f"GOTO {here}"]


def _words(here: str, answer: str) -> str:
    """An answer in words; what CONNECT does depends on the module."""
    action, _, data = answer.partition(" ")
    if action != "CONNECT":
        return answer.lower().replace("goto", "go to")
    return {
        "SAMPLES": f"take a sample of rank {data}",
        "DIAGNOSIS": f"diagnose, store or fetch sample {data}",
        "MOLECULES": f"take a molecule {data}",
        "LABORATORY": f"produce sample {data}",
    }[here]


def _spots(here: str, answer: str) -> list[str]:
    action, _, data = answer.partition(" ")
    if action == "GOTO":
        return [data]
    if action == "CONNECT":
        return [f"rank {data}" if here == "SAMPLES" else data if here == "MOLECULES" else f"#{data}"]
    return []


def sketch(scene: Scene, seat: int, thoughts: Thoughts) -> Sketch:
    """The expected ways and connections of both robots, numbered, and the values of the options."""
    here = scene["robots"][seat]["location"]
    options: list[Drawing] = [
        text_at(spot, f"{option.value:.3g}") for option in thoughts.options for spot in _spots(here, option.move)
    ]
    return {"line": _expected(scene, seat, thoughts.line), "options": options}


def _expected(scene: Scene, seat: int, answers: Sequence[str]) -> list[Drawing]:
    """The answers of both players in turn; the robots are followed along the line."""
    places = [robot["location"] for robot in scene["robots"]]
    drawings = []
    for number, answer in enumerate(answers):
        mover, step = (seat + number) % 2, str(number // 2 + 1)
        spots = _spots(places[mover], answer)
        if answer.startswith("GOTO") and spots[0] != places[mover]:
            drawings.append(line_through([places[mover], *spots], step, mover))
            places[mover] = spots[0]
        elif answer.startswith("CONNECT"):
            drawings.append(line_through(spots, step, mover))
    return drawings


def picture(scene: Scene) -> Group:
    """A table of the robots, then pool, projects and cloud."""
    robots = Table()
    for title in ("seat", "module", "score", f"storage {TYPES}", f"expertise {TYPES}", "samples", "answer"):
        robots.add_column(title, overflow="fold")
    for seat, robot in enumerate(scene["robots"]):
        place = robot["location"] + (f" in {robot['eta']}" if robot["eta"] else "")
        samples = Text("\n").join(_describe(sample) for sample in robot["samples"])
        counts = [_counts(robot[name]) for name in ("storage", "expertise")]
        row = (str(seat), place, str(robot["score"]), *counts, samples, Text(robot["answer"]))
        robots.add_row(*row, style=COLOURS[seat])
    cloud = Text("cloud   ") + (Text("; ").join(_describe(sample) for sample in scene["cloud"]) or Text("empty"))
    projects = Text("projects")
    for project in scene["projects"]:
        done = "" if project["open"] else " (done)"
        projects.append(f"  {_counts(project['needed'])}{done}", style="bold" if project["open"] else "dim")
    head = Text(f"after turn {scene['round']} of {ROUNDS}   pool {_counts(scene['pool'])}")
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
