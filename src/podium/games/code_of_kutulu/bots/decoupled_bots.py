"""`duct`, `smitsimax` and `matrix`: the champion's evaluation and choices in searches of simultaneous moves.

In `champion` the enemies choose after me, knowing my choice, and only to hurt me. Here nobody knows the others' choice
of the same turn; in `duct` and `smitsimax` every explorer plays for itself, by its own evaluation. `matrix` is the
champion's Paranoid search below a matrix of the first turn's joint choices.
"""

import math
from typing import Any

import numpy as np

from podium.games.code_of_kutulu import GAME
from podium.games.code_of_kutulu.bots.champion import TABLE_BITS
from podium.games.code_of_kutulu.bots.context import CHOICE_MASK, FIELDS, context_of, play_imagined
from podium.games.code_of_kutulu.bots.evaluation import kutulu_evaluate, kutulu_terminal_value
from podium.games.code_of_kutulu.bots.moves import kutulu_candidates
from podium.games.code_of_kutulu.bots.params import CHAMPION_PARAMS, ENGINE
from podium.games.code_of_kutulu.bots.prediction import penalty
from podium.games.code_of_kutulu.bots.searcher import Searcher
from podium.games.code_of_kutulu.mazes import NEIGHBOUR
from podium.games.code_of_kutulu.protocol import answer_of
from podium.games.code_of_kutulu.state import SEATS, WAIT, State, living_seats
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.mixed_strategies import matrix_data, mixed_options
from podium.kernel import kernel, record
from podium.model.hooks import advance, priors, terminal_value
from podium.model.params import Parameter, ParamSpec, adjusted, marker
from podium.model.result import Result
from podium.model.rules import candidates, evaluate
from podium.search import decoupled, root_matrix, smitsimax
from podium.search.base import Search
from podium.search.decoupled import DecoupledUct
from podium.search.root_matrix import RootMatrix
from podium.search.smitsimax import Smitsimax

_ENGINE = {each.name for each in ENGINE}
# More time than the champion takes, to which more nodes were not seen to help: 40 of the 50 ms of a turn.
OPINION = adjusted([each for each in CHAMPION_PARAMS if each.name not in _ENGINE], margin=10.0)
CALM = {"hunted": 0.0, "stalked": 0.0, "rushed": 0.0}  # not measured with `smitsimax` and `matrix`

PRIORS = (
    Parameter("equal_part", 0.1, "part of an enemy's priors that is equal for all its choices", 0.0, 1.0),
    Parameter("my_equal_part", 0.5, "the same for my own choices", 0.0, 1.0),
)
DUCT_PARAMS = ParamSpec(
    "code of kutulu duct parameters",
    *OPINION,
    *PRIORS,
    *adjusted(decoupled.PARAMETERS, selection="puct", exploration=1.6, reuse_tree=False),
)
SMITSIMAX_PARAMS = ParamSpec(
    "code of kutulu smitsimax parameters",
    *adjusted(OPINION, **CALM),
    *adjusted(smitsimax.PARAMETERS, exploration=0.1),
)
MATRIX_PARAMS = ParamSpec(
    "code of kutulu matrix parameters", *adjusted(CHAMPION_PARAMS, **CALM), *root_matrix.ROOT_PARAMETERS
)

# One type of context for all three searches, so that evaluation, choices and prediction are compiled once for them.
_NAME = "code of kutulu simultaneous context"
_SEARCHES = {each.name: each for each in (*decoupled.PARAMETERS, *smitsimax.PARAMETERS, *root_matrix.ROOT_PARAMETERS)}
SimultaneousContext: np.dtype = record(
    _NAME,
    [marker(_NAME), *((each.name, each.format) for each in (*_SEARCHES.values(), *PRIORS)), *FIELDS],
)
evaluate.register(State, SimultaneousContext)(kutulu_evaluate)
candidates.register(State, SimultaneousContext)(kutulu_candidates)
terminal_value.register(State, SimultaneousContext)(kutulu_terminal_value)
advance.register(State, SimultaneousContext)(play_imagined)


@priors.register(State, SimultaneousContext)
@kernel
def kutulu_priors(state: Any, context: Any, moves: Any, count: Any, out: Any) -> None:
    """The model of steps (`prediction.py`) in part, equal priors for the rest. A cast is as likely as to wait."""
    seat = np.int64(state.mover)
    lowest, total = np.inf, 0.0
    for i in range(count):
        choice, cell = moves[i] & CHOICE_MASK, np.int64(state.cell[seat])
        if choice < WAIT:
            cell = np.int64(NEIGHBOUR[state.maze, cell, choice])
        out[i] = penalty(state, context, seat, cell)
        lowest = min(lowest, out[i])
    for i in range(count):
        out[i] = math.exp(lowest - out[i])
        total += out[i]
    equal = context.my_equal_part if seat == context.seat else context.equal_part
    for i in range(count):
        out[i] = (1.0 - equal) * out[i] / total + equal / count


class Decoupled(Searcher):
    """A bot around decoupled UCT; a subclass has another search."""

    engine: Search

    def prepare(self) -> None:
        """Make the search of the bot."""
        self.engine = self.new_engine()
        self.found: tuple[Result, Any, int] | None = None  # by the last search, with its position and seat

    def new_engine(self) -> Search:
        """Decoupled UCT with this bot's seed."""
        return DecoupledUct(GAME, self.params, seed=self.seed)

    def context(self, state: Any, seat: int) -> Any:
        """The context of a search from a position, for a seat."""
        return context_of(self.params, state, seat, SimultaneousContext)

    def search(self, state: Any, context: Any, budget: Budget) -> Result:
        """Search a prepared position, in which the seat chooses first."""
        result = self.engine.decide(state, int(context.seat), budget, context=context)
        self.found = result, state, int(context.seat)
        return result

    def own_choice(self, result: Result, seat: int) -> int:
        """The choice that the search found for the seat."""
        return result.move & CHOICE_MASK

    def think(self, known: Any, seat: int, budget: Budget) -> tuple[int, Thoughts]:
        """The best choice in a position, and why, with the options of the search."""
        choice, thoughts = super().think(known, seat, budget)
        thoughts.options = self.compare(known, seat, budget)
        return choice, thoughts

    def compare(self, known: Any, seat: int, budget: Budget) -> list[Option]:
        """The choices of the last search, with their shares."""
        if self.found is None:
            return []
        result, state, own = self.found
        return mixed_options(result, own, self._text(state))

    def matrix(self) -> dict[str, Any] | None:
        """The turn of the last search as a matrix, with answers as text."""
        if self.found is None:
            return None
        result, state, own = self.found
        order = [(own + step) % SEATS for step in range(1, SEATS)]
        return matrix_data(result, own, [seat for seat in order if seat in living_seats(state)], self._text(state))

    def _text(self, state: Any) -> Any:
        return lambda seat, move: answer_of(state, seat, move & CHOICE_MASK)


class SmitsimaxBot(Decoupled):
    """A tree for each explorer."""

    def new_engine(self) -> Search:
        """Smitsimax with this bot's seed."""
        return Smitsimax(GAME, self.params, seed=self.seed)


class MatrixBot(Decoupled):
    """Paranoid search below a matrix of the first turn."""

    def new_engine(self) -> Search:
        """A root matrix with tables as small as the champion's."""
        return RootMatrix(GAME, self.params, seed=self.seed, table_bits=TABLE_BITS, cache_bits=1)


KINDS = (
    BotKind("duct", "decoupled UCT with the champion's evaluation and choices", DUCT_PARAMS, Decoupled),
    BotKind("smitsimax", "a tree for each explorer, with the champion's evaluation", SMITSIMAX_PARAMS, SmitsimaxBot),
    BotKind("matrix", "the champion's search below a matrix of joint choices", MATRIX_PARAMS, MatrixBot),
)
