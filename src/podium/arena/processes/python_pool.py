"""The pool of Python bots: each plays in a process (`python_child`) that is kept for later games.

A process takes most of a second to start, because it imports Podium and its compiler; an answer through its pipes costs
about 0.1 ms more than a call. It is reused only if it is as good as new: alive, never at fault, with nothing left in
its pipes and no answer under way. A few idle processes are kept.
"""

import atexit
import json
import os
import sys
from contextlib import suppress
from threading import Lock

from podium.arena.entrants.python_bots import PythonBot, sources_digest
from podium.arena.processes.program import Program
from podium.arena.processes.python_child import READY, READY_OBSERVES
from podium.errors import PodiumError
from podium.games.game import Option, Thoughts
from podium.kernel.clock import SECOND, now

START_SECONDS = 120.0  # to be imported, and to compile its kernels the first time
MOST_IDLE = 4
CHUNK = 65_536


def check_unchanged(bot: PythonBot) -> None:
    """PodiumError if the sources of a bot are no longer those that its games are stored under."""
    if bot.digest and bot.digest != sources_digest(bot):
        raise PodiumError(
            f"{bot.module} was changed while it plays: its games so far belong to the old version; start a new match"
        )


class BotProcess:
    """The process of a Python bot, seen from the arena."""

    def __init__(self, bot: PythonBot, memory: int, suspend: bool) -> None:
        """Start it; OSError if that is not possible."""
        check_unchanged(bot)
        self.bot, self.memory, self.suspend = bot, memory, suspend
        self._pipe, theirs = os.pipe()
        os.set_blocking(self._pipe, False)
        argv = (
            sys.executable,
            "-P",  # nothing is imported from the current folder
            "-m",
            "podium.arena.processes.python_child",
            str(theirs),
            bot.module,
            bot.folder,
            bot.name,
        )
        try:
            self.program = Program(argv, memory, suspend=suspend, pipes=(theirs,))
        except OSError:
            os.close(self._pipe)
            raise
        finally:
            os.close(theirs)
        self._received = b""  # on the extra pipe
        self.can_observe = False  # known once a game has begun
        self.has_answered = True  # False: the line was printed by a bot that still thinks

    def begin(self, seed: int) -> str:
        """Begin a game; returns the reason if the bot cannot, else ""."""
        self._received = b""
        self.program.tell([json.dumps({"seed": seed})])
        deadline = now() + int(START_SECONDS * SECOND)
        while not self._received.endswith((READY, READY_OBSERVES)):  # thoughts of a late answer may precede it
            if not self.program.wait_for(self._pipe, 1.0):
                return "it cannot be imported, or made"
            if now() > deadline:
                return f"it was not ready after {START_SECONDS:g} s"
            self._read()
        self.can_observe, self._received = self._received.endswith(READY_OBSERVES), b""
        return ""

    def thoughts(self) -> Thoughts | None:
        """The bot's thoughts about its last answer; None if they do not have the form of `Thoughts`."""
        self._read()
        lines, self._received = self._received.splitlines(), b""
        self.has_answered = bool(lines)  # thoughts come before the answer, an empty line if there are none
        try:
            data = json.loads(lines[-1])
            return Thoughts(**{**data, "options": [Option(**option) for option in data.get("options", ())]})
        except (ValueError, TypeError, IndexError, AttributeError):
            return None

    def _read(self) -> None:
        with suppress(BlockingIOError):
            self._received += os.read(self._pipe, CHUNK)

    def close(self) -> str:
        """End the process with all its descendants; returns the rest of its standard error."""
        os.close(self._pipe)
        return self.program.close(())


_idle: list[BotProcess] = []  # the one that played last at the end
_lock = Lock()  # a cluster worker plays in several threads


def begin_game(bot: PythonBot, memory: int, suspend: bool, seed: int) -> tuple[BotProcess, str]:
    """A process that has begun a game, an idle one or a new one; and the reason if the bot cannot begin, else "".

    An idle process that printed more about its last game is ended: when it has begun the new one, that output is there.
    """
    idle = _take(bot, memory, suspend)
    if idle and not idle.begin(seed) and idle.program.is_idle:
        return idle, ""
    if idle:
        idle.close()
    process = BotProcess(bot, memory, suspend)
    return process, process.begin(seed)


def _take(bot: PythonBot, memory: int, suspend: bool) -> BotProcess | None:
    """Take an idle process of this bot out of the pool; None if there is none."""
    with _lock:
        for process in reversed(_idle):
            if (process.bot, process.memory, process.suspend) == (bot, memory, suspend):
                _idle.remove(process)
                return process
    return None


def give_back(process: BotProcess) -> None:
    """Keep a process for a later game."""
    with _lock:
        _idle.append(process)
        leaving = [_idle.pop(0) for _ in range(len(_idle) - MOST_IDLE)]
    for other in leaving:
        other.close()


@atexit.register
def close_all() -> None:
    """End all idle processes."""
    while _idle:
        _idle.pop().close()
