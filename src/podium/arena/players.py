"""An entrant in one game: a bot of this process, or a program behind pipes."""

import gc
import shlex
import traceback
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from subprocess import SubprocessError

from podium.arena.entrants import Entrant
from podium.arena.limits import Clock, Verdict
from podium.arena.program import Heard, Program
from podium.arena.waiting import own_waiting, taken_away
from podium.errors import PodiumError
from podium.games.game import Bot, Budget, Game, Request, Thoughts, can_follow
from podium.games.loop import play_bots
from podium.kernel import JIT
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import Value

FEW_NODES = 3


class Player(ABC):
    """An entrant in one game."""

    thoughts: Thoughts | None = None  # about the last answer
    counts_nodes = False  # whether a budget of nodes reaches it, so that its clock does not matter then

    @abstractmethod
    def ask(self, request: Request, clock: Clock) -> Heard:
        """Its answer to a prompt, the clock having been started."""

    @abstractmethod
    def tell(self, lines: Sequence[str]) -> None:
        """Send it lines that want no answer."""

    @property
    def can_follow(self) -> bool:
        """Whether it can be told how a game went before it came."""
        return False

    def follow(self, request: Request, line: str | None) -> None:
        """Tell it a prompt and what was answered to it before it came."""
        raise PodiumError("a program cannot be told what was answered before it came")

    def close(self, farewell: Sequence[str]) -> str:
        """End its part; returns what it still had to say on standard error."""
        return ""

    @property
    def orphans(self) -> int:
        """How many processes it left behind."""
        return 0


class OwnPlayer(Player):
    """A bot of this process."""

    counts_nodes = True

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._told: list[str] = []  # since the last prompt

    def tell(self, lines: Sequence[str]) -> None:
        """Keep the lines: a bot of this process gets them with its next prompt."""
        self._told += lines

    @property
    def can_follow(self) -> bool:
        """Whether the bot says how."""
        return can_follow(self.bot)

    def follow(self, request: Request, line: str | None) -> None:
        """Let the bot follow the game."""
        if not request.answers:
            self.tell(request.lines)
            return
        lines, self._told = [*self._told, *request.lines], []
        self.bot.follow(lines, line or "")

    def ask(self, request: Request, clock: Clock) -> Heard:
        """Call the bot; an exception is a crash, and its traceback what it wrote to standard error."""
        lines = [*self._told, *request.lines] if self._told else request.lines
        self._told = []
        budget = clock.budget(request)
        waited = 0.0 if budget.nodes else own_waiting()
        start = now()
        try:
            line = self.bot.reply(lines, budget)
        except Exception as error:
            elapsed = (now() - start) / MILLISECOND
            return Heard(None, elapsed, Verdict.CRASHED, repr(error), stderr=traceback.format_exc())
        elapsed = (now() - start) / MILLISECOND
        if not budget.nodes:
            waited = taken_away(waited, own_waiting())
        self.thoughts = self.bot.thoughts
        if not isinstance(line, str):
            return Heard(None, elapsed, Verdict.CRASHED, f"answered with {type(line).__name__} instead of a line")
        return Heard(line, elapsed, Verdict.ANSWERED, waited=waited)


class FailedPlayer(Player):
    """A bot of this process that could not even be made: it crashes when it is asked."""

    def __init__(self, reason: str, trace: str) -> None:
        self.reason, self.trace = reason, trace

    def tell(self, lines: Sequence[str]) -> None:
        """Nobody listens."""

    def ask(self, request: Request, clock: Clock) -> Heard:
        """The reason, with its traceback as what was written to standard error."""
        return Heard(None, 0.0, Verdict.CRASHED, self.reason, stderr=self.trace)

    @property
    def can_follow(self) -> bool:
        """What is wrong with it shows when it is asked."""
        return True

    def follow(self, request: Request, line: str | None) -> None:
        """Nobody follows."""


class ProgramPlayer(Player):
    """A program of any language."""

    def __init__(self, argv: Sequence[str], memory: int, seed: int, suspend: bool = False) -> None:
        self.failure = ""
        self.closed = False
        try:
            self.program: Program | None = Program(argv, memory, seed, suspend)
        except (OSError, ValueError, SubprocessError) as error:
            self.program = None
            reason = error.strerror if isinstance(error, OSError) else ""
            self.failure = f"cannot start {shlex.join(argv)}: {reason or error}"

    def ask(self, request: Request, clock: Clock) -> Heard:
        """Send the prompt down the pipe."""
        if self.program is None:
            return Heard(None, 0.0, Verdict.NOT_STARTED, self.failure)
        return self.program.ask(request.lines, clock.patience(), request.answers)

    def tell(self, lines: Sequence[str]) -> None:
        """Send the lines down the pipe."""
        if self.program is not None:
            self.program.tell(lines)

    def close(self, farewell: Sequence[str]) -> str:
        """Kill it with all its children; closing it again does nothing."""
        if self.program is None or self.closed:
            return ""
        self.closed = True
        return self.program.close(farewell)

    @property
    def orphans(self) -> int:
        """How many processes it left behind."""
        return self.program.orphans if self.program else 0


_warm: set[tuple[str, str, tuple[bool | str, ...]]] = set()  # what this process has compiled or loaded


def warm_process(game: Game, kind: str, changes: Mapping[str, Value]) -> None:
    """Compile, or load from the cache, all that a bot and the referee need: by a game on next to no budget.

    A parameter may switch on what other variants never call, so each variant is warmed by itself, but for numbers: of
    these it matters only which are 0. A process need do it only once. Nothing is compiled where the JIT is off.
    PodiumError if the bot cannot be made of what the user named: a file that is not there, or is something else.
    """
    minds = game.kind(kind).minds
    values = minds.values(minds.mind(changes)).values()
    variant = (game.name, kind, tuple(value if isinstance(value, bool | str) else bool(value) for value in values))
    if variant in _warm:
        return
    if JIT:
        _warm_up(game, kind, changes)
    _warm.add(variant)


def _warm_up(game: Game, kind: str, changes: Mapping[str, Value]) -> None:
    try:
        bots = [game.kind(kind).bot(changes, seat) for seat in range(game.seats)]
        bots[0].warm_up()
    except PodiumError:
        raise
    except Exception:
        return  # whoever fails here fails in the game too, where it is judged and shown
    with suppress(Exception):  # likewise
        play_bots(game.new_referee(1), bots, Budget(now(), nodes=FEW_NODES))
    gc.collect()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects for 100 ms


def player(game: Game, who: Entrant, seed: int, memory: int = 0, suspend: bool = False) -> Player:
    """The player of an entrant for one game. Bots of this process are warm before their clock starts."""
    if who.python:
        from podium.arena.hosted import HostedPlayer  # which needs what is defined here

        return HostedPlayer(who.python, memory, seed, suspend)
    if who.is_program:
        return ProgramPlayer(who.argv, memory, seed, suspend)
    changes: Mapping[str, Value] = dict(who.changes)
    warm_process(game, who.kind, changes)
    try:
        return OwnPlayer(game.kind(who.kind).bot(changes, seed))
    except Exception as error:
        return FailedPlayer(repr(error), traceback.format_exc())
