"""The games: the folders here, and those of other installed packages (`podium.games.elsewhere`).

A name with a scheme, such as `referee:path/to/referee.jar`, is handed to the room that knows what it means. That room
lies above this one; it is told by its name, and imported only when such a game is named, in whatever process.

The package can be called: `podium.games()` lists them all.
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
from podium.games.elsewhere import GAMES, WithGuests, entry_points, load_game, only_one, package_of
from podium.games.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from podium.games.listing import GameList

# Modules that offer `resolve`, for full names, `find`, for short ones, and `absent`, for games whose program is gone.
SCHEMES = {"referee": "podium.referees"}


def names() -> list[str]:
    """The names of all games."""
    return sorted({*_inside(), *entry_points(GAMES)})


@cache
def load(name: str) -> Game:
    """The game of that name. A package that cannot be imported, or offers no game, is a PodiumError."""
    game: Game
    if name in _inside():
        game = import_module(f"{__name__}.{name}").GAME
    else:
        game = _from_a_scheme(name) or load_game(_elsewhere(name))
    return replace(game, bots=WithGuests(name, game.bots))


def load_stored(name: str) -> Game:
    """The game of a stored run: it can be looked at even where the program that refereed it is gone."""
    try:
        return load(name)
    except PodiumError:
        scheme, colon, _ = name.partition(":")
        if not (colon and scheme in SCHEMES):
            raise
        found: Game = import_module(SCHEMES[scheme]).absent(name)
        return found


def _from_a_scheme(name: str) -> Game | None:
    """The game of a name with a scheme, or of a short name for one; None if it is neither."""
    scheme, colon, _ = name.partition(":")
    found: Game | None = None
    if colon and scheme in SCHEMES:
        found = import_module(SCHEMES[scheme]).resolve(name)
    elif name not in names():
        found = next(filter(None, (import_module(module).find(name) for module in SCHEMES.values())), None)
    return found


def origin(name: str) -> str:
    """Which package a game from elsewhere comes from; empty for the games of this one."""
    if name in _inside():
        return ""
    return " and ".join(package_of(point, version=True) for point in entry_points(GAMES).get(name, []))


def folder_of(name: str) -> Path:
    """The folder that holds all that is particular to a game; nothing of it is imported."""
    module = f"{__name__}.{name}" if name in _inside() else _elsewhere(name).module
    try:
        spec = find_spec(module)
    except ImportError:
        spec = None
    if spec is None or spec.origin is None:
        raise PodiumError(f"the game {name} is in a module {module}, which cannot be found")
    return Path(spec.origin).parent


def _inside() -> list[str]:
    return [module.name for module in iter_modules(__path__) if module.ispkg]


def _elsewhere(name: str) -> "EntryPoint":
    points = entry_points(GAMES).get(name)
    if not points:
        raise unknown("game", name, names())
    return only_one(points, f"the game {name}")


class _Callable(ModuleType):
    """`podium.games` is both this package and the call that lists the games."""

    def __call__(self) -> "GameList":
        from podium.games.listing import GameList

        return GameList()


sys.modules[__name__].__class__ = _Callable
