"""The floor plan of a game's package: which module offers what, under which name.

`game_from(__name__, ...)` in the package's `__init__.py` makes the `GAME` from the modules beside it:

| module | offers | if missing |
| --- | --- | --- |
| `state.py`, or `rules.py` | `State` | an error |
| `referee.py` | a subclass of `Referee`, `LIMITS` | an error |
| `setup.py`, or `referee.py` | `SETTINGS` | the game has no settings |
| `setup.py` | `attributes`, what the seed drew, by name | results are not sliced by it |
| `protocol.py` | `prompts` | every prompt is one line |
| `protocol.py`, or `rules.py` | `move_text`, `read_move` | moves are written as by the `View`, or as numbers |
| `view.py`, or `referee.py` | `View` | no view |
| `view.py` | `seen` | nothing is hidden |
| `bots/<module>.py`, or `bots.py` | `KINDS`, a tuple of `BotKind` | an error |
| `scene.py` | `scene`, `picture`; if they exist `choices`, `seen`, `sketch` | an error |
| `benchmarks.py` | `benchmarks` | no benchmarks |
| `studies.py` | `STUDIES` | no studies |
| `makers.py` | `MAKERS` of opening knowledge | no makers |
| `analysis.py` | `analyze` | no analysis of positions that a user types |
| `analysis.py` | `position` | a position is written as its moves |
| `playout.py` | kernels for `playouts` and `impact`, for all bots | random moves |
| `learning.py` | `learning` | no learner |

State, referee, settings and prompts are imported at once, and so is `playout.py`: a search plays alike whatever was
imported before it. All other modules are imported when something of them is first used: a bot that plays for a judge
needs neither pictures nor analyses nor other bots, and the judge's clock may run while modules are imported.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.games.game import BotKind, Contest, Game, Pictures, Referee, Tools
from podium.games.toolkit import single_lines
from podium.kernel import copy_of
from podium.model.rules import mover
from podium.model.ruleset import Rules, number_text


def game_from(
    package: str,
    *,
    title: str,
    source: str,
    seats: int,
    bots: tuple[str, ...] = (),
    most_moves: int = 0,
    codes: int = 0,
    most_plies: int = 0,
    simultaneous: bool = False,
    hidden: bool = False,
    **parts_of_game: Any,
) -> Game:
    """The game of a package, called like the last part of its name.

    `bots` names the modules of `bots/` in the order in which bots are listed; without it `bots.py` holds all bots. The
    sizes are those of `Rules` (`codes`: its `move_codes`). `parts_of_game` replace parts of `Game`.
    """
    parts = LazyParts(package)
    name = package.rpartition(".")[2]
    contest = Contest(
        title,
        source,
        seats,
        limits=parts.first("LIMITS", "referee"),
        referee=_referee_of(parts),
        prompts=parts.first("prompts", "protocol", default=single_lines),
        settings=parts.first("SETTINGS", "setup", "referee", default=()),
        attributes=parts.function("setup", "attributes"),
        seat_names=parts.first("SEAT_NAMES", "state", default=()),
    )
    rules = Rules(
        name,
        parts.first("State", "state", "rules"),
        seats,
        most_moves,
        codes,
        most_plies,
        initial_state=lambda seed=0, **settings: copy_of(contest.referee(seed, **settings).state),
        move_text=_written(parts, "move_text") or _text_by_view(parts),
        simultaneous=simultaneous,
        hidden=hidden,
    )
    given: dict[str, Any] = {
        "read_move": _written(parts, "read_move"),
        "seen": parts.function("view", "seen"),
    }
    rules = replace(rules, **{field: function for field, function in given.items() if function})
    parts.import_if_there("playout")
    made: dict[str, Any] = {
        "contest": contest,
        "rules": rules,
        "bots": _Bots(parts, tuple(f"bots.{module}" for module in bots) or ("bots",)),
        "view": parts.function("view", "View") or parts.function("referee", "View"),
        "pictures": _pictures_of(parts),
        "tools": _tools_of(parts),
        "learning": parts.function("learning", "learning"),
    }
    return Game(name, **{**made, **parts_of_game})


def _pictures_of(parts: "LazyParts") -> Pictures:
    return Pictures(
        scene=parts.required("scene", "scene"),
        picture=parts.required("scene", "picture"),
        choices=parts.function("scene", "choices"),
        seen=parts.function("scene", "seen"),
        sketch=parts.function("scene", "sketch"),
        scene_js=path if (path := parts.folder / "scene.js").is_file() else None,
    )


def _tools_of(parts: "LazyParts") -> Tools:
    return Tools(
        benchmarks=parts.function("benchmarks", "benchmarks") or tuple,
        studies=parts.mapping("studies", "STUDIES"),
        makers=parts.mapping("makers", "MAKERS"),
        position=parts.function("analysis", "position"),
        analyze=parts.function("analysis", "analyze"),
    )


def _written(parts: "LazyParts", name: str) -> Callable[..., Any] | None:
    """What the protocol says of the text of moves, or the rules where there is no protocol."""
    return parts.function("protocol", name) or parts.function("rules", name)


def _text_by_view(parts: "LazyParts") -> Callable[[Any, int], str]:
    """The text of moves as the game's view writes them, for games whose protocol says nothing of them."""
    make = parts.function("view", "View") or parts.function("referee", "View")
    if make is None:
        return number_text

    def text(state: Any, move: int) -> str:
        view = make()
        view.state, view.seat = state, int(mover(state))
        found: str = view.answer_of(move)
        return found

    return text


class LazyParts:
    """What the modules of a package offer, found by name, and imported when it is first used."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.folder = Path(str(sys.modules[package].__file__)).parent

    def get(self, module: str, name: str) -> Any:
        """What a module offers under a name; the module is imported."""
        path = f"{self.package}.{module}"
        return getattr(sys.modules.get(path) or import_module(path), name)

    def first(self, name: str, *modules: str, default: Any = None) -> Any:
        """What the first of some modules that offers a name has under it; the default if none does."""
        for module in modules:
            if self.defines(module, name):
                return self.get(module, name)
        if default is None:
            raise PodiumError(f"the game {self.package} has no {name} in {' or '.join(f'{m}.py' for m in modules)}")
        return default

    def import_if_there(self, module: str) -> None:
        """Import a module for what it registers."""
        if find_spec(f"{self.package}.{module}"):
            import_module(f"{self.package}.{module}")

    def defines(self, module: str, name: str) -> bool:
        """Whether a module is there and defines a name at its top level. It is not imported to find out."""
        source = self._source(module)
        return bool(re.search(rf"^(def |class )?{name}\b *[(:=]", source, re.MULTILINE))

    def _source(self, module: str) -> str:
        """The source of a module; "" if there is none."""
        found = find_spec(f"{self.package}.{module}")
        loader: Any = found.loader if found else None
        return (loader.get_source(f"{self.package}.{module}") if loader else None) or ""

    def function(self, module: str, name: str) -> Callable[..., Any] | None:
        """A function (or class) of a module, imported when it is first called; None if there is none."""
        return self.required(module, name) if self.defines(module, name) else None

    def required(self, module: str, name: str) -> Callable[..., Any]:
        """A function of a module, imported when it is first called."""

        def call(*arguments: Any, **options: Any) -> Any:
            return self.get(module, name)(*arguments, **options)

        call.__name__ = call.__qualname__ = name
        return call

    def mapping(self, module: str, name: str) -> Mapping[str, Any]:
        """A mapping of a module, imported when it is first looked at; an empty one if there is none."""
        return _LazyMapping(lambda: self.get(module, name)) if self.defines(module, name) else {}


def _referee_of(parts: LazyParts) -> type[Referee]:
    """The referee that the module `referee` defines."""
    module = import_module(f"{parts.package}.referee")
    found = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Referee) and thing.__module__ == module.__name__
    ]
    if len(found) != 1:
        names = ", ".join(thing.__name__ for thing in found) or "none"
        raise PodiumError(f"{module.__name__} should define one subclass of Referee, but it defines {names}")
    return found[0]


class _LazyMapping(Mapping[str, Any]):
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


class _Bots(_LazyMapping):
    """Bots by name. Modules are imported in their order, a module with the bot's name first, until the bot is found."""

    def __init__(self, parts: LazyParts, modules: tuple[str, ...]) -> None:
        super().__init__(lambda: {kind.name: kind for module in modules for kind in self._kinds(module)})
        self._parts, self.modules = parts, modules

    def _kinds(self, module: str) -> tuple[BotKind, ...]:
        kinds: tuple[BotKind, ...] = self._parts.get(module, "KINDS")
        return kinds

    def __getitem__(self, name: str) -> BotKind:
        for module in sorted(self.modules, key=lambda module: module != f"bots.{name}"):
            for kind in self._kinds(module):
                if kind.name == name:
                    return kind
        raise KeyError(name)
