"""What makes a bot, or the rules of a game, the same tomorrow: hashes of all that they are made of.

Results belong together while these are equal. A bot or a referee in Python is made of its module, of all that it
imports from its own package and from this one, and of the data files that its own sources read; a program of the files
that its command names (see `command_files`). `entrant.entrant` puts them together into a bot's fingerprint.
"""

import ast
import hashlib
import inspect
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from podium.arena.entrants.data_files import data_files
from podium.games import folder_of
from podium.games.game import Game
from podium.games.game_file import is_game_file, modules_beside

PACKAGE = __name__.partition(".")[0]


def digest(*parts: str) -> str:
    """A short hash of texts."""
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def file_hash(path: Path) -> str:
    """A hash of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def rules_fingerprint(game: Game) -> str:
    """A hash of the referee's sources and of the game's data: mended rules are other rules."""
    return game.external.fingerprint or digest("rules", game.name, sources(game.contest.referee, game.name))


def sources(made: Any, game: str) -> str:
    """A hash of the modules that something (a class or a function) is made of, and of its game's data."""
    module = inspect.getmodule(made)
    if module is None:
        return ""
    return _sources(module.__name__, game)


@cache
def folder_sources(game: str) -> str:
    """A hash of all Python sources in a game's folder."""
    return digest(*(file_hash(path) for path in sorted(folder_of(game).rglob("*.py"))))


@cache
def _sources(module: str, game: str) -> str:
    packages = {PACKAGE, module.partition(".")[0]}
    beside = modules_beside(game) if is_game_file(game) else set()
    seen: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _module_file(name) if name not in seen else None
        if path:
            seen[name] = path
            waiting += [found for found in _imports(path, name) if found.partition(".")[0] in packages | beside]
    data = sorted((folder_of(game) / "data").rglob("*"))
    data += data_files(path for name, path in seen.items() if name.partition(".")[0] != PACKAGE)  # of a plug-in
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
def _imports(path: Path, name: str) -> list[str]:
    """The modules that the source of a module imports, and what may be modules among the names that it imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            module = imported_from(node, package_around(path, name))
            found += [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found


def package_around(path: Path, module: str) -> str:
    """The package in which a module's relative imports begin; "" for a single file."""
    return module if path.name == "__init__.py" else module.rpartition(".")[0]


def imported_from(node: ast.ImportFrom, package: str) -> str:
    """The full name of the module that something is imported from, for a source in a package."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])
