"""A position of Code of Kutulu as plain data, and that data as a picture in the terminal.

The spots of the board are the cells of the maze: `x,y`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from podium.games.code_of_kutulu.mazes import MAZES, walk
from podium.games.code_of_kutulu.rules import is_stuck, kutulu_legal_moves
from podium.games.code_of_kutulu.state import CHOICES, LIGHT_RADIUS, SEATS, WAIT, WORDS
from podium.games.game import Scene, Thoughts
from podium.games.overlays import Choice, Drawing, Sketch, line_through, text_at

MODES = ("spawning", "wandering", "stalking", "rushing", "stunned")
COLOURS = ("yellow", "cyan", "green", "magenta")
LEGEND = (
    "0 to 3: explorers, +: several; W wanderer, S slasher (small: not awake), a digit: their number; "
    "U shelter (u: empty); ' spawn; : light"
)


def scene(state: Any, answers: Sequence[str | None] | None = None) -> Scene:
    """The maze, explorers, minions, effects and settings, and what everyone answered last, if it is known."""
    maze, yells = MAZES[state.maze], int(state.yells)
    return {
        "game": "code_of_kutulu",
        "turn": int(state.turn),
        "over": bool(state.over),
        "maze": maze.name,
        "rows": list(maze.shown),
        "settings": {name: int(state[name]) for name in ("lonely", "group", "spawn_time", "life_time")},
        "explorers": [_explorer(state, seat, (answers or [None] * SEATS)[seat]) for seat in range(SEATS)],
        "minions": [_minion(state, index) for index in range(int(state.minions))],
        "shelters": [
            {"at": list(maze.points[cell]), "energy": int(state.shelter[index])}
            for index, cell in enumerate(maze.shelters)
        ],
        "lit": [list(p) for p in maze.points if _is_lit(state, maze.cells[p])] if state.lights_on else [],
        "yells": [
            [caster, victim]
            for caster in range(SEATS)
            for victim in range(SEATS)
            if yells >> (SEATS * caster + victim) & 1
        ],
    }


def _is_lit(state: Any, cell: int) -> bool:
    return any(
        state.lights_on >> seat & 1 and walk(state.maze, state.cell[seat], cell) <= LIGHT_RADIUS
        for seat in range(SEATS)
    )


def _explorer(state: Any, seat: int, answer: str | None) -> dict[str, Any]:
    living = bool(state.living >> seat & 1)
    return {
        "seat": seat,
        "at": list(MAZES[state.maze].points[state.cell[seat]]),
        "living": living,
        "sanity": int(state.sanity[seat]),
        "plans": int(state.plans[seat]),
        "lights": int(state.lights[seat]),
        "planning": int(state.plan_left[seat]),
        "stuck": bool(is_stuck(int(state.yells), seat)),
        "score": int(state.score[seat]) if state.over or not living else None,
        "answer": answer,
    }


def _minion(state: Any, index: int) -> dict[str, Any]:
    return {
        "id": int(state.number[index]),
        "kind": "slasher" if state.slasher[index] else "wanderer",
        "at": list(MAZES[state.maze].points[state.where[index]]),
        "state": MODES[state.mode[index]],
        "timer": int(state.timer[index]),
        "target": int(state.target[index]),
    }


def seen(full: Scene, seat: int) -> Scene:
    """The scene without the others' words, and without what a prompt does not tell of a slasher's patience."""
    patience = full["settings"]["life_time"]
    return {
        **full,
        "explorers": [one if one["seat"] == seat else {**one, "answer": None} for one in full["explorers"]],
        "minions": [{**one, "timer": patience} if _is_patient(one) else one for one in full["minions"]],
        "viewer": seat,
    }


def _is_patient(minion: dict[str, Any]) -> bool:
    return minion["kind"] == "slasher" and minion["state"] in ("wandering", "rushing")


def choices(state: Any, seat: int, answers: Sequence[str | None] | None = None) -> list[Choice]:
    """Steps to the next cells, and what else does something."""
    state, found = state.copy(), np.zeros(CHOICES, np.int64)
    state.mover = seat
    maze = MAZES[state.maze]
    count = kutulu_legal_moves(state, found)
    named = []
    for choice in found[:count].tolist():
        if choice >= WAIT:
            named.append(Choice(WORDS[choice], WORDS[choice].lower()))
        else:
            x, y = maze.points[maze.neighbours(int(state.cell[seat]))[choice]]
            named.append(Choice(f"MOVE {x} {y}", WORDS[choice].lower(), (f"{x},{y}",)))
    return named


def sketch(scene: Scene, seat: int, thoughts: Thoughts) -> Sketch:
    """The expected steps of everybody as arrows, the values of the options, the predicted next steps of the others."""
    line, beliefs = _expected(scene, seat, thoughts.line)
    options: list[Drawing] = [
        text_at(_goal(option.move) or _spot(scene["explorers"][seat]["at"]), f"{option.value:.3g}")
        for option in thoughts.options
    ]
    return {"line": line, "options": options, "beliefs": beliefs}


def _expected(scene: Scene, seat: int, answers: Sequence[str]) -> tuple[list[Drawing], list[Drawing]]:
    """A way for each explorer, and the first step of each but the thinking one; answers are written `seat:answer`."""
    ways = {explorer["seat"]: [_spot(explorer["at"])] for explorer in scene["explorers"]}
    steps: dict[int, Drawing] = {}
    for words in answers:
        who, _, answer = words.partition(":")
        if not who.isdigit() or int(who) not in ways:
            continue
        mover, goal = int(who), _goal(answer)
        if mover != seat and mover not in steps:
            here = ways[mover][-1]
            steps[mover] = line_through([here, goal], "", mover) if goal else text_at(here, answer.lower())
        if goal:
            ways[mover].append(goal)
    return [line_through(way, "", mover) for mover, way in ways.items() if len(way) > 1], list(steps.values())


def _spot(place: Sequence[int]) -> str:
    return f"{place[0]},{place[1]}"


def _goal(answer: str) -> str:
    """The spot that a MOVE leads to; nothing for other answers."""
    words = answer.split()
    return f"{words[1]},{words[2]}" if len(words) >= 3 and words[0] == "MOVE" else ""


def picture(scene: Scene) -> Group:
    """The maze with everyone in it, and a table of the explorers."""
    return Group(_map(scene), Text(LEGEND, style="dim"), _table(scene))


def _map(scene: Scene) -> Text:
    minions: dict[tuple[int, int], list[str]] = {}
    for minion in scene["minions"]:
        awake = minion["state"] not in ("spawning", "stunned")
        mark = minion["kind"][0]
        minions.setdefault(tuple(minion["at"]), []).append(mark.upper() if awake else mark)
    people: dict[tuple[int, int], list[int]] = {}
    for explorer in scene["explorers"]:
        if explorer["living"]:
            people.setdefault(tuple(explorer["at"]), []).append(explorer["seat"])
    lit = {tuple(point) for point in scene["lit"]}
    energy = {tuple(shelter["at"]): shelter["energy"] for shelter in scene["shelters"]}
    text = Text()
    for y, row in enumerate(scene["rows"]):
        for x, mark in enumerate(row):
            point = (x, y)
            ground = " on grey30" if point in lit else ""
            if mark == "#":
                text.append("██", style="blue")
                continue
            text.append(*_half(people.get(point, []), ground, energy.get(point), mark))
            names = minions.get(point, [])
            many = str(min(9, len(names))) if len(names) > 1 else ("".join(names) or " ")
            text.append(many, style=("bold red" if any(n.isupper() for n in names) else "red") + ground)
        text.append("\n")
    return text


def _half(seats: list[int], ground: str, energy: int | None, mark: str) -> tuple[str, str]:
    """What to show of a cell before its minions: an explorer, several ('+'), a shelter or a spawn."""
    if seats:
        return (str(seats[0]) if len(seats) == 1 else "+"), f"bold {COLOURS[seats[0]]}{ground}"
    if energy is not None:
        return ("U" if energy else "u"), f"green{ground}"
    return ("'" if mark == "w" else ":" if ground else "."), f"dim{ground}"


def _table(scene: Scene) -> Table:
    settings = scene["settings"]
    cost = f"a turn costs {settings['lonely']} alone, {settings['group']} in company"
    title = f"after turn {scene['turn']}, {scene['maze']}; {cost}"
    table = Table("", "sanity", "plans", "lights", "", "answer", title=title, title_justify="left")
    for explorer in scene["explorers"]:
        notes = [
            f"plan {explorer['planning']}" if explorer["planning"] else "",
            "stuck" if explorer["stuck"] and explorer["living"] else "",
            f"out with {explorer['score']}" if explorer["score"] is not None else "",
        ]
        table.add_row(
            Text(str(explorer["seat"]), style=COLOURS[explorer["seat"]]),
            str(explorer["sanity"]),
            str(explorer["plans"]),
            str(explorer["lights"]),
            " ".join(filter(None, notes)),
            Text(explorer["answer"] or ""),
        )
    return table
