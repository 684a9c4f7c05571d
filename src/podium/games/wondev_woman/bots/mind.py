"""The numbers and switches of the bots of Wondev Woman that evaluate positions.

The values are those of Agade's post-mortem (2nd place), where a help text does not say otherwise.
"""

from podium.kernel.minds import MindType, Parameter, adjusted
from podium.search import alphabeta

EVALUATION = (
    Parameter("territory", 2.0, "points per cell reached first (write-up: 2, what a cell yields in the endgame)"),
    Parameter("first_level", 0.0, "points more for such a cell of height 1 or more (tuned)"),
    Parameter("second_level", 0.0, "points more for such a cell of height 2 or more (tuned)"),
    Parameter("third_level", 0.0, "points more for such a cell of height 3 (tuned)"),
    Parameter("height", 0.0, "points per level that a unit stands on (tuned)"),
    Parameter("points", 1.0, "per point of the score (write-up)"),
    Parameter("freedom", 1.0, "points per free neighbouring cell that a unit may enter (write-up)"),
    Parameter("win", 1000.0, "points for a game that is won for certain", 0),
)
PLACING = ("expected", "worst", "random", "removed", "average")
EXPECTED, WORST, RANDOM, REMOVED, AVERAGE = range(len(PLACING))

CHAMPION_MINDS = MindType(
    "wondev woman champion mind",
    *EVALUATION,
    Parameter(
        "placing",
        "expected",
        "where unseen enemies are thought to be: as the last search expected, else the worst place for me (write-up); "
        "always the worst; a random possible one; nowhere; or several of the worst, and the best move on average",
        choices=PLACING,
    ),
    Parameter("places", 4, "how many places `average` looks at", 1, 32),
    Parameter("margin", 9.0, "milliseconds of the time limit left unused, for the way to the referee", 0),
    # An evaluation takes 30 ns, less than a look into a cache; likewise the positions one ply above the horizon.
    *adjusted(alphabeta.PARAMETERS, evaluation_cache=False, table_depth=2),
)
GREEDY_MINDS = MindType(
    "wondev woman greedy mind",
    *EVALUATION,
    Parameter("one_ply", True, "look at the enemy's worst place too; off: unseen enemies are not on the board"),
)
