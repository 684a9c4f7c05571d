"""`uct`: plain UCT with one random game per simulation, as most contestants played it. For scale."""

from podium.games.game import BotKind
from podium.games.zuniq.bots.thinker import PARAMETERS, Thinker
from podium.kernel.minds import MindType, adjusted

MINDS = MindType(
    "zuniq uct mind",
    *adjusted(
        PARAMETERS,
        playouts=1,
        rave=False,
        impact=0.0,
        exploration=0.5,
        pitfalls=0.0,
        prove=False,
        solve=0,
        transpositions=False,
        keep=False,
    ),
)

KIND = BotKind("uct", "plain UCT with random playouts, for scale", MINDS, Thinker)
