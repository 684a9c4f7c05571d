"""What an answer may cost, and what happens when it costs more.

Three rules for time, chosen by name:

* `strict`: an answer after the limit is no answer.
* `soft`: the platform's own rule. Up to 50 ms more are forgiven, but the third such overrun of a game is a time-out.
* `bank`: overruns are paid from a reserve for the whole game; once it is spent, the limit is strict.

A contest that gives one sum of time for all answers of a game (a bank of its own) is measured against what is left.
"""

from dataclasses import dataclass, field
from enum import Enum

from podium.arena.numbers import LONGEST
from podium.games.game import Budget, Request
from podium.kernel.clock import MILLISECOND, now


class Policy(Enum):
    """What to do about answers after the limit."""

    STRICT = "strict"
    SOFT = "soft"
    BANK = "bank"


class Verdict(Enum):
    """What the arena saw of one answer; whether the answer itself is good, the referee judges."""

    ANSWERED = "answered"
    EXTRA_LINES = "too many lines"  # more than one line: the rest stays in the pipe and answers later prompts
    OVERRUN = "overrun"  # after the limit, but forgiven
    GARBAGE = "garbage"  # bytes that are not text
    LATE = "late"  # an answer, but after the limit
    SILENT = "silent"  # no answer at all, though alive
    CRASHED = "crashed"  # a status other than 0, a signal, or an exception
    EXITED = "exited"  # with status 0, though it was asked
    CLOSED = "closed its output"  # though alive
    FLOOD = "flood"  # more output than anybody reads
    NOT_STARTED = "not started"


# With these the referee still gets the line.
HEARD = frozenset({Verdict.ANSWERED, Verdict.EXTRA_LINES, Verdict.OVERRUN, Verdict.GARBAGE})


@dataclass(frozen=True)
class Allowance:
    """What bots may spend on each answer, where it is not what the contest gives, and how it is enforced."""

    milliseconds: float = 0.0  # 0: the contest's limit
    nodes: int = 0  # if positive: bots of this program count nodes and ignore the clock; others keep their time
    policy: Policy = Policy.SOFT
    grace: float = 50.0  # ms that `soft` forgives
    overruns: int = 3  # the overrun of a game at which `soft` ends it
    reserve: float = 1000.0  # ms that `bank` gives for the overruns of a game
    startup: float = 0.0  # ms that a program gets on top for its first answer

    def budget(self, request: Request) -> Budget:
        """What a bot of this program may spend on one answer, beginning now, where nobody keeps a clock."""
        clock = Clock(self)
        clock.start(request)
        return clock.budget(request)


@dataclass(slots=True)
class Clock:
    """The time of one seat in one game."""

    allowance: Allowance
    factor: float = 1.0  # the seat's handicap: its share of time and nodes
    spent: float = 0.0  # ms in all
    bank: float = -1.0  # the first limit of a contest that gives one sum for the game
    overruns: int = 0
    excused: int = 0  # overruns that were the machine's fault
    reserve: float = field(init=False)
    limit: float = field(init=False, default=0.0)  # of the present answer

    def __post_init__(self) -> None:
        self.reserve = self.allowance.reserve if self.allowance.policy is Policy.BANK else 0.0

    def start(self, request: Request, extra: float = 0.0) -> None:
        """Set the limit of the next answer."""
        if self.allowance.milliseconds:
            limit = self.allowance.milliseconds * self.factor
        elif request.bank:
            if self.bank < 0:
                self.bank = request.milliseconds
            limit = self.bank * self.factor - self.spent
        else:
            limit = request.milliseconds * self.factor
        self.limit = min(max(limit, 0.0), LONGEST) + extra

    def budget(self, request: Request) -> Budget:
        """The same for a bot of this program, beginning now."""
        allowance = self.allowance
        nodes = max(1, round(allowance.nodes * self.factor)) if allowance.nodes else 0
        return Budget(now() + int(self.limit * MILLISECOND), request.bank and not allowance.milliseconds, nodes)

    def patience(self) -> float:
        """How many ms an answer can possibly be worth waiting for: late and silent are told apart at least."""
        return self.limit + max(self.allowance.grace, self.reserve)

    def spend(self, elapsed: float) -> float:
        """Count the time of an answer; returns by how many ms it overran its limit."""
        self.spent += elapsed
        return max(0.0, elapsed - self.limit)

    def is_late(self, over: float) -> bool:
        """Whether an overrun of so many ms is one too many; counts it."""
        self.overruns += 1
        policy = self.allowance.policy
        if policy is Policy.BANK:
            self.reserve -= over
            return self.reserve < 0
        return not (policy is Policy.SOFT and over <= self.allowance.grace and self.overruns < self.allowance.overruns)
