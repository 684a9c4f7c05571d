"""Python bots, written by users: `py:mybot.py`, `py:mybot.py:Greedy`, `py:package.module:Bot`.

The text names a class or a function; without a name it is `Bot` or `bot` of the file. A class with `reply` is
instantiated for every game, with `seed=` if it accepts one. `reply`, or the function, is called with the lines of a
prompt, and also with the budget if it accepts two arguments; it returns the line of the answer.

The fingerprint of a bot covers its sources: its file, what that imports from the same folder, from the same package or
from Podium, and the data files that it reads (see `data_files`).
"""

import ast
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from podium.arena.entrants.bot_names import PYTHON
from podium.arena.entrants.data_files import data_files
from podium.arena.entrants.fingerprint import digest, file_hash, imported_from, package_around
from podium.errors import PodiumError
from podium.games.game import Bot, BotKind, Budget, Thoughts, can_observe, observe_method
from podium.games.game_file import import_file, use_folder
from podium.kernel.lazy import compiler
from podium.model.params import ParamSpec

OWN_PACKAGE = __name__.partition(".")[0]
NO_PARAMS = ParamSpec("parameters of a Python bot")
NAMES = ("Bot", "bot")  # looked up in a file if no name is given


@dataclass(frozen=True)
class PythonBot:
    """Where to find a Python bot; plain data that can be sent to a worker."""

    module: str  # its name for an import
    folder: str  # that must be on `sys.path` for the import; "" if the module is installed
    name: str  # in the module; "" for one of NAMES
    digest: str = ""  # of its sources, when the run began

    @property
    def package(self) -> str:
        """The top-level package of its module; "" for a single file."""
        top = self.module.partition(".")[0]
        return top if top != self.module else ""


def python_bot(spec: str) -> PythonBot:
    """The bot that a text names, with its present sources; nothing is imported but the packages around its module."""
    bot = _named(spec)
    return replace(bot, digest=sources_digest(bot))


def sources_digest(bot: PythonBot) -> str:
    """A hash of the present source files of a bot."""
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
        _refuse_nameless(path, name, place)
        return PythonBot(path.stem, str(path.parent), name)
    if not place.replace(".", "") or not all(part.isidentifier() for part in place.split(".")):
        raise PodiumError(
            f"{PYTHON} needs a file or a module, such as py:mybot.py or py:package.module:Bot, not {spec!r}"
        )
    folder = _use_current_folder(place.partition(".")[0])
    try:
        found = find_spec(place)
    except ImportError as error:
        raise PodiumError(f"cannot import {place}, which {spec!r} names: {error}") from None
    if found is None or found.origin is None:
        raise PodiumError(f"there is no module {place}, which {spec!r} names")
    if found.submodule_search_locations is not None and "." not in place:
        raise PodiumError(f"{place} is a package: name a module of it, such as py:{place}.module:Bot, not {spec!r}")
    return PythonBot(place, folder if "." in place else str(Path(found.origin).parent), name)


def _refuse_nameless(path: Path, name: str, place: str) -> None:
    """PodiumError for a file in which nothing has the name of the bot; says what to name instead."""
    names, nodes = (name,) if name else NAMES, [*ast.walk(_tree_of(path))]
    imports = [alias for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names]
    bound: set[Any] = {alias.asname or alias.name for alias in imports}
    bound |= {getattr(node, "name", None) or getattr(node, "id", None) for node in nodes}
    if bound.isdisjoint({*names, "*", "__getattr__"}):
        bots = [n.name for n in nodes if isinstance(n, ast.ClassDef) and any(_is_reply(each) for each in n.body)]
        other = f"py:{place}:{bots[0]}" if bots else f"'cmd:python3 {place}', if it reads standard input"
        raise PodiumError(f"{place} has no {' and no '.join(names)}; name it {other}")


def _is_reply(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "reply"


def _tree_of(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes())
    except SyntaxError as error:
        raise PodiumError(f"{file} is not Python: {error.msg} in line {error.lineno}") from None


def _use_current_folder(module: str) -> str:
    """Put the current folder on the path for a module that is found nowhere else; returns the folder, or ""."""
    here = Path.cwd()
    if find_spec(module) or not ((here / module).is_dir() or (here / f"{module}.py").is_file()):
        return ""
    use_folder(str(here))
    return str(here)


def sources_of(bot: PythonBot) -> list[Path]:
    """The source files of a bot, and the data files that its own sources read, in a stable order."""
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
            waiting += modules_imported(file, module)
    own = [file for module, file in seen.items() if module.partition(".")[0] != OWN_PACKAGE]
    return [*(seen[module] for module in sorted(seen)), *data_files(own)]


def _file(bot: PythonBot, module: str) -> Path | None:
    """The file of a module, if it belongs to the bot. Nothing is imported to find it."""
    top, *inner = module.split(".")
    paths = [Path(bot.folder, top, *inner)]
    if bot.package or top == OWN_PACKAGE:
        if top not in (bot.package, OWN_PACKAGE):
            return None
        package = find_spec(top)
        paths = [Path(folder, *inner) for folder in (package and package.submodule_search_locations) or ()]
    files = (file for path in paths for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"))
    return next((file for file in files if file.is_file()), None)


def modules_imported(file: Path, module: str) -> Iterator[str]:
    """All module names that a source may import, and those of the packages around them."""
    for node in ast.walk(_tree_of(file)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = imported_from(node, package_around(file, module))
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for name in names:
            yield from with_packages(name)


def with_packages(module: str) -> list[str]:
    """The names of the packages around a module, from the outside, and its own."""
    parts = module.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


def load(bot: PythonBot) -> Callable[[int], Any]:
    """Import a bot; returns the function that makes one for a game from the seed of its random choices.

    Exceptions of the import pass through; PodiumError if the name does not exist, or is no bot.
    """
    compiler()  # before the bot may use Numba: our kernels must be registered
    if bot.folder:
        use_folder(bot.folder)
    return maker_of(_module(bot), bot.name)


def maker_of(module: ModuleType, name: str) -> Callable[[int], Any]:
    """The function that makes the bot of a module from the seed of its random choices; PodiumError if it has none."""
    names = (name,) if name else NAMES
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
    reply = taking_budget(found)
    return lambda seed: FunctionBot(reply)


def taking_budget(reply: Callable[..., str]) -> Callable[[Sequence[str], Any], str]:
    """A function of a prompt and the budget, made of one that may take the prompt alone."""
    return reply if len(inspect.signature(reply).parameters) > 1 else lambda lines, budget: reply(lines)


def _module(bot: PythonBot) -> ModuleType:
    """The module of a bot. A file that is called like another module (random.py) does not take its place."""
    path = _file(bot, bot.module)
    return import_module(bot.module) if bot.package or path is None else import_file(path, "bot")


class FunctionBot:
    """A function as a bot; it keeps nothing between its answers."""

    def __init__(self, function: Callable[[Sequence[str], Any], str]) -> None:
        self.function = function

    def reply(self, lines: Sequence[str], budget: Any) -> str:
        """The answer of the function."""
        return self.function(lines, budget)


class AdaptedBot(Bot):
    """A user's object as a bot of this process, where no other bot has to be protected from it."""

    def __init__(self, adapted: Any) -> None:
        self.adapted = adapted
        self._reply = taking_budget(adapted.reply)

    def warm_up(self) -> None:
        """Warm it up, if it has `warm_up`."""
        getattr(self.adapted, "warm_up", lambda: None)()

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Its answer; its thoughts are kept if they are `Thoughts`."""
        line = self._reply(lines, budget)
        thoughts = getattr(self.adapted, "thoughts", None)
        self.thoughts = thoughts if isinstance(thoughts, Thoughts) else None
        return line

    @property
    def can_observe(self) -> bool:
        """Whether it can join a game that it has not played from the start; a function remembers nothing anyway."""
        return can_observe(self.adapted) or isinstance(self.adapted, FunctionBot)

    def observe(self, lines: Sequence[str], line: str) -> None:
        """Let it observe the game, if it can."""
        observe = observe_method(self.adapted)
        if observe:
            observe(lines, line)
        elif not self.can_observe:
            name = type(self.adapted).__name__
            raise PodiumError(f"{name} cannot join a game that it has not played from the start: it has no observe")


def python_bot_kind(spec: str) -> BotKind:
    """The bot that a text names, to play in this process."""
    make = load(python_bot(spec))
    return BotKind(spec, "a Python bot", NO_PARAMS, lambda params, seed: AdaptedBot(make(seed)))
