"""Python bots from outside, each in a process of its own (`podium.arena.host`), kept from game to game.

A process takes most of a second to start, for Podium and its compiler; an answer through its pipes costs about a tenth
of a millisecond more than a call. It plays on only if it is as good as new: alive, never at fault, with nothing left in
its pipes, nor on its way there. At most a few wait for their next game.
"""

import atexit
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock

from podium.arena.host import READY, READY_FOLLOWS
from podium.arena.limits import HEARD, Clock, Verdict
from podium.arena.players import Player
from podium.arena.program import Heard, Program
from podium.arena.python_bots import PythonBot, sources_digest
from podium.errors import PodiumError
from podium.games.game import Option, Request, Thoughts
from podium.kernel.clock import SECOND, now

START_SECONDS = 120.0  # to be imported, and to compile its kernels the first time
NODES_MILLISECONDS = 60_000.0  # for an answer where nodes are counted instead of time: more is an endless loop
MOST_WAITING = 4
CHUNK = 65_536


def changed_meanwhile(bot: PythonBot) -> None:
    """Refuse a bot whose sources are no longer those that its games are stored under."""
    if bot.digest and bot.digest != sources_digest(bot):
        raise PodiumError(
            f"{bot.module} was changed while it plays: its games so far are those of what it was; begin a new match"
        )


class Host:
    """The process of a Python bot."""

    def __init__(self, bot: PythonBot, memory: int, suspend: bool) -> None:
        """Start it. OSError if that is not possible."""
        changed_meanwhile(bot)
        self.bot, self.memory, self.suspend = bot, memory, suspend
        self._pipe, theirs = os.pipe()
        os.set_blocking(self._pipe, False)
        argv = (sys.executable, "-m", "podium.arena.host", str(theirs), bot.module, bot.folder, bot.name)
        try:
            self.program = Program(argv, memory, suspend=suspend, pipes=(theirs,))
        except OSError:
            os.close(self._pipe)
            raise
        finally:
            os.close(theirs)
        self._told = b""
        self.can_follow = False  # known once a game has begun
        self.has_answered = True  # or what was heard is a line that the bot printed while it still thinks

    def begin(self, seed: int) -> str:
        """Begin a game; returns what is wrong if the bot cannot."""
        self._told = b""
        self.program.tell([json.dumps({"seed": seed})])
        deadline = now() + int(START_SECONDS * SECOND)
        while not self._told.endswith((READY, READY_FOLLOWS)):  # after the thoughts of an answer that nobody waited for
            if not self.program.wait_for(self._pipe, 1.0):
                return "it cannot be imported, or made"
            if now() > deadline:
                return f"it was not ready after {START_SECONDS:g} s"
            self._read()
        self.can_follow, self._told = self._told.endswith(READY_FOLLOWS), b""
        return ""

    def thoughts(self) -> Thoughts | None:
        """What the bot thought about its last answer; None if that is not in the form of thoughts."""
        self._read()
        lines, self._told = self._told.splitlines(), b""
        self.has_answered = bool(lines)  # thoughts come before the answer, an empty line if there are none
        try:
            data = json.loads(lines[-1])
            return Thoughts(**{**data, "options": [Option(**option) for option in data.get("options", ())]})
        except (ValueError, TypeError, IndexError, AttributeError):
            return None

    def _read(self) -> None:
        with suppress(BlockingIOError):
            self._told += os.read(self._pipe, CHUNK)

    def close(self, farewell: Sequence[str] = ()) -> str:
        """End the process with all its children."""
        os.close(self._pipe)
        return self.program.close(farewell)


_waiting: list[Host] = []  # for their next game, the one that played last at the end
_lock = Lock()  # a worker of a cluster plays in several threads


def begin_game(bot: PythonBot, memory: int, suspend: bool, seed: int) -> tuple[Host, str]:
    """A process that has begun a game, one that waited for it or a new one; and what is wrong if it cannot.

    What a process that waited still had to say of its last game, it has said by then, and is ended for it.
    """
    waiting = _take(bot, memory, suspend)
    if waiting and not waiting.begin(seed) and waiting.program.is_idle:
        return waiting, ""
    if waiting:
        waiting.close()
    host = Host(bot, memory, suspend)
    return host, host.begin(seed)


def _take(bot: PythonBot, memory: int, suspend: bool) -> Host | None:
    """A process that waits for a game of this bot."""
    with _lock:
        for host in reversed(_waiting):
            if (host.bot, host.memory, host.suspend) == (bot, memory, suspend):
                _waiting.remove(host)
                return host
    return None


def give_back(host: Host) -> None:
    """Keep a process for the next game."""
    with _lock:
        _waiting.append(host)
        leaving = [_waiting.pop(0) for _ in range(len(_waiting) - MOST_WAITING)]
    for other in leaving:
        other.close()


@atexit.register
def close_all() -> None:
    """End all processes that wait."""
    while _waiting:
        _waiting.pop().close()


class HostedPlayer(Player):
    """A Python bot from outside in one game."""

    counts_nodes = True

    def __init__(self, bot: PythonBot, memory: int, seed: int, suspend: bool = False) -> None:
        self.failure = ""
        self.host: Host | None = None
        try:
            self.host, self.failure = begin_game(bot, memory, suspend, seed)
        except OSError as error:
            self.failure = f"cannot start Python: {error.strerror or error}"
        self._faultless = not self.failure
        self._told: list[str] = []  # since the last prompt

    def ask(self, request: Request, clock: Clock) -> Heard:
        """Send prompt and budget down the pipe."""
        if self.failure or self.host is None:
            words = self.host.program.errors() if self.host else ""
            return Heard(None, 0.0, Verdict.NOT_STARTED, self.failure, stderr=words)
        budget = clock.budget(request)
        terms = {"deadline": budget.deadline, "bank": budget.bank, "nodes": budget.nodes}
        lines, self._told = [*self._told, *request.lines], []
        header = json.dumps({"lines": len(lines), **terms})
        patience = NODES_MILLISECONDS if budget.nodes else clock.patience()
        heard = self.host.program.ask([header, *lines], patience, request.answers)
        self.thoughts = self.host.thoughts() if heard.verdict in HEARD else None
        self._faultless &= heard.verdict in (Verdict.ANSWERED, Verdict.OVERRUN) and self.host.has_answered
        return heard

    def tell(self, lines: Sequence[str]) -> None:
        """Keep the lines: they go with the next prompt."""
        self._told += lines

    @property
    def can_follow(self) -> bool:
        """Whether the bot says how."""
        return self.host is not None and self.host.can_follow

    def follow(self, request: Request, line: str | None) -> None:
        """Let the bot follow the game; one that cannot ends with a sentence on standard error."""
        if not request.answers:
            self.tell(request.lines)
        elif self.host is not None:
            lines, self._told = [*self._told, *request.lines], []
            self.host.program.tell([json.dumps({"lines": len(lines), "follow": line or ""}), *lines])

    def close(self, farewell: Sequence[str]) -> str:
        """Keep the process for the next game if it is as good as new, else end it."""
        host, self.host = self.host, None
        if host is None:
            return ""
        if self._faultless and host.program.is_idle:
            give_back(host)
            return ""
        return host.close()

    @property
    def orphans(self) -> int:
        """How many processes it left behind."""
        return self.host.program.orphans if self.host else 0
