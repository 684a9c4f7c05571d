"""Turns in which several seats choose at the same time: joint choices as numbers, and the matrix of a turn.

A joint choice is numbered by the choices of its seats, the first one counting fastest.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import copy_of
from podium.model.hooks import advance, unit
from podium.model.result import Matrix
from podium.model.rules import before_turn, candidates, is_over, legal_moves, mover

MOST_COLUMNS = 64  # joint choices of the others that a matrix shows


class TurnChoices(NamedTuple):
    """The seats that choose in a turn, in order, and the moves that each of them considers."""

    seats: list[int]
    moves: list[list[int]]
    units: Sequence[int] = ()  # of each choice: which of the seat's units it is for

    @property
    def size(self) -> int:
        """The number of joint choices."""
        return math.prod(len(moves) for moves in self.moves)

    def joints(self) -> Iterator[tuple[int, ...]]:
        """All joint choices in the order of their numbers, as indices of the seats' moves."""
        for number in range(self.size):
            yield self.indices_of(number)

    def indices_of(self, number: int) -> tuple[int, ...]:
        """The choices of the seats in a joint choice."""
        indices = []
        for moves in self.moves:
            number, index = divmod(number, len(moves))
            indices.append(index)
        return tuple(indices)

    def joint_of(self, indices: Sequence[int]) -> int:
        """The number of a joint choice."""
        number = 0
        for moves, index in zip(reversed(self.moves), reversed(indices), strict=True):
            number = number * len(moves) + index
        return number

    def place_of(self, seat: int) -> int:
        """The place of a seat in the order of choosing; the first one for a seat that does not choose."""
        return self.seats.index(seat) if seat in self.seats else 0


def turn_of(state: Any, params: Any, out: Any) -> TurnChoices:
    """The turn that begins with a position that is not over; `out` has room for all moves of a seat."""
    position, turn = copy_of(state), TurnChoices([], [], units := [])
    while True:
        count = int(candidates(position, params, out)) or int(legal_moves(position, out))
        turn.seats.append(int(mover(position)))
        units.append(int(unit(position)))
        turn.moves.append([int(move) for move in out[:count]])
        advance(position, params, turn.moves[-1][0])
        if is_over(position) or before_turn(position):
            return turn


def most_probable(shares: np.ndarray, means: np.ndarray) -> int:
    """The index of the highest share; of equal ones that with the highest mean value."""
    return int(np.lexsort((means, shares))[-1])


def expected_value(shares: np.ndarray, means: np.ndarray) -> float:
    """The value of a mixed strategy."""
    return float(shares @ means)


def matrix_of(
    turn: TurnChoices, place: int, shares: Sequence[np.ndarray], values: Mapping[int, float]
) -> Matrix | None:
    """The matrix of a turn for the seat at a place, from the mixed strategies of all seats and the values of joint
    choices by their numbers; None if nobody else chooses. The others' most probable joint choices come first."""
    if len(turn.seats) < 2:
        return None
    others = [each for each in range(len(turn.seats)) if each != place]
    cells: dict[tuple[int, ...], dict[int, float]] = {}
    for number, value in values.items():
        indices = turn.indices_of(number)
        cells.setdefault(tuple(indices[each] for each in others), {})[indices[place]] = value

    def share(column: tuple[int, ...]) -> float:
        return math.prod(float(shares[each][i]) for each, i in zip(others, column, strict=True))

    columns = sorted(cells, key=lambda column: (-share(column), column))[:MOST_COLUMNS]
    rows = range(len(turn.moves[place]))
    return Matrix(
        rows=turn.moves[place],
        columns=[tuple(turn.moves[each][i] for each, i in zip(others, column, strict=True)) for column in columns],
        values=[[cells[column].get(row, math.nan) for column in columns] for row in rows],
        row_shares=[float(each) for each in shares[place]],
        column_shares=[share(column) for column in columns],
    )
