"""The games. Each folder here is one game; adding a game touches no other folder."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from podium.errors import unknown
from podium.games.game import Game


def names() -> list[str]:
    """The names of all games."""
    return sorted(module.name for module in iter_modules(__path__) if module.ispkg)


@cache
def load(name: str) -> Game:
    """The game of that name."""
    if name not in names():
        raise unknown("game", name, names())
    game: Game = import_module(f"{__name__}.{name}").GAME
    return game
