"""The moves of a position side by side, for analyses: each searched by itself, all valued at one depth.

A move that was searched deeper than another may look better or worse for that reason alone. So every move gets an
equal part of the budget, and those that came further than the slowest are valued again at its depth, which costs no
more than they spent on the way there.
"""

from collections.abc import Callable, Sequence

from podium.kernel.budget import NO_LIMIT, Budget
from podium.search.result import Result

AS_DEEP_AS_POSSIBLE = 0

Searching = Callable[[int, Budget, int], Result]  # one move by itself, within a budget, to a depth


def side_by_side(search: Searching, moves: Sequence[int], budget: Budget) -> list[Result]:
    """What a search finds of each move, in their order; where the whole game was seen the depth does not matter."""
    results = [
        search(move, part, AS_DEEP_AS_POSSIBLE) for move, part in zip(moves, budget.slices(len(moves)), strict=True)
    ]
    depth = min((result.depth for result in results if not result.proof), default=0)
    for index, (move, result) in enumerate(zip(moves, results, strict=True)):
        if depth and not result.proof and result.depth > depth:
            results[index] = search(move, NO_LIMIT, depth)
    return results


def best_first(results: Sequence[Result]) -> list[Result]:
    """Results sorted by their value, of equals the first one first."""
    return sorted(results, key=lambda result: -result.value)
