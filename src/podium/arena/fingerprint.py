"""What makes a bot, or the rules of a game, the same tomorrow: hashes of all that they are made of.

Results belong together while these are equal. A bot or a referee in Python is made of its module and all that it
imports from its own package and from this one; a program of the files that its command names.
"""

import ast
import errno
import hashlib
import inspect
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.games import folder_of
from podium.games.game import Game

PACKAGE = __name__.partition(".")[0]
LONGEST_NAME = 4096  # bytes of a path
LARGE_FILE = 2**28  # bytes that are read in a fraction of a second
LARGE_FOLDER = 5000  # entries
LOADED = (".class", ".py", ".js", ".jar")  # what a program loads from a folder named in its command


def digest(*parts: str) -> str:
    """A short hash of texts."""
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def file_hash(path: Path) -> str:
    """A hash of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def rules_fingerprint(game: Game) -> str:
    """A hash of the referee's sources and of the game's data: mended rules are other rules."""
    return game.fingerprint or digest("rules", game.name, sources(game.referee, game.name))


def sources(made: Any, game: str) -> str:
    """A hash of the modules that something (a class or a function) is made of, and of its game's data."""
    module = inspect.getmodule(made)
    if module is None:
        return ""
    return _sources(module.__name__, game)


@cache
def _sources(module: str, game: str) -> str:
    packages = {PACKAGE, module.partition(".")[0]}
    seen: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _module_file(name) if name not in seen else None
        if path:
            seen[name] = path
            waiting += [found for found in _imports(path) if found.partition(".")[0] in packages]
    data = sorted((folder_of(game) / "data").rglob("*"))
    return digest(*(file_hash(path) for _, path in sorted(seen.items())), *(file_hash(p) for p in data if p.is_file()))


@cache
def _module_file(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    path = Path(spec.origin) if spec and spec.origin else None
    return path if path and path.suffix == ".py" else None


@cache
def _imports(path: Path) -> list[str]:
    """The modules that a source imports, and what may be modules among the names that it imports from them."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def command_files(argv: Sequence[str]) -> list[str]:
    """Hashes of the files that a command names: `prog`, `--net=weights.bin`, `-cp lib.jar:classes`."""
    hashes = []
    for word in argv:
        for part in {word, word.partition("=")[2], *word.split(":")}:
            if part and len(part) <= LONGEST_NAME and "\0" not in part:
                try:
                    hashes += _hashes_at(Path(part))
                except OSError as error:
                    raise PodiumError(f"cannot read {part}, which the command names: {error.strerror}") from None
    return sorted(hashes)


def _hashes_at(path: Path) -> list[str]:
    """Hashes of a file, or of the files in a folder that programs load; nothing where there is neither.

    What is too large to be read at every start counts by its outside: a file by its size and time, a folder by its
    name.
    """
    try:
        if path.is_file():
            return [_outside(path) if path.stat().st_size > LARGE_FILE else file_hash(path)]
        if not path.is_dir():
            return []
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # a word such as the program of `python3 -c`
            return []
        raise
    entries = list(islice(path.rglob("*"), LARGE_FOLDER + 1))
    files = sorted(entry for entry in entries if entry.suffix in LOADED and entry.is_file())
    if len(entries) > LARGE_FOLDER or sum(file.stat().st_size for file in files) > LARGE_FILE:
        return [digest("folder", str(path.absolute()))]
    return [file_hash(file) for file in files]


def _outside(path: Path) -> str:
    facts = path.stat()
    return digest("file", str(path.absolute()), str(facts.st_size), str(facts.st_mtime_ns))
