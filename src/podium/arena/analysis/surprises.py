"""Why was a game lost, if no single turn cost it? What came otherwise than expected, in three lists.

* **Collapses**: between two answers of the seat its winning chances fell, though the answer itself cost little. The
  reviewing bot had expected another continuation: both are listed.
* **Beliefs**: for how many turns the player itself was sure of a win that did not come, and how many of the replies
  that it predicted came. They are the player's own thoughts, stored with the game.
* **Short of time**: answers that used up nearly all of their time limit, or overran it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from podium.arena.analysis.reviewed_turn import ReviewedTurn, TurnContext
from podium.arena.store.stored_game import StoredGame
from podium.games.game import AnswerVerdict, BotKind

SURE = 0.8  # win probability from which on a player believes that it wins
COLLAPSE = 0.15  # fall of the win probability between two turns that is listed
MOST_COLLAPSES = 3
CONTINUATION = 6  # answers of a continuation
TURNS_LISTED = 8  # turns short of time that are named
NEARLY = 0.95  # of the time limit
LATE = (AnswerVerdict.LATE, AnswerVerdict.OVERRUN, AnswerVerdict.SILENT)


@dataclass(frozen=True)
class Collapse:
    """A fall of the winning chances between two answers of a seat."""

    turn: int
    before: float  # win probability of the played move, as the reviewing bot saw it then
    after: float  # at the next turn of the seat, or in the end
    expected: list[str]  # how the reviewing bot expected the game to go on
    came: list[str]  # and how it did
    unexpected: str = ""  # the first answer of the other player that came otherwise, where two players move in turn

    @property
    def sentence(self) -> str:
        """The same for people."""
        before, after = f"{100 * self.before:.0f} %", f"{100 * self.after:.0f} %"
        text = f"; {self.unexpected} was the first answer of the opponent that was not expected"
        other = text if self.unexpected else ""
        expected = ", ".join(self.expected) or "nothing in particular"
        fall = f"after turn {self.turn} the winning chances fell from {before} to {after}"
        return f"{fall}; expected: {expected}; came: {', '.join(self.came)}{other}"


@dataclass(frozen=True)
class Surprises:
    """What came otherwise than expected in a seat's game."""

    collapses: tuple[Collapse, ...] = ()  # the largest first
    sure_turns: tuple[int, ...] = ()  # in which the player believed that it would win; empty if it did
    predicted: int = 0  # replies
    came_true: int = 0  # of them
    short_of_time: tuple[int, ...] = ()  # turns

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)

    def sentences(self, player: str) -> list[str]:
        """The same for people, a sentence each."""
        found = [one.sentence for one in self.collapses]
        if self.sure_turns:
            turns, last = len(self.sure_turns), self.sure_turns[-1]
            found.append(
                f"{player} gave itself {100 * SURE:.0f} % or more in {turns} of its turns, last in turn {last}"
            )
        if self.predicted:
            found.append(f"{self.came_true} of {self.predicted} replies that {player} predicted came")
        if self.short_of_time:
            listed = ", ".join(map(str, self.short_of_time[:TURNS_LISTED]))
            more = ", ..." if len(self.short_of_time) > TURNS_LISTED else ""
            found.append(f"short of time in {len(self.short_of_time)} turns: {listed}{more}")
        return found


def surprises_of(
    stored: StoredGame,
    seat: int,
    turns: Sequence[ReviewedTurn],
    contexts: Sequence[TurnContext],
    player: BotKind | None,
) -> Surprises:
    """What came otherwise than expected; `player` is the kind of the reviewed bot, if it is one of the game's."""
    ranks = stored.row.ranks
    won = all(rank > ranks[seat] for other, rank in enumerate(ranks) if other != seat)
    predicted, came_true = _predictions(stored, seat, contexts)
    return Surprises(
        _collapses(stored, turns, contexts, 1.0 if won else 0.0 if min(ranks) < ranks[seat] else 0.5),
        () if won else _sure_turns(stored, turns, contexts, player),
        predicted,
        came_true,
        tuple(turn.turn for turn, context in zip(turns, contexts, strict=True) if _is_short(stored, context)),
    )


def _collapses(
    stored: StoredGame, turns: Sequence[ReviewedTurn], contexts: Sequence[TurnContext], end: float
) -> tuple[Collapse, ...]:
    found = []
    after = [*(turn.win for turn in turns[1:]), end]
    for turn, context, later in zip(turns, contexts, after, strict=True):
        if turn.played_win is None or later is None or turn.played_win - later < COLLAPSE:
            continue
        expected = (turn.feared or (turn.expected if turn.played == turn.better else []))[:CONTINUATION]
        came = _continuation(stored, context, contexts)
        unexpected = _first_unexpected(expected, came) if context.alone and len(stored.row.ranks) == 2 else ""
        found.append(Collapse(turn.turn, turn.played_win, later, expected, came, unexpected))
    return tuple(sorted(found, key=lambda one: one.after - one.before)[:MOST_COLLAPSES])


def _continuation(stored: StoredGame, context: TurnContext, contexts: Sequence[TurnContext]) -> list[str]:
    """How the game went on: answers in turn, or, where all answer at once, of the seat and its opponent by turns."""
    lines = stored.record.lines
    if context.alone:
        indices: Sequence[int] = range(context.index, len(lines))
    else:
        later = [one for one in contexts if one.index >= context.index]
        indices = [index for one in later for index in (one.index, *(one.others if len(one.others) == 1 else ()))]
    return [lines[index] or "nothing" for index in indices[:CONTINUATION]]


def _first_unexpected(expected: Sequence[str], came: Sequence[str]) -> str:
    """The opponent's first answer that differs, if all before it came as expected."""
    for place, (one, other) in enumerate(zip(expected, came, strict=False)):
        if one != other:
            return other if place % 2 else ""
    return ""


def _sure_turns(
    stored: StoredGame, turns: Sequence[ReviewedTurn], contexts: Sequence[TurnContext], player: BotKind | None
) -> tuple[int, ...]:
    thoughts = stored.record.thoughts
    return tuple(
        turn.turn
        for turn, context in zip(turns, contexts, strict=True)
        if player is not None
        and (win := player.win(thoughts.get(context.index, {}).get("value"))) is not None
        and win >= SURE
    )


def _predictions(stored: StoredGame, seat: int, contexts: Sequence[TurnContext]) -> tuple[int, int]:
    """The replies that the player expected, and how many of them came; where two players move in turn."""
    record = stored.record
    predicted = came = 0
    for context in contexts:
        line = record.thoughts.get(context.index, {}).get("line") or []
        reply = context.index + 1
        if len(stored.row.ranks) != 2 or not context.alone or len(line) < 2 or reply >= len(record):
            continue
        if record.seats[reply] != seat and line[0] == record.lines[context.index]:
            predicted += 1
            came += record.lines[reply] == line[1]
    return predicted, came


def _is_short(stored: StoredGame, context: TurnContext) -> bool:
    turn = stored.record.turn(context.index)
    timed = not stored.run.conditions.time_control.nodes
    return turn.verdict in LATE or (timed and turn.milliseconds >= NEARLY * context.limit_ms)
