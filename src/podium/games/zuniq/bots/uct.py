"""`uct`: plain UCT with one random game per simulation, as most contestants played it. For scale."""

from podium.games.game import BotKind
from podium.games.zuniq.bots.mind import UCT_MINDS
from podium.games.zuniq.bots.thinker import Thinker

KINDS = (BotKind("uct", "plain UCT with random playouts, for scale", UCT_MINDS, Thinker),)
