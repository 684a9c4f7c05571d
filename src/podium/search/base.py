"""What all searches share: a game and parameters by name, one call, one result.

    search = podium.Mcts(game, playouts=5)          # a game or its rules; parameters by name
    search.search(state, time=100)                  # or nodes=2000, or depth=6 where it applies: for people
    search.decide(state, seat, budget)              # moves as numbers: for bots

A search asks the rules for the sizes that it needs, and refuses a game that it does not suit. Its parameters are the
record of a bot (`params`), or a record of its own with its defaults. Evaluation, candidates and playout policy may be
arguments (`custom_hooks.py`): kernels run at full speed; with plain Python functions the plain twin of the search runs
(`plain.py`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

from podium.errors import LimitError, PodiumError, UnfitSearchError
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.dependencies import is_kernel
from podium.kernel.generic import GenericFunction, implementation_of
from podium.kernel.records import blank, name_of
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import advance
from podium.model.params import Parameter, ParamSpec, Value, find, read_values
from podium.model.result import Result
from podium.model.rules import before_turn, evaluate, is_over, mover
from podium.model.ruleset import rules_of
from podium.search.custom_hooks import CustomHooks, Hook, register_kernels
from podium.search.trace_room import ROWS

if TYPE_CHECKING:
    from podium.search.plain import Plain
    from podium.search.search_result import SearchResult
    from podium.search.trace import Trace

NO_EVALUATION = "evaluate=lambda state, seat: 0.0 searches for the end of the game alone"


WARMUPS = 2  # decisions before the first clock starts: the second one may reuse what the first one left


class Search(ABC):
    """A search of one game: a subclass makes its decisions."""

    title: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]  # with their defaults
    takes_depth: ClassVar[bool] = True  # whether a depth limits it
    has_plain_twin: ClassVar[bool] = True  # whether functions in plain Python will do; otherwise kernels only

    def __init__(self, game: Any, params: Any, changes: Mapping[str, Value], **functions: Hook | None) -> None:
        """For a game or its rules, with the parameters of a bot or those of the search, some of them changed."""
        self.rules = rules_of(game)
        for name in ("most_moves", "move_codes", "most_plies"):
            if getattr(self.rules, name) < 1:
                raise UnfitSearchError(f"{self.title} needs {name}, which {self.rules.name} does not tell")
        self.custom = CustomHooks({each.name for each in self.parameters}, **functions)
        if self.custom.given and params is not None:
            raise PodiumError(f"{' and '.join(self.custom.given)} cannot be combined with the parameters of a bot")
        if not self.has_plain_twin:
            self._require_kernels()
        self.params = self._parameters(params, changes)
        self._changes = changes  # what the user gave by name, for __repr__
        self._is_warm = False  # whether its kernels have been called
        self.plain = self._plain_search() if self.custom.is_plain else None  # in the place of kernels

    def __repr__(self) -> str:
        given = [*self.custom.given, *(f"{name}={value}" for name, value in self._changes.items())]
        return f"<{type(self).__name__} of {self.rules.name}{': ' * bool(given)}{', '.join(given)}>"

    def _parameters(self, params: Any, changes: Mapping[str, Value]) -> Any:
        """The record that the kernels read."""
        owner = f"parameter of {self.title}"
        if params is None:
            spec = ParamSpec(f"{self.title} parameters{self.custom.suffix}", *self.parameters)
            if self.custom.given and not self.custom.is_plain:
                register_kernels(self.custom, self.rules.state, spec.dtype)
            return spec.params(read_values(owner, spec, changes.items()))
        missing = {parameter.name for parameter in self.parameters} - {*(params.dtype.names or ())}
        if missing:
            lacking = ", ".join(sorted(missing))
            raise PodiumError(f"{name_of(params.dtype)} are no parameters of {self.title}: without {lacking}")
        if not changes:
            return params
        changed = blank(params.dtype)
        for field in params.dtype.names:
            changed[field] = params[field]
        for name, value in changes.items():
            parameter = find(owner, self.parameters, name)
            changed[parameter.name] = parameter.store(parameter.read(str(value)))
        return changed

    def _plain_search(self) -> "Plain":
        from podium.search import plain

        plain.announce(self.title)
        return plain.Plain(self.rules, self.params, self.custom)

    def refuse_endless(self, budget: Budget, has_depth: bool) -> None:
        """LimitError for a plain search with neither a budget nor a depth: it would take years."""
        if budget.limits == NO_LIMIT.limits and not has_depth:
            raise LimitError(f"{self.title} in plain Python has no limit here: give depth=, time= (ms) or nodes=")

    def refuse_unlimited(self, budget: Budget) -> None:
        """LimitError without time or nodes, for a search that never ends by itself."""
        if budget.limits == NO_LIMIT.limits:
            raise LimitError(f"{self.title} never ends by itself: give time= (ms) or nodes=")

    def refuse_within_turn(self, state: Any) -> None:
        """PodiumError for an ended game, or where a seat has chosen already in this turn."""
        refuse_ended(state)
        if not before_turn(state):
            raise PodiumError(f"{self.title} searches positions before a turn: here a seat has already chosen")

    def require(self, hook: GenericFunction, remedy: str) -> None:
        """Refuse a game without an implementation of a hook for the parameters; kernels only."""
        if implementation_of(hook, self.rules.state, self.params.dtype) is None:
            raise UnfitSearchError(f"{self.title} needs {hook.__name__} of {self.rules.name}: {remedy}")

    def _require_kernels(self) -> None:
        """Refuse plain Python functions."""
        for name, function in self.custom.given.items():
            if not is_kernel(function):
                raise UnfitSearchError(f"{self.title} needs {name} as a kernel: decorate it with @podium.kernel")

    def require_evaluation(self) -> None:
        """Refuse a game without an evaluation for parameters of the search's own; a bot's may come with a context."""
        if name_of(self.params.dtype) == f"{self.title} parameters" and "evaluate" not in self.custom.given:
            remedy = f"give evaluate=...; {NO_EVALUATION}" if self.has_plain_twin else "give evaluate=..., a kernel"
            self.require(evaluate, remedy)

    def require_turns(self) -> None:
        """Refuse a game with simultaneous moves that does not say where a turn begins."""
        if self.rules.simultaneous:
            self.require(before_turn, "a game with simultaneous moves registers it (docs/add_a_game.md)")

    def require_two_players(self) -> None:
        """Refuse a game of more or fewer than two players."""
        if self.rules.seats != 2:
            has = f"{self.rules.name} has {self.rules.seats}"
            raise UnfitSearchError(
                f"{self.title} is for two players, {has}; AlphaBeta (one against the rest) and MaxN are for more"
            )

    def search(
        self,
        state: Any,
        seat: int | None = None,
        budget: Budget | None = None,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        context: Any = None,
        **options: Any,
    ) -> "SearchResult":
        """The best move of a state for a seat (by default the mover), with moves as text.

        The limit is a `time` in ms, a number of `nodes`, a `depth` in plies where it applies, or a `budget`. A search
        context takes the parameters' place in the hooks. `options` are those of `decide`.
        """
        from podium.search.search_result import SearchResult  # which bots do without

        self.rules.check(state)
        if depth is not None:
            if not self.takes_depth:
                raise LimitError(f"{self.title} has no depth: give time= (ms) or nodes=")
            options["depth"] = whole("depth", depth)
        chosen = int(mover(state)) if seat is None else seat
        self.rules.check_seat(chosen)
        decide: Any = self.decide  # with the options of the subclass
        if time is not None and not self._is_warm and self.plain is None:  # the clock does not wait for the compiler
            for _ in range(WARMUPS):
                self._explained(decide, state, chosen, Budget(nodes=1), context=context, **options)
        self._is_warm = True
        begun = now()
        found = self._explained(decide, state, chosen, budget_of(budget, time, nodes), context=context, **options)
        seconds = (now() - begun) / (1000 * MILLISECOND)
        return SearchResult(found, self.rules, state, chosen, seconds, self.step(context))

    def trace(self, state: Any, seat: int | None = None, *, rows: int = ROWS, **given: Any) -> "Trace":
        """What the search does in a state, node by node, in at most `rows` rows; `given` as in `search`.

        >>> import podium
        >>> game = podium.load("zuniq")
        >>> trace = podium.Mcts(game, memory=16, seed=1).trace(game.initial_state(), nodes=200)
        >>> int(trace.columns["visits"][0])
        200
        """
        from podium.search.trace import recording

        with recording(rows) as traces:
            self.search(state, seat, **given)
        if not traces:
            if self.plain is not None or self.custom.is_plain:
                raise PodiumError(f"{self.title} in plain Python keeps no trace: give kernels (@podium.kernel)")
            raise PodiumError(f"{self.title} keeps no trace of several searches for one move: switch `separate` off")
        return traces[-1]

    def _explained(self, decide: Callable[..., Result], state: Any, seat: int, *given: Any, **options: Any) -> Result:
        """A decision; if it fails because of the evaluation, that is said instead of a page of the compiler's."""
        try:
            return decide(state, seat, *given, **options)
        except PodiumError:
            raise
        except Exception:
            if "evaluate" in self.custom.given:
                self.custom.evaluate(state, self.params, seat)
            raise

    @abstractmethod
    def decide(self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None) -> Result:
        """The best move of a state that is not over, for a seat, with moves as numbers."""

    def step(self, context: Any) -> Callable[[Any, int], Any]:
        """What leads from one position of a line to the next: a move, in place, with the moves of all others."""
        chosen = self.params if context is None else context
        return lambda state, move: advance(state, chosen, move)


def budget_of(budget: Budget | None, time: float | None, nodes: int | None) -> Budget:
    """One budget of a budget, a time in ms or a number of nodes; no limit for none of them."""
    if sum(limit is not None for limit in (budget, time, nodes)) > 1:
        raise LimitError("give one limit: time= (ms), nodes= or a budget")
    if time is not None:
        if not isinstance(time, Real) or not time > 0:
            raise LimitError(f"a time limit is a positive number of ms, not {time!r}")
        return Budget(now() + int(time * MILLISECOND))
    if nodes is not None:
        return Budget(nodes=whole("nodes", nodes))
    return NO_LIMIT if budget is None else budget


def whole(name: str, limit: Any) -> int:
    """A limit that is a whole number, at least 1; LimitError otherwise."""
    if not isinstance(limit, SupportsIndex):
        raise LimitError(f"{name} must be a whole number, not {limit!r}")
    if index(limit) < 1:
        raise LimitError(f"{name} must be at least 1, not {limit}")
    return index(limit)


def refuse_ended(state: Any) -> None:
    """PodiumError for a game that is over."""
    if is_over(state):
        raise PodiumError("the game is over: there is nothing to search")
