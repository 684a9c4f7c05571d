"""A bot as one Python file, which plays without Podium and without a compiler.

1. Another process plays with the bot and records what it is made of (`podium.pack.recording`), with its machine code.
2. The sources of its modules are stripped to what they use (`lowering`, `shaking`); the modules of REPLACED, which need
   a compiler, installed packages or a disk, are replaced by those of `standalone`.
3. Sources, data files and machine code are compressed and written as text (`text_encoding`), behind a few lines that
   load them.
"""

import ast
import lzma
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from podium import __version__
from podium.arena.entrants.bot_names import COMMAND, PACKED, given_name
from podium.arena.entrants.data_files import data_files as entrant_files
from podium.arena.entrants.fingerprint import package_around
from podium.errors import PodiumError, unknown
from podium.pack import standalone
from podium.pack.judges import FILE, Judge, check_place, write_for
from podium.pack.linking import LinkedCode
from podium.pack.lowering import FRONT_DOOR, lowered
from podium.pack.recording import Recording, recorded
from podium.pack.shaking import Shaker
from podium.pack.standalone import loader
from podium.pack.standalone.main import USAGE
from podium.pack.text_encoding import ENCODINGS

ROOT = Path(__file__).parents[1]  # of Podium
STANDALONE = standalone.__name__
MAIN = f"{STANDALONE}.main"
REPLACED = {  # by module: what a packed bot has in its place
    "podium.kernel.aot": "packed_kernels",
    "podium.kernel.dependencies": "no_dependencies",
    "podium.kernel.lazy": "no_compiler",
    "podium.games": "packed_game",
    "podium.model.package_data": "packed_data",
}
ADDED = {  # modules of Podium that the program of a packed bot uses
    "podium.arena.processes.stdio",
    "podium.arena.entrants.python_bots",
    "podium.kernel.marshalling",
}
FLAGS = {  # what a processor must be able to do, in the words of /proc/cpuinfo
    "x86-64": "",
    "x86-64-v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe",
}
EXTENSIONS = tuple("sse ssse avx bmi fma f16c abm movbe popcnt adx sha vaes".split())  # how such words begin
LINE = 1000  # characters: old versions of Python stumble over long lines that are no ASCII
CPUS = (*FLAGS, "native")
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def source_files(recording: Recording) -> dict[str, Path]:
    """The source of each module of a packed bot; packages that are missing are empty."""
    files = {name: path for name, path in recording.modules.items() if not name.startswith("podium.pack")}
    for name in ADDED:
        files[name] = ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py")
    own = Path(str(standalone.__file__)).parent
    for name, replacement in REPLACED.items():
        files[name] = own / f"{replacement}.py"
    files[MAIN], files[loader.__name__] = own / "main.py", own / "loader.py"
    return files


def packages_of(files: Mapping[str, Path]) -> set[str]:
    """The modules among these that are packages, and the packages around them."""
    around = {name.rpartition(".")[0] for name in files}
    around |= {name.rpartition(".")[0] for name in around} | {name.partition(".")[0] for name in around}
    return (around | {name for name, path in files.items() if path.name == "__init__.py"}) - {""}


def stripped_sources(recording: Recording) -> tuple[dict[str, str], set[str]]:
    """The sources of a packed bot by module, without what it does not use, and which of them are packages.

    A user's own modules are kept whole: they may find their parts by decorators or by names that they put together.
    A module that was not imported while the bot was recorded may still be one that its sources import.
    """
    files = source_files(recording)
    roots = {MAIN, recording.game[0], *own_modules_of(recording)}
    while True:
        packages = packages_of(files)
        trees = {name: tree_of(name, path) for name, path in files.items()}
        if not any(uses_front_door(tree, trees) for name, tree in trees.items() if name != FRONT_DOOR):
            trees[FRONT_DOOR] = ast.Module([], [])
        for package in packages:
            trees.setdefault(package, ast.Module([], []))
        rest = Shaker(trees, packages, recording.kernels.keys()).shake(roots)
        kept = reachable(rest, roots, recording.game[0])
        missing = {module for name in kept for module in imported_at_once(rest[name])} - {*trees}
        added = {module: path for module in missing if (path := file_of(module))}
        if not added:
            break
        files |= added
    kept -= {loader.__name__}
    return {name: ast.unparse(rest[name]) for name in sorted(kept)}, packages & kept


def tree_of(module: str, path: Path) -> ast.Module:
    """The tree of a module's source."""
    return lowered(path.read_text(encoding="utf-8"), str(path), package_around(path, module))


def uses_front_door(tree: ast.Module, modules: Collection[str]) -> bool:
    """Whether a module imports the package of all calls itself, or anything of it that is no module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name == FRONT_DOOR for alias in node.names):
            return True
        names = node.names if isinstance(node, ast.ImportFrom) and node.module == FRONT_DOOR else []
        if any(f"{FRONT_DOOR}.{alias.name}" not in modules for alias in names):
            return True
    return False


def imported_at_once(tree: ast.Module) -> set[str]:
    """The modules of Podium that a module imports when it is imported itself."""
    found = {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    found |= {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    return {name for name in found if name.startswith("podium.")}


def file_of(module: str) -> Path | None:
    """The source file of a module of Podium."""
    path = ROOT.joinpath(*module.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def reachable(trees: Mapping[str, ast.Module], roots: Iterable[str], game: str) -> set[str]:
    """The modules that roots import, also in functions; all modules of the game's package, which it imports by name."""
    waiting = [*roots, *(name for name in trees if name.startswith(f"{game}."))]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in trees or name in found:
            continue
        found.add(name)
        waiting += [name.rpartition(".")[0]] if "." in name else []
        for node in ast.walk(trees[name]):
            if isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                waiting.append(node.value)  # a module that is imported by its name
            elif isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def data_files(recording: Recording, sources: Iterable[str]) -> dict[str, bytes]:
    """The data files that the sources name, by the names under which the packed bot asks for them."""
    text = "\n".join(sources)
    named = {str(Path(str(recording.bot["changes"][name])).absolute()) for name in recording.bot.get("files", ())}
    places = {path.parent: name.rpartition(".")[0] or name for name, path in recording.modules.items()}
    found = files_beside(own_modules_of(recording))
    for path in {*recording.files} - {*found.values()}:
        if str(path) in named:
            found[str(path)] = path
        elif path.name in text:
            package = next((name for folder, name in places.items() if path.is_relative_to(folder / "data")), "")
            found[f"{package.replace('.', '/')}/data/{path.name}"] = path
    return {name: path.read_bytes() for name, path in sorted(found.items())}


def own_modules_of(recording: Recording) -> dict[str, Path]:
    """The modules of a user's bot, apart from those of Podium and of the game."""
    if "module" not in recording.bot:
        return {}
    others = {__name__.partition(".")[0], recording.game[0].partition(".")[0]}
    return {name: path for name, path in recording.modules.items() if name.partition(".")[0] not in others}


def files_beside(modules: Mapping[str, Path]) -> dict[str, Path]:
    """The data files that modules name, by the paths that these have in a packed file."""
    found = {}
    for name, path in modules.items():
        root = path.parents[name.count(".") + (path.name == "__init__.py")]
        for file in entrant_files([path]):
            inside = file.relative_to(root) if file.is_relative_to(root) else Path(file.name)
            found[loader.HOME + inside.as_posix()] = file
    return found


# ---- The file


@dataclass(frozen=True)
class PackedBot:
    """A bot as one Python file."""

    text: str
    parts: Mapping[str, int]  # bytes of each part, compressed


def pack_bot(game: str, bot: str, cpu: str = "x86-64-v3", encoding: str = "base85", about: str = "") -> PackedBot:
    """Make one file of a bot of a game."""
    recording = recorded(game, bot, cpu)
    sources, packages = stripped_sources(recording)
    files = data_files(recording, sources.values())
    code = recording.code
    table = {
        kernel: {kinds: (code.exports[symbol], result) for kinds, (symbol, result) in entries.items()}
        for kernel, entries in recording.kernels.items()
    }
    content, tables = split_tables(code)
    described = {
        "game": recording.game,
        "bot": _with_stored_files(recording.bot),
        "flags": native_flags() if cpu == "native" else FLAGS[cpu],
        "writable": code.writable,
        "words": [*code.words],
        "imports": [*code.imports],
        "tables": tables,
        "kernels": table,
    }
    kinds = {name: loader.PACKAGE if name in packages else loader.MODULE for name in sources}
    contents = [(kinds[name], name, text.encode()) for name, text in sources.items()]
    contents += [(loader.FILE, name, content) for name, content in files.items()]
    contents += [(loader.CODE, "", content)] if content else []
    index = repr((described, [(kind, name, len(content)) for kind, name, content in contents]))
    own = ast.unparse(lowered(Path(str(loader.__file__)).read_text(encoding="utf-8"))).encode()
    payload = index.encode() + b"\n" + b"".join(content for _, _, content in contents)
    whole = len(own).to_bytes(4, "big") + own + payload
    parts = {
        "sources": _compressed_size("".join(sources.values()).encode()),
        "data files": _compressed_size(b"".join(files.values())),
        "machine code": _compressed_size(content),
    }
    return PackedBot(_file(whole, encoding, about), parts)


def split_tables(code: LinkedCode) -> tuple[bytes, list[tuple[int, int]]]:
    """Machine code whose tables of 16-bit words are stored by bytes where that is smaller, and where these tables are.

    A table of distances shrinks by half: its high bytes change little from word to word.
    """
    memory, chosen = bytearray(code.content), []
    for start, size in code.tables:
        words = np.frombuffer(code.content, np.uint8, size, start)
        changes = np.diff(words[1::2], prepend=np.uint8(0))
        split = words[::2].tobytes() + changes.tobytes()
        if size % 2 == 0 and _compressed_size(split) < _compressed_size(words.tobytes()):
            memory[start : start + size] = split
            chosen.append((start, size))
    return bytes(memory), chosen


def _compressed_size(content: bytes) -> int:
    return len(lzma.compress(content, lzma.FORMAT_RAW, filters=FILTERS)) if content else 0


def _with_stored_files(bot: Mapping[str, Any]) -> dict[str, Any]:
    """How the bot is made, with the names under which the files of its parameters are stored."""
    changes = {
        name: str(Path(str(value)).absolute()) if name in bot.get("files", ()) else value
        for name, value in bot.get("changes", {}).items()
    }
    return {**bot, "changes": changes}


def native_flags() -> str:
    """What this processor can do that others may lack."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("flags"):
                return " ".join(sorted({flag for flag in line.split() if flag.startswith(EXTENSIONS)}))
    return FLAGS["x86-64-v3"]


def _file(whole: bytes, encoding: str, about: str) -> str:
    """The file: comments, the payload as a text, and the lines that run it."""
    chosen = ENCODINGS[encoding]
    text = chosen.encode(lzma.compress(whole, lzma.FORMAT_RAW, filters=FILTERS))
    lines = "\n".join(text[i : i + LINE] for i in range(0, len(text), LINE))
    comment = "".join(f"# {line}\n" for line in about.splitlines())
    imports = ", ".join(filter(None, (chosen.imports, "lzma", "sys", "types")))
    return f"""{comment}import {imports}
text = '''{lines}'''.replace("\\n", "")
data = {chosen.decode}
data = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[{{"id": lzma.FILTER_LZMA2, "preset": 9}}]).decompress(data)
size = 4 + int.from_bytes(data[:4], "big")
loader = sys.modules["{loader.__name__}"] = types.ModuleType("{loader.__name__}")
exec(data[4:size], loader.__dict__)
loader.run(data[size:])
"""


# ---- For a judge


@dataclass(frozen=True)
class PackReport:
    """A file that was written for a judge."""

    file: Path
    judge: Judge
    cpu: str
    size: int  # in the judge's unit
    parts: Mapping[str, int]  # bytes of each part, compressed

    def data(self) -> dict[str, Any]:
        """The same as plain data."""
        about = {"file": str(self.file), "for": self.judge.name, "cpu": self.cpu, "size": self.size}
        return {**about, "unit": self.judge.unit, "limit": self.judge.most, "parts": dict(self.parts)}


def write_pack(game: str, bot: str, file: Path, judge: Judge = FILE, cpu: str = "") -> PackReport:
    """Pack a bot for a judge; PodiumError if the file would be too large for it, and then nothing is written."""
    cpu = cpu or judge.cpu
    if cpu not in CPUS:
        raise unknown("processor", cpu, CPUS)
    check_place(file)
    name, spec = given_name(bot)
    if spec.startswith((COMMAND, PACKED)):
        raise PodiumError(f"{bot!r} is a program already; your own in Python becomes one file with --source")
    lines = [
        f"{name or bot} of {game}, packed by Podium {__version__} for {cpu}: Linux, Python 3.8 or newer, NumPy.",
        f"Plays on standard input and output. {USAGE[0].upper()}{USAGE[1:]} for each answer.",
    ]
    packed = pack_bot(game, bot, cpu, judge.encoding, "\n".join(lines))
    parts = ", ".join(f"{name} {count:,} bytes" for name, count in packed.parts.items())
    size = write_for(judge, file, packed.text, name or bot, f" (compressed: {parts})")
    return PackReport(file, judge, cpu, size, packed.parts)
