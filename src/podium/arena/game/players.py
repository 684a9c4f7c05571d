"""A bot in one game: built in and in this process, in Python in a process of its own, or a program behind pipes."""

import errno
import gc
import json
import shlex
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import SubprocessError

from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.python_bots import PythonBot
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import Clock
from podium.arena.processes.lost_time import lost_by_thread, thread_times
from podium.arena.processes.program import Program, Reply
from podium.arena.processes.python_pool import BotProcess, begin_game, give_back
from podium.errors import PodiumError
from podium.games.game import AnswerVerdict, Bot, Budget, Game, Request, Thoughts, can_observe
from podium.games.loop import RefereeError, play_bots
from podium.kernel import JIT
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.diagnostics import KernelError
from podium.model.params import Value

FEW_NODES = 3
LONGEST_INTERPRETER = 200  # bytes of a script's first line that are read
PACKED_STARTUP = 2_000.0  # ms for the start of a packed bot, which takes 0.3 s; its thinking has a limit of its own
NODES_MILLISECONDS = 60_000.0  # for an answer under a node limit: more is taken for an endless loop
NO_CONDITIONS = Conditions("")  # of players who are given the limits of each answer alone


class Player(ABC):
    """An entrant in one game."""

    thoughts: Thoughts | None = None  # about the last answer
    counts_nodes = False  # whether a budget of nodes reaches it, so that its clock does not matter then
    orphans = 0  # processes that it left behind, known once it is closed
    startup = 0.0  # ms on top of the limit of its first answer

    @abstractmethod
    def ask(self, request: Request, clock: Clock) -> Reply:
        """Its answer to a prompt, the clock having been started."""

    @abstractmethod
    def tell(self, lines: Sequence[str]) -> None:
        """Send it lines that want no answer."""

    @property
    def can_observe(self) -> bool:
        """Whether it can be given how a game went before it came."""
        return False

    def observe(self, request: Request, line: str | None) -> None:
        """Tell it a prompt and what was answered to it before it came."""
        raise PodiumError("a program cannot be given what was answered before it came")

    def close(self, farewell: Sequence[str]) -> str:
        """End its part; returns what it still had to say on standard error."""
        return ""


class InProcessPlayer(Player):
    """A built-in bot, called in this process."""

    counts_nodes = True

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._given: list[str] = []  # since the last prompt

    def tell(self, lines: Sequence[str]) -> None:
        """Keep the lines: the bot gets them with its next prompt."""
        self._given += lines

    @property
    def can_observe(self) -> bool:
        """Whether the bot says how."""
        return can_observe(self.bot)

    def observe(self, request: Request, line: str | None) -> None:
        """Let the bot observe an answer."""
        if not request.answers:
            self.tell(request.lines)
            return
        lines, self._given = [*self._given, *request.lines], []
        self.bot.observe(lines, line or "")

    def ask(self, request: Request, clock: Clock) -> Reply:
        """Call the bot; an exception is a crash, and its traceback what it wrote to standard error."""
        lines = [*self._given, *request.lines] if self._given else request.lines
        self._given = []
        self.thoughts = None
        budget = clock.budget(request)
        before = None if budget.nodes else thread_times()
        start = now()
        try:
            line = self.bot.reply(lines, budget)
        except Exception as error:
            elapsed = (now() - start) / MILLISECOND
            return Reply(None, elapsed, AnswerVerdict.CRASHED, {"error": repr(error)}, stderr=traceback.format_exc())
        elapsed = (now() - start) / MILLISECOND
        lost = lost_by_thread(before, elapsed)
        self.thoughts = self.bot.thoughts
        if not isinstance(line, str):
            return Reply(None, elapsed, AnswerVerdict.CRASHED, {"type": type(line).__name__})
        return Reply(line, elapsed, lost_ms=lost)


class FailedPlayer(Player):
    """A built-in bot that could not even be made: it crashes when it is asked."""

    def __init__(self, reason: str, trace: str) -> None:
        self.reason, self.trace = reason, trace

    def tell(self, lines: Sequence[str]) -> None:
        """Do nothing: the bot has failed."""

    def ask(self, request: Request, clock: Clock) -> Reply:
        """The reason, with its traceback as what was written to standard error."""
        return Reply(None, 0.0, AnswerVerdict.CRASHED, {"error": self.reason}, stderr=self.trace)

    @property
    def can_observe(self) -> bool:
        """What is wrong with it shows when it is asked."""
        return True

    def observe(self, request: Request, line: str | None) -> None:
        """Do nothing: the bot has failed."""


def _start_error(program: str, error: Exception) -> str:
    """Why a program that exists did not start; the system blames the program where its interpreter is missing."""
    if not isinstance(error, OSError):
        return str(error)
    if error.errno == errno.ENOEXEC:
        return "it is no program of this machine, nor a script whose first line names its interpreter (#!)"
    if error.errno == errno.ENOENT and Path(program).is_file():
        with open(program, "rb") as file:
            first = file.readline(LONGEST_INTERPRETER).decode(errors="replace")
        if first.startswith("#!"):
            return f"its first line names an interpreter that was not found: {first.removeprefix('#!').rstrip()!r}"
    return error.strerror or str(error)


class ProgramPlayer(Player):
    """A program of any language."""

    def __init__(
        self, argv: Sequence[str], memory: int, seed: int, suspend: bool = False, startup: float = 0.0
    ) -> None:
        self.failure = ""
        self.startup = startup
        self.closed = False
        try:
            self.program: Program | None = Program(argv, memory, seed, suspend)
        except (OSError, ValueError, SubprocessError) as error:
            self.program = None
            self.failure = f"cannot start {shlex.join(argv)}: {_start_error(argv[0], error)}"

    def ask(self, request: Request, clock: Clock) -> Reply:
        """Send the prompt down the pipe."""
        if self.program is None:
            return Reply(None, 0.0, AnswerVerdict.NOT_STARTED, {"error": self.failure})
        return self.program.ask(request.lines, clock.wait_limit(), request.answers)

    def tell(self, lines: Sequence[str]) -> None:
        """Send the lines down the pipe."""
        if self.program is not None:
            self.program.tell(lines)

    def close(self, farewell: Sequence[str]) -> str:
        """Kill it with all its children; closing it again does nothing."""
        if self.program is None or self.closed:
            return ""
        self.closed = True
        words = self.program.close(farewell)
        self.orphans = self.program.orphans
        return words


class PackedPlayer(ProgramPlayer):
    """A program that `podium pack` wrote: it gets its seed and the limits of the run as options, unless it has some.

    So it plays as the bot that it was made from, move by move where nodes are counted. Under the contest's limits it
    keeps them by itself, as it does for a judge.
    """

    def __init__(self, who: Entrant, seed: int, conditions: Conditions) -> None:
        given = [] if "--seed" in who.argv else ["--seed", str(seed)]
        time_control = conditions.time_control
        nodes, milliseconds = time_control.nodes_for(who.handicap), time_control.milliseconds * who.handicap
        if own := not {"--time", "--nodes"} & {*who.argv}:
            given += ["--nodes", str(nodes)] if nodes else []
            given += ["--time", f"{milliseconds:g}"] if milliseconds else []
        self.counts_nodes = own and bool(nodes)
        is_limited = own and bool(nodes or milliseconds)
        startup = max(time_control.startup, PACKED_STARTUP if is_limited else 0.0)
        super().__init__([*who.argv, *given], conditions.memory, seed, conditions.suspend, startup)

    def ask(self, request: Request, clock: Clock) -> Reply:
        """Send the prompt; where nodes are counted, wait until they are spent."""
        if self.counts_nodes and self.program is not None:
            return self.program.ask(request.lines, NODES_MILLISECONDS, request.answers)
        return super().ask(request, clock)


class PythonPlayer(Player):
    """A Python bot in one game."""

    counts_nodes = True

    def __init__(self, bot: PythonBot, memory: int, seed: int, suspend: bool = False) -> None:
        self.failure = ""
        self.process: BotProcess | None = None
        try:
            self.process, self.failure = begin_game(bot, memory, suspend, seed)
        except OSError as error:
            self.failure = f"cannot start Python: {error.strerror or error}"
        self._faultless = not self.failure
        self._pending: list[str] = []  # lines since the last prompt

    def ask(self, request: Request, clock: Clock) -> Reply:
        """Send the prompt with its budget, and wait for the answer."""
        if self.failure or self.process is None:
            stderr = self.process.program.errors() if self.process else ""
            return Reply(None, 0.0, AnswerVerdict.NOT_STARTED, {"error": self.failure}, stderr=stderr)
        budget = clock.budget(request)
        terms = {"deadline": budget.deadline, "bank": budget.bank, "nodes": budget.nodes}
        lines, self._pending = [*self._pending, *request.lines], []
        header = json.dumps({"lines": len(lines), **terms})
        patience = NODES_MILLISECONDS if budget.nodes else clock.wait_limit()
        reply = self.process.program.ask([header, *lines], patience, request.answers)
        self.thoughts = self.process.thoughts() if reply.verdict.has_line else None
        self._faultless &= (
            reply.verdict in (AnswerVerdict.ANSWERED, AnswerVerdict.OVERRUN) and self.process.has_answered
        )
        return reply

    def tell(self, lines: Sequence[str]) -> None:
        """Keep the lines; they are sent with the next prompt."""
        self._pending += lines

    @property
    def can_observe(self) -> bool:
        """Whether the bot can join a game in the middle."""
        return self.process is not None and self.process.can_observe

    def observe(self, request: Request, line: str | None) -> None:
        """Let the bot observe an answer; one that cannot ends with a sentence on standard error."""
        if not request.answers:
            self.tell(request.lines)
        elif self.process is not None:
            lines, self._pending = [*self._pending, *request.lines], []
            self.process.program.tell([json.dumps({"lines": len(lines), "observe": line or ""}), *lines])

    def close(self, farewell: Sequence[str]) -> str:
        """Keep the process for a later game if it is as good as new, else end it; the farewell is not for it."""
        process, self.process = self.process, None
        if process is None:
            return ""
        if self._faultless and process.program.is_idle:
            give_back(process)
            return ""
        words = process.close()
        self.orphans = process.program.orphans
        return words


_warm: set[tuple[str, str, tuple[bool | str, ...]]] = set()  # what this process has compiled or loaded


def warm_process(game: Game, kind: str, changes: Mapping[str, Value]) -> None:
    """Compile, or load from the cache, all that a bot and the referee need: by a game on next to no budget.

    A parameter may switch on what other variants never call, so each variant is warmed by itself, but for numbers: of
    these it matters only which are 0. A process need do it only once. Nothing is compiled where the JIT is off.
    PodiumError if the bot cannot be made of what the user named (a file that is not there, or is something else), or if
    a kernel has a mistake that the compiler finds.
    """
    param_spec = game.kind(kind).param_spec
    values = param_spec.values(param_spec.params(changes)).values()
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
        return  # a bot that fails here fails in the game too, where it is judged and shown
    try:
        play_bots(game.new_referee(1), bots, Budget(now(), nodes=FEW_NODES))
    except Exception as error:  # which is judged in the game, as above
        mistake = error.__cause__ if isinstance(error, RefereeError) else error
        if isinstance(mistake, KernelError):  # nothing that needs the kernel will ever work
            raise mistake from None
    gc.collect()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects for 100 ms


@contextmanager
def seated(
    game: Game,
    entrants: Sequence[Entrant],
    seeds: Sequence[int],
    conditions: Conditions,
) -> Iterator[list[Player]]:
    """The players of entrants by seat, each with the seed of its random choices; they are closed in the end."""
    players: list[Player] = []
    try:
        for who, seed in zip(entrants, seeds, strict=True):
            players.append(player(game, who, seed, conditions))
        yield players
    finally:
        for one in players:
            one.close(())


def warm(game: Game, entrants: Sequence[Entrant]) -> None:
    """Compile all that games of these bots need, once, before any worker starts."""
    variants = [(who.kind, dict(who.changes)) for who in entrants if not who.is_program]
    if not variants:  # the referee needs its kernels all the same
        variants = [(name, {}) for name in list(game.bots)[:1]]
    for kind, changes in variants:
        warm_process(game, kind, changes)


def player(game: Game, who: Entrant, seed: int, conditions: Conditions = NO_CONDITIONS) -> Player:
    """The player of an entrant for one game. Bots of this process are warm before their clock starts."""
    memory, suspend = conditions.memory, conditions.suspend
    if who.python:
        return PythonPlayer(who.python, memory, seed, suspend)
    if who.takes_limits:
        return PackedPlayer(who, seed, conditions)
    if who.is_program:
        return ProgramPlayer(who.argv, memory, seed, suspend, conditions.time_control.startup)
    changes: Mapping[str, Value] = dict(who.changes)
    warm_process(game, who.kind, changes)
    try:
        return InProcessPlayer(game.kind(who.kind).bot(changes, seed))
    except Exception as error:
        return FailedPlayer(repr(error), traceback.format_exc())


def can_join(game: Game, who: Entrant, conditions: Conditions = NO_CONDITIONS) -> bool:
    """Whether a bot can join a game that it has not played from the start."""
    candidate = player(game, who, 1, conditions)
    try:
        return candidate.can_observe
    finally:
        candidate.close(())
