"""Who takes part: the bot that a text names (see `bot_names` for what such a text may be), and what it is made of.

Its fingerprint decides whether results belong together; the name that it was given is no part of it. For a bot of a
game it covers its parameters, the files that these name and the sources that it imports, for one in Python its sources,
for a program the words of its command and the content of every file among them: a changed bot is a new bot.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

from podium.arena.bounds import HANDICAP, real
from podium.arena.entrants.bot_names import COMMAND, PACKED, PYTHON, given_name
from podium.arena.entrants.command_files import command_files
from podium.arena.entrants.fingerprint import digest, file_hash, folder_sources, sources
from podium.arena.entrants.python_bots import PythonBot, python_bot
from podium.errors import PodiumError, unknown
from podium.games.game import Game
from podium.model.params import Value

COPY = " (copy)"  # behind the name of a bot that plays itself


def label_of(name: str, handicap: float = 1.0) -> str:
    """A bot for tables: the name that it was given, or what it is; with its handicap, if it has one."""
    given, spec = given_name(name)
    label = given + (COPY if spec.endswith(COPY) else "") if given else name
    return label if handicap == 1 else f"{label} (x{handicap:g})"


@dataclass(frozen=True)
class Entrant:
    """A bot as it takes part; plain data, so that it can travel to a worker."""

    name: str  # as the user wrote it
    fingerprint: str
    kind: str = ""  # a built-in bot, or
    changes: tuple[tuple[str, Value], ...] = ()
    argv: tuple[str, ...] = ()  # the program, or
    python: PythonBot | None = None  # the class or function
    handicap: float = 1.0  # its share of the time or nodes that others get
    files: tuple[str, ...] = ()  # the parameters that name files
    contents: tuple[bytes, ...] = ()  # these files, on their way to another machine
    takes_limits: bool = False  # a packed bot: the seed and the limits of a run are options of its program

    @property
    def label(self) -> str:
        """Its name for tables."""
        return label_of(self.name, self.handicap)

    @property
    def is_program(self) -> bool:
        """Whether it runs outside this process."""
        return bool(self.argv or self.python)

    def with_handicap(self, factor: float) -> "Entrant":
        """The same bot with a share of the time or nodes, which makes it another entrant."""
        factor = real(HANDICAP, factor)
        if factor == 1:
            return self
        return replace(self, handicap=factor, fingerprint=digest(self.fingerprint, f"{factor!r}"))

    def copy(self) -> "Entrant":
        """The same bot once more, as an entrant of its own."""
        return replace(self, name=f"{self.name}{COPY}", fingerprint=digest(f"{self.fingerprint} copy"))

    def packed(self) -> "Entrant":
        """The same bot with the files that it needs, for machines that do not have them."""
        changes = dict(self.changes)
        return replace(self, contents=tuple(Path(str(changes[name])).read_bytes() for name in self.files))

    def unpacked(self) -> "Entrant":
        """The same bot, with the files that came with it written to a folder of this process."""
        if not self.contents:
            return self
        paths = {name: str(_kept_here(content)) for name, content in zip(self.files, self.contents, strict=True)}
        return replace(self, changes=tuple(sorted({**dict(self.changes), **paths}.items())), contents=())


@cache
def _folder(process: int) -> TemporaryDirectory[str]:
    """A folder of this process, which is deleted when it ends."""
    return TemporaryDirectory(prefix="podium-files-")


def _kept_here(content: bytes) -> Path:
    """A file of this process with this content."""
    path = Path(_folder(os.getpid()).name) / blake2b(content, digest_size=16).hexdigest()
    if not path.exists():
        path.write_bytes(content)
    return path


def entrant(game: Game, spec: str) -> Entrant:
    """The entrant that a text names."""
    given, text = given_name(spec)
    name, spec = spec.strip(), text.strip()
    if given in game.bots:
        raise PodiumError(f"{name!r}: {given} is a bot of {game.name} already; give yours another name")
    if spec.startswith(COMMAND):
        argv = _command(spec)
        return Entrant(name, digest("program", *argv, *command_files(argv)), argv=argv)
    if spec.startswith(PACKED):
        place, _, rest = spec.removeprefix(PACKED).strip().partition(" --")
        file, options = Path(place).absolute(), f"--{rest}".split() if rest else []
        if not file.is_file():
            raise PodiumError(f"{spec!r} names no file that is there; podium pack writes one")
        argv = (sys.executable, "-I", str(file), *options)
        return Entrant(name, digest("packed", file_hash(file), *options), argv=argv, takes_limits=True)
    if spec.startswith(PYTHON):
        bot = python_bot(spec)
        return Entrant(name, digest("python", bot.module, bot.name, bot.digest), python=bot)
    if game.external.program and (found := game.external.program(spec)):
        return Entrant(name, digest("program", *found, *command_files(found)), argv=found)
    kind, changes = game.named(spec)
    files = {p.name: Path(str(changes[p.name])) for p in kind.param_spec if p.is_text and p.name in changes}
    files = {name: path for name, path in files.items() if path.is_file()}
    made_of, named = sources(kind.make, game.name), changes
    if kind.whole_game:  # its files are known by their content alone, wherever they lie
        made_of = digest(made_of, folder_sources(game.name))
        named = {name: value for name, value in changes.items() if name not in files}
    params = kind.param_spec.text(kind.param_spec.params(named))
    fingerprint = digest("bot", game.name, kind.name, params, made_of, *map(file_hash, files.values()))
    return Entrant(name, fingerprint, kind.name, tuple(sorted(changes.items())), files=tuple(files))


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
        is_file, is_folder = Path(words[0]).is_file(), Path(words[0]).is_dir()
        reason = "is not executable; try chmod +x" if is_file else "is a folder" if is_folder else "was not found"
        raise PodiumError(f"cannot start {spec!r}: {words[0]} {reason}")
    return (str(Path(path).absolute()), *words[1:])


def entrants_of(
    game: Game,
    specs: Sequence[str],
    handicaps: Mapping[str, float] | None = None,
    known: Callable[[str], Entrant | None] = lambda name: None,
) -> list[Entrant]:
    """The entrants that texts name, with the handicaps of those named: by text, given name, or place from 1.

    `known` brings back a bot by a name that it was given earlier.
    """
    factors = [1.0] * len(specs)
    for bot, factor in (handicaps or {}).items():
        places = [place for place, spec in enumerate(specs) if bot in (spec, given_name(spec)[0], str(place + 1))]
        if not places:
            raise unknown("bot in --handicap", bot, [*specs, *(str(place + 1) for place in range(len(specs)))])
        factors[places[0]] = factor
    found = [known(spec) or entrant(game, spec) for spec in specs]
    found = [who.with_handicap(factor) for who, factor in zip(found, factors, strict=True)]
    named: dict[str, Entrant] = {}
    for who in found:
        if given_name(who.name)[0] and named.setdefault(who.label, who).fingerprint != who.fingerprint:
            raise PodiumError(f"two bots are named {who.label}: give each a name of its own")
    return found
