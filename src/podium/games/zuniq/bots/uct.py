"""`uct`: plain UCT with one random game per simulation, as most contestants played it. For scale.

It is the champion with all else switched off, and runs the same compiled code.
"""

from podium.games.game import BotKind
from podium.games.zuniq.bots.champion import Champion
from podium.games.zuniq.bots.mind import UCT_MINDS

KINDS = (BotKind("uct", "plain UCT with random playouts, for scale", UCT_MINDS, Champion),)
