"""`alphazero`: a network that learnt the game from itself leads the search (`podium train zuniq`, docs/learner.md).

The tree, its proofs, the solver and the good opening walls are the champion's; in the place of playouts and
all-moves-as-first stands what the network says: that of `data/network.npz`, unless the parameter names another.
"""

from typing import Any

from podium.games.game import BotKind
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.bots.champion import zuniq_candidates
from podium.games.zuniq.bots.mind import ALPHAZERO_MINDS, ALPHAZERO_OUTLOOKS
from podium.games.zuniq.bots.thinker import Thinker
from podium.games.zuniq.learning import INPUTS, symmetries
from podium.games.zuniq.state import MOST_PLIES, State
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import candidates
from podium.search.network import network_for, turned
from podium.search.puct import Puct

candidates.register(State, ALPHAZERO_OUTLOOKS.dtype)(zuniq_candidates)


class AlphaZero(Thinker):
    """Searches a tree of walls as a network leads it."""

    def outlook(self) -> Any:
        """Whose walls are restricted in the opening: my own."""
        return ALPHAZERO_OUTLOOKS.of(self.mind, seat=self.seat)

    def new_tree(self) -> Puct:
        """An empty tree, and the network; it sees the board under a random symmetry, so that games differ."""
        network = network_for(self.mind, "podium.games.zuniq", INPUTS)
        moves, inputs, _ = symmetries()
        turn = int(draw_below(generator(self.seed), len(moves)))
        network = turned(network, inputs[turn], moves[turn])
        return Puct(State, self.mind, network, WALLS, WALLS, MOST_PLIES, self.seed)


KINDS = (
    BotKind("alphazero", "a network that learnt the game from itself leads the search", ALPHAZERO_MINDS, AlphaZero),
)
