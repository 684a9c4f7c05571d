"""The data files of a bot in Python: what its sources name and read, such as weights beside the module.

Nothing of the bot is run. A text constant counts if it names a file in the folder of its source, in a folder there that
another constant names, or in the current folder; an f-string or a glob pattern counts for every file that fits. Of a
named folder in which no file is named all files count. Files that the bot writes (it opens them for writing, or saves
or dumps to them) and logs do not: a bot that takes notes is still the same bot.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

LONGEST_NAME = 255  # characters of a constant that may name a file
LEAST_LITERAL = 3  # characters of a pattern that are not wild cards
MOST_FILES = 1000  # of a folder or a pattern; where there are more, none counts
SOURCES = frozenset({".py", ".pyc", ".pyi", ".so"})
OUTPUTS = frozenset({".log", ".tmp", ".out", ".err", ".pid", ".lock", ".db", ".sqlite", ".sqlite3"})
WRITERS = frozenset({"write_text", "write_bytes", "save", "savez", "savez_compressed", "savetxt", "tofile", "dump"})
OPENERS = frozenset({"open", "fdopen"})


def data_files(sources: Iterable[Path]) -> list[Path]:
    """The data files that sources name, in a stable order."""
    return sorted({file for source in sources for file in _named_files(source)})


def _named_files(source: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(source.read_bytes())
    except (SyntaxError, ValueError, OSError):
        return
    names = {text for text in _constants(tree) if _may_name(text)} - _written(tree)
    here = source.parent
    suffixes = {name for name in names if name.startswith(".") and name.count(".") == 1 and "/" not in name}
    folders = [here / name for name in names - suffixes if _is_dir(here / name)]
    yield from _accepted(source.with_suffix(suffix) for suffix in suffixes)
    for folder in folders:
        inside = [file for name in names for file in _fitting(folder, name)]
        yield from _accepted(inside or _first(folder.iterdir()))
    for name in names:
        found = _fitting(here, name) or ([] if "*" in name else _fitting(Path.cwd(), name))
        yield from _accepted(found)


def _constants(tree: ast.AST) -> Iterator[str]:
    """The text constants of a syntax tree; an f-string as a pattern."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _may_name(text: str) -> bool:
    literal = text.replace("*", "").strip("./")
    is_short = 0 < len(text) <= LONGEST_NAME and "\n" not in text and "\0" not in text
    return is_short and bool(literal) and ".." not in text and ("*" not in text or len(literal) >= LEAST_LITERAL)


def _written(tree: ast.AST) -> set[str]:
    """The constants that lead to a call which writes, directly or by the name of a variable or attribute."""
    assigned: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                assigned.setdefault(_name(target), set()).update(_constants(node.value))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _writes(node):
            found |= {*_constants(node)}
            found |= {text for inner in ast.walk(node) for text in assigned.get(_name(inner), ())}
    return found


def _name(node: ast.AST) -> str:
    return getattr(node, "id", "") or getattr(node, "attr", "") if isinstance(node, ast.Name | ast.Attribute) else ""


def _writes(call: ast.Call) -> bool:
    name = _name(call.func)
    if name not in OPENERS:
        return name in WRITERS
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    modes = [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]
    return any(len(mode) <= 3 and {*mode} <= {*"rwaxbt+"} and {*mode} & {*"wax+"} for mode in modes)


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _fitting(folder: Path, name: str) -> list[Path]:
    """The files of a folder that a name or a pattern stands for."""
    try:
        if "*" in name:
            return [] if name.startswith("/") else _first(folder.glob(name))
        return [folder / name] if (folder / name).is_file() else []
    except (OSError, ValueError, NotImplementedError):
        return []


def _first(paths: Iterator[Path]) -> list[Path]:
    """All paths, or none if there are too many."""
    found = [path for _, path in zip(range(MOST_FILES + 1), paths, strict=False)]
    return found if len(found) <= MOST_FILES else []


def _accepted(files: Iterable[Path]) -> Iterator[Path]:
    """Those that are data."""
    for file in files:
        if file.suffix not in SOURCES | OUTPUTS and not file.name.startswith(".") and file.is_file():
            yield file
