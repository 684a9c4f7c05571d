"""A bot on standard input and output, ready for a contest's judge."""

import gc
import os
import select
import sys
import time as clocks
from pathlib import Path
from typing import Any

from podium.arena.bounds import NODES, SEED, TIME
from podium.arena.entrants.bot_names import bot_kind
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Bot, BotKind, Budget, Contest, Limits
from podium.kernel.aot import build_missing
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.marshalling import forget_arguments
from podium.model.params import shortened

OPTIONS = {parameter.name: parameter for parameter in (SEED, TIME, NODES)}
# Shares of the first limit. A judge's clock starts before the process that it starts, and a busy machine delays what
# reads the answer: a part stays unused. With 9 ms unused, first answers came after 988 to 997 ms of 1000; without any,
# after the process was ready, on a machine with eleven processes waiting, after 1000 to 1007.
UNUSED = 0.1
LEAST = 0.02  # is used even if starting took all of it


class JudgeInput:
    """The lines of the contest's judge on standard input."""

    def __init__(self) -> None:
        self.number = 0  # lines so far
        self.line = ""  # the last one

    def read(self) -> str:
        """The next line; EOFError at the end of the input."""
        self.number += 1
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.line = line.rstrip("\r\n")
        return self.line

    def complaint(self, error: Exception) -> PodiumError:
        """The error to raise for input that is no prompt: it names the line."""
        reason = str(error) if isinstance(error, PodiumError) else f"{type(error).__name__}: {error}"
        line = shortened(self.line)
        return PodiumError(f"line {self.number} of the input, {line!r}, or one before it is no prompt: {reason}")


def age() -> float:
    """Milliseconds since this process was started; its processor time where the system does not say."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return clocks.process_time() * 1000
    return (clocks.clock_gettime(clocks.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")) * 1000


def is_waiting() -> bool:
    """Whether input is waiting already; True where that cannot be determined."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):
        return True


class Timekeeper:
    """Keeps the contest's limits as the strictest judge would.

    If the first prompt arrived before the bot was ready, the judge's clock may have run since the process was started:
    only the rest of the limit is used then, but at least the time of a short search. A judge that sends its first
    prompt later has waited for the bot, and its clock runs from that prompt. In both cases the share UNUSED is left
    over. A limit for all answers together is left whole: the bot shares it out.
    """

    def __init__(self, limits: Limits, starting: float) -> None:
        self.limits = limits
        self.spent = starting  # ms of the first answer, or of all answers
        self.first = True

    def limit(self) -> float:
        """Milliseconds for the next answer."""
        if self.first:
            unused = 0.0 if self.limits.bank else UNUSED
            return max((1 - unused) * self.limits.first - self.spent, LEAST * self.limits.first)
        return self.limits.first - self.spent if self.limits.bank else self.limits.later

    def answered(self, milliseconds: float) -> None:
        """Count the time of an answer."""
        self.spent += milliseconds
        self.first = False


def play_on_stdio(game: str, bot: str, seed: int = 0, time: float = 0.0, nodes: int = 0) -> None:
    """Play with a bot until the game or the input ends.

    The contest's limits hold, unless `time` (ms) or `nodes` for each answer are given. Input that is no prompt raises a
    PodiumError that names the line. An exception of a Python bot or a plug-in bot passes through unchanged, because its
    author wants the traceback.
    """
    rules = load(game)
    kind, changes = bot_kind(rules, bot)
    player = kind.bot(changes, seed)
    player.warm_up()
    if age() > rules.contest.limits.first:
        build_missing()  # the first answer is late in any case; the next process is to be in time
    answer_prompts(rules.contest, player, time, nodes, is_own(kind))
    build_missing()


def answer_prompts(contest: Contest, player: Bot, time: float, nodes: int, own: bool) -> None:
    """Let a bot that is warmed up answer prompts until the input ends; its `own` errors become sentences."""
    forget_arguments()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects
    gc.enable()
    keeper = Timekeeper(contest.limits, age() if is_waiting() else 0.0)
    judge = JudgeInput()
    try:
        for prompt in contest.prompts(judge.read):
            start = now()
            deadline = start + int((time or keeper.limit()) * MILLISECOND)
            sys.stdout.write(player.reply(prompt, Budget(deadline, contest.limits.bank and not time, nodes)) + "\n")
            sys.stdout.flush()
            keeper.answered((now() - start) / MILLISECOND)
    except EOFError:
        return
    except BrokenPipeError:
        raise
    except Exception as error:
        if own or isinstance(error, PodiumError):
            raise judge.complaint(error) from error
        raise


def play_with_text_options(game: str, bot: str, **options: str) -> None:
    """Like `play_on_stdio`, with options as texts; PodiumError if one is not a number in its bounds."""
    values: dict[str, Any] = {name: OPTIONS[name].read(text) for name, text in {"seed": "0", **options}.items()}
    play_on_stdio(game, bot, **values)


def is_own(kind: BotKind) -> bool:
    """Whether a bot belongs to this package."""
    return getattr(kind.make, "__module__", "").partition(".")[0] == __name__.partition(".")[0]
