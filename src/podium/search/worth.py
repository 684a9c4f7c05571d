"""What principal variation search asks of a bot besides candidates and evaluation: sides, and the worth of an end."""

from typing import Any

import numpy as np

from podium.kernel import generic, kernel
from podium.kernel.rules import final_score

WIN = 1e6


@generic(by=1)
def side(state: Any, seat: Any, root: Any) -> Any:
    """Whether a seat plays for the root's seat (0) or against it (1)."""


@side.otherwise
@kernel
def against_the_rest(state: Any, seat: Any, root: Any) -> Any:
    """A seat plays for itself, against all others."""
    return 0 if seat == root else 1


@generic(by=2)
def terminal_value(state: Any, mind: Any, seat: Any) -> Any:
    """What the end of a game is worth to a seat, on the scale of `evaluate`."""


@terminal_value.otherwise
@kernel
def won_or_lost(state: Any, mind: Any, seat: Any) -> Any:
    """A million for a win, so that no evaluation weighs more, and the final score."""
    score = np.float64(final_score(state, seat))
    if score > 0.0:
        return score + WIN
    if score < 0.0:
        return score - WIN
    return score
