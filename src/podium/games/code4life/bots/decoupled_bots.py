"""`duct`, `smitsimax`, `rolling` and `matrix`: the champion's evaluation and moves in searches of simultaneous moves.

In `champion` the opponent answers knowing my choice. Here nobody knows the other's choice of the same round: in the
whole tree (`duct`, `smitsimax`), in plans that are improved in turn (`rolling`), or in the first round (`matrix`).
"""

from typing import Any

from podium.games.code4life import GAME
from podium.games.code4life.bots.base import Code4LifeBot
from podium.games.code4life.bots.champion import CACHE_BITS, TABLE_BITS, Champion, code4life_terminal_value
from podium.games.code4life.bots.evaluation import code4life_evaluate
from podium.games.code4life.bots.moves import code4life_candidates
from podium.games.code4life.bots.params import CHAMPION_PARAMS
from podium.games.code4life.protocol import answer_of
from podium.games.code4life.state import State
from podium.games.code4life.view import ME, OPPONENT, View
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.mixed_strategies import matrix_data, mixed_options
from podium.kernel import copy_of
from podium.model.hooks import terminal_value
from podium.model.params import ParamSpec, adjusted
from podium.model.result import Result
from podium.model.rules import candidates, evaluate
from podium.search import alphabeta, decoupled, rolling_horizon, root_matrix, smitsimax
from podium.search.base import Search
from podium.search.decoupled import DecoupledUct
from podium.search.rolling_horizon import RollingHorizon
from podium.search.root_matrix import RootMatrix
from podium.search.smitsimax import Smitsimax

ENGINE = {parameter.name for parameter in alphabeta.PARAMETERS}
OPINION = [parameter for parameter in CHAMPION_PARAMS if parameter.name not in ENGINE]

# The key does not tell the order of samples, but moves name them by their slots: nodes must not be shared.
DUCT_PARAMS = ParamSpec(
    "code4life duct parameters",
    *OPINION,
    *adjusted(decoupled.PARAMETERS, exploration=0.05, transpositions=False, reuse_tree=False),
)
SMITSIMAX_PARAMS = ParamSpec(
    "code4life smitsimax parameters", *OPINION, *adjusted(smitsimax.PARAMETERS, turns_deep=10, exploration=0.05)
)
ROLLING_PARAMS = ParamSpec("code4life rolling parameters", *OPINION, *rolling_horizon.PARAMETERS)
# At 20,000 nodes the mean of the worst replies scored 45 % in 20 games against champion, the equilibrium 30 % in 40.
MATRIX_PARAMS = ParamSpec(
    "code4life matrix parameters",
    *CHAMPION_PARAMS,
    *adjusted(root_matrix.ROOT_PARAMETERS, root_solution="worst_part", tail=0.3),
)

for _spec in (DUCT_PARAMS, SMITSIMAX_PARAMS, ROLLING_PARAMS, MATRIX_PARAMS):
    evaluate.register(State, _spec.dtype)(code4life_evaluate)
    candidates.register(State, _spec.dtype)(code4life_candidates)
    terminal_value.register(State, _spec.dtype)(code4life_terminal_value)


class Decoupled(Champion):
    """The champion with another search; a subclass makes it."""

    engine: Search

    def __init__(self, params: Any, seed: int) -> None:
        Code4LifeBot.__init__(self, params, seed)
        self.engine = self.new_engine()
        self.found: tuple[Result, Any] | None = None  # by the last search, with its position

    def new_engine(self) -> Search:
        """The search of the bot."""
        return DecoupledUct(GAME, self.params, seed=self.seed)

    def search(self, state: Any, budget: Budget, depth: int = 0, only: list[int] | None = None) -> Result:
        """Search a state before a round."""
        result = self.engine.decide(state, ME, budget)
        self.found = result, copy_of(state)
        return result

    def analyze_view(self, view: View, budget: Budget) -> Thoughts:
        """What it thinks of a view, with all options and the matrix of the round."""
        self.view = view
        answer = view.answer_of(self.choose(budget))
        thoughts = self.thoughts or Thoughts(line=[answer], note=f"answers {answer} without a search")
        thoughts.options = self.alternatives(budget)
        thoughts.matrix = self.matrix()
        return thoughts

    def alternatives(self, budget: Budget) -> list[Option]:
        """The moves of the last search with their shares."""
        if self.found is None or self.thoughts is None:
            return []
        result, state = self.found
        return mixed_options(result, ME, lambda seat, move: answer_of(state, seat, move))

    def matrix(self) -> dict[str, Any] | None:
        """The round of the last search as a matrix."""
        if self.found is None:
            return None
        result, state = self.found
        return matrix_data(result, ME, [OPPONENT], lambda seat, move: answer_of(state, seat, move))

    def score_moves(self, moves: Any, budget: Budget) -> list[Option | None]:
        """The moves' values in the last search."""
        known = {option.move: option for option in self.alternatives(budget)}
        return [known.get(self.view.answer_of(move)) for move in moves]


class SmitsimaxBot(Decoupled):
    """A tree for each robot."""

    def new_engine(self) -> Search:
        """Smitsimax over the champion's moves."""
        return Smitsimax(GAME, self.params, seed=self.seed)


class RollingBot(Decoupled):
    """A plan for each robot, improved by random changes."""

    def new_engine(self) -> Search:
        """A rolling horizon over the champion's moves."""
        return RollingHorizon(GAME, self.params, seed=self.seed)


class MatrixBot(Decoupled):
    """The champion's alpha-beta below a matrix of the first round."""

    def new_engine(self) -> Search:
        """A root matrix with tables as small as the champion's."""
        return RootMatrix(GAME, self.params, seed=self.seed, table_bits=TABLE_BITS, cache_bits=CACHE_BITS)


KINDS = (
    BotKind("duct", "decoupled UCT with the champion's evaluation and moves", DUCT_PARAMS, Decoupled),
    BotKind(
        "smitsimax", "a tree for each robot, with the champion's evaluation and moves", SMITSIMAX_PARAMS, SmitsimaxBot
    ),
    BotKind("rolling", "rolling horizons with the champion's evaluation and moves", ROLLING_PARAMS, RollingBot),
    BotKind("matrix", "the champion's search below a matrix of both robots' choices", MATRIX_PARAMS, MatrixBot),
)
