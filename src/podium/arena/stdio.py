"""A bot on standard input and output, ready for a contest's judge."""

import gc
import os
import select
import sys
import time as clocks
from pathlib import Path

from podium.arena.naming import bot_kind
from podium.arena.numbers import NODES, SEED, TIME
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import BotKind, Budget, Limits
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import shortened
from podium.kernel.ready import forget_arguments, prepare

OPTIONS = {parameter.name: parameter for parameter in (SEED, TIME, NODES)}
LEAST = 0.02  # of the first limit, if starting took all of it


class Judge:
    """Whoever is at the other end of standard input."""

    def __init__(self) -> None:
        self.number = 0  # lines so far
        self.line = ""  # the last one

    def read(self) -> str:
        """The next line; EOFError if there is none."""
        self.number += 1
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.line = line.rstrip("\r\n")
        return self.line

    def complaint(self, error: Exception) -> PodiumError:
        """What to say of lines that a bot cannot make sense of."""
        reason = str(error) if isinstance(error, PodiumError) else f"{type(error).__name__}: {error}"
        said = shortened(self.line)
        return PodiumError(f"line {self.number} of the input, {said!r}, or one before it is no prompt: {reason}")


def age() -> float:
    """Milliseconds since this process was started; where nothing tells, those that it has worked for."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return clocks.process_time() * 1000
    return (clocks.clock_gettime(clocks.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")) * 1000


def is_waiting() -> bool:
    """Whether somebody has said something already; if nothing tells, yes."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):
        return True


class Timekeeper:
    """Keeps the contest's limits as the strictest judge would.

    If the first prompt was there before the bot was ready, the judge's clock may have run since the process was
    started: only what is left of the limit is used then, and at least a short search's time. A judge who speaks later
    has waited, and his clock runs since he spoke.
    """

    def __init__(self, limits: Limits, starting: float) -> None:
        self.limits = limits
        self.spent = starting  # ms, of the first answer or of all
        self.first = True

    def limit(self) -> float:
        """Milliseconds for the next answer."""
        if self.first:
            return max(self.limits.first - self.spent, LEAST * self.limits.first)
        return self.limits.first - self.spent if self.limits.bank else self.limits.later

    def answered(self, milliseconds: float) -> None:
        """Take note of what an answer took."""
        self.spent += milliseconds
        self.first = False


def speak(game: str, bot: str, seed: int = 0, time: float = 0.0, nodes: int = 0) -> None:
    """Play with a bot until the game or the input ends; in the contest's time unless another or nodes are given.

    Input that is no prompt ends in a PodiumError that names the line. Where the bot is a guest's, whatever it raises is
    left as it is: its author wants to see where it came from.
    """
    rules = load(game)
    kind, changes = bot_kind(rules, bot)
    player = kind.bot(changes, seed)
    player.warm_up()
    if age() > rules.limits.first:
        prepare()  # the first answer is late in any case, and the next process shall be in time
    forget_arguments()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects
    gc.enable()
    keeper = Timekeeper(rules.limits, age() if is_waiting() else 0.0)
    judge = Judge()
    try:
        for prompt in rules.prompts(judge.read):
            start = now()
            deadline = start + int((time or keeper.limit()) * MILLISECOND)
            sys.stdout.write(player.reply(prompt, Budget(deadline, rules.limits.bank and not time, nodes)) + "\n")
            sys.stdout.flush()
            keeper.answered((now() - start) / MILLISECOND)
    except EOFError:
        prepare()
    except BrokenPipeError:
        raise
    except Exception as error:
        if isinstance(error, PodiumError) or is_own(kind):
            raise judge.complaint(error) from error
        raise


def speak_as_told(game: str, bot: str, **options: str) -> None:
    """The same, with the options as texts; a PodiumError for what is no such number."""
    texts = {"seed": "0", **options}
    speak(game, bot, **{name: OPTIONS[name].read(text) for name, text in texts.items()})  # type: ignore[arg-type]


def is_own(kind: BotKind) -> bool:
    """Whether a bot is of this package."""
    return getattr(kind.make, "__module__", "").partition(".")[0] == __name__.partition(".")[0]
