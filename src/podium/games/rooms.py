"""The rooms of a game's folder, each entered only when something of it is needed.

A bot that plays for a judge has no use for pictures, analyses or other bots, and the judge's clock may run while
modules are imported. So a game names what is in its rooms, and a module is imported when that is first used.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

from podium.games.game import BotKind


class Rooms:
    """The modules of a game's package."""

    def __init__(self, package: str) -> None:
        self.package = package

    def offered(self, module: str, name: str) -> Any:
        """What a module offers under a name."""
        return getattr(import_module(f"{self.package}.{module}"), name)

    def function(self, module: str, name: str) -> Callable[..., Any]:
        """A function of a module, imported when it is first called."""

        def call(*arguments: Any, **options: Any) -> Any:
            return self.offered(module, name)(*arguments, **options)

        call.__name__ = call.__qualname__ = name
        return call

    def mapping(self, module: str, name: str) -> Mapping[str, Any]:
        """A mapping of a module, imported when it is first looked at."""
        return _Later(lambda: self.offered(module, name))

    def bots(self, *modules: str) -> Mapping[str, BotKind]:
        """The bots of the modules of `bots/`, by name, in this order."""
        return _Bots(self, modules)


class _Later(Mapping[str, Any]):
    """A mapping that is made when it is first looked at."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._make = make

    @cached_property
    def _all(self) -> Mapping[str, Any]:
        return self._make()

    def __getitem__(self, name: str) -> Any:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


class _Bots(_Later):
    """Bots by name; one that has the name of its module is found without importing the others."""

    def __init__(self, rooms: Rooms, modules: tuple[str, ...]) -> None:
        super().__init__(lambda: {kind.name: kind for module in modules for kind in self._kinds(module)})
        self._rooms, self._modules = rooms, modules

    def _kinds(self, module: str) -> tuple[BotKind, ...]:
        kinds: tuple[BotKind, ...] = self._rooms.offered(f"bots.{module}", "KINDS")
        return kinds

    def __getitem__(self, name: str) -> BotKind:
        if name in self._modules:
            for kind in self._kinds(name):
                if kind.name == name:
                    return kind
        return self._all[name]
