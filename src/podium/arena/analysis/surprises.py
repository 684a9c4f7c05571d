"""Why was a game lost, if no single turn cost it? What came otherwise than expected, in three lists.

* **Collapses**: between two answers of the seat its winning chances fell, though the answer itself cost little. The
  reviewing bot had expected another continuation: both are listed. A bot whose evaluations tell only believed wins and
  losses had no chances to fall from before it believed in one.
* **Beliefs**: in which turns the player itself was sure of a win that did not come, and how many of its opponent's
  next answers it predicted. They are the player's own thoughts, stored with the game.
* **Short of time**: answers that used up nearly all of their time limit, as few of the player's did, or overran it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from podium.arena.analysis.reviewed_turn import ReviewedTurn, TurnContext
from podium.arena.stats.intervals import rank_points
from podium.arena.store.stored_game import StoredGame
from podium.games.game import AnswerVerdict, BotKind

SURE = 0.8  # win probability from which on a player believes that it wins
COLLAPSE = 0.15  # fall of the win probability between two turns that is listed
MOST_COLLAPSES = 3
CONTINUATION = 6  # answers of a continuation
TURNS_LISTED = 8  # turns of a sentence that are named, and the last one
NEARLY = 0.95  # of the time limit
LATE = (AnswerVerdict.LATE, AnswerVerdict.OVERRUN, AnswerVerdict.SILENT)


@dataclass(frozen=True)
class Collapse:
    """A fall of the winning chances between two answers of a seat."""

    turn: int
    before: float | None  # win probability of the played move, as the reviewing bot saw it then; None: unknown
    after: float | None  # at the next turn of the seat, or in the end
    expected: list[str]  # how the reviewing bot expected the game to go on
    came: list[str]  # and how it did
    unexpected: str = ""  # the first answer of the other player that came otherwise, where two players move in turn
    others: list[str] = field(default_factory=list)  # what the other player did, where `came` is the seat's own

    @property
    def lines(self) -> list[str]:
        """The same for people, a sentence and its particulars."""
        fall = f"after turn {self.turn} {self._fall}"
        if self.foreseen:
            return [
                fall,
                f"expected, and came: {', '.join(self.expected)}",
                "the reviewing bot did not see any farther",
            ]
        expected = ", ".join(self.expected) or "nothing in particular"
        found = [fall, f"expected: {expected}", f"came: {', '.join(self.came)}"]
        if self.others:
            found.append(f"the opponent meanwhile: {', '.join(self.others)}")
        if self.unexpected:
            found.append(f"{self.unexpected} was the first answer of the opponent that was not expected")
        return found

    @property
    def _fall(self) -> str:
        if self.before is None:
            return "the reviewing bot saw that the game was lost"
        if self.after is None:
            return "the win that the reviewing bot had believed in was gone"
        return f"the winning chances fell from {100 * self.before:.0f} % to {100 * self.after:.0f} %"

    @property
    def foreseen(self) -> bool:
        """Whether all came as expected, as far as the reviewing bot looked or the game went."""
        return bool(self.expected) and all(one == other for one, other in zip(self.expected, self.came, strict=False))

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        return "; ".join(self.lines)

    @property
    def fall(self) -> float:
        """How far the winning chances fell; unknown ones count as even."""
        return _even(self.before) - _even(self.after)


def _even(win: float | None) -> float:
    return 0.5 if win is None else win


@dataclass(frozen=True)
class Surprises:
    """What came otherwise than expected in a seat's game."""

    collapses: tuple[Collapse, ...] = ()  # the largest first
    sure_turns: tuple[int, ...] = ()  # in which the player believed that it would win; empty if it did
    predicted: int = 0  # answers of the opponent
    came_true: int = 0  # of them
    short_of_time: tuple[int, ...] = ()  # turns

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)

    def sentences(self, player: str) -> list[str]:
        """The same for people, a sentence each."""
        return [one.sentence for one in self.collapses] + self.remarks(player)

    def remarks(self, player: str) -> list[str]:
        """What there is to say beside the collapses."""
        found = []
        if self.sure_turns:
            sure = f"it gave itself {100 * SURE:.0f} % or more"
            found.append(f"{player} believed in a win that did not come {_turns(self.sure_turns)} ({sure})")
        if self.predicted:
            answers = "1 answer" if self.predicted == 1 else f"{self.predicted} answers"
            found.append(f"{player} predicted {answers} of its opponent, of which {self.came_true} came")
        if self.short_of_time:
            used = f"it used {100 * NEARLY:.0f} % of the limit or more, or was late"
            found.append(f"{player} was short of time {_turns(self.short_of_time)} ({used})")
        return found


def _turns(turns: Sequence[int]) -> str:
    """`in turn 7`, `in 2 turns: 7, 9`."""
    if len(turns) == 1:
        return f"in turn {turns[0]}"
    more = f", ..., {turns[-1]}" if len(turns) > TURNS_LISTED else ""
    return f"in {len(turns)} turns: {', '.join(map(str, turns[:TURNS_LISTED]))}{more}"


def surprises_of(
    stored: StoredGame,
    seat: int,
    turns: Sequence[ReviewedTurn],
    contexts: Sequence[TurnContext],
    judge: BotKind,
    player: BotKind | None,
) -> Surprises:
    """What came otherwise than the judge expected; `player` is the kind of the reviewed bot, if it has one."""
    ranks = stored.row.ranks
    won = all(rank > ranks[seat] for other, rank in enumerate(ranks) if other != seat)
    predicted, came_true = _predictions(stored, seat, contexts, player)
    return Surprises(
        _collapses(stored, seat, turns, contexts, judge),
        () if won else _sure_turns(stored, turns, contexts, player),
        predicted,
        came_true,
        _short_of_time(stored, turns, contexts),
    )


def _collapses(
    stored: StoredGame, seat: int, turns: Sequence[ReviewedTurn], contexts: Sequence[TurnContext], judge: BotKind
) -> tuple[Collapse, ...]:
    ranks, found = stored.row.ranks, []
    end = rank_points(ranks, [other == seat for other in range(len(ranks))])
    for place, turn in enumerate(turns):
        after = turns[place + 1] if place + 1 < len(turns) else None
        unknown = turn.played_win is None if after is None else after.value is None
        if unknown or turn.played_value is None:
            continue
        expected = turn.feared or (turn.expected if turn.played == turn.better else [])
        came, others = _continuation(stored, seat, turns[place:], contexts[place:], judge)
        expected = expected[: max(len(came), CONTINUATION)]
        alternate = contexts[place].alone and len(ranks) == 2
        unexpected = _first_unexpected(expected, came) if alternate else ""
        later = end if after is None else after.win
        collapse = Collapse(turn.turn, turn.played_win, later, expected, came, unexpected, others)
        if collapse.fall >= COLLAPSE and not (after is None and collapse.foreseen):
            found.append(collapse)
    return tuple(sorted(found, key=lambda one: -one.fall)[:MOST_COLLAPSES])


def _continuation(
    stored: StoredGame, seat: int, turns: Sequence[ReviewedTurn], contexts: Sequence[TurnContext], judge: BotKind
) -> tuple[list[str], list[str]]:
    """How the game went on, written as the judge writes its lines; and the opponent's answers where these lack them.

    Answers in turn; or, where all answer at once, of the seat and of those after it, turn by turn. In a game of more
    than two each answer has its seat in front.
    """
    record, players = stored.record, len(stored.row.ranks)
    lines = [line or "nothing" for line in record.lines]
    most = max(CONTINUATION, 2 * players)
    if judge.own_lines and not contexts[0].alone:
        own = [turn.words for turn in turns[:most]]
        return own, [lines[index] for context in contexts[: len(own)] for index in context.others]
    indices: Sequence[int] = range(contexts[0].index, len(lines))
    if not contexts[0].alone:
        indices = [
            index
            for one in contexts
            for index in sorted((one.index, *one.others), key=lambda index: (record.seats[index] - seat) % players)
        ]
    written = [lines[index] if players == 2 else f"{record.seats[index]}:{lines[index]}" for index in indices[:most]]
    return written, []


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


def _predictions(
    stored: StoredGame, seat: int, contexts: Sequence[TurnContext], player: BotKind | None
) -> tuple[int, int]:
    """The answers of its only opponent that the player expected next, and how many of them came."""
    record = stored.record
    predicted = came = 0
    for context in contexts if len(stored.row.ranks) == 2 else ():
        line = record.thoughts.get(context.index, {}).get("line") or []
        if len(line) < 2 or line[0] != record.lines[context.index]:
            continue
        if context.alone:
            reply = context.index + 1
            if reply >= len(record) or record.seats[reply] == seat:
                continue
        elif player is None or player.own_lines:
            continue
        else:
            reply = context.others[0]
        predicted += 1
        came += record.lines[reply] == line[1]
    return predicted, came


def _short_of_time(
    stored: StoredGame, turns: Sequence[ReviewedTurn], contexts: Sequence[TurnContext]
) -> tuple[int, ...]:
    """Turns with a late answer, or one that took nearly all of its limit, if most did not: others plan to use it up."""
    timed = not stored.run.conditions.time_control.nodes
    answers = [stored.record.turn(context.index) for context in contexts]
    near = [
        timed and answer.milliseconds >= NEARLY * context.limit_ms
        for answer, context in zip(answers, contexts, strict=True)
    ]
    planned = 2 * sum(near) > len(near)
    return tuple(
        turn.turn
        for turn, answer, close in zip(turns, answers, near, strict=True)
        if answer.verdict in LATE or (close and not planned)
    )
