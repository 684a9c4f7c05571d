"""A position of Wondev Woman as plain data, and that data as a picture in the terminal."""

from typing import Any

from rich.console import Group
from rich.text import Text

from podium.games.game import Referee, Scene
from podium.games.wondev_woman.board import cell_at, place_of
from podium.games.wondev_woman.referee import WondevReferee, action_names, grid_of, own_units
from podium.games.wondev_woman.rules import sight

COLOURS = ("bright_blue", "bright_red")
GROUNDS = ("grey15", "grey30", "grey46", "gold3", "grey78")  # by height
UNIT_NAMES = ("AB", "ab")  # of player 0, of player 1


def scene(referee: Referee) -> Scene:
    """Heights (-1: hole), units, what each player sees, points, who is out, and who is to move."""
    assert isinstance(referee, WondevReferee)
    return scene_of(referee.state, referee.size, referee.actions)


def scene_of(state: Any, size: int, actions: list[str]) -> Scene:
    """The scene of a state."""
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
        "legal": [] if state.over else action_names(state),
        "last": actions[-1] if actions else "",
    }


def _place(cell: int) -> list[int] | None:
    """None for a unit that is nowhere."""
    x, y = place_of(cell)
    return [x, y] if max(x, y) < 7 else None


def _seen(state: Any, seat: int, size: int) -> list[list[int]]:
    """The floor cells on which a player would see a unit."""
    cells = int(sight(state, seat)) & int(state.planes[0])
    return [[x, y] for y in range(size) for x in range(size) if cells >> cell_at(x, y) & 1]


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
        status.append(f" {UNIT_NAMES[seat]}: {scene['scores'][seat]} points{out}  ", style=COLOURS[seat])
    status.append("over" if scene["over"] else f"round {scene['round']}, player {scene['mover']} to move", style="dim")
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
