"""The parameters of the bots of Wondev Woman that evaluate positions.

The values are those of Agade's post-mortem (2nd place), unless the help text says otherwise.
"""

from podium.model.params import Parameter, ParamSpec, adjusted
from podium.search import alphabeta

EVALUATION = (
    Parameter("territory", 2.0, "points per cell reached first (write-up: 2, the yield of a cell in the endgame)"),
    Parameter(
        "flood_fill",
        False,
        "territory by flood fill: all cells that a side can reach, also those that the other reaches first (write-up: "
        "used before Voronoi)",
    ),
    Parameter("first_level", 0.0, "extra points per cell reached first of height 1 or more (not in the write-up)"),
    Parameter("second_level", 0.0, "extra points per cell reached first of height 2 or more (not in the write-up)"),
    Parameter("third_level", 0.0, "extra points per cell reached first of height 3 (not in the write-up)"),
    Parameter("height", 0.0, "points per level of the cells under the units (not in the write-up)"),
    Parameter("points", 1.0, "points per point of the score (write-up: 1)"),
    Parameter("freedom", 1.0, "points per neighbouring cell that a unit may enter (write-up: 1)"),
    Parameter("win", 1000.0, "points for a certain win (write-up: 0, as it does not know the score)", 0),
)
PLACING = ("expected", "worst", "random", "removed", "average")
EXPECTED, WORST, RANDOM, REMOVED, AVERAGE = range(len(PLACING))

CHAMPION_PARAMS = ParamSpec(
    "wondev woman champion parameters",
    *EVALUATION,
    Parameter(
        "placing",
        "expected",
        "assumed places of unseen enemies: as the last search expected, else the worst for me (write-up); always the "
        "worst; a random possible one; off the board; or several of the worst, for the best move on average",
        choices=PLACING,
    ),
    Parameter(
        "first_move",
        True,
        "deduce where the enemy can be from the first cell that has risen, if the enemy moved first (write-up); off: "
        "take all that fits the first prompt",
    ),
    Parameter("places", 4, "number of places that `average` evaluates", 1, 32),
    Parameter("score_from_zero", False, "search as if nobody had points yet (write-up); off: with the deduced points"),
    Parameter("margin", 9.0, "milliseconds of each time limit left unused", 0),
    # An evaluation takes 30 ns, less than a look-up in a cache or, one ply above the horizon, in the table.
    *adjusted(alphabeta.PARAMETERS, evaluation_cache=False, table_depth=2),
)
# The author keeps best moves and evaluations, but no values of searched positions; he sorts all moves of a node, and
# cannot tell a win, as he does not know the score.
WRITEUP_PARAMS = CHAMPION_PARAMS.variant(
    "wondev woman writeup parameters",
    score_from_zero=True,
    win=0.0,
    partial=False,
    table=False,
    table_depth=1,
    evaluation_cache=True,
    picks=0,
)
GREEDY_PARAMS = ParamSpec(
    "wondev woman greedy parameters",
    *EVALUATION,
    Parameter(
        "worst_place",
        True,
        "put unseen enemies on the worst place for me; off: leave them off the board",
        aliases=("one_ply",),
    ),
)
