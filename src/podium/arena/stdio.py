"""A bot on standard input and output, ready for a contest's judge."""

import gc
import os
import sys
import time as clocks
from pathlib import Path

from podium.arena.entrants import bot_kind
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import BotKind, Budget
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import shortened

LEAST = 0.02  # of the first limit, if starting took more than the rest


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


def _age() -> float:
    """Milliseconds since this process was started: a judge's clock for the first answer may run since then."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0.0
    return (clocks.clock_gettime(clocks.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")) * 1000


def speak(game: str, bot: str, seed: int = 0, time: float = 0.0, nodes: int = 0) -> None:
    """Play with a bot until the game or the input ends; in the contest's time unless another or nodes are given.

    Input that is no prompt ends in a PodiumError that names the line. Where the bot is a guest's, whatever it raises is
    left as it is: its author wants to see where it came from.
    """
    rules = load(game)
    kind, changes = bot_kind(rules, bot)
    player = kind.bot(changes, seed)
    player.warm_up()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects
    gc.enable()
    limits = rules.limits
    left = limits.first
    first = True
    starting = _age()
    judge = Judge()
    try:
        for prompt in rules.prompts(judge.read):
            start = now()
            limit = time or (left if limits.bank or first else limits.later)
            if first and not time:
                limit = max(limit - starting, LEAST * limit)
            budget = Budget(start + int(limit * MILLISECOND), limits.bank and not time, nodes)
            sys.stdout.write(player.reply(prompt, budget) + "\n")
            sys.stdout.flush()
            left -= (now() - start) / MILLISECOND
            first = False
    except EOFError:
        return
    except BrokenPipeError:
        raise
    except Exception as error:
        if isinstance(error, PodiumError) or is_own(kind):
            raise judge.complaint(error) from error
        raise


def is_own(kind: BotKind) -> bool:
    """Whether a bot is of this package."""
    return getattr(kind.make, "__module__", "").partition(".")[0] == __name__.partition(".")[0]
