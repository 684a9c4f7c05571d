"""`alphazero`: a network that learnt the game from itself leads the search (`podium train zuniq`, docs/learner.md).

The tree, its proofs, the solver and the good opening walls are the champion's; in the place of playouts and
all-moves-as-first stands what the network says: that of `data/network.npz`, unless the parameter names another.

The network is better than random games where the end is far, and worse where it is near (`podium bench zuniq --study
endings`). So the champion's search takes over when few walls are left (`handover`).
"""

from collections.abc import Sequence
from typing import Any

from podium.games.game import BotKind, Budget, Option
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.bots.champion import zuniq_candidates
from podium.games.zuniq.bots.mind import ALPHAZERO_MINDS, ALPHAZERO_OUTLOOKS, CHAMPION_MINDS, CHAMPION_OUTLOOKS, OPENING
from podium.games.zuniq.bots.thinker import Thinker
from podium.games.zuniq.learning import INPUTS, symmetries
from podium.games.zuniq.rules import legal_mask
from podium.games.zuniq.state import MOST_PLIES, State
from podium.kernel.bits import popcount
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import candidates
from podium.search.mcts import TREE_PARAMETERS, Mcts
from podium.search.network import network_for, turned
from podium.search.puct import Puct

candidates.register(State, ALPHAZERO_OUTLOOKS.dtype)(zuniq_candidates)

SHARED = (*(parameter.name for parameter in TREE_PARAMETERS), OPENING.name)  # what both searches are told


class AlphaZero(Thinker):
    """Searches a tree of walls as a network leads it, later as the champion does."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(mind, seed)
        self.closing = False  # whether the champion's search has taken over
        shared = {name: mind[name].item() for name in SHARED}
        self.closer = CHAMPION_MINDS.mind({**shared, "book": False, "symmetry": False})

    def choose(self, budget: Budget) -> int:
        """As the thinker does, with the search that suits the position."""
        self._hand_over()
        return super().choose(budget)

    def weigh(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Likewise."""
        self._hand_over()
        return super().weigh(moves, budget)

    def _hand_over(self) -> None:
        """Another search than the last time begins with an empty tree."""
        closing = int(popcount(legal_mask(self.state))) <= int(self.mind.handover)
        if closing != self.closing:
            self.closing, self._mcts = closing, None

    def warm_up(self) -> None:
        """Both searches."""
        super().warm_up()
        if self.mind.handover:
            self.closing = True
            super().warm_up()
            self.closing = False

    def sureness(self) -> float:
        """Of the search that thinks."""
        return float(self.closer.sureness) if self.closing else super().sureness()

    def outlook(self) -> Any:
        """Whose walls are restricted in the opening: my own."""
        if self.closing:
            return CHAMPION_OUTLOOKS.of(self.closer, seat=self.seat)
        return ALPHAZERO_OUTLOOKS.of(self.mind, seat=self.seat)

    def new_tree(self) -> Mcts:
        """An empty tree, and the network; it sees the board under a random symmetry, so that games differ.

        The champion's search has no need of one then: it comes from another position in every game.
        """
        if self.closing:
            return Mcts(State, self.closer, WALLS, WALLS, MOST_PLIES, self.seed)
        network = network_for(self.mind, "podium.games.zuniq", INPUTS)
        moves, inputs, _ = symmetries()
        turn = int(draw_below(generator(self.seed), len(moves)))
        network = turned(network, inputs[turn], moves[turn])
        return Puct(State, self.mind, network, WALLS, WALLS, MOST_PLIES, self.seed)


KINDS = (
    BotKind("alphazero", "a network that learnt the game from itself leads the search", ALPHAZERO_MINDS, AlphaZero),
)
