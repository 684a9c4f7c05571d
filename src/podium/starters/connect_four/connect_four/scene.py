"""A position of Connect Four as plain data, and that as a picture in the terminal. Its spots are columns: 1 to 7."""

from typing import Any

from rich.text import Text

from connect_four.referee import text_of
from connect_four.rules import COLUMNS, ROWS
from podium.games.game import Scene
from podium.games.overlays import Choice
from podium.games.toolkit import moves_of

NOBODY = -1
STONES = {NOBODY: ("·", "dim"), 0: ("●", "red"), 1: ("○", "yellow")}


def scene(state: Any, moves: str = "") -> Scene:
    """The rows from top to bottom, with the seat of each stone or -1; who is to move, and the moves, if known."""
    own, taken, mover = int(state.own), int(state.taken), int(state.plies) % 2

    def stone(row: int, column: int) -> int:
        cell = 1 << (column * (ROWS + 1) + row)
        return NOBODY if not taken & cell else mover if own & cell else 1 - mover

    rows = [[stone(row, column) for column in range(COLUMNS)] for row in reversed(range(ROWS))]
    return {"game": "connect_four", "rows": rows, "moves": moves, "mover": mover}


def choices(state: Any, seat: int, moves: str = "") -> list[Choice]:
    """The columns that are not full."""
    return [Choice(text, f"column {text}", (text,)) for text in sorted(map(text_of, zip(moves_of(state))))]


def picture(scene: Scene) -> Text:
    """The board, with the numbers of the columns below."""
    text = Text()
    for row in scene["rows"]:
        for stone, style in (STONES[seat] for seat in row):
            text.append(f" {stone}", style)
        text.append("\n")
    return text.append(" 1 2 3 4 5 6 7", "dim")
