"""Matrix games: two sides choose at the same time, and a matrix has the value of each pair of choices for the first.

* `solve_matrix`: the value and a pair of optimal mixed strategies, by linear programming (von Neumann 1928; the program
  is that of Dantzig, "A proof of the equivalence of the programming problem and the game problem", 1951).
* `match_regrets`: the same approximately, by regret matching (Hart and Mas-Colell, "A simple adaptive procedure leading
  to correlated equilibrium", 2000): without SciPy, and as fast as one likes.
* `worst_part`: the conditional value at risk (CVaR; Rockafellar and Uryasev 2000) of each row: the mean of its worst
  part instead of its minimum.

Rows are the choices of the first side, which maximizes; columns are those of the second side, which minimizes.
"""

import sys
from typing import Any, NamedTuple

import numpy as np

from podium.errors import LimitError, PodiumError

ROUNDING = 1e-9  # probabilities below it are the linear program's rounding errors


class Equilibrium(NamedTuple):
    """The solution of a matrix game."""

    value: float  # for the first side
    rows: np.ndarray  # probabilities of the first side's choices
    columns: np.ndarray  # probabilities of the second side's choices


def solve_matrix(values: Any) -> Equilibrium:
    """The value of a matrix game and optimal mixed strategies of both sides.

    >>> solve_matrix([[1, -1], [-1, 1]])  # matching pennies
    Equilibrium(value=0.0, rows=array([0.5, 0.5]), columns=array([0.5, 0.5]))
    """
    matrix = _matrix(values)
    saddle = _saddle_point(matrix)
    if saddle is not None:
        return saddle
    value, rows = _maximin(matrix)
    return Equilibrium(value, rows, _maximin(-matrix.T)[1])


def _matrix(values: Any) -> np.ndarray:
    matrix = np.asarray(values, np.float64)
    if matrix.ndim != 2 or not matrix.size:
        raise PodiumError(f"a matrix game has rows and columns; this has the shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise PodiumError("a matrix game has finite values")
    return matrix


def _saddle_point(matrix: np.ndarray) -> Equilibrium | None:
    """The solution in pure strategies, if there is one."""
    worst, best = matrix.min(axis=1), matrix.max(axis=0)
    row, column = int(worst.argmax()), int(best.argmin())
    if worst[row] < best[column]:
        return None
    return Equilibrium(float(worst[row]), np.eye(matrix.shape[0])[row], np.eye(matrix.shape[1])[column])


def _maximin(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """The mixed strategy of the rows with the highest guaranteed value, and that value."""
    linprog = linear_programming()
    rows, columns = matrix.shape
    shift, scale = matrix.min(), np.ptp(matrix) or 1.0  # so that tolerances mean the same for every matrix
    scaled = (matrix - shift) / scale
    # maximize v with (strategy @ matrix)[j] >= v for each column j; the last variable is v
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-scaled.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
        method="highs",
    )
    if found.status:
        raise PodiumError(f"the linear program of a matrix game was not solved: {found.message}")
    strategy = np.where(found.x[:rows] < ROUNDING, 0.0, found.x[:rows])
    return float(found.x[rows] * scale + shift), strategy / strategy.sum()


def linear_programming() -> Any:
    """SciPy's solver, loaded at the first call: that takes up to a second, and few searches need it."""
    if sys.modules.get("scipy", sys) is None:  # `podium bot` hides it, so that Numba does not load it for nothing
        del sys.modules["scipy"]
    from scipy.optimize import linprog

    return linprog


def match_regrets(values: Any, rounds: int = 1000) -> Equilibrium:
    """An approximate solution by regret matching: the average strategies of a number of rounds.

    >>> found = match_regrets([[2, -1], [-1, 1]], rounds=2000)
    >>> bool(abs(found.rows[0] - 0.4) < 0.02), bool(abs(found.value - 0.2) < 0.02)
    (True, True)
    """
    if rounds < 1:
        raise LimitError(f"regret matching needs at least one round, not {rounds}")
    matrix = _matrix(values)
    regrets = [np.zeros(size) for size in matrix.shape]
    sums = [np.zeros(size) for size in matrix.shape]
    for _ in range(rounds):
        # both sides know the mixed strategy of the last round, and the second one already that of this round
        for side, payoffs in ((0, matrix), (1, -matrix.T)):
            mine, other = _by_regrets(regrets[side]), _by_regrets(regrets[1 - side])
            sums[side] += mine
            gains = payoffs @ other
            regrets[side] = np.maximum(regrets[side] + gains - mine @ gains, 0.0)
    rows, columns = (total / total.sum() for total in sums)
    return Equilibrium(float(rows @ matrix @ columns), rows, columns)


def _by_regrets(regrets: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to the positive regrets; all equal if there is none."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(regrets.size, 1 / regrets.size)


def worst_part(values: Any, part: float) -> np.ndarray:
    """The mean of the worst part (from 0 to 1) of each row: 0 gives its minimum, 1 its mean.

    >>> worst_part([[0, 4, 8, 12]], part=0.5)
    array([2.])
    """
    if not 0.0 <= part <= 1.0:
        raise LimitError(f"a part of the replies is a number from 0 to 1, not {part}")
    ordered = np.sort(_matrix(values), axis=1)
    count = ordered.shape[1]
    # a column that is partly in the worst part counts with that share
    weights = np.clip(max(part * count, 1.0) - np.arange(count), 0.0, 1.0)
    return ordered @ weights / weights.sum()


def exploitability(values: Any, rows: Any) -> float:
    """What the best reply to a mixed strategy of the rows gains over an optimal strategy; 0 for an optimal one.

    >>> exploitability([[1, -1], [-1, 1]], [1.0, 0.0])
    1.0
    """
    matrix = _matrix(values)
    return max(0.0, solve_matrix(matrix).value - float((np.asarray(rows) @ matrix).min()))
