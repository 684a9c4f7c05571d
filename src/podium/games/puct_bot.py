"""The bot `puct`: PUCT led by the network of a file, for every game that `podium train` can learn.

    podium match zuniq puct:network=learned-zuniq/generation-0040.npz champion --nodes 500

It needs no code of the game but its rules, its view and its `features`. The learner lets its networks play by it: in
the gate, and against fixed opponents. A game's own bot of that name takes its place.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.games.game import PUCT, BotKind, Budget, Game, Learning, Option, Thoughts, mean_result
from podium.games.toolkit import SearchBot
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.proofs import UNPROVEN
from podium.model.result import PROOFS
from podium.model.ruleset import rules_of
from podium.search import puct
from podium.search.network import NETWORK, Network, load_network, new_network
from podium.search.puct import Puct

SHOWN_MOVES = 5  # of each decision, in the thoughts
NETWORKS_KEPT = 8  # weights of files that a process keeps in memory

PUCT_PARAMS = ParamSpec(
    "puct player parameters",
    *adjusted(puct.PARAMETERS, solve=0, memory=64),
    Parameter("margin", 20.0, "Milliseconds of the time per move that are never used.", 0, 10_000),
    NETWORK,
)


class PuctBot(SearchBot):
    """Plays the move that PUCT visits most, or one that keeps a proven result."""

    _make: Callable[[], Puct]
    _search: Puct | None

    def choose(self, budget: Budget) -> int:
        """The best move that the search finds within the budget.

        Without expected lines: following them through the tree in Python would take longer than a short search.
        """
        begun = now()
        search = self._search = self._search or self._make()
        if not budget.nodes:
            budget = budget.until(budget.deadline - int(self.margin * MILLISECOND))
        search.think(self.state, budget)
        moves = search.moves()
        options = [
            Option(self.view.answer_of(move.move), move.value, move.visits, str(PROOFS[move.proof]))
            for move in moves[:SHOWN_MOVES]
        ]
        proof = "" if search.proven == UNPROVEN else str(PROOFS[search.proven])
        self.thoughts = Thoughts(
            moves[0].value,
            self.unit,
            nodes=search.simulations,
            seconds=(now() - begun) / SECOND,
            line=[options[0].move],
            options=options,
            note=proof,
        )
        return moves[0].move


@lru_cache(NETWORKS_KEPT)
def _loaded(path: Path, changed: int, size: int) -> Network:
    return load_network(path)[0]


def network_of(path: Path, learning: Learning) -> Network:
    """The network of a file, with a workspace of its own; PodiumError if it does not fit the game.

    The weights are read once per process, as long as the file does not change.
    """
    try:
        about = path.stat()
    except OSError:
        raise PodiumError(f"there is no network file {path}") from None
    found = _loaded(path, about.st_mtime_ns, about.st_size)
    if found.shape[0] != learning.inputs:
        raise PodiumError(f"{path} is a network with {found.shape[0]} inputs; the game has {learning.inputs}")
    return new_network(found.shape, found.weights)


def puct_kind(game: Game) -> BotKind:
    """The bot `puct` of a game; PodiumError if the game does not offer what it needs."""
    if game.learning is None or game.view is None:
        missing = "features for networks" if game.learning is None else "view"
        raise PodiumError(f"{game.title} has no {missing}, so a network cannot play it; docs/learner.md tells more")
    make_view, make_learning = game.view, game.learning

    def make(params: Any, seed: int) -> PuctBot:
        path = bytes(params.network).decode()
        if not path:
            raise PodiumError(f"{PUCT} needs the file of a network: {PUCT}:network=FILE")
        network = network_of(Path(path), make_learning())
        rules = rules_of(game)
        start = rules.initial_state(seed)
        margin = float(params.margin)
        return PuctBot(
            make_view(), lambda: Puct(game, params, network=network, seed=seed), start, margin=margin, unit="result"
        )

    return BotKind(
        PUCT, "PUCT led by the network of a file", PUCT_PARAMS, make, whole_game=True, win_probability=mean_result
    )
