"""Bots in Python that live outside this package: `py:mybot.py`, `py:mybot.py:Greedy`, `py:package.module:Bot`.

What a text names is a class or a function. Of a class with `reply(lines, budget)` every game gets an object of its own,
made with `seed=` if it takes one; a function is called with the lines of a prompt, and with the budget too if it takes
two arguments. Either answers with a line. Without a name the file offers `Bot` or `bot`.

A bot's fingerprint are its sources: its own file, and what that imports from the same folder, of the same package, or
from Podium.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from podium.arena.fingerprint import digest, file_hash
from podium.arena.naming import PYTHON
from podium.errors import PodiumError
from podium.games.game import Bot, BotKind, Budget, Thoughts, can_follow
from podium.kernel.lazy import compiler
from podium.kernel.minds import MindType

OWN_PACKAGE = __name__.partition(".")[0]
GUEST_MINDS = MindType("mind of a bot from outside")  # which has no parameters
NAMES = ("Bot", "bot")  # what a file offers where no name is given


@dataclass(frozen=True)
class PythonBot:
    """Where a bot is; plain data, so that it can travel to a worker."""

    module: str  # as it is imported
    folder: str  # that has to be on the path for that, or "" where it is anyway
    name: str  # in the module; "" for one of NAMES
    digest: str = ""  # of its sources, when it entered

    @property
    def package(self) -> str:
        """The package that it belongs to, or "" for a single file."""
        top = self.module.partition(".")[0]
        return top if top != self.module else ""


def python_bot(spec: str) -> PythonBot:
    """The bot that a text names, as it is now; nothing of it is imported, but for the packages that hold it."""
    bot = _named(spec)
    return replace(bot, digest=sources_digest(bot))


def sources_digest(bot: PythonBot) -> str:
    """A hash of the files that a bot is made of now."""
    return digest(*(file_hash(path) for path in sources_of(bot)))


def _named(spec: str) -> PythonBot:
    place, _, name = spec.removeprefix(PYTHON).strip().partition(":")
    if name and not name.isidentifier():
        raise PodiumError(f"{spec!r}: {name!r} is no name of a class or function")
    if place.endswith(".py"):
        path = Path(place).absolute()
        if not path.is_file():
            raise PodiumError(f"cannot find {place!r}, which {spec!r} names")
        if not path.stem.isidentifier():
            raise PodiumError(f"{path.name} cannot be imported: its name has to be one that Python allows")
        return PythonBot(path.stem, str(path.parent), name)
    if not place.replace(".", "") or not all(part.isidentifier() for part in place.split(".")):
        raise PodiumError(
            f"{PYTHON} needs a file or a module, such as py:mybot.py or py:package.module:Bot, not {spec!r}"
        )
    try:
        found = find_spec(place)
    except ImportError as error:
        raise PodiumError(f"cannot import {place}, which {spec!r} names: {error}") from None
    if found is None or found.origin is None:
        raise PodiumError(f"there is no module {place}, which {spec!r} names")
    return PythonBot(place, "" if "." in place else str(Path(found.origin).parent), name)


def sources_of(bot: PythonBot) -> list[Path]:
    """The files that a bot is made of, in a stable order."""
    path = _file(bot, bot.module)
    if path is None:
        raise PodiumError(f"there is no module {bot.module} any more")
    seen: dict[str, Path] = {}
    waiting = [bot.module]
    while waiting:
        module = waiting.pop()
        file = None if module in seen else _file(bot, module)
        if file is not None:
            seen[module] = file
            waiting += _imported(file, module)
    return [seen[module] for module in sorted(seen)]


def _file(bot: PythonBot, module: str) -> Path | None:
    """The file of a module, if the bot is made of it."""
    top = module.partition(".")[0]
    if bot.package or top == OWN_PACKAGE:
        if top not in (bot.package, OWN_PACKAGE):
            return None
        try:
            found = find_spec(module)
        except ImportError:
            return None
        return Path(found.origin) if found and found.origin else None
    path = Path(bot.folder, *module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _imported(file: Path, module: str) -> Iterator[str]:
    """All names that a source may import modules by, and the packages that hold them."""
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError as error:
        raise PodiumError(f"{file} is not Python: {error.msg} in line {error.lineno}") from None
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            yield from (".".join(parts[: i + 1]) for i in range(len(parts)))


def load(bot: PythonBot) -> Callable[[int], Any]:
    """Import a bot; returns what makes one for a game, given the seed of its random choices.

    Whatever the import raises goes through; PodiumError if nothing of that name is there, or it is no bot.
    """
    if bot.folder and bot.folder not in sys.path:
        sys.path.insert(0, bot.folder)
    compiler()  # whatever this bot does with Numba, our kernels must be known there
    module = import_module(bot.module)
    names = (bot.name,) if bot.name else NAMES
    found: Any = next((getattr(module, name) for name in names if hasattr(module, name)), None)
    if found is None:
        raise PodiumError(f"{module.__file__} has no {' and no '.join(names)}")
    if inspect.isclass(found):
        if not callable(getattr(found, "reply", None)):
            raise PodiumError(f"the class {found.__name__} of {module.__file__} has no reply(lines, budget)")
        make: Callable[..., Any] = found
        seeded = "seed" in inspect.signature(make).parameters
        return lambda seed: make(seed=seed) if seeded else make()
    if not callable(found):
        raise PodiumError(f"{names[0]} of {module.__file__} is neither a class nor a function")
    budgeted = len(inspect.signature(found).parameters) > 1
    return lambda seed: FunctionBot(found, budgeted)


class FunctionBot:
    """A function as a bot."""

    def __init__(self, function: Callable[..., str], budgeted: bool) -> None:
        self.function = function
        self.budgeted = budgeted

    def reply(self, lines: Sequence[str], budget: Any) -> str:
        """What the function answers."""
        return self.function(lines, budget) if self.budgeted else self.function(lines)


class GuestBot(Bot):
    """A bot from outside in this process, for where nobody has to be protected from it."""

    def __init__(self, guest: Any) -> None:
        self.guest = guest

    def warm_up(self) -> None:
        """Warm it up, if it knows how."""
        getattr(self.guest, "warm_up", lambda: None)()

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """What it answers."""
        line: str = self.guest.reply(lines, budget)
        thoughts = getattr(self.guest, "thoughts", None)
        self.thoughts = thoughts if isinstance(thoughts, Thoughts) else None
        return line

    @property
    def can_follow(self) -> bool:
        """Whether it can join a game that it has not played from the start; a function remembers nothing anyway."""
        return can_follow(self.guest) or isinstance(self.guest, FunctionBot)

    def follow(self, lines: Sequence[str], line: str) -> None:
        """Let it follow the game, if it knows how."""
        if can_follow(self.guest):
            self.guest.follow(lines, line)
        elif not self.can_follow:
            name = type(self.guest).__name__
            raise PodiumError(f"{name} cannot join a game that it has not played from the start: it has no follow")


def guest_kind(spec: str) -> BotKind:
    """The bot that a text names, to be made in this process."""
    make = load(python_bot(spec))
    return BotKind(spec, "a bot from outside", GUEST_MINDS, lambda mind, seed: GuestBot(make(seed)))
