"""Copies of programs, so that a version that was overwritten can still play.

The archive is a folder beside the store. What a program is made of (the files that its command names, what a Python
script among them imports from its folder, the sources of a `py:` file) is kept by content, so that versions share what
they have in common. A version is a folder named by the program's fingerprint: its files at the same places as they had
under the root, hard links to the contents, and a note of what it is. It plays from there, and whatever happens to the
original, even in the middle of a game, does not matter.

Not copied is what is installed, such as an interpreter: a version can play as long as that is what it was. A program
that needs more than is copied shows it when its copy is tried; it then plays where it is, and is not kept.

A bot of a game is kept as one file that plays without this package, if the archive has a function that packs it
(`podium.pack.releases` has one). The bot itself plays while its sources are what they were, the file afterwards.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from podium.arena.entrants.bot_names import given_name
from podium.arena.entrants.command_files import files_named, parts_of
from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.fingerprint import file_hash
from podium.arena.entrants.python_bots import PythonBot, sources_digest, sources_of
from podium.errors import PodiumError, StoreError

INSTALLED = ("/bin", "/sbin", "/lib", "/usr", "/opt", "/nix", "/snap", "/System", "/Library")
SCRATCH = "new-"  # begins the names of folders that are being made
MOST_FILES = 2_000
MOST_BYTES = 1 << 30
PACKED_FILE = "/bot.py"  # where a version has a packed bot
NOTE, TRIED, UNFIT = "version.json", "tried", "unfit"  # files of a version: what it is; it can play; why it cannot


@dataclass(frozen=True)
class Version:
    """What is noted of a copy."""

    files: Mapping[str, str]  # hashes of what is copied, by absolute path of the original
    installed: Mapping[str, str]  # hashes of what it needs besides, which must stay as it is
    argv: tuple[str, ...] = ()  # of a program, in the user's words
    places: Mapping[str, str] = field(default_factory=dict)  # the absolute paths of words that name what is copied
    python: Mapping[str, str] = field(default_factory=dict)  # of a Python file: the fields of its `PythonBot`
    takes_limits: bool = False  # a packed bot, which any Python runs


Packer = Callable[[str, str, Path], None]  # (game, bot, file): write the bot as one file; PodiumError if it cannot be


class Archive:
    """The copies that belong to a store."""

    def __init__(self, store: Path | str, pack: Callable[[str, Path], None] | None = None) -> None:
        """The copies beside a store; `pack` is a `Packer` for one game, without which its own bots are not kept."""
        self.pack = pack
        self.folder = Path(f"{Path(store).absolute()}-bots")

    def adopt(self, who: Entrant, try_out: Callable[[Entrant], None]) -> tuple[Entrant, str]:
        """Keep a copy of a program and let it play from there, if `try_out` does not raise PodiumError.

        Returns who plays: the copy, or the bot itself, then with the reason if it ought to have been kept. A bot of a
        game plays itself, and its packed file is for later.
        """
        if not (who.kind and self.pack) and not _can_be_kept(who):
            return who, ""
        unfit = self.folder / who.fingerprint / UNFIT
        try:
            self._keep(who)
            if not unfit.exists():
                copy = self.recall(who)
                if copy is None:
                    raise StoreError("the copy is damaged")
                if not (tried := self.folder / who.fingerprint / TRIED).exists():
                    try_out(copy)
                    tried.touch()
                return who if who.kind else copy, ""
            reason = unfit.read_text()
        except PodiumError as error:
            reason = str(error)
            with suppress(OSError):
                unfit.write_text(reason)
        plays = "plays" if who.kind else "plays where it is"
        return who, f"{who.label} {plays}, and is not kept in case it changes: {reason}"

    def _keep(self, who: Entrant) -> None:
        """Make the copy, unless there is one. PodiumError if that is not possible, with the reason."""
        target = self.folder / who.fingerprint
        if target.exists():
            return
        try:
            (self.folder / "content").mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.folder, prefix=SCRATCH) as scratch:
                new, packed = Path(scratch) / "version", Path(scratch) / "packed"
                version = self._packed(who, packed) if who.kind else _version_of(who)
                new.mkdir()
                for place, content in version.files.items():
                    source = packed if who.kind else Path(place)
                    self._link(source, content, _inside(new, place), Path(scratch) / "file")
                (new / NOTE).write_text(json.dumps(asdict(version), indent=1))
                os.rename(new, target)
        except OSError as error:
            if not target.exists():  # else another process was quicker
                raise StoreError(f"no copy can be made in {self.folder}: {error.strerror or error}") from None

    def _packed(self, who: Entrant, file: Path) -> Version:
        """Write a bot of a game as one file, and say what it is."""
        assert self.pack
        self.pack(given_name(who.name)[1], file)
        argv = (sys.executable, "-I", PACKED_FILE)
        return Version({PACKED_FILE: file_hash(file)}, {}, argv, {PACKED_FILE: PACKED_FILE}, takes_limits=True)

    def _link(self, source: Path, content: str, target: Path, scratch: Path) -> None:
        """Put a file at its place in a version, by way of the file that keeps its content."""
        executable = os.access(source, os.X_OK)
        kept = self.folder / "content" / (content[:32] + ("-x" if executable else ""))
        if not kept.exists():
            shutil.copyfile(source, scratch)
            if file_hash(scratch) != content:
                raise StoreError(f"{source} was changed while it was being copied")
            scratch.chmod(0o555 if executable else 0o444)  # a write to it would change all versions
            os.replace(scratch, kept)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(kept, target)
        except OSError:  # a file system without links
            shutil.copy2(kept, target)

    def keep_only(self, fingerprints: Set[str]) -> None:
        """Delete the copies of all other bots, and contents that no copy needs any more."""
        if not self.folder.is_dir():
            return
        contents = self.folder / "content"
        for folder in self.folder.iterdir():
            if folder != contents and not folder.name.startswith(SCRATCH) and folder.name not in fingerprints:
                shutil.rmtree(folder, ignore_errors=True)
        for file in contents.iterdir() if contents.is_dir() else ():
            with suppress(OSError):
                if file.stat().st_nlink == 1:  # where there are links; elsewhere it is copied again when it is needed
                    file.unlink()

    def has(self, fingerprint: str) -> bool:
        """Whether there is a copy of a bot, in whatever state."""
        return (self.folder / fingerprint).is_dir()

    def recall(self, who: Entrant) -> Entrant | None:
        """The bot of that fingerprint, playing from its copy; None if there is none, or it is not what it was."""
        folder = self.folder / who.fingerprint
        try:
            version = Version(**json.loads((folder / NOTE).read_text()))
            copies = [file_hash(_inside(folder, place)) for place in version.files]
            installed = [file_hash(Path(place)) for place in version.installed]
        except (OSError, ValueError, TypeError):
            return None
        if (folder / UNFIT).exists() or copies != list(version.files.values()):
            return None
        if installed != list(version.installed.values()):
            return None
        if version.python:
            bot = PythonBot(**version.python)
            bot = replace(bot, folder=str(_inside(folder, bot.folder)))
            return replace(who, python=bot) if sources_digest(bot) == bot.digest else None
        moved = {part: str(_inside(folder, place)) for part, place in version.places.items()}
        argv = [_moved(word, moved) for word in version.argv]
        if version.takes_limits:
            argv[0] = sys.executable
        return replace(who, argv=tuple(argv), python=None, takes_limits=version.takes_limits)


def _inside(folder: Path, place: str) -> Path:
    """Where a version keeps the file or folder of an absolute path."""
    return folder / "files" / place.lstrip("/")


def _can_be_kept(who: Entrant) -> bool:
    return bool(who.argv) or (who.python is not None and not who.python.package and bool(who.python.folder))


def _version_of(who: Entrant) -> Version:
    if who.python is not None:
        own = [path for path in sources_of(who.python) if path.is_relative_to(who.python.folder)]
        return Version(_hashes(who, own), {}, python=asdict(who.python))
    copied: set[Path] = set()
    staying: set[Path] = set()
    places = {}
    for part in sorted({part for word in who.argv for part in parts_of(word)}):
        files = {path.absolute() for path in files_named(part) or ()}
        if files and _is_complete(Path(part), files) and not any(_is_installed(path) for path in files):
            copied |= files
            places[part] = str(Path(part).absolute())
        else:
            staying |= files
    interpreter = {path.absolute() for path in files_named(who.argv[0]) or ()} if who.takes_limits else set()
    needed = {str(path): file_hash(path) for path in sorted(staying - copied - interpreter)}
    hashes = _hashes(who, sorted(copied))
    return Version(hashes, needed, tuple(who.argv), places, takes_limits=who.takes_limits)


def _hashes(who: Entrant, files: Sequence[Path]) -> dict[str, str]:
    size = sum(path.stat().st_size for path in files)
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise StoreError(f"its {len(files):,} files of {size >> 20:,} MB are too much for a copy")
    return {str(path): file_hash(path) for path in files}


def _is_complete(place: Path, files: Set[Path]) -> bool:
    """Whether these are all files of a folder: a program may read others there too. A file is always complete."""
    return not place.is_dir() or all(path.absolute() in files for path in place.rglob("*") if path.is_file())


def _is_installed(path: Path) -> bool:
    """Whether a file belongs to what is installed on this machine: it may not work elsewhere, and is no version."""
    real = path.resolve()
    return any(real.is_relative_to(Path(place).resolve()) for place in (*INSTALLED, sys.prefix, sys.base_prefix))


def _moved(word: str, moved: Mapping[str, str]) -> str:
    """A word of a command with all that it names in its copy."""
    if word in moved:
        return moved[word]
    option, equals, value = word.partition("=")
    if equals and value in moved:
        return f"{option}={moved[value]}"
    return ":".join(moved.get(part, part) for part in word.split(":"))
