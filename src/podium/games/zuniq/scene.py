"""A position of Zuniq as plain data, and that data as a picture in the terminal.

The spots of the board are the walls by their names, the cells by row letter and column: `A1` to `E5`, and `claim`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.text import Text

from podium.games.game import Scene, Thoughts
from podium.games.overlays import Choice, Drawing, Sketch, line_through, marked, text_at
from podium.games.zuniq.board import CELLS, DOTS, NAMES, WALLS, cell_bit
from podium.games.zuniq.protocol import CLAIM
from podium.games.zuniq.rules import fill, legal_mask
from podium.games.zuniq.state import SEAT_NAMES
from podium.kernel.bits import popcount


def scene(state: Any, moves: Sequence[str] = (), claims: Sequence[int] = (0, 0)) -> Scene:
    """Walls by name, the size of each cell's zone (0: open), the legal walls, and who is to move.

    `moves` and `claims` are the history, as far as it is known: walls in their order, and the ply of each seat's claim.
    """
    drawn, closed, legal = int(state.drawn), int(state.closed), int(legal_mask(state))
    return {
        "game": "zuniq",
        "drawn": [NAMES[wall] for wall in range(WALLS) if drawn >> wall & 1],
        "legal": [NAMES[wall] for wall in range(WALLS) if legal >> wall & 1],
        "zones": [
            [_zone_size(state, row, column) if closed & cell_bit(row, column) else 0 for column in range(CELLS)]
            for row in range(CELLS)
        ],
        "moves": list(moves),
        "claims": list(claims),
        "mover": int(state.plies) & 1,
    }


def _zone_size(state: Any, row: int, column: int) -> int:
    return int(popcount(fill(np.uint64(cell_bit(row, column)), ~state.east, ~state.south)))


def choices(state: Any, seat: int, moves: Sequence[str] = (), claims: Sequence[int] = (0, 0)) -> list[Choice]:
    """The walls that may be drawn, each also with a claim while this seat has made none."""
    legal = scene(state)["legal"]
    claiming = [] if claims[seat] else [Choice(wall + CLAIM, wall + CLAIM, ("claim", wall)) for wall in legal]
    return [Choice(wall, wall, (wall,)) for wall in legal] + claiming


def sketch(scene: Scene, seat: int, thoughts: Thoughts) -> Sketch:
    """The expected walls with their numbers, and the win rate of each wall that was considered."""
    line = [move.rstrip(CLAIM) for move in thoughts.line]
    options: list[Drawing] = []
    for option in thoughts.options:
        wall = option.move.rstrip(CLAIM)
        options += [marked([wall], option.value), text_at(wall, option.proof or f"{100 * option.value:.0f}")]
    return {"line": _numbered(line, seat), "options": options}


def _numbered(walls: Sequence[str], seat: int) -> list[Drawing]:
    return [line_through([wall], str(number + 1), (seat + number) % 2) for number, wall in enumerate(walls)]


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
                line = "═══" if wall == last else "───"
                text.append(line if wall in drawn else "   ", style=style(wall))
        text.append("\n")
        if row == CELLS:
            break
        text.append("   ")
        for column in range(DOTS):
            wall = f"{'ABCDEF'[row]}{column + 1}v"
            line = "║" if wall == last else "│"
            text.append(line if wall in drawn else " ", style=style(wall))
            if column < CELLS:
                size = scene["zones"][row][column]
                text.append(f"{size:^3}" if size else "   ", style="black on cyan" if size else "")
        text.append("\n")
    player = SEAT_NAMES[scene["mover"]]
    to_move = f"{player} to move" if scene["legal"] else "no wall is left"
    text.append(f"{f'last wall {last}; ' if last else ''}{to_move}; numbers: the size of a closed zone\n", style="dim")
    return text
