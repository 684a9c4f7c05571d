"""The value of a position for each seat, for searches of simultaneous moves, and the range of values seen so far.

What they call a tree is any workspace with `counters`, `values`, `low` and `high` as `DecoupledTree` has them.
"""

from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.model.hooks import WIN_VALUE, terminal_value
from podium.model.rules import evaluate, is_over

SEAT, LOGGED = 4, 5  # places of `counters`: the searching seat, steps in the log; those before are the search's own
COUNTERS = 6
WIN_MARGIN = 0.25  # how far a won game is above the highest evaluation, as a share of the range of evaluations


@inlined
def log_step(tree: Any, place: int, value: Any) -> None:
    """Note in the log that a simulation went through a cell or a node, and the value that it brought there."""
    step = tree.log[tree.counters[LOGGED]]
    step.edge = place
    step.result = value
    tree.counters[LOGGED] += 1


@kernel
def forget_range(tree: Any) -> None:
    """Start with an empty range of evaluations."""
    for seat in range(tree.values.size):
        tree.low[seat] = np.inf
        tree.high[seat] = -np.inf


@kernel
def note_value(tree: Any, seat: Any, value: Any) -> None:
    """Widen the range of evaluations; won and lost games do not count."""
    if -WIN_VALUE < value < WIN_VALUE:
        tree.low[seat] = min(tree.low[seat], value)
        tree.high[seat] = max(tree.high[seat], value)


@kernel
def bounds_of(tree: Any, seat: Any) -> Any:
    """The values of a lost and of a won game: a margin below and above all evaluations so far."""
    low, high = tree.low[seat], tree.high[seat]
    if low > high:
        return -1.0, 1.0
    margin = WIN_MARGIN * (high - low)
    if margin <= 0.0:
        margin = 1.0
    return low - margin, high + margin


@kernel
def bounded(tree: Any, seat: Any, value: Any) -> Any:
    """A value, with won and lost games brought near to the evaluations."""
    low, high = bounds_of(tree, seat)
    return min(high, max(low, value))


@kernel
def write_values(tree: Any, params: Any, state: Any) -> None:
    """Write the value of a position for each seat into `tree.values`, won and lost games with all their points."""
    over = is_over(state)
    zero_sum = params.zero_sum and tree.values.size == 2
    me = tree.counters[SEAT]
    for seat in range(tree.values.size):
        if zero_sum and seat != me:
            continue
        if over:
            tree.values[seat] = terminal_value(state, params, seat)
        else:
            tree.values[seat] = evaluate(state, params, seat)
        note_value(tree, seat, tree.values[seat])
        if zero_sum:
            tree.values[1 - me] = -tree.values[me]
            note_value(tree, 1 - me, tree.values[1 - me])
