"""The games: the folders here, and those of installed packages that name theirs in the entry-point group
`podium.games`. Games from elsewhere are listed by the metadata of their packages, and imported only when one is named.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from podium.errors import PodiumError, unknown
from podium.games.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "podium.games"


def names() -> list[str]:
    """The names of all games."""
    return sorted({*_inside(), *_outside()})


@cache
def load(name: str) -> Game:
    """The game of that name. A package that cannot be imported, or offers no game, is a PodiumError."""
    if name in _inside():
        game: Game = import_module(f"{__name__}.{name}").GAME
        return game
    return _load_from_elsewhere(_entry_point(name))


def origin(name: str) -> str:
    """Which package a game from elsewhere comes from; empty for the games of this one."""
    if name in _inside():
        return ""
    return " and ".join(_package(point, version=True) for point in _outside().get(name, []))


def folder_of(name: str) -> Path:
    """The folder that holds all that is particular to a game; nothing of it is imported."""
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


def _outside() -> dict[str, list["EntryPoint"]]:
    """The games of other packages by name: more than one if packages disagree."""
    from importlib.metadata import entry_points  # a tenth of the time that a bot takes to start

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        if point.value not in (other.value for other in found.get(point.name, [])):
            found.setdefault(point.name, []).append(point)
    return found


def _entry_point(name: str) -> "EntryPoint":
    points = _outside().get(name)
    if not points:
        raise unknown("game", name, names())
    if len(points) > 1:
        raise PodiumError(f"the game {name} is offered by {' and by '.join(map(_package, points))}; uninstall one")
    return points[0]


def _package(point: "EntryPoint", version: bool = False) -> str:
    if point.dist is None:
        return f"the entry point {point.value}"
    return f"the package {point.dist.name}" + (f" {point.dist.version}" if version else "")


def _load_from_elsewhere(point: "EntryPoint") -> Game:
    try:
        game = point.load()
    except (Exception, SystemExit) as error:
        # whatever an outside package does wrong while it is imported is its own affair, told in a sentence
        text = f"the game {point.name} of {_package(point)} cannot be loaded: {type(error).__name__}: {error}"
        raise PodiumError(text) from error
    if not isinstance(game, Game):
        raise PodiumError(f"{_package(point)} offers {point.value} as a game, but that is a {type(game).__name__}")
    if game.name != point.name:
        raise PodiumError(f"{_package(point)} lists a game {point.name}, but calls it {game.name} itself")
    return game
