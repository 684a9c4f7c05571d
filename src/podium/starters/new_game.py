"""A new game for an author: a copy of a game that works, under another name.

The templates are `game/heap.py` and `game/board.py`, each a game in one file, and `connect_four`, a game as a package
of its own with tests.
"""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from shlex import quote

from podium.errors import PodiumError, unknown
from podium.games import names
from podium.starters import write_new

HERE = Path(__file__).parent
HEAP, BOARD, PACKAGE = "heap", "board", "connect_four"
TEMPLATES = (HEAP, BOARD, PACKAGE)
NAME = "newgame"  # in the templates of one file
LEFT_OUT = ("__pycache__", ".egg-info", ".pytest_cache")


@dataclass(frozen=True)
class NewGame:
    """A game that was written for an author, and the next commands, as typed in the current folder."""

    path: Path  # the file, or the folder of the package
    commands: tuple[str, ...]


def new_game(name: str, like: str = HEAP, folder: Path | str = ".") -> NewGame:
    """Write a small playable game of that name into a folder; what is there already is never overwritten."""
    if like not in TEMPLATES:
        raise unknown("template of a game", like, TEMPLATES)
    if not name.isidentifier() or not name.islower() or iskeyword(name):
        raise PodiumError(f"a game's name is a word of small letters, digits and underscores, not {name!r}")
    if name in names() or name in sys.stdlib_module_names or _is_taken(name, Path(folder)):
        raise PodiumError(f"the name {name} is taken: by a game, or by something else that can be imported")
    if like == PACKAGE:
        return _package(name, Path(folder) / name)
    path = Path(folder) / f"{name}.py"
    write_new(path, _renamed((HERE / "game" / f"{like}.py").read_text(encoding="utf-8"), NAME, name))
    place = quote(str(path))
    bots = "alphabeta mcts" if like == BOARD else "mcts random"
    return NewGame(path, (f"podium play {place} {bots}", f"python -m podium.testing {place}"))


def _is_taken(name: str, folder: Path) -> bool:
    """Whether a module of that name is found anywhere but in the folder itself."""
    spec = find_spec(name)
    return spec is not None and spec.origin is not None and Path(spec.origin).parent != folder.absolute()


def _package(name: str, target: Path) -> NewGame:
    """A copy of Connect Four."""
    if target.exists():
        raise PodiumError(f"{target} is there already; it is not overwritten")
    template = HERE / PACKAGE
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        place = str(source.relative_to(template))
        if any(part in place for part in LEFT_OUT):
            continue
        copy = target / place.replace(PACKAGE, name)
        if source.suffix == ".npz":
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())
        else:
            write_new(copy, _renamed(source.read_text(encoding="utf-8"), PACKAGE, name))
    place = quote(str(target))
    return NewGame(target, (f"pip install --editable {place}", f"pytest {place}", f"podium play {name} alphabeta mcts"))


def _renamed(text: str, old: str, name: str) -> str:
    """A source of a template with the game's name in all its forms."""
    forms = (
        str.lower,
        lambda word: word.replace("_", "-"),
        lambda word: word.replace("_", " ").title(),
        lambda word: word.replace("_", " ").title().replace(" ", ""),
    )
    for form in forms:
        text = text.replace(form(old), form(name))
    return text
