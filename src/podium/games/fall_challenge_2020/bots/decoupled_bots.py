"""`duct` and `smitsimax`: the champion's evaluation in searches of simultaneous moves.

In `champion` the other player follows a plan that was searched before mine. Here both players' moves are searched
together, and neither knows the other's choice of the same turn.
"""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020 import GAME
from podium.games.fall_challenge_2020.bots.context import ingredients, spell_values_of, spells
from podium.games.fall_challenge_2020.bots.params import CHAMPION_PARAMS, EVALUATION
from podium.games.fall_challenge_2020.cards import SPELLS, TIERS
from podium.games.fall_challenge_2020.legality import seat_moves
from podium.games.fall_challenge_2020.protocol import readable
from podium.games.fall_challenge_2020.rules import fall_mover, rupees
from podium.games.fall_challenge_2020.setup import initial_state
from podium.games.fall_challenge_2020.state import State
from podium.games.fall_challenge_2020.view import ME, OTHER, View
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.mixed_strategies import matrix_data, mixed_options
from podium.games.view import ViewBot
from podium.kernel import kernel
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.model.hooks import WIN_VALUE, terminal_value
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.result import Result
from podium.model.rules import candidates, evaluate
from podium.search import decoupled, smitsimax
from podium.search.base import Search
from podium.search.decoupled import DecoupledUct
from podium.search.smitsimax import Smitsimax

NAMES = {parameter.name for parameter in EVALUATION}
OPINION = [parameter for parameter in CHAMPION_PARAMS if parameter.name in NAMES]
CLOCK = (
    Parameter("time_share", 0.7, "share of the time limit that is used", 0.0, 0.95),
    Parameter("max_time", 50.0, "longest turn in milliseconds: the first limit is 1000", 1.0, 1e6),
)
DUCT_PARAMS = ParamSpec(
    "fall challenge 2020 duct parameters", *OPINION, *CLOCK, *adjusted(decoupled.PARAMETERS, exploration=0.3)
)
SMITSIMAX_PARAMS = ParamSpec(
    "fall challenge 2020 smitsimax parameters", *OPINION, *CLOCK, *adjusted(smitsimax.PARAMETERS, turns_deep=10)
)
FIELDS = [("tiers", "f8", (TIERS,)), ("spell_value", "f8", (SPELLS,))]  # as the champion's context has them
DUCT_CONTEXTS = DUCT_PARAMS.context("fall challenge 2020 duct context", FIELDS)
SMITSIMAX_CONTEXTS = SMITSIMAX_PARAMS.context("fall challenge 2020 smitsimax context", FIELDS)
FEW = Budget(nodes=20)
WAIT_AND_MORE = 2  # moves of a player who has something else to do than to wait


@kernel
def possessions(state: Any, context: Any, seat: int) -> Any:
    """What a player has: score, ingredients and spells, in rupees."""
    return state.score[seat] + ingredients(state, context, seat) + spells(state, context, seat)


@kernel
def lead_of(state: Any, context: Any, seat: int) -> Any:
    """By how much a player has more than the other."""
    return possessions(state, context, seat) - possessions(state, context, 1 - seat)


@kernel
def end_of(state: Any, context: Any, seat: int) -> Any:
    """The value of an ended game: the lead in rupees, and a win or loss above all else."""
    lead = np.float64(rupees(state, seat)) - np.float64(rupees(state, 1 - seat))
    if lead > 0.0:
        return lead + WIN_VALUE
    return lead - WIN_VALUE if lead < 0.0 else 0.0


@kernel
def mover_candidates(state: Any, context: Any, out: Any) -> int:
    """All moves of the mover that succeed; WAIT only if there is nothing else."""
    count = seat_moves(state, fall_mover(state), out)
    if count < WAIT_AND_MORE:
        return count
    out[0] = out[count - 1]
    return count - 1


for _contexts in (DUCT_CONTEXTS, SMITSIMAX_CONTEXTS):
    evaluate.register(State, _contexts.dtype)(lead_of)
    candidates.register(State, _contexts.dtype)(mover_candidates)
    terminal_value.register(State, _contexts.dtype)(end_of)


class Decoupled(ViewBot):
    """A bot around decoupled UCT; a subclass has another search."""

    contexts = DUCT_CONTEXTS
    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params, self.seed = params, seed
        tiers = [params[f"tier_{tier}"] for tier in range(TIERS)]
        self.context = self.contexts.of(params, tiers=tiers, spell_value=spell_values_of(params))
        self.engine = self.new_engine()
        self.found: Result | None = None  # by the last search

    def new_engine(self) -> Search:
        """Decoupled UCT with this bot's seed."""
        return DecoupledUct(GAME, self.params, seed=self.seed)

    def warm_up(self) -> None:
        """Compile the search, or load it."""
        self.engine.decide(initial_state(1), ME, FEW, context=self.context)
        self.engine = self.new_engine()

    def choose(self, budget: Budget) -> int:
        """The move that the search finds."""
        start = now()
        limit = min(budget.deadline - start, int(self.params.max_time * MILLISECOND))
        budget = budget.until(start + int(limit * self.params.time_share))
        self.found = found = self.engine.decide(self.state, ME, budget, context=self.context)
        line = [readable(move) for move in found.line]
        self.thoughts = Thoughts(
            found.value, "rupees", found.depth, found.nodes, (now() - start) / SECOND, line, self.alternatives(budget)
        )
        return found.move

    def alternatives(self, budget: Budget) -> list[Option]:
        """The moves of the last search with their shares."""
        return mixed_options(self.found, ME, lambda seat, move: readable(move)) if self.found else []

    def matrix(self) -> dict[str, Any] | None:
        """The turn of the last search as a matrix."""
        return matrix_data(self.found, ME, [OTHER], lambda seat, move: readable(move)) if self.found else None


class SmitsimaxBot(Decoupled):
    """A tree for each witch."""

    contexts = SMITSIMAX_CONTEXTS

    def new_engine(self) -> Search:
        """Smitsimax with this bot's seed."""
        return Smitsimax(GAME, self.params, seed=self.seed)


KINDS = (
    BotKind("duct", "decoupled UCT with the champion's evaluation", DUCT_PARAMS, Decoupled),
    BotKind("smitsimax", "a tree for each player, with the champion's evaluation", SMITSIMAX_PARAMS, SmitsimaxBot),
)
