"""What an answer may cost, and what happens when it costs more.

Three rules for time, chosen by name:

* `strict`: an answer after the limit is no answer.
* `soft`: the platform's own rule. Up to 50 ms more are forgiven, but the third such overrun of a game is a time-out.
* `bank`: overruns are paid from a reserve for the whole game; once it is spent, the limit is strict.

A contest that gives one sum of time for all answers of a game (a bank of its own) is measured against what is left.
"""

from dataclasses import dataclass, field
from enum import Enum

from podium.arena.bounds import LONGEST
from podium.games.game import Budget, Request
from podium.kernel.clock import MILLISECOND, now


class LatePolicy(Enum):
    """What to do about answers after the limit."""

    STRICT = "strict"
    SOFT = "soft"
    BANK = "bank"


@dataclass(frozen=True)
class TimeControl:
    """What bots may spend on each answer, where it is not what the contest gives, and how it is enforced."""

    milliseconds: float = 0.0  # 0: the contest's limit
    nodes: int = 0  # if positive: built-in bots count nodes and ignore the clock; programs keep their time
    policy: LatePolicy = LatePolicy.SOFT
    grace: float = 50.0  # ms that `soft` forgives
    overrun_limit: int = 3  # the overrun of a game that `soft` refuses
    reserve: float = 1000.0  # ms that `bank` gives for the overruns of a game
    startup: float = 0.0  # ms that a program gets on top for its first answer

    def nodes_for(self, factor: float) -> int:
        """The nodes of an answer with a handicap; 0: time is what counts."""
        return max(1, round(self.nodes * factor)) if self.nodes else 0

    def budget(self, request: Request) -> Budget:
        """The budget of a built-in bot for one answer, from now on, where no clock is kept."""
        clock = Clock(self)
        clock.start(request)
        return clock.budget(request)


@dataclass(slots=True)
class Clock:
    """The time of one seat in one game."""

    time_control: TimeControl
    factor: float = 1.0  # the seat's handicap: its share of time and nodes
    spent: float = 0.0  # ms in all
    bank: float = -1.0  # the first limit of a contest that gives one sum for the game
    overruns: int = 0
    excused: int = 0  # overruns that were the machine's fault
    reserve: float = field(init=False)
    limit: float = field(init=False, default=0.0)  # of the present answer

    def __post_init__(self) -> None:
        self.reserve = self.time_control.reserve if self.time_control.policy is LatePolicy.BANK else 0.0

    def start(self, request: Request, extra: float = 0.0) -> None:
        """Set the limit of the next answer."""
        if self.time_control.milliseconds:
            limit = self.time_control.milliseconds * self.factor
        elif request.bank:
            if self.bank < 0:
                self.bank = request.milliseconds
            limit = self.bank * self.factor - self.spent
        else:
            limit = request.milliseconds * self.factor
        self.limit = min(max(limit, 0.0), LONGEST) + extra

    def budget(self, request: Request) -> Budget:
        """The budget of the present answer for a built-in bot, from now on."""
        time_control = self.time_control
        nodes = time_control.nodes_for(self.factor)
        return Budget(now() + int(self.limit * MILLISECOND), request.bank and not time_control.milliseconds, nodes)

    def wait_limit(self) -> float:
        """The longest wait for an answer in ms: the limit plus grace or reserve, so that late differs from silent."""
        return self.limit + max(self.time_control.grace, self.reserve)

    def spend(self, elapsed: float) -> float:
        """Count the time of an answer; returns by how many ms it overran its limit."""
        self.spent += elapsed
        return max(0.0, elapsed - self.limit)

    def count_overrun(self, over: float) -> bool:
        """Count an overrun, in ms; returns whether it makes the answer late."""
        self.overruns += 1
        rule = self.time_control
        if rule.policy is LatePolicy.BANK:
            self.reserve -= over
            return self.reserve < 0
        return not (rule.policy is LatePolicy.SOFT and over <= rule.grace and self.overruns < rule.overrun_limit)
