"""Who takes part: the bot that a text names, what makes it the same bot tomorrow, and its player in a game.

A bot is named `champion`, `champion:depth=4,fog=random` or `cmd:./mybot --fast`. Its fingerprint decides whether
results belong together. For a bot of this package it covers its parameters and the sources that it imports, for a
program the words of its command and the content of every file among them: a changed bot is a new bot.
"""

import ast
import gc
import hashlib
import inspect
import shlex
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from podium.arena.limits import Clock, Verdict
from podium.arena.program import Heard, Program
from podium.errors import PodiumError
from podium.games.game import Bot, BotKind, Budget, Game, Request, Thoughts
from podium.games.loop import play_bots
from podium.kernel import JIT
from podium.kernel.clock import now
from podium.kernel.minds import Value

COMMAND = "cmd:"
FEW_NODES = 3
COMPILED_CLASSES = (".class", ".py", ".js", ".jar")  # what a program loads from a folder named in its command


@dataclass(frozen=True)
class Entrant:
    """A bot as it takes part; plain data, so that it can travel to a worker."""

    name: str  # as the user wrote it
    fingerprint: str
    kind: str = ""  # the bot of this package, or
    changes: tuple[tuple[str, Value], ...] = ()
    argv: tuple[str, ...] = ()  # the program
    handicap: float = 1.0  # its share of the time or nodes that others get

    @property
    def label(self) -> str:
        """Its name for tables."""
        return self.name if self.handicap == 1 else f"{self.name} (x{self.handicap:g})"

    @property
    def is_program(self) -> bool:
        """Whether it runs outside this process."""
        return bool(self.argv)

    def with_handicap(self, factor: float) -> "Entrant":
        """The same bot with a share of the time or nodes, which makes it another entrant."""
        if not factor > 0:
            raise PodiumError(f"a handicap is a positive factor, not {factor:g}")
        if factor == 1:
            return self
        return replace(self, handicap=factor, fingerprint=_digest(self.fingerprint, f"{factor!r}"))


def entrant(game: Game, spec: str) -> Entrant:
    """The entrant that a text names."""
    if spec.startswith(COMMAND):
        argv = _command(spec)
        return Entrant(spec, _digest("program", *argv, *_contents(argv)), argv=argv)
    kind, changes = game.named(spec)
    mind = kind.minds.text(kind.minds.mind(changes))
    fingerprint = _digest("bot", game.name, kind.name, mind, _sources(kind, game.name))
    return Entrant(spec.strip(), fingerprint, kind.name, tuple(sorted(changes.items())))


def _command(spec: str) -> tuple[str, ...]:
    """The words of a command, the program itself by its full path."""
    try:
        words = shlex.split(spec.removeprefix(COMMAND))
    except ValueError as error:
        raise PodiumError(f"{spec!r} cannot be split into words: {error}") from None
    if not words:
        raise PodiumError(f"{COMMAND} needs a program, for example cmd:./mybot or 'cmd:python3 bot.py'")
    path = shutil.which(words[0])
    if path is None:
        exists = Path(words[0]).is_file()
        reason = "is not executable; try chmod +x" if exists else "was not found"
        raise PodiumError(f"cannot start {spec!r}: {words[0]} {reason}")
    return (str(Path(path).absolute()), *words[1:])


def _contents(argv: Sequence[str]) -> list[str]:
    """Hashes of the files that a command names: `prog`, `--net=weights.bin`, `-cp lib.jar:classes`."""
    hashes = []
    for word in argv:
        for part in {word, word.partition("=")[2], *word.split(":")}:
            path = Path(part) if part else None
            try:
                if path and path.is_file():
                    hashes.append(_file_hash(path))
                elif path and path.is_dir():
                    files = sorted(f for f in path.rglob("*") if f.suffix in COMPILED_CLASSES and f.is_file())
                    hashes.extend(_file_hash(file) for file in files)
            except OSError as error:
                raise PodiumError(f"cannot read {part}, which the command names: {error.strerror}") from None
    return sorted(hashes)


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


@cache
def _sources(kind: BotKind, game: str) -> str:
    """A hash of the modules of this package that a bot is made of, and of its game's data."""
    module = inspect.getmodule(kind.make)
    if module is None or not module.__name__.startswith("podium."):
        return ""
    seen: dict[str, Path] = {}
    waiting = [module.__name__]
    while waiting:
        name = waiting.pop()
        path = _module_file(name)
        if path and name not in seen:
            seen[name] = path
            waiting += _imports(path)
    folder = _module_file(f"podium.games.{game}")
    data = sorted((folder.parent / "data").rglob("*")) if folder else []
    return _digest(*(_file_hash(p) for _, p in sorted(seen.items())), *(_file_hash(p) for p in data if p.is_file()))


@cache
def _module_file(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin else None


@cache
def _imports(path: Path) -> list[str]:
    """The modules of this package that a source imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.startswith("podium.")]


class Player(ABC):
    """An entrant in one game."""

    thoughts: Thoughts | None = None  # about the last answer

    @abstractmethod
    def ask(self, request: Request, clock: Clock) -> Heard:
        """Its answer to a prompt, the clock having been started."""

    @abstractmethod
    def tell(self, lines: Sequence[str]) -> None:
        """Send it lines that want no answer."""

    def close(self, farewell: Sequence[str]) -> str:
        """End its part; returns what it still had to say on standard error."""
        return ""

    @property
    def orphans(self) -> int:
        """How many processes it left behind."""
        return 0


class OwnPlayer(Player):
    """A bot of this process."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._told: list[str] = []  # since the last prompt

    def tell(self, lines: Sequence[str]) -> None:
        """Keep the lines: a bot of this process gets them with its next prompt."""
        self._told += lines

    def ask(self, request: Request, clock: Clock) -> Heard:
        """Call the bot; an exception is a crash, and its traceback what it wrote to standard error."""
        lines = [*self._told, *request.lines] if self._told else request.lines
        self._told = []
        budget = clock.budget(request)
        start = now()
        try:
            line = self.bot.reply(lines, budget)
        except Exception as error:
            import traceback

            elapsed = (now() - start) / 1e6
            return Heard(None, elapsed, Verdict.CRASHED, repr(error), stderr=traceback.format_exc())
        elapsed = (now() - start) / 1e6
        self.thoughts = self.bot.thoughts
        if not isinstance(line, str):
            return Heard(None, elapsed, Verdict.CRASHED, f"answered with {type(line).__name__} instead of a line")
        return Heard(line, elapsed, Verdict.ANSWERED)


class ProgramPlayer(Player):
    """A program of any language."""

    def __init__(self, argv: Sequence[str], memory: int, seed: int, suspend: bool = False) -> None:
        self.failure = ""
        self.closed = False
        try:
            self.program: Program | None = Program(argv, memory, seed, suspend)
        except OSError as error:
            self.program = None
            self.failure = f"cannot start {shlex.join(argv)}: {error.strerror or error}"

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


_warm: set[tuple[str, str]] = set()  # what this process has compiled or loaded


def warm_process(game: Game, kind: str, changes: Mapping[str, Value]) -> None:
    """Compile, or load from the cache, all that a bot and the referee need: by a game on next to no budget.

    Nothing is compiled where the JIT is off, and a process need do it only once.
    """
    if (game.name, kind) in _warm:
        return
    _warm.add((game.name, kind))
    if not JIT:
        return
    bots = [game.kind(kind).bot(changes, seat) for seat in range(game.seats)]
    bots[0].warm_up()
    play_bots(game.new_referee(1), bots, Budget(now(), nodes=FEW_NODES))
    gc.collect()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects for 100 ms


def player(game: Game, who: Entrant, seed: int, memory: int = 0, suspend: bool = False) -> Player:
    """The player of an entrant for one game. Bots of this process are warm before their clock starts."""
    if who.is_program:
        return ProgramPlayer(who.argv, memory, seed, suspend)
    changes: Mapping[str, Value] = dict(who.changes)
    warm_process(game, who.kind, changes)
    return OwnPlayer(game.kind(who.kind).bot(changes, seed))
