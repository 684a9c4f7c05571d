"""Searches straight from their definitions, slow and plain: what the fast ones are compared with.

They ask a game for its rules and a bot for its opinion through the same generic functions, and nothing else.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from podium.kernel import allocate
from podium.kernel.rules import candidates, evaluate, final_score, is_over, legal_moves, mover, play
from podium.search.hooks import advance, shares, standing, terminal_value

MOST_MOVES = 4096


class TooLargeError(Exception):
    """A tree has more nodes than a plain search was allowed."""


class Plain:
    """Plain searches over so many nodes at most, all together."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes

    def after(self, state: Any, move: int) -> Any:
        """The position after a move."""
        child = self._copy(state)
        play(child, move)
        return child

    def _copy(self, state: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError
        room = allocate(state.dtype, 1)
        room[0] = state
        return room[0]

    def minimax(self, state: Any, mind: Any, depth: int, seat: int) -> float:
        """The value of a position for a seat that plays against all others."""
        if is_over(state):
            return float(terminal_value(state, mind, seat))
        if depth == 0:
            return float(evaluate(state, mind, seat))
        best = max if mover(state) == seat else min
        return best(self.minimax(self.after(state, move), mind, depth - 1, seat) for move in willing(state, mind))

    def maxn(self, state: Any, mind: Any, depth: int, seats: int) -> list[float]:
        """Everybody's share of a position, if everybody maximises his own; of equals the smallest move is played."""
        if depth == 0 or is_over(state):
            vector = np.zeros(seats)
            shares(state, mind, vector)
            return vector.tolist()
        me = int(mover(state))
        vectors = [self.maxn(self.after(state, m), mind, depth - 1, seats) for m in sorted(willing(state, mind))]
        return max(vectors, key=lambda vector: vector[me])

    def best_sequence(self, state: Any, mind: Any, seat: int, depth: int, discount: float) -> float:
        """The highest value of all sequences of so many moves, or fewer if they end the game, as beams value them."""
        return max(self._sequences(state, mind, seat, depth, discount, discount, 0.0))

    def _sequences(
        self, state: Any, mind: Any, seat: int, depth: int, discount: float, weight: float, gained: float
    ) -> Iterator[float]:
        for move in willing(state, mind):
            child = self._copy(state)
            advance(child, mind, move)
            sum_ = gained + weight * float(evaluate(child, mind, seat) - evaluate(state, mind, seat))
            if depth == 1 or is_over(child):
                yield sum_ + float(standing(child, mind, seat))
            else:
                yield from self._sequences(child, mind, seat, depth - 1, discount, weight * discount, sum_)

    def solve(self, state: Any, seat: int) -> int:
        """1, 0 or -1: the result of a position for one of two seats with best play."""
        if is_over(state):
            return int(np.sign(final_score(state, seat)))
        best = max if mover(state) == seat else min
        return best(self.solve(self.after(state, move), seat) for move in legal(state))

    def perft(self, state: Any, depth: int) -> int:
        """The number of sequences of so many moves."""
        if depth == 0:
            return 1
        return 0 if is_over(state) else sum(self.perft(self.after(state, m), depth - 1) for m in legal(state))


def legal(state: Any) -> list[int]:
    """The legal moves."""
    moves = np.zeros(MOST_MOVES, np.int64)
    return moves[: legal_moves(state, moves)].tolist()


def willing(state: Any, mind: Any) -> list[int]:
    """The moves that a bot considers."""
    moves = np.zeros(MOST_MOVES, np.int64)
    return moves[: candidates(state, mind, moves)].tolist()
