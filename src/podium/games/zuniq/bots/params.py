"""The parameters of the searching bots of Zuniq: search, time, claims, opening."""

from podium.games.zuniq.board import WALLS
from podium.games.zuniq.state import MOST_PLIES
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.search import mcts, puct
from podium.search.network import NETWORK

TIME = (
    Parameter("horizon", 34, "ply by which the game should be decided: the time is shared until then", 1, MOST_PLIES),
    Parameter("early_plies", 8, "plies of the game in which a move gets early_weight", 0, MOST_PLIES),
    Parameter("early_weight", 0.6, "time of a move in the first plies, in parts of a later one's", 0.01, 10),
    Parameter("late_ply", 20, "ply from which a move gets late_weight, until the horizon", 0, MOST_PLIES),
    Parameter("late_weight", 1.6, "time of a move near the horizon, in parts of an earlier one's", 0.01, 10),
    Parameter("early_stop", False, "stop when the most visited wall cannot be overtaken in the time of the move"),
    Parameter("max_time", 6.0, "longest search in seconds (write-up: 2.75 and 0.25)", 0.01, 30, aliases=("longest",)),
    Parameter(
        "unstable_time",
        0.25,
        "extra time, as a share of a move's time, while the most visited wall does not have the highest value",
        0,
        1,
        aliases=("check",),
    ),
    Parameter(
        "writeup_time",
        False,
        "the write-up's rule instead: 2 s before move 19, then half of the time left, at most 2.75 s; up to 0.25 s "
        "more while the most visited wall does not have the highest value",
    ),
    Parameter("margin", 60.0, "milliseconds of the time left that stay unused, for the judge's overhead", 0, 10000),
    Parameter("margin_share", 0.15, "upper limit of margin, in parts of the time left", 0, 1, aliases=("margin_part",)),
)
CLAIMS = (
    Parameter("claim", True, "claim a proven win"),
    Parameter("claim_chance", 0.97, "also claim a win of at least this probability while the bonus shrinks", 0.5, 1),
    Parameter(
        "claim_exponent",
        3.0,
        "exponent that turns the odds in playouts into the odds of winning the game (fitted)",
        1,
        9,
        aliases=("sureness",),
    ),
)
OPENING = Parameter(
    "opening", 20, "plies with only the good opening walls searched (write-up: 20, the turns before 21)", 0, MOST_PLIES
)
PARAMETERS = (*mcts.PARAMETERS, *TIME, *CLAIMS)

CHAMPION_PARAMS = ParamSpec(
    "zuniq champion parameters",
    *adjusted(PARAMETERS, solve=10, endgame=34),
    OPENING,
    Parameter("book", True, "play the first plies from the opening book"),
    Parameter("symmetry", True, "play under a random symmetry of the board, so that games differ"),
)
# The seat is the one whose walls are restricted in the opening.
CHAMPION_CONTEXT = CHAMPION_PARAMS.context("zuniq champion search context", [("seat", "i8")])

WRITEUP_PARAMS = CHAMPION_PARAMS.variant(
    "zuniq writeup parameters",
    solve=5,
    endgame=0,
    counted_impact=True,
    writeup_time=True,
    claim_chance=1.0,
)

UCT_PARAMS = CHAMPION_PARAMS.variant(
    "zuniq uct parameters",
    horizon=31,
    early_weight=1.0,
    late_weight=1.0,
    playouts=1,
    rave=False,
    impact=0.0,
    exploration=0.5,
    opponent_epsilon=0.0,
    prove=False,
    solve=0,
    endgame=0,
    transpositions=False,
    reuse_tree=False,
    opening=0,
    book=False,
    symmetry=False,
)

ALPHAZERO_PARAMS = ParamSpec(
    "zuniq alphazero parameters",
    *adjusted((*puct.PARAMETERS, *TIME, *CLAIMS), solve=10, endgame=34, claim_exponent=1.0),
    OPENING,
    Parameter("handover", 48, "number of legal walls at which the champion's search takes over; 0: never", 0, WALLS),
    NETWORK,
)
ALPHAZERO_CONTEXT = ALPHAZERO_PARAMS.context("zuniq alphazero search context", [("seat", "i8")])
