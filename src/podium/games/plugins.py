"""Plug-ins: games and bots of other installed packages, found by their entry points.

A package names its games in the group `podium.games` (`connect_four = "connect_four:GAME"`), and bots for any game in
the group `podium.bots` (`"zuniq.clever" = "my_package:KIND"` is a bot `clever` of Zuniq). They are listed from the
packages' metadata, and imported only when one is named. A plug-in that fails to load is a PodiumError about its
package; nothing else is affected.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from podium.errors import PodiumError
from podium.games.game import BotKind, Game
from podium.kernel.lazy import compiler

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES, BOTS = "podium.games", "podium.bots"


def entry_points(group: str) -> dict[str, list["EntryPoint"]]:
    """The entry points of a group by name; a list has several if packages offer the same name."""
    from importlib.metadata import entry_points  # a tenth of the time that a bot takes to start

    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=group):
        if point.value not in (other.value for other in found.get(point.name, [])):
            found.setdefault(point.name, []).append(point)
    return found


def package_of(point: "EntryPoint", version: bool = False) -> str:
    """The package of an entry point, for messages."""
    if point.dist is None:
        return f"the entry point {point.value}"
    return f"the package {point.dist.name}" + (f" {point.dist.version}" if version else "")


def only_one(points: list["EntryPoint"], what: str) -> "EntryPoint":
    """The only entry point of a name; a PodiumError if there are several."""
    if len(points) > 1:
        raise PodiumError(f"{what} is offered by {' and by '.join(map(package_of, points))}; uninstall one")
    return points[0]


def load_point(point: "EntryPoint", what: str, expected: type) -> Any:
    """Import what an entry point names, and check its type; a PodiumError if that fails."""
    compiler()  # first: a plug-in may use Numba while it is imported, and must find our generic functions there
    try:
        found = point.load()
    except KeyboardInterrupt:  # the user's, not the plug-in's
        raise
    except BaseException as error:
        # a plug-in may raise anything while it is imported
        text = f"the {what} {point.name} of {package_of(point)} cannot be loaded: {type(error).__name__}: {error}"
        raise PodiumError(text) from error
    if not isinstance(found, expected):
        kind = type(found).__name__
        raise PodiumError(f"{package_of(point)} offers {point.value} as a {what}, but that is of the type {kind}")
    return found


def load_game(point: "EntryPoint") -> Game:
    """The game that an entry point names."""
    game: Game = load_point(point, "game", Game)
    if game.name != point.name:
        raise PodiumError(f"{package_of(point)} lists a game {point.name}, but calls it {game.name} itself")
    return game


class WithPlugins(Mapping[str, BotKind]):
    """The bots of a game and the plug-in bots for it; entry points are read only when they are needed."""

    def __init__(self, game: str, own: Mapping[str, BotKind]) -> None:
        self._game = game
        self._own = own

    def __repr__(self) -> str:
        """The names of the bots."""
        return repr(list(self))

    @cached_property
    def _plugins(self) -> dict[str, list["EntryPoint"]]:
        parts = {name: name.partition(".") for name in entry_points(BOTS)}
        found = {bot: entry_points(BOTS)[name] for name, (game, _, bot) in parts.items() if game == self._game}
        return {bot: points for bot, points in found.items() if bot not in self._own}

    def __getitem__(self, name: str) -> BotKind:
        if name in self._own:
            return self._own[name]
        point = only_one(self._plugins[name], f"the bot {name} of {self._game}")
        kind: BotKind = load_point(point, "bot", BotKind)
        return kind

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._plugins

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._plugins

    def __len__(self) -> int:
        return len(self._own) + len(self._plugins)
