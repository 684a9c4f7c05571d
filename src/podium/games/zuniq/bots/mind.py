"""The parameters of the searching bots of Zuniq: of their search, of their time, of their claims, of their opening."""

from podium.games.zuniq.board import WALLS
from podium.games.zuniq.state import MOST_PLIES
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.search import mcts, puct
from podium.search.network import NETWORK

TIME = (
    Parameter(
        "horizon", 31, "the ply by which the game should be decided: the time left is shared until there", 1, MOST_PLIES
    ),
    Parameter("longest", 6.0, "seconds for one move at most (write-up: 2.75)", 0.01, 30),
    Parameter("check", 0.25, "more time, in parts of a move's, while the most visited wall is not the best", 0, 1),
    Parameter("margin", 60.0, "milliseconds that are never used, for the judge's own overhead", 0, 10000),
    Parameter("margin_part", 0.15, "but not more than this part of the time that is left", 0, 1),
)
CLAIMS = (
    Parameter("claim", True, "claim a proven win"),
    Parameter("claim_chance", 0.97, "also claim a win that is this likely, while the bonus is shrinking", 0.5, 1),
    Parameter(
        "sureness", 3.0, "how much likelier the leader of the playouts is to win than their part of wins says", 1, 9
    ),
)
OPENING = Parameter(
    "opening", 20, "plies during which own walls are restricted to the good ones (write-up: 20)", 0, MOST_PLIES
)
PARAMETERS = (*mcts.PARAMETERS, *TIME, *CLAIMS)

CHAMPION_MINDS = MindType(
    "zuniq champion mind",
    *adjusted(PARAMETERS, solve=10, endgame=34),
    OPENING,
    Parameter("book", True, "play the first plies from the opening book"),
    Parameter("symmetry", True, "play under a random symmetry of the board"),
)
CHAMPION_OUTLOOKS = CHAMPION_MINDS.outlook("zuniq champion outlook", [("seat", "i8")])  # whose walls are restricted

UCT_MINDS = CHAMPION_MINDS.variant(
    "zuniq uct mind",
    playouts=1,
    rave=False,
    impact=0.0,
    exploration=0.5,
    pitfalls=0.0,
    prove=False,
    solve=0,
    endgame=0,
    transpositions=False,
    keep=False,
    opening=0,
    book=False,
    symmetry=False,
)

ALPHAZERO_MINDS = MindType(
    "zuniq alphazero mind",
    *adjusted((*puct.PARAMETERS, *TIME, *CLAIMS), solve=10, endgame=34, sureness=1.0),
    OPENING,
    Parameter("handover", 48, "legal walls from which on the champion's search takes over; 0: never", 0, WALLS),
    NETWORK,
)
ALPHAZERO_OUTLOOKS = ALPHAZERO_MINDS.outlook("zuniq alphazero outlook", [("seat", "i8")])
