"""The games: the packages in this folder, and those of other installed packages (`podium.games.plugins`).

A name with a scheme, such as `referee:path/to/referee.jar`, is resolved by the package that `SCHEMES` names. That
package stands above this one in the order of imports, so it is imported only when such a game is named.

A path of a Python file, such as `mygame.py`, is the game that the file offers (`podium.games.game_file`).

The package can be called: `podium.games()` lists all games.

>>> "zuniq" in podium.games()
True
"""

import sys
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from podium.errors import PodiumError, unknown
from podium.games.game import Game
from podium.games.game_file import is_game_file, load_game_file
from podium.games.plugins import GAMES, WithPlugins, entry_points, load_game, only_one, package_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from podium.games.game_list import GameList

# Packages with the functions `resolve` (full names), `find` (short names), `absent` (games whose program is missing).
SCHEMES = {"referee": "podium.referees"}


def names() -> list[str]:
    """The names of all games."""
    return sorted({*_inside(), *entry_points(GAMES)})


@cache
def load(name: str) -> Game:
    """The game of that name; a PodiumError if there is none, or its package cannot be imported."""
    game: Game
    if name in _inside():
        game = import_module(f"{__name__}.{name}").GAME
    elif is_game_file(name):
        game = load_game_file(name)
        name = game.name
    else:
        game = _from_a_scheme(name) or load_game(_entry_point(name))
    return replace(game, bots=WithPlugins(name, game.bots))


def game_name(game: Game | str) -> str:
    """The name by which any process can load a game; PodiumError for one that was made in this process alone."""
    if isinstance(game, str):
        return game
    try:
        known: Game | None = load(game.name)
    except PodiumError:
        known = None
    if known is None or known.rules is not game.rules:
        raise PodiumError(
            f"{game.name} was made in this process, and the arena's other processes cannot load it: "
            f"save it as a file, and name the game {game.name}.py"
        )
    return game.name


def load_stored(name: str) -> Game:
    """The game of a stored run, which can be shown even if the program that refereed it is missing."""
    try:
        return load(name)
    except PodiumError:
        scheme, colon, _ = name.partition(":")
        if not (colon and scheme in SCHEMES):
            raise
        found: Game = import_module(SCHEMES[scheme]).absent(name)
        return found


def _from_a_scheme(name: str) -> Game | None:
    """The game of a name with a scheme, or of a short name for such a game; None if it is neither."""
    scheme, colon, _ = name.partition(":")
    found: Game | None = None
    if colon and scheme in SCHEMES:
        found = import_module(SCHEMES[scheme]).resolve(name)
    elif name not in names():
        found = next(filter(None, (import_module(module).find(name) for module in SCHEMES.values())), None)
    return found


def origin(name: str) -> str:
    """The package of a plug-in game, with its version; empty for the games of this package."""
    if name in _inside():
        return ""
    return " and ".join(package_of(point, version=True) for point in entry_points(GAMES).get(name, []))


def folder_of(name: str) -> Path:
    """The folder of a game's package; nothing of it is imported. A game in a file may have one beside it."""
    if is_game_file(name):
        return Path(name).absolute().with_suffix("")
    module = f"{__name__}.{name}" if name in _inside() else _entry_point(name).module
    try:
        spec = find_spec(module)
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        raise PodiumError(f"the game {name} is in a module {module}, which cannot be found")
    return Path(spec.origin).parent


def _inside() -> list[str]:
    return [module.name for module in iter_modules(__path__) if module.ispkg]


def _entry_point(name: str) -> "EntryPoint":
    points = entry_points(GAMES).get(name)
    if not points:
        raise unknown("game", name, names())
    return only_one(points, f"the game {name}")


class _Callable(ModuleType):
    """Makes `podium.games` callable: it is both this package and the function that lists the games."""

    def __call__(self) -> "GameList":
        from podium.games.game_list import GameList

        return GameList()


sys.modules[__name__].__class__ = _Callable
