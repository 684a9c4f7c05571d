"""A position of Zuniq as plain data, and that data as a picture in the terminal."""

from typing import Any

import numpy as np
from rich.text import Text

from podium.games.game import Referee, Scene
from podium.games.zuniq.board import CELLS, DOTS, NAMES, WALLS, cell_bit
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.rules import fill, legal_mask
from podium.kernel.bits import popcount


def scene(referee: Referee) -> Scene:
    """Walls by name, the size of each cell's zone (0: open), the legal walls, claims, and who is to move."""
    assert isinstance(referee, ZuniqReferee)
    return scene_of(referee.state, [NAMES[wall] for wall in referee.moves], referee.claims)


def scene_of(state: Any, moves: list[str], claims: list[int]) -> Scene:
    """The scene of a state."""
    drawn, closed, legal = int(state.drawn), int(state.closed), int(legal_mask(state))
    return {
        "game": "zuniq",
        "drawn": [NAMES[wall] for wall in range(WALLS) if drawn >> wall & 1],
        "legal": [NAMES[wall] for wall in range(WALLS) if legal >> wall & 1],
        "zones": [
            [_zone_size(state, row, column) if closed & cell_bit(row, column) else 0 for column in range(CELLS)]
            for row in range(CELLS)
        ],
        "moves": moves,
        "claims": list(claims),
        "mover": len(moves) & 1,
    }


def _zone_size(state: Any, row: int, column: int) -> int:
    return popcount(fill(np.uint64(cell_bit(row, column)), ~state.east, ~state.south))


def picture(scene: Scene) -> Text:
    """The board with its zones' sizes; the last wall stands out."""
    drawn = set(scene["drawn"])
    last = scene["moves"][-1] if scene["moves"] else ""

    def style(wall: str) -> str:
        return "bold yellow" if wall == last else "bold"

    text = Text("   " + "   ".join(str(column + 1) for column in range(DOTS)) + "\n", style="dim")
    for row in range(DOTS):
        text.append(f" {'ABCDEF'[row]} ", style="dim")
        for column in range(DOTS):
            text.append("•")
            wall = f"{'ABCDEF'[row]}{column + 1}h"
            if column < CELLS:
                text.append("───" if wall in drawn else "   ", style=style(wall))
        text.append("\n")
        if row == CELLS:
            break
        text.append("   ")
        for column in range(DOTS):
            wall = f"{'ABCDEF'[row]}{column + 1}v"
            text.append("│" if wall in drawn else " ", style=style(wall))
            if column < CELLS:
                size = scene["zones"][row][column]
                text.append(f"{size:^3}" if size else "   ", style="black on cyan" if size else "")
        text.append("\n")
    return text
