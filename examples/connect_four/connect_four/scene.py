"""A position of Connect Four as plain data, and that as a picture in the terminal. Its spots are columns: 1 to 7."""

from rich.text import Text

from connect_four.referee import ConnectFourReferee, text_of
from connect_four.rules import COLUMNS, ROWS
from podium.games.drawing import Choice
from podium.games.game import Referee, Scene
from podium.games.kit import moves_of

NOBODY = -1
STONES = {NOBODY: ("·", "dim"), 0: ("●", "red"), 1: ("●", "yellow")}


def scene(referee: Referee) -> Scene:
    """The rows from top to bottom, with the seat of each stone or -1; the moves so far, and who is to move."""
    assert isinstance(referee, ConnectFourReferee)
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    for ply, column in enumerate(referee.moves):
        columns[column].append(ply % 2)
    rows = [[stones[row] if row < len(stones) else NOBODY for stones in columns] for row in reversed(range(ROWS))]
    return {"game": "connect_four", "rows": rows, "moves": text_of(referee.moves), "mover": len(referee.moves) % 2}


def choices(referee: Referee, seat: int) -> list[Choice]:
    """The columns that are not full."""
    return [Choice(text, f"column {text}", (text,)) for text in sorted(map(text_of, zip(moves_of(referee.state))))]


def picture(scene: Scene) -> Text:
    """The board, with the numbers of the columns below."""
    text = Text()
    for row in scene["rows"]:
        for stone, style in (STONES[seat] for seat in row):
            text.append(f" {stone}", style)
        text.append("\n")
    return text.append(" 1 2 3 4 5 6 7", "dim")
