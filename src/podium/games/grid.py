"""Pictures of any game on a grid: a position as plain data, for the terminal, and (`grid.js`) for pages.

A game says what lies in each cell: the number of a seat for a stone of that seat, a short text, or -1 for nothing. Rows
come from top to bottom. A spot is a cell, `column,row` from 0.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from rich.text import Text

from podium.games.game import Pictures, Scene, Thoughts
from podium.games.overlays import Choice, Sketch, line_through, text_at
from podium.model.rules import is_over, mover
from podium.model.ruleset import Rules

SCENE_JS = Path(__file__).with_name("grid.js")
EMPTY_CELL = -1
SEAT_STYLES = (("●", "red"), ("○", "yellow"), ("◆", "green"), ("◇", "blue"))  # told apart without colours, too
MOST_OPTIONS = 9  # moves whose values are drawn

Cells = Sequence[Sequence[int | str]]
CellOf = Callable[[Any, int], tuple[int, int]]  # (state, move) -> its row and column


def grid_pictures(rules: Rules, grid: Callable[[Any], Cells], cell_of: CellOf | None = None) -> Pictures:
    """The pictures of a game on a grid.

    `cell_of` says which cell stands for a move, to click it and to draw a bot's thoughts there. A game with as many
    moves as cells need not say it: its moves are the cells, row by row.
    """

    def scene(state: Any) -> Scene:
        rows = [list(row) for row in grid(state)]
        columns = len(rows[0])
        place = cell_of or _row_by_row(rules, len(rows), columns)
        spots: dict[str, str] = {}
        if place and not is_over(state):
            for move in rules.moves(state):
                row, column = place(state, move)
                spots[rules.move_text(state, move)] = f"{column},{row}"
        return {
            "game": rules.name,
            "rows": rows,
            "row_names": [str(number) for number in range(len(rows), 0, -1)],
            "column_names": [*ascii_lowercase[:columns]] if columns <= len(ascii_lowercase) else [""] * columns,
            "mover": None if is_over(state) else int(mover(state)),
            "spots": spots,
        }

    def choices(state: Any, seat: int) -> list[Choice]:
        own = rules.seen(state, seat)
        spots = scene(own)["spots"]
        texts = [rules.move_text(own, move) for move in rules.moves(own)]
        return [Choice(text, text, (spots[text],) if text in spots else ()) for text in texts]

    return Pictures(scene, picture, choices, sketch=sketch, scene_js=SCENE_JS)


def _row_by_row(rules: Rules, rows: int, columns: int) -> CellOf | None:
    return (lambda state, move: divmod(move, columns)) if rules.move_codes == rows * columns else None


def picture(scene: Scene) -> Text:
    """The grid for the terminal, with the names of rows and columns."""
    shown = [[_shown(cell) for cell in row] for row in scene["rows"]]
    width = max(len(text) for row in shown for text, _ in row)
    edge = max(map(len, scene["row_names"]))
    drawing = Text()
    for name, row in zip(scene["row_names"], shown, strict=True):
        drawing.append(name.rjust(edge), "dim")
        for text, style in row:
            drawing.append(f" {text.rjust(width)}", style)
        drawing.append("\n")
    names = "".join(f" {name.rjust(width)}" for name in scene["column_names"])
    return drawing.append(" " * edge + names, "dim")


def _shown(cell: int | str) -> tuple[str, str]:
    if isinstance(cell, str):
        return cell, ""
    return SEAT_STYLES[cell % len(SEAT_STYLES)] if cell != EMPTY_CELL else ("·", "dim")


def sketch(scene: Scene, seat: int, thoughts: Thoughts) -> Sketch:
    """A bot's thoughts on the grid: the values of its best moves, and its principal variation."""
    spots: Mapping[str, str] = scene["spots"]
    options = [option for option in thoughts.options if option.move in spots][:MOST_OPTIONS]
    line = [spots[move] for move in thoughts.line if move in spots]
    return {
        "options": [text_at(spots[option.move], f"{option.value:.2g}") for option in options],
        "line": [line_through(line)] if len(line) > 1 else [],
    }
