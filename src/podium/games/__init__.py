"""The games: the folders here, and those of other installed packages (`podium.games.elsewhere`)."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from podium.errors import PodiumError, unknown
from podium.games.elsewhere import GAMES, WithGuests, entry_points, load_game, only_one, package_of
from podium.games.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def names() -> list[str]:
    """The names of all games."""
    return sorted({*_inside(), *entry_points(GAMES)})


@cache
def load(name: str) -> Game:
    """The game of that name. A package that cannot be imported, or offers no game, is a PodiumError."""
    game: Game = import_module(f"{__name__}.{name}").GAME if name in _inside() else load_game(_elsewhere(name))
    return replace(game, bots=WithGuests(name, game.bots))


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
