"""A position of Wondev Woman as plain data, and that data as a picture in the terminal.

The spots of the board are its cells: `x,y`.
"""

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from podium.games.game import Scene, Thoughts
from podium.games.overlays import Choice, Drawing, Sketch, line_through, marked, text_at
from podium.games.wondev_woman.board import DIRECTIONS, STEPS, cell_at, on_grid, place_of
from podium.games.wondev_woman.protocol import DEFEAT, grid_of, legal_answers
from podium.games.wondev_woman.rules import sight
from podium.games.wondev_woman.setup import side_of
from podium.games.wondev_woman.state import own_units

COLOURS = ("bright_blue", "bright_red")
GROUNDS = ("grey15", "grey30", "grey46", "gold3", "grey78")  # by height
UNIT_NAMES = ("AB", "ab")  # of player 0, of player 1


def scene(state: Any, last: str = "", size: int = 0) -> Scene:
    """Heights (-1: hole), units, what each player sees, points, who is out, and who is to move.

    `last` is the last action, if it is known; `size` the side of the grid, if it is larger than the floor.
    """
    size = size or side_of(state)
    rows = grid_of(state, size)
    return {
        "game": "wondev_woman",
        "size": size,
        "heights": [[-1 if cell == "." else int(cell) for cell in row] for row in rows],
        "units": [[_place(cell) for cell in own_units(state, seat)] for seat in (0, 1)],
        "sight": [_seen(state, seat, size) for seat in (0, 1)],
        "scores": [int(score) for score in state.score],
        "out": [bool(out) for out in state.out],
        "round": int(state.rounds),
        "mover": int(state.mover),
        "over": bool(state.over),
        "legal": [] if state.over else legal_answers(state),
        "last": last,
    }


def _place(cell: int) -> list[int] | None:
    """None for a unit that is nowhere."""
    x, y = place_of(cell)
    return [x, y] if on_grid(x, y) else None


def _seen(state: Any, seat: int, size: int) -> list[list[int]]:
    """The floor cells on which a player would see a unit."""
    cells = int(sight(state, seat)) & int(state.planes[0])
    return [[x, y] for y in range(size) for x in range(size) if cells >> cell_at(x, y) & 1]


def seen(full: Scene, seat: int) -> Scene:
    """The scene without the enemy's hidden units, sight, points and doings."""
    enemy = 1 - seat
    visible = full["sight"][seat]
    own_turn = full["mover"] == seat
    return {
        **full,
        "units": [[place if s == seat or place in visible else None for place in full["units"][s]] for s in (0, 1)],
        "sight": [full["sight"][s] if s == seat else [] for s in (0, 1)],
        "scores": [None if s == enemy else full["scores"][s] for s in (0, 1)],
        "legal": full["legal"] if own_turn else [],
        "last": "",
        "viewer": seat,
    }


def choices(state: Any, seat: int, last: str = "") -> list[Choice]:
    """The legal actions: click the unit, where it steps or whom it pushes, where it builds or the pushed one goes."""
    full = scene(state)
    units = full["units"][seat]
    found = [Choice(name, name, tuple(_trail(units, name))) for name in full["legal"]]
    return found or [Choice(DEFEAT, "accept defeat")]


def _trail(units: Sequence[Sequence[int] | None], name: str) -> list[str]:
    """The spots of an action: unit, target of the first direction, target of the second one seen from there."""
    words = name.split()
    if len(words) < 4 or words[1] not in ("0", "1") or not {*words[2:4]} <= {*DIRECTIONS}:
        return []
    place = units[int(words[1])]
    if place is None:
        return []
    x, y = place
    spots = [f"{x},{y}"]
    for word in words[2:4]:
        dx, dy = STEPS[DIRECTIONS.index(word)]
        x, y = x + dx, y + dy
        spots.append(f"{x},{y}")
    return spots


def sketch(scene: Scene, seat: int, thoughts: Thoughts) -> Sketch:
    """The expected actions as arrows, the options, and where the enemy may be."""
    heat = thoughts.beliefs.get("heat") or []
    beliefs: list[Drawing] = []
    for y, row in enumerate(heat):
        for x, share in enumerate(row):
            if share > 0:
                beliefs += [marked([f"{x},{y}"], share), text_at(f"{x},{y}", f"{100 * share:.0f}")]
    options = [
        line_through(spots, f"{option.value:.3g}")
        for option in thoughts.options
        if (spots := _trail(scene["units"][seat], option.move))
    ]
    return {"line": _expected(scene, seat, thoughts.line), "options": options, "beliefs": beliefs}


def _expected(scene: Scene, seat: int, names: Sequence[str]) -> list[Drawing]:
    """The players' actions in turn; the units are followed along the line."""
    units = [list(places) for places in scene["units"]]
    drawings = []
    for number, name in enumerate(names):
        mover = (seat + number) % 2
        spots = _trail(units[mover], name)
        if not spots:
            continue
        drawings.append(line_through(spots, str(number + 1), mover))
        start, middle, end = ([int(part) for part in spot.split(",")] for spot in spots)
        pushes = name.startswith("PUSH")
        moved, before, after = (1 - mover, middle, end) if pushes else (mover, start, middle)
        units[moved] = [after if place == before else place for place in units[moved]]
    return drawings


def picture(scene: Scene) -> Group:
    """The heights as shades with the units on them; beneath, points, and where the enemy may be if it is known."""
    text = Text("    " + "   ".join(str(x) for x in range(scene["size"])) + "\n", style="dim")
    units = {
        tuple(place): (seat, UNIT_NAMES[seat][index])
        for seat in (0, 1)
        for index, place in enumerate(scene["units"][seat])
        if place
    }
    heat = scene.get("heat")
    for y, row in enumerate(scene["heights"]):
        text.append(f" {y} ", style="dim")
        for x, level in enumerate(row):
            _cell(text, level, units.get((x, y)))
        if heat:
            text.append("     ")
            for x, level in enumerate(row):
                _warmth(text, level, heat[y][x])
        text.append("\n")
    status = Text()
    for seat in (0, 1):
        out = " (out)" if scene["out"][seat] else ""
        points = scene["scores"][seat]
        status.append(f" {UNIT_NAMES[seat]}: {points} point{'' if points == 1 else 's'}{out}  ", style=COLOURS[seat])
    status.append("over" if scene["over"] else f"round {scene['round']}, player {scene['mover']} to move", style="dim")
    status.append("\n digits: heights, 4 is closed; letters: units on them; no digit: no ground", style="dim")
    return Group(text, status)


def _cell(text: Text, level: int, unit: tuple[int, str] | None) -> None:
    if level < 0:
        text.append("    ")
        return
    ground = f"on {GROUNDS[level]}"
    if unit:
        seat, letter = unit
        text.append(f" {letter}{level} ", style=f"bold {COLOURS[seat]} {ground}")
    else:
        text.append(f"  {level} ", style=f"{'black' if level >= 3 else 'white'} {ground}")


def _warmth(text: Text, level: int, share: float) -> None:
    """A cell of the heat map: how often, in percent, an enemy unit stands on it in the possible positions."""
    if level < 0:
        text.append("    ")
        return
    red = round(255 * min(1.0, share))
    text.append(f"{100 * share:4.0f}" if share > 0 else "   .", style=f"white on rgb({red},0,0)")
