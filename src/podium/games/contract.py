"""What referees, bots and the arena agree on: requests, answers, verdicts, outcomes and thoughts.

The contract fits alternating and simultaneous moves, any number of seats and hidden information:

* The **referee** owns the full state. It says which seats have to answer now, each with the lines that this seat may
  see; a turn with simultaneous moves has several requests at once. Their answers are judged together, in the order of
  the requests.
* A **bot** sees nothing but those lines, and answers one line. So it cannot use hidden information, and a program in
  any language is a bot.
* The arena measures time: each request carries the contest's limit, each answer the time that it took. The referee gets
  a late answer as no answer.

`podium.games.game` offers all names of this module, too.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from podium.errors import IllegalError as IllegalError
from podium.errors import MalformedError as MalformedError
from podium.errors import PodiumError
from podium.model.budget import Budget as Budget  # re-exported: what a bot is given with a prompt
from podium.model.params import ParamSpec, Value

Scene = dict[str, Any]  # a position as plain data (what json can write), for pictures
FORMER_OBSERVE = "follow"  # the former name of `Bot.observe`, still accepted


class Ending(StrEnum):
    """Why a game ended, or why a referee disqualified a seat. Codes: stores and JSON hold the values."""

    NORMAL = "normal"  # by the rules of the game
    TURN_LIMIT = "turn_limit"
    SURRENDER = "surrender"
    NO_ANSWER = "no_answer"  # late, silent or dead; the arena knows which (`AnswerVerdict`)
    MALFORMED = "malformed"  # not of the form of an answer
    ILLEGAL = "illegal"  # well formed, but against the rules
    ANNULLED = "annulled"  # nobody won; `Annulment` says why


class Annulment(StrEnum):
    """Why a game does not count.

    `games/loop.py`, the worker and `referees/` set the first three, `arena/game/play.py` the last.
    """

    REFEREE_FAILED = "referee_failed"  # it raised an exception
    PROGRAM_FAILED = "program_failed"  # the external program that is the referee, or that plays the game by itself
    NO_RESULT = "no_result"  # the game ended, and no scores are known
    MACHINE_FAULT = "machine_fault"  # a busy machine made a bot late, and the games of the run are to be fair


class AnswerVerdict(StrEnum):
    """What the arena saw of one answer. Whether the answer itself is good, the referee judges."""

    ANSWERED = "answered"
    EXTRA_LINES = "extra_lines"  # more lines than were asked for: the rest stays in the pipe and answers later prompts
    OVERRUN = "overrun"  # after the limit, but forgiven
    GARBAGE = "garbage"  # bytes that are not text
    LATE = "late"  # an answer, but after the limit
    SILENT = "silent"  # no answer at all, though alive
    CRASHED = "crashed"  # a status other than 0, a signal, or an exception
    EXITED = "exited"  # with status 0, though it was asked
    CLOSED_OUTPUT = "closed_output"  # though alive
    FLOOD = "flood"  # more output than the arena reads
    NOT_STARTED = "not_started"

    @property
    def has_line(self) -> bool:
        """Whether the referee is given the line."""
        return self in _WITH_LINE


_WITH_LINE = frozenset(
    {AnswerVerdict.ANSWERED, AnswerVerdict.EXTRA_LINES, AnswerVerdict.OVERRUN, AnswerVerdict.GARBAGE}
)


@dataclass(frozen=True, slots=True)
class Limits:
    """A contest's time limits in milliseconds: for the first answer and each later one, or for the whole game."""

    first: float
    later: float
    bank: bool = False  # `first` is the time for all answers of a game together


@dataclass(frozen=True, slots=True)
class Request:
    """A seat that has to answer now."""

    seat: int
    lines: Sequence[str]  # what it is sent, including the lines that come once before its first turn
    milliseconds: float  # the contest's limit for this answer
    bank: bool = False  # the limit is what is left for all answers of the game
    answers: int = 1  # number of lines expected; 0: no answer is expected


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a request."""

    line: str | None  # None: nothing in time; several lines are separated by LF
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat that was disqualified, and why: the referee says the first four, the arena adds what it saw."""

    seat: int
    code: Ending
    turn: int
    detail: str = ""  # for people, in the referee's words
    verdict: AnswerVerdict = AnswerVerdict.ANSWERED  # on the seat's last answer
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)  # for the verdict (see `Turn`)

    @property
    def cause(self) -> Ending | AnswerVerdict:
        """The code to count: the arena knows why there was no answer, or why it could not be read."""
        if self.verdict is AnswerVerdict.GARBAGE or (
            self.code is Ending.NO_ANSWER and self.verdict is not AnswerVerdict.ANSWERED
        ):
            return self.verdict
        return self.code


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    scores: tuple[float, ...]
    ranks: tuple[int, ...]  # 1 is best; equal scores share the better rank
    ending: Ending
    detail: str = ""  # how it ended, for people; nothing is decided by it
    note: str = ""  # the word that recordings use for the ending, where it is a fixed one
    faults: tuple[Fault, ...] = ()
    seed: int | None = None  # what was really played, where that is the referee's choice
    annulment: Annulment | None = None  # of an annulled game: why it is


def annulled(seats: int, reason: Annulment, detail: str) -> Outcome:
    """The outcome of a game that does not count."""
    return Outcome((0.0,) * seats, (1,) * seats, Ending.ANNULLED, detail, annulment=reason)


def ranks_of(scores: Sequence[float]) -> tuple[int, ...]:
    """The rank of each score: 1 + the number of higher ones."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


class Referee(ABC):
    """One game in progress. Deterministic: the same seed, settings and answers give the same game."""

    state: Any  # the full state, a record of the game's State
    turn: int  # the number of calls of `answer` so far
    outcome: Outcome | None  # None while the game goes on

    @abstractmethod
    def requests(self) -> Sequence[Request]:
        """The seats that have to answer now; empty when the game is over. Calling it again changes nothing."""

    @abstractmethod
    def answer(self, answers: Sequence[Answer]) -> None:
        """Judge and play the answers to the present requests, in their order."""

    def farewell(self, seat: int) -> Sequence[str]:
        """The lines that a seat is sent after the end of the game."""
        return ()

    def history(self) -> Mapping[str, Any]:
        """What pictures show of the game so far besides the state: further arguments of `scene` and `choices`."""
        return {}

    def chronicle(self) -> Mapping[str, Any]:
        """What recordings of this game hold besides prompts and result, by key."""
        return {}

    def archive(self) -> Mapping[str, Any]:
        """Plain data that a stored game keeps, for referees that may not be able to play the game again."""
        return {}

    def close(self) -> None:  # noqa: B027 - most referees hold nothing
        """Free what the referee holds, whether the game is over or not; closing again does nothing."""


@dataclass(slots=True)
class Option:
    """A move that a bot considered."""

    move: str
    value: float  # the bot's evaluation, in the unit of `Thoughts.unit`
    visits: int = 0
    proof: str = ""  # "win", "loss" or "draw" if it is proven
    line: list[str] = field(default_factory=list)  # the principal variation
    share: float = 0.0  # its probability in a mixed strategy


@dataclass(frozen=True, slots=True)
class Judgement:
    """A bot's evaluation of an answer that was really given."""

    answer: str  # its own answer
    thoughts: "Thoughts | None"  # its reasons
    value: float | None  # of its own move; None if the bot does not evaluate moves
    played: float | None  # of the move that was played, at the same depth; None if it is no legal move, or unknown
    line: list[str] = field(default_factory=list)  # the principal variation after the played move


@dataclass(slots=True)
class Thoughts:
    """What a bot thought before it answered."""

    value: float | None = None
    unit: str = "points"
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    line: list[str] = field(default_factory=list)  # the principal variation, its own move first
    options: list[Option] = field(default_factory=list)  # best first
    note: str = ""
    beliefs: dict[str, Any] = field(default_factory=dict)  # what it deduced about hidden information
    # the turn as a matrix game, from searches of simultaneous moves: rows, columns, values, row_shares, column_shares
    matrix: dict[str, Any] | None = None

    def data(self) -> dict[str, Any]:
        """The same as a dictionary of plain data."""
        return asdict(self)


class Bot(ABC):
    """A player: it reads the lines of the contest's protocol and answers one line. One object plays one game."""

    thoughts: Thoughts | None = None  # of the last answer

    def warm_up(self) -> None:  # noqa: B027 - a bot without kernels has nothing to do here
        """Compile, or load from the cache, all kernels that `reply` will need; the bot's state is as before."""

    @abstractmethod
    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """The answer to a prompt, one line."""

    def observe(self, lines: Sequence[str], line: str) -> None:
        """Take note of a prompt and of the real answer to it, without thinking: to join the game later.

        A bot that cannot do so raises a PodiumError, which is the default.
        """
        former = getattr(self, FORMER_OBSERVE, None)
        if former is None:
            raise PodiumError(f"{type(self).__name__} cannot join a game that it has not played from the start")
        former(lines, line)

    def judge(self, lines: Sequence[str], line: str | None, budget: Budget) -> Judgement:
        """Think about a prompt as if asked, evaluate the real answer to it, and take note of that answer."""
        raise PodiumError(f"{type(self).__name__} does not evaluate the answers of others")


def observe_method(bot: object) -> Callable[[Sequence[str], str], None] | None:
    """The method `observe` of a bot, which need not be a subclass of `Bot`; None if it defines none."""
    for name in ("observe", FORMER_OBSERVE):
        if getattr(type(bot), name, Bot.observe) is not Bot.observe:
            method: Callable[[Sequence[str], str], None] = getattr(bot, name)
            return method
    return None


def can_observe(bot: object) -> bool:
    """Whether a bot can join a game that it has not played from the start."""
    return observe_method(bot) is not None


@dataclass(frozen=True)
class LogisticWins:
    """Win probabilities of a bot that evaluates in points of its own: a logistic curve, fitted to games.

    `python -m tools.win_probability` fits the scale to stored games and prints how well the curve holds.
    """

    scale: float  # the evaluation with which it gets 73 % of the points

    def __call__(self, value: float) -> float:
        """The win probability of an evaluation."""
        return 1.0 / (1.0 + math.exp(-max(-_STEEPEST, min(_STEEPEST, value / self.scale))))


_STEEPEST = 700.0  # exp of more is infinite


def win_rate(value: float) -> float:
    """The win probability of a bot that evaluates by win rates, from 0 to 1."""
    return value


def mean_result(value: float) -> float:
    """The win probability of a bot that evaluates by mean results, from -1 to 1."""
    return (1.0 + value) / 2.0


@dataclass(frozen=True)
class BotKind:
    """A bot that can be named: its parameters, and how to make one for a game."""

    name: str
    summary: str
    param_spec: ParamSpec
    make: Callable[[Any, int], Bot]  # (params, seed of its random choices)
    whole_game: bool = False  # it may use any code of the game's folder, so that its fingerprint covers all of it
    least_nodes: int = 0  # smallest sensible number of nodes per move; 0: it does not search, or it was not measured
    least_nodes_measured: str = ""  # the match that shows it
    # an evaluation of this bot -> the share of the points that it gets from there on average; None: not measured
    win_probability: Callable[[float], float | None] | None = None
    own_lines: bool = False  # where all answer at once: its lines hold its own moves alone, not the other player's, too

    def __repr__(self) -> str:
        return f"<BotKind {self.name}: {self.summary}>"

    def win(self, value: float | None) -> float | None:
        """The win probability of an evaluation of this bot; None where it is not known."""
        if value is None or self.win_probability is None or math.isnan(value):
            return None
        win = self.win_probability(value)
        return None if win is None else min(max(win, 0.0), 1.0)

    def bot(self, changes: Mapping[str, Value] | None = None, seed: int = 0) -> Bot:
        """A bot for one game."""
        return self.make(self.param_spec.params(changes), seed)
