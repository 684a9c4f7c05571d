"""Multi-PV: several moves of a position, each searched by itself and all valued at one depth.

A move that was searched deeper than another may look better or worse for that reason alone. So every move gets an
equal part of the budget, and those that reached a greater depth than the slowest are searched again to its depth, which
costs no more than they spent on the way there.
"""

from collections.abc import Callable, Sequence

from podium.model.budget import NO_LIMIT, Budget
from podium.model.result import Result

UNLIMITED_DEPTH = 0

SearchMove = Callable[[int, Budget, int], Result]  # searches one move within a budget, to a depth at most


def multi_pv(search: SearchMove, moves: Sequence[int], budget: Budget) -> list[Result]:
    """The result of each move, in the order given. A proven result keeps its own depth: it cannot change."""
    results = [search(move, part, UNLIMITED_DEPTH) for move, part in zip(moves, budget.slices(len(moves)), strict=True)]
    depth = min((result.depth for result in results if not result.proof), default=0)
    for index, (move, result) in enumerate(zip(moves, results, strict=True)):
        if depth and not result.proof and result.depth > depth:
            results[index] = search(move, NO_LIMIT, depth)
    return results


def best_first(results: Sequence[Result]) -> list[Result]:
    """Results sorted by value, the highest first; equal ones keep their order."""
    return sorted(results, key=lambda result: -result.value)
