"""The trace of the search with which a bot chooses its move in a position: `podium analyze --trace`, `podium.trace`.

The bot chooses as it would in a game. If it makes several searches for one move, the last one decides and is the trace.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from podium.arena.analysis.analyze import MILLISECONDS, budget_from_now
from podium.arena.analysis.stored_runs import NAMED, find_stored_game
from podium.arena.analysis.stored_turn import LAST_TURN, TurnReference, lead_to_turn
from podium.arena.entrants.bot_names import bot_kind
from podium.arena.game.record import thoughts_data
from podium.arena.store.stored_game import StoredGame
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Budget, Game
from podium.games.view import ViewBot
from podium.model.ruleset import Rules, rules_of
from podium.search.trace import Trace, read_trace, recording


def trace_position(
    game: str,
    position: Sequence[str] | str = (),
    *,
    bot: str = "",
    time: float = MILLISECONDS,
    nodes: int = 0,
    turn: TurnReference = LAST_TURN,
) -> Trace:
    """What a bot's search (default: the champion's) does in a position, within `time` ms or a limit of nodes.

    A position is what `analyze_position` takes.
    """
    rules = load(game)
    budget = partial(budget_from_now, time, nodes)
    words = rules.words_of(position)
    if len(words) == 1 and NAMED.fullmatch(words[0]):
        return trace_turn(rules, find_stored_game(words[0], turn.store), turn.turn, turn.seat, bot, budget)
    return trace_words(rules, words, turn.seat, bot, budget)


def trace_turn(
    rules: Game,
    stored: StoredGame,
    turn: int,
    seat: int | None,
    bot: str,
    budget: Callable[[], Budget],
) -> Trace:
    """What a bot's search does at a turn of a stored game (from 1; 0: the last), as a seat met it."""
    name, thinker = thinking_bot(rules, bot)
    found = lead_to_turn(rules, stored, turn, seat, thinker)
    thinker.view.read(found.lines)
    trace = trace_choice(thinker, budget, name, f"g{stored.id}, turn {found.turn}, seat {found.seat}")
    trace.facts["stored_seat"] = found.seat
    return trace


def trace_words(rules: Game, words: Sequence[str], seat: int | None, bot: str, budget: Callable[[], Budget]) -> Trace:
    """What a bot's search does in the position of some moves or a prompt, for a seat (None: the mover)."""
    state = rules.position(words) if words else rules.initial_state()
    if rules.is_over(state):
        raise PodiumError(f"this game of {rules.title} is over: there is nothing to search")
    whose = rules.mover(state) if seat is None else seat
    rules_of(rules).check_seat(whose)
    name, thinker = thinking_bot(rules, bot)
    if rules.view is None:
        raise PodiumError(f"{rules.title} cannot be searched from a position")
    thinker.view = type(rules.view()).of(rules_of(rules).seen(state, whose), whose)
    return trace_choice(thinker, budget, name, " ".join(words) or "the start")


def thinking_bot(rules: Game, bot: str) -> tuple[str, ViewBot]:
    """A bot and its name, warmed up and without its book: a move from the book is no search."""
    name = bot or rules.default_bot
    kind, changes = bot_kind(rules, name)
    if "book" in kind.param_spec.parameters:
        changes = {"book": False, **changes}
    kind.bot(changes).warm_up()
    thinker = kind.bot(changes)
    if not isinstance(thinker, ViewBot):
        raise PodiumError(f"{name} has no search that can be traced; trace another bot")
    return name, thinker


def trace_choice(bot: ViewBot, budget: Callable[[], Budget], name: str, where: str) -> Trace:
    """The trace of the search with which a bot chooses in its present position."""
    with recording() as traces:
        bot.choose(budget())
    if not traces:
        raise PodiumError(
            f"{name} chose without a search that can be traced: it had one move, follows a rule, or searches without a "
            "tree; take another bot or another position"
        )
    trace = traces[-1]
    beliefs = thoughts_data(bot.thoughts).get("beliefs", {}) if bot.thoughts else {}
    trace.facts |= {"bot": name, "where": where, "searches": len(traces), "beliefs": beliefs}
    return trace


def load_trace(path: Path | str | bytes) -> Trace:
    """The trace of a file that `podium analyze --trace` has written."""
    return read_trace(path, rules_named)


def rules_named(name: str) -> Rules:
    """The rules of a game by its name; its bots are imported, since a trace may need their hooks."""
    game = load(name)
    for kind in game.bots:
        game.kind(kind)
    return rules_of(game)
