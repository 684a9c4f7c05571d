"""A game of the arena made of its rules: `GAME = make_game(RULES)` in a file of one's own.

Everything else is generic:

* **Text**: a prompt tells your `seat`, the state with one line for each field, and the `legal` answers, one a line. An
  answer is one of these. So a bot in any language need not know the rules, and need not remember anything.
* **Referees**: one for games in turns; one for simultaneous moves, whose rules have to say what a seat sees before a
  turn (`Rules.seen`): the state in which this seat chooses first.
* **Bots**: `random`; `mcts` for two players; `duct` for simultaneous moves. Once an evaluation is registered for the
  state, `alphabeta` (`maxn` for more than two players; `shares` will do, too), and for simultaneous moves `smitsimax`,
  `rolling` and `matrix`. `puct` once a network is trained.
* **Pictures**: a grid, if the game says what lies in its cells; otherwise the fields of the state.

The random plies of an opening (the setting `opening`) make games differ where the start is always the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from rich.table import Table

from podium.errors import PodiumError
from podium.games.game import (
    Analysis,
    BotKind,
    Budget,
    Contest,
    Game,
    Learning,
    Limits,
    Pictures,
    Referee,
    Scene,
    Thoughts,
    Tools,
)
from podium.games.grid import CellOf, Cells, grid_pictures
from podium.games.overlays import Choice
from podium.games.toolkit import RandomBot, SearchBot, SimultaneousReferee, TurnReferee
from podium.games.trial_games import try_sizes
from podium.games.view import View, ViewBot
from podium.kernel.generic import GenericFunction, implementation_of
from podium.kernel.random import draw_below, generator
from podium.kernel.records import blank, copy_of
from podium.model.hooks import shares
from podium.model.params import Parameter, ParamSpec, Value, adjusted
from podium.model.rules import before_turn, evaluate, is_over, mover, play
from podium.model.ruleset import Rules, rules_of
from podium.search import alphabeta, decoupled, mcts, rolling_horizon, root_matrix, smitsimax
from podium.search.alphabeta import AlphaBeta
from podium.search.base import Search
from podium.search.decoupled import TO_THE_END, DecoupledUct, no_opinion
from podium.search.maxn import MaxN
from podium.search.mcts import Mcts
from podium.search.rolling_horizon import RollingHorizon
from podium.search.root_matrix import RootMatrix
from podium.search.smitsimax import Smitsimax

MARGIN = Parameter("margin", 10.0, "Part of each time limit that is left unused, in ms.", 0, 100)
UCT = {"playouts": 1, "rave": False, "impact": 0.0, "exploration": 1.0, "opponent_epsilon": 0.0, "memory": 32}
# Parameters begin with a field of their own: a record must not begin like another one.
RANDOM = ParamSpec("random parameters of a game made of its rules")
MCTS = ParamSpec("mcts parameters of a game made of its rules", MARGIN, *adjusted(mcts.PARAMETERS, **UCT))
ALPHABETA = ParamSpec("alphabeta parameters of a game made of its rules", MARGIN, *alphabeta.PARAMETERS)
MAXN = ParamSpec("maxn parameters of a game made of its rules", MARGIN)
DUCT = ParamSpec("duct parameters of a game made of its rules", MARGIN, *decoupled.PARAMETERS)
PLAYED_OUT = DUCT.variant("duct parameters of a game without an evaluation", playout_turns=TO_THE_END)
SMITSIMAX = ParamSpec("smitsimax parameters of a game made of its rules", MARGIN, *smitsimax.PARAMETERS)
ROLLING = ParamSpec("rolling parameters of a game made of its rules", MARGIN, *rolling_horizon.PARAMETERS)
MATRIX = ParamSpec("matrix parameters of a game made of its rules", MARGIN, *root_matrix.PARAMETERS)

LIMITS = Limits(first=1000.0, later=100.0)  # milliseconds
MOST_OPENING = 20
LEGAL = "legal"  # begins the line of a prompt before the legal answers
RESERVED = {"seat", LEGAL}  # words of a prompt


def make_game(
    rules: Rules,
    *,
    title: str = "",
    source: str = "a game of one's own",
    limits: Limits = LIMITS,
    opening: int = 0,
    grid: Callable[[Any], Cells] | None = None,
    cell_of: CellOf | None = None,
    learning: Learning | None = None,
    bots: Sequence[BotKind] = (),
) -> Game:
    """A game of the arena from its rules.

    `opening` is the number of random plies before the players begin; `grid` gives the cells of a picture, `cell_of` the
    cell of a move (see `podium.games.grid`); `bots` are more bots.

    >>> podium.make_game(podium.load("zuniq").rules, title="Zuniq, plainly")
    <Game zuniq: Zuniq, plainly, a game of one's own, 2 seats>
    """
    if taken := RESERVED & {*(rules.state.names or ())}:
        raise PodiumError(
            f"a field of {rules.name} is called {' and '.join(sorted(taken))}, a word of prompts; rename it"
        )
    if rules.simultaneous:
        _check_turns(rules)
    kind = RulesSimultaneousReferee if rules.simultaneous else RulesReferee

    def referee(seed: int, opening: int = opening) -> Referee:
        return kind(rules, limits, seed, opening)

    own, plain = _module_of(rules), rules
    try_sizes(rules)
    rules = replace(rules, initial_state=lambda seed=0, opening=0: start_of(plain, seed, opening))
    referee.__module__ = own  # fingerprints cover the module that something comes from: the rules, not this one
    setting = Parameter("opening", opening, "random plies before the players begin", 0, MOST_OPENING)
    kinds = [*bots, *_kinds(rules, own)]
    game = Game(
        rules.name,
        Contest(
            title or rules.name.replace("_", " ").title(),
            source,
            rules.seats,
            limits,
            referee,
            prompts,
            (setting,),
        ),
        grid_pictures(rules, grid, cell_of) if grid else field_pictures(rules),
        rules,
        {kind.name: kind for kind in kinds},
        view=view_of(rules),
        learning=(lambda: learning) if learning else None,
    )
    return replace(game, tools=Tools(analyze=partial(analyze, game)))


def _check_turns(rules: Rules) -> None:
    """PodiumError for simultaneous moves without what searches and referee have to know of a turn."""
    for lacks, what in (
        (implementation_of(before_turn, rules.state) is None, "before_turn has to be registered"),
        (not rules.says_what_is_seen, "Rules needs seen=..., the state in which a seat chooses first"),
    ):
        if lacks:
            raise PodiumError(f"{rules.name} has simultaneous moves: {what} (docs/add_a_game.md)")


def analyze(game: Game, words: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """A bot's thoughts about the position after some moves."""
    rules, state = rules_of(game), game.position(words)
    if is_over(state):
        return Analysis(game.scene(state), Thoughts(note="the game is over"))
    bot, seat = kind.bot(changes), int(mover(state))
    answer = bot.reply(prompt_of(rules, rules.seen(state, seat), seat), budget)
    thoughts = bot.thoughts or Thoughts(note=f"answers {answer}")
    thoughts.matrix = bot.matrix() if isinstance(bot, ViewBot) else None
    return Analysis(game.scene(state), thoughts)


def _module_of(rules: Rules) -> str:
    """The module that the rules are written in."""
    found = implementation_of(play, rules.state)
    if found is None:
        raise PodiumError(f"the rules of {rules.name} are not complete: nothing is registered for play({rules.name})")
    return str(found.__module__)


def _kinds(rules: Rules, own: str) -> list[BotKind]:
    """The bots that suit the rules."""

    def kind(name: str, summary: str, param_spec: ParamSpec, search: Callable[..., Search]) -> BotKind:
        def make(params: Any, seed: int) -> SearchBot:
            start, margin = rules.initial_state(seed=0), float(params.margin)
            return SearchBot(view_of(rules)(), lambda: search(rules, params, seed=seed), start, margin=margin)

        make.__module__ = own
        return BotKind(name, summary, param_spec, make)

    def random(params: Any, seed: int) -> RandomBot:
        return RandomBot(view_of(rules)(), seed)

    random.__module__ = own
    return [*(kind(*each) for each in _searches(rules)), BotKind("random", "a random legal move", RANDOM, random)]


def _searches(rules: Rules) -> Iterator[tuple[str, str, ParamSpec, Callable[..., Search]]]:
    """Name, summary, parameters and search of each searching bot that suits the rules."""

    def is_valued(spec: ParamSpec, *hooks: GenericFunction) -> bool:
        return any(implementation_of(hook, rules.state, spec.dtype) for hook in hooks)

    if rules.seats == 2:
        if is_valued(ALPHABETA, evaluate):
            yield "alphabeta", "alpha-beta search", ALPHABETA, AlphaBeta
        yield "mcts", "Monte Carlo search", MCTS, Mcts
    elif is_valued(MAXN, shares, evaluate):
        yield "maxn", "max^n search", MAXN, MaxN
    if not rules.simultaneous:
        return
    if not is_valued(SMITSIMAX, evaluate):
        evaluate.register(rules.state, DUCT.dtype)(no_opinion)
        yield "duct", "decoupled UCT with random playouts", PLAYED_OUT, DecoupledUct
        return
    yield "duct", "decoupled UCT", DUCT, DecoupledUct
    yield "smitsimax", "Smitsimax: a tree for each player", SMITSIMAX, Smitsimax
    yield "rolling", "rolling horizon: a plan for each player", ROLLING, RollingHorizon
    yield "matrix", "alpha-beta below a matrix of the first turn", MATRIX, RootMatrix


def state_data(state: Any) -> dict[str, Any]:
    """A state as plain data, field by field."""
    return {name: np.asarray(state[name]).tolist() for name in state.dtype.names}


def prompt_of(rules: Rules, state: Any, seat: int) -> list[str]:
    """The prompt of a seat that chooses in a state."""
    values = {name: np.asarray(state[name]).ravel() for name in state.dtype.names}
    fields = [" ".join([name, *(str(value + 0) for value in array.tolist())]) for name, array in values.items()]
    legal = [rules.move_text(state, move) for move in rules.moves(state)]
    return [f"seat {seat}", *fields, f"{LEGAL} {len(legal)}", *legal]


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """Splits the stream of a game: a prompt ends with the legal answers."""
    while True:
        lines = [read()]
        while not lines[-1].startswith(f"{LEGAL} "):
            lines.append(read())
        yield lines + [read() for _ in range(int(lines[-1].split()[1]))]


class RulesView(View):
    """What a player knows: what its prompt says. A subclass has the rules."""

    rules: Rules

    def __init__(self) -> None:
        self.state = blank(self.rules.state)
        self.seat = 0

    def read(self, lines: Sequence[str]) -> None:
        """Fill in the state."""
        fields = {name: words for name, *words in map(str.split, lines[: 1 + len(self.rules.state.names or ())])}
        self.seat, self.state = int(fields.pop("seat")[0]), blank(self.rules.state)
        for name, words in fields.items():
            field = self.rules.state[name]
            self.state[name] = _values(words, field.base).reshape(field.shape)[()]

    def answer_of(self, move: int) -> str:
        """The text of a move."""
        return self.rules.move_text(self.state, move)

    def move_of(self, line: str) -> int | None:
        """The move that a text stands for."""
        try:
            return self.rules.read_move(self.state, line)
        except PodiumError:
            return None


def _values(words: Sequence[str], dtype: np.dtype[Any]) -> np.ndarray:
    """The values of a field's line: whole numbers are read as such, since 64 bits do not fit into a float."""
    return np.array([float(word) if dtype.kind == "f" else int(word) for word in words]).astype(dtype)


def view_of(rules: Rules) -> type[RulesView]:
    """The views of a game."""
    return type("RulesView", (RulesView,), {"rules": rules})


def start_of(rules: Rules, seed: int, opening: int) -> Any:
    """The start of a game: the initial state, then random plies, none of which ends the game."""
    state, random = rules.initial_state(seed=seed), generator(seed)
    turn = rules.seats if rules.simultaneous else 1  # plies of a turn
    for _ in range(opening // turn * turn):
        moves = rules.moves(state)
        after = copy_of(state)
        play(after, moves[int(draw_below(random, len(moves)))])
        if is_over(after):
            break
        state = after
    return state


class RulesReferee(TurnReferee):
    """The referee of a game in turns."""

    def __init__(self, rules: Rules, limits: Limits, seed: int, opening: int) -> None:
        super().__init__(rules.initial_state(seed=seed, opening=opening), limits, rules.seats)
        self.rules = rules

    def prompt(self) -> Sequence[str]:
        """The state as the player to move knows it, and what it may answer."""
        seat = int(mover(self.state))
        return prompt_of(self.rules, self.rules.seen(self.state, seat), seat)

    def read_move(self, seat: int, line: str) -> int:
        """The legal move that an answer names."""
        return self.rules.read_move(self.state, line)


class RulesSimultaneousReferee(SimultaneousReferee):
    """The referee of a game in which all players choose at the same time; a fault loses the game."""

    def __init__(self, rules: Rules, limits: Limits, seed: int, opening: int) -> None:
        super().__init__(rules.initial_state(seed=seed, opening=opening), limits, rules.seats)
        self.rules = rules

    def prompts(self) -> Mapping[int, Sequence[str]]:
        """The state as each player knows it, and what it may answer."""
        states = {seat: self.rules.seen(self.state, seat) for seat in range(self.seats)}
        return {seat: prompt_of(self.rules, state, seat) for seat, state in states.items()}

    def read_move(self, seat: int, line: str) -> int:
        """The legal move that an answer names, before anybody else has chosen."""
        return self.rules.read_move(self.rules.seen(self.state, seat), line)

    def play_turn(self, moves: Mapping[int, int]) -> None:
        """Play the choices in the order in which the rules ask for them; a fault ends the game before."""
        if self.faults:
            faulty = {fault.seat for fault in self.faults}
            scores = [-1.0 if seat in faulty else 1.0 for seat in range(self.seats)]
            self.end(scores, self.faults[0].code, self.faults[0].detail)
            return
        for _ in range(self.seats):
            play(self.state, moves[int(mover(self.state))])

    def finish(self) -> None:
        """Set the outcome, unless a fault has."""
        if self.outcome is None:
            super().finish()


def field_pictures(rules: Rules) -> Pictures:
    """The pictures of a game that says nothing about them: the fields of its state."""

    def scene(state: Any) -> Scene:
        return {"game": rules.name, "state": state_data(state)}

    def choices(state: Any, seat: int) -> list[Choice]:
        own = rules.seen(state, seat)
        return [Choice(text, text) for text in (rules.move_text(own, move) for move in rules.moves(own))]

    return Pictures(scene, field_table, choices)


def field_table(scene: Scene) -> Table:
    """The fields of a state for the terminal."""
    table = Table.grid(padding=(0, 2))
    for name, value in scene["state"].items():
        table.add_row(name, str(value))
    return table
