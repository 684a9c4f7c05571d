"""What it costs to assume that the other side knows my choice: matrices of first turns, solved in both ways.

In a matrix of values alpha-beta chooses the row with the best worst reply, and believes that row's minimum. An optimal
mixed strategy is worth more, unless the matrix has a saddle point.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.game import Findings
from podium.games.sample_mean import sample_mean
from podium.search.matrix_games import solve_matrix

SMALL_SHARE = 0.01  # probability below which an optimal strategy does not play a move
COLUMNS = [
    "bot",
    "positions",
    "mixed",
    "another move",
    "too low by",
    "low",
    "high",
    "if mixed",
    "regret",
]
NOTE = (
    "Mixed: positions without a saddle point. Another move: the optimal strategy does not play alpha-beta's move. "
    "Too low by: the value of the optimal strategy less the value that alpha-beta believes, in points of the "
    "evaluation; low and high: its 95 % interval; if mixed: its mean in those positions alone. Regret: what "
    "alpha-beta's move loses against an opponent who plays the optimal strategy."
)


def assumption_findings(bot: str, matrices: Sequence[Any]) -> Findings:
    """Compare alpha-beta's choice with the optimal mixed strategy in matrices of values."""
    gaps, regrets, others = list[float](), list[float](), 0
    for matrix in map(np.asarray, matrices):
        solved = solve_matrix(matrix)
        worst = matrix.min(axis=1)
        row = int(worst.argmax())
        gaps.append(solved.value - float(worst[row]))
        regrets.append(max(0.0, solved.value - float(matrix[row] @ solved.columns)))
        others += bool(solved.rows[row] < SMALL_SHARE)
    mixed = [gap for gap in gaps if gap > 0]
    row_of_results = [bot, len(gaps), len(mixed), others, *sample_mean(gaps), fmean(mixed or [0.0]), fmean(regrets)]
    return Findings(COLUMNS, [row_of_results], NOTE)
