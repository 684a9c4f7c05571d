"""What a bot is made of, found out while it plays: its modules, the kernels that Python calls, the files that it reads.

It runs in a process of its own (`python -m podium.pack.recording`), where kernels run from ahead-of-time code, as for a
judge. The bot plays some games against itself and against the game's simplest bot, with nodes and with time
limits, so that every kernel is called with the types that it will meet. Then the machine code of these is emitted for
the processor of the judge.
"""

import os
import pickle
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.pack.linking import LinkedCode, link

GAMES = 3  # of each kind
NODES = 60  # per answer
SHORT_TIME = 12.0  # ms per answer
BANK = 20  # short times, where the time limit is for the whole game
GAME = "GAME"  # what a game is called in its module
INSTALLED = {"site-packages", "dist-packages"}  # folders of libraries, of which an interpreter may know several
CODE_SUFFIXES = (".py", ".pyc", ".so", ".pth")
QUICK = "PODIUM_QUICK"


@dataclass(frozen=True)
class Recording:
    """What a bot is made of."""

    game: tuple[str, str, str]  # its module, what it is called there, its name
    bot: Mapping[str, Any]  # what `new_bot` of `podium.pack.standalone.main` makes it from
    modules: Mapping[str, Path]  # the sources of all modules that it has imported, apart from libraries
    kernels: Mapping[str, Mapping[str, tuple[str, str]]]  # by name and kinds of arguments: its symbol, what it returns
    code: LinkedCode
    files: Sequence[Path]  # that it has read


class CalledKernels:
    """The kernels that Python has called, with arguments of each kind."""

    def __init__(self) -> None:
        self.arguments: dict[tuple[Any, Any], Sequence[Any]] = {}  # by kernel and kinds

    def install(self) -> None:
        """Note the calls of all kernels that are defined from now on."""
        from podium.kernel import aot

        called = self.arguments

        class RecordedKernel(aot.AotKernel):
            """A kernel whose calls are noted."""

            def _find(self, kinds: Any, arguments: Sequence[Any]) -> Any:
                called[self, kinds] = arguments
                return super()._find(kinds, arguments)

        aot.AotKernel = RecordedKernel  # type: ignore[misc]

    def compile(self, cpu: str) -> tuple[dict[str, dict[str, tuple[str, str]]], bytes]:
        """The called kernels by name and kinds of arguments, and the object file with their code."""
        from podium.kernel.aot import TRAMPOLINE
        from podium.kernel.lazy import compiler
        from podium.kernel.marshalling import text_of_kind
        from podium.pack.standalone.packed_kernels import loose_text

        table: dict[str, dict[str, tuple[str, str]]] = {}
        modules = []
        for number, ((kernel, kinds), arguments) in enumerate(self.arguments.items()):
            made = kernel.dispatcher
            made.compile(tuple(made.typeof_pyval(argument) for argument in arguments))
            found = compiler().module_ahead(kernel, arguments, str(number))
            if found is None:
                raise PodiumError(f"{kernel.name} cannot run without Numba: it allocates memory or returns an object")
            result, module = found
            modules.append(module)
            entry = TRAMPOLINE.format(number), result
            table.setdefault(kernel.name, {})[text_of_kind(kinds)] = entry
            table[kernel.name].setdefault(loose_text(kinds), entry)
        return table, compiler().position_independent_object(modules, cpu) if modules else b""


class ReadFiles:
    """The files that this process opens for reading."""

    def __init__(self) -> None:
        self.paths: dict[Path, None] = {}

    def install(self) -> None:
        """Note all files that are opened from now on."""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            path = Path(os.fsdecode(arguments[0])).absolute()
            if path.suffix not in CODE_SUFFIXES:
                self.paths[path] = None

    def below(self, folders: Sequence[Path]) -> list[Path]:
        """The files that lie in some folders."""
        return [p for p in self.paths if p.is_file() and any(p.is_relative_to(folder) for folder in folders)]


def own_modules(packages: Collection[str]) -> dict[str, Path]:
    """The sources of imported modules that belong neither to Python nor to an installed library, except of packages."""
    import sysconfig

    standard = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]
    found = {}
    for name, module in [*sys.modules.items()]:
        path = Path(getattr(module, "__file__", None) or "")
        if path.suffix == ".py" and name != "__main__":
            place = path.resolve()
            is_installed = INSTALLED & {*place.parts} or any(place.is_relative_to(folder) for folder in standard)
            if not is_installed or name.partition(".")[0] in packages:
                found[name] = path
    return found


def record(game_name: str, spec: str, cpu: str) -> Recording:
    """Play with a bot in this process, and say what it is made of."""
    called, read = CalledKernels(), ReadFiles()
    called.install()
    read.install()
    from podium.arena.entrants.bot_names import bot_kind, given_name
    from podium.arena.entrants.python_bots import python_bot
    from podium.games import load

    game = load(game_name)
    home = next(name for name, module in sys.modules.items() if _is_same(getattr(module, GAME, None), game))
    _, spec = given_name(spec)
    kind, changes = bot_kind(game, spec)
    bot: dict[str, Any] = {"kind": kind.name, "changes": dict(changes), "files": []}
    if spec.startswith("py:"):
        found = python_bot(spec)
        path = Path(found.folder) / f"{found.module}.py"
        module = next((n for n, m in sys.modules.items() if getattr(m, "__file__", "") == str(path)), found.module)
        bot = {"module": module, "name": found.name}
    else:
        bot["files"] = [name for name, value in changes.items() if isinstance(value, str) and Path(value).is_file()]
    play_some(game, kind, changes)
    modules = own_modules(("podium", home.partition(".")[0]))
    table, data = called.compile(cpu)
    folders = {path.parent for path in modules.values()}
    named = [Path(str(changes[name])).absolute() for name in bot.get("files", ())]
    files = [*{**dict.fromkeys(read.below([*folders])), **dict.fromkeys(named)}]
    linked = link(data) if data else LinkedCode(b"", 0, (), (), {})
    return Recording((home, GAME, game.name), bot, modules, table, linked, files)


def _is_same(one: Any, other: Any) -> bool:
    return getattr(one, "contest", None) is other.contest


def play_some(game: Any, kind: Any, changes: Mapping[str, Any]) -> None:
    """Play games with a bot, with nodes and with time, against itself and against a simple bot."""
    from podium.games.game import Budget
    from podium.games.loop import play_bots
    from podium.kernel.clock import MILLISECOND, now

    kind.bot(changes, 0).warm_up()
    simple = next((game.bots[name] for name in ("random", "greedy") if name in game.bots), None)

    class Timed:
        """A budget of time for each answer."""

        def __init__(self, bot: Any, bank: bool) -> None:
            self.bot, self.bank = bot, bank

        def reply(self, lines: Sequence[str], budget: Any) -> str:
            until = now() + int(SHORT_TIME * MILLISECOND * (BANK if self.bank else 1))
            answer: str = self.bot.reply(lines, Budget(until, self.bank))
            return answer

    for seed in range(GAMES):
        bots = [kind.bot(changes, seed + seat) for seat in range(game.seats)]
        play_bots(game.new_referee(seed), bots, Budget(nodes=NODES))
        timed: list[Any] = [Timed(kind.bot(changes, seed + seat), seed == 0) for seat in range(game.seats)]
        play_bots(game.new_referee(seed), timed, Budget())
        if simple is not None:
            mixed = [(kind if seat == seed % game.seats else simple) for seat in range(game.seats)]
            made = [each.bot(changes if each is kind else {}, seed) for each in mixed]
            play_bots(game.new_referee(seed + GAMES), made, Budget(nodes=NODES))


def recorded(game: str, bot: str, cpu: str) -> Recording:
    """Let another process record a bot; PodiumError if it cannot be packed."""
    with tempfile.TemporaryDirectory(prefix="podium-pack-") as folder:
        out = Path(folder) / "recording"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment |= {QUICK: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", __name__, game, bot, cpu, str(out)]
        done = subprocess.run(command, env=environment, check=False)
        if not out.exists():
            raise PodiumError(f"the bot could not be recorded: its process ended with the status {done.returncode}")
        found = pickle.loads(out.read_bytes())
    if isinstance(found, str):
        raise PodiumError(found)
    assert isinstance(found, Recording)
    return found


def main(game: str, bot: str, cpu: str, out: str) -> None:
    """Record in this process, and write the recording or the sentence that says why there is none."""
    from podium.pack import recording  # this module by its own name, for pickle

    found: Any
    try:
        found = recording.record(game, bot, cpu)
    except PodiumError as error:
        found = str(error)
    except Exception as error:
        traceback.print_exc()
        found = f"{bot} failed while it was recorded: {type(error).__name__}: {error}"
    Path(out).write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
