"""What a command is made of: the files that its words name, and what a Python script among them imports."""

import errno
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from podium.arena.entrants.fingerprint import digest, file_hash
from podium.arena.entrants.python_bots import PythonBot, sources_of
from podium.errors import PodiumError

LONGEST_NAME = 4096  # bytes of a path
LARGE_FILE = 2**28  # bytes that are read in a fraction of a second
LARGE_FOLDER = 5000  # entries
LOADED = (".class", ".py", ".js", ".jar")  # what a program loads from a folder named in its command


def parts_of(word: str) -> list[str]:
    """The parts of a word that may name something: `prog`, `--net=weights.bin`, `-cp lib.jar:classes`."""
    parts = {word, word.partition("=")[2], *word.split(":")} - {""}
    return sorted(part for part in parts if len(part) <= LONGEST_NAME and "\0" not in part)


def files_named(part: str) -> list[Path] | None:
    """The files that a part of a word names: one, those in a folder that programs load, or none.

    A Python script comes with what it imports from its own folder. None for a folder that is too large to be looked
    through at every start.
    """
    path = Path(part)
    try:
        if path.is_file():
            return [path, *_imported(path)]
        if not path.is_dir():
            return []
        entries = list(islice(path.rglob("*"), LARGE_FOLDER + 1))
        files = sorted(entry for entry in entries if entry.suffix in LOADED and entry.is_file())
        is_large = len(entries) > LARGE_FOLDER or sum(file.stat().st_size for file in files) > LARGE_FILE
        return None if is_large else files
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # a word such as the program of `python3 -c`
            return []
        raise _unreadable(part, error) from None


def _unreadable(part: str, error: OSError) -> PodiumError:
    return PodiumError(f"cannot read {part}, which the command names: {error.strerror}")


def _imported(script: Path) -> Iterator[Path]:
    if script.suffix != ".py" or not script.stem.isidentifier():
        return
    folder = script.absolute().parent
    try:
        sources = sources_of(PythonBot(script.stem, str(folder), ""))
    except (PodiumError, ValueError):  # not Python after all
        return
    yield from (path for path in sources if path.is_relative_to(folder) and path != folder / script.name)


def command_files(argv: Sequence[str]) -> list[str]:
    """Hashes of the files that a command names.

    What is too large to be read at every start counts by its outside: a file by its size and time, a folder by its
    name.
    """
    hashes: list[str] = []
    for part in [part for word in argv for part in parts_of(word)]:
        files = files_named(part)
        try:
            hashes += [digest("folder", str(Path(part).absolute()))] if files is None else map(_hash, files)
        except OSError as error:
            raise _unreadable(part, error) from None
    return sorted(hashes)


def _hash(path: Path) -> str:
    facts = path.stat()
    if facts.st_size > LARGE_FILE:
        return digest("file", str(path.absolute()), str(facts.st_size), str(facts.st_mtime_ns))
    return file_hash(path)
