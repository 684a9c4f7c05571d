"""Mixed strategies in words: the options and the matrix of a search of simultaneous moves, with moves as text."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from podium.games.contract import Option
from podium.model.result import Result

SeatText = Callable[[int, int], str]  # (seat, move) -> the text of a move of a seat


def mixed_options(result: Result, seat: int, text: SeatText) -> list[Option]:
    """The moves of a seat at the root with their shares, best first."""
    return [
        Option(text(seat, move.move), move.value, move.visits, move.proof, [text(seat, move.move)], move.share)
        for move in result.options
    ]


def matrix_data(result: Result, seat: int, others: Sequence[int], text: SeatText) -> dict[str, Any] | None:
    """The matrix of a result as plain data; `others` are the other seats in the order in which they choose."""
    matrix = result.matrix
    if matrix is None:
        return None
    return {
        "rows": [text(seat, move) for move in matrix.rows],
        "columns": [
            " / ".join(text(other, move) for other, move in zip(others, column, strict=True))
            for column in matrix.columns
        ],
        "values": [[None if math.isnan(value) else value for value in row] for row in matrix.values],
        "row_shares": [*matrix.row_shares],
        "column_shares": [*matrix.column_shares],
    }
