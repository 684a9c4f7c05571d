"""`alphazero`: a network that learnt the game from itself leads the search (`podium train zuniq`, docs/learner.md).

The tree, its proofs, the solver and the good opening walls are the champion's; in the place of playouts and
all-moves-as-first stands what the network says: that of `data/network.npz`, unless the parameter names another.

The network is better than random games where the end is far, and worse where it is near (`podium bench zuniq --study
endings`). So the champion's search takes over when few walls are left (`handover`).
"""

from collections.abc import Sequence
from typing import Any

from podium.games.game import BotKind, Budget, Option, win_rate
from podium.games.zuniq import GAME
from podium.games.zuniq.bots.champion import zuniq_candidates
from podium.games.zuniq.bots.params import (
    ALPHAZERO_CONTEXT,
    ALPHAZERO_PARAMS,
    CHAMPION_CONTEXT,
    CHAMPION_PARAMS,
    OPENING,
)
from podium.games.zuniq.bots.tree_bot import TreeBot
from podium.games.zuniq.learning import INPUTS, symmetries
from podium.games.zuniq.rules import legal_mask
from podium.games.zuniq.state import State
from podium.kernel.bits import popcount
from podium.kernel.random import draw_below, generator
from podium.model.rules import candidates
from podium.search.mcts import Mcts
from podium.search.network import network_for, permute_network
from podium.search.puct import Puct
from podium.search.tree_search import TREE_PARAMETERS, TreeSearch

candidates.register(State, ALPHAZERO_CONTEXT.dtype)(zuniq_candidates)

SHARED = (*(parameter.name for parameter in TREE_PARAMETERS), OPENING.name)  # shared by both searches


class AlphaZero(TreeBot):
    """Searches a tree of walls as a network leads it, later as the champion does."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(params, seed)
        self.closing = False  # whether the champion's search has taken over
        shared = {name: params[name].item() for name in SHARED}
        self.closer = CHAMPION_PARAMS.params({**shared, "book": False, "symmetry": False})

    def choose(self, budget: Budget) -> int:
        """Score the moves with the search that suits the position."""
        self._hand_over()
        return super().choose(budget)

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Score the root moves with the search that is in charge."""
        self._hand_over()
        return super().score_moves(moves, budget)

    def _hand_over(self) -> None:
        """Another search than the last time begins with an empty tree."""
        closing = int(popcount(legal_mask(self.state))) <= int(self.params.handover)
        if closing != self.closing:
            self.closing, self._mcts = closing, None

    def warm_up(self) -> None:
        """Compile or load the kernels of both searches."""
        super().warm_up()
        if self.params.handover:
            self.closing = True
            super().warm_up()
            self.closing = False

    def claim_exponent(self) -> float:
        """Of the search that thinks."""
        return float(self.closer.claim_exponent) if self.closing else super().claim_exponent()

    def win_chance(self, value: float) -> float:
        """Playouts tell who wins, but not how surely: after the handover their odds are raised, as for claims."""
        return self._chance(value) if self.closing else super().win_chance(value)

    def context(self) -> Any:
        """Whose walls are restricted in the opening: my own."""
        if self.closing:
            return CHAMPION_CONTEXT.of(self.closer, seat=self.seat)
        return ALPHAZERO_CONTEXT.of(self.params, seat=self.seat)

    def new_tree(self) -> TreeSearch:
        """An empty tree, and the network; it sees the board under a random symmetry, so that games differ.

        The champion's search has no need of one then: it comes from another position in every game.
        """
        if self.closing:
            return Mcts(GAME, self.closer, seed=self.seed)
        network = network_for(self.params, "podium.games.zuniq", INPUTS)
        moves, inputs, _ = symmetries()
        turn = int(draw_below(generator(self.seed), len(moves)))
        network = permute_network(network, inputs[turn], moves[turn])
        return Puct(GAME, self.params, network=network, seed=self.seed)


KINDS = (
    BotKind(
        "alphazero",
        "PUCT with a network trained by self-play",
        ALPHAZERO_PARAMS,
        AlphaZero,
        win_probability=win_rate,
    ),
)
