"""A Python program of several files as one file that people can read.

The program itself stays code. Each module that it imports from its own folder stands before it as a text, line by line
what it was, and a short function (`standalone.module_texts`) lets imports find these texts. So names, comments,
packages, relative imports, circular imports and imports inside functions work as they did, and no name of one module
meets a name of another. Modules of the standard library and installed packages stay imports.
"""

import ast
import inspect
import os
import sys
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium import __version__
from podium.arena.entrants.data_files import data_files
from podium.arena.entrants.fingerprint import package_around
from podium.arena.entrants.python_bots import modules_imported, with_packages
from podium.errors import PodiumError
from podium.pack.judges import FILE, Judge, check_place, write_for
from podium.pack.standalone.module_texts import use_module_texts

COMPILED = (".so", ".pyd", ".pyx")  # modules that are no Python source
BY_NAME = ("import_module", "__import__")
PACKAGE_FILE = "__init__.py"
HEADER = """# {file} and the modules of its folder in one file, merged by Podium {version}.
# Each module is the text that it was in its own file; the program itself comes last.
"""  # two lines: an encoding that the program names below them counts no more


@dataclass(frozen=True)
class MergedProgram:
    """A program of several files as one text."""

    text: str
    modules: Mapping[str, Path]  # what was merged, by name
    packages: tuple[str, ...]  # what must be installed where it runs
    remarks: tuple[str, ...]  # what may not work there


def merged_program(source: Path) -> MergedProgram:
    """Merge a program with the modules of its folder; PodiumError for what cannot be merged."""
    if not source.is_file():
        raise PodiumError(f"there is no file {source}")
    folder = source.absolute().parent
    modules: dict[str, Path] = {}
    imported: set[str] = set()
    remarks: list[str] = []
    waiting = [("", source)]
    while waiting:
        importer, path = waiting.pop()
        reader = SourceReader(path, importer)
        names = {*reader.imported()} - imported
        imported |= names
        remarks += reader.remarks()
        added = {name: file for name in names if (file := local_file(folder, name))}
        modules.update(added)
        waiting += added.items()
    local = {name.partition(".")[0] for name in modules}
    packages = {name.partition(".")[0] for name in imported} - local - sys.stdlib_module_names
    if "podium" in packages:
        remarks.append(f"it needs Podium: podium pack GAME py:{source} makes a file that does not")
    modules = dict(sorted(modules.items()))
    data = (file.absolute() for file in data_files([source.absolute(), *modules.values()]))
    remarks += [f"{os.path.relpath(file, folder)} seems to be read: data files are not merged" for file in data]
    return MergedProgram(_merged_text(source, modules), modules, tuple(sorted(packages)), tuple(remarks))


def write_merged(source: Path, file: Path, judge: Judge = FILE) -> tuple[MergedProgram, int]:
    """Merge a program into a file, and return also its size in the judge's unit; no source is written over."""
    check_place(file)
    merged = merged_program(source)
    if file.resolve() in {path.resolve() for path in (source, *merged.modules.values())}:
        raise PodiumError(f"{file} is a source of the program: name another file with -o")
    return merged, write_for(judge, file, merged.text, str(source))


# ---- What a program imports


def read_source(path: Path) -> str:
    """The text of a source file, ending with the end of a line; PodiumError if it is none."""
    try:
        with tokenize.open(path) as file:
            text = file.read()
        ast.parse(text)
    except SyntaxError as error:
        place = f" in line {error.lineno}" if error.lineno else ""
        raise PodiumError(f"{path} is not Python: {error.msg}{place}") from None
    except (OSError, ValueError) as error:
        raise PodiumError(f"cannot read {path}: {error}") from None
    return text if text.endswith("\n") else f"{text}\n"


def local_file(folder: Path, name: str) -> Path | None:
    """The source of a module below the folder of the program; None if that has no such module."""
    top = name.partition(".")[0]
    if top in sys.builtin_module_names or not name.replace(".", "_").isidentifier():
        return None  # Python looks for the first nowhere else; the second is the * of an import
    place = folder.joinpath(*name.split("."))
    path = next((file for file in (place / PACKAGE_FILE, place.with_suffix(".py")) if file.is_file()), None)
    if path is None:
        for file in place.parent.glob(f"{place.name}.*"):
            if file.suffix in COMPILED:
                raise PodiumError(f"{name} cannot be merged: {file} is no Python source")
    elif top in sys.stdlib_module_names:
        raise PodiumError(f"{path} has the name of a module of the standard library: rename it")
    return path


class SourceReader:
    """What one source file imports, and what of it cannot be merged."""

    def __init__(self, path: Path, module: str) -> None:
        """Read a file that is a module of that name; "" for the program itself."""
        self.path, self.module = path, module
        nodes = ast.walk(ast.parse(read_source(path)))
        self.nodes = sorted(nodes, key=lambda node: getattr(node, "lineno", 0))
        self.package = package_around(path, module)

    def imported(self) -> Iterator[str]:
        """The modules that the source may import; PodiumError for a relative import that leaves its package."""
        depth = len(self.package.split(".")) if self.package else 0
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.level > depth:
                reason = "leaves its package" if depth else "is in no package"
                raise PodiumError(f"{self._place(node)}: the relative import {reason}, so Python cannot run it either")
            if isinstance(node, ast.Assign) and any(_is_name(target, "__all__") for target in node.targets):
                offered = (inner.value for inner in ast.walk(node.value) if isinstance(inner, ast.Constant))
                yield from (f"{self.package}.{name}" for name in offered if self.package and isinstance(name, str))
            elif _imports_by_name(node) and (name := _constant(node)):
                yield from with_packages(name)
        yield from modules_imported(self.path, self.module)

    def remarks(self) -> Iterator[str]:
        """What may not work in the merged file."""
        for node in self.nodes:
            if _imports_by_name(node) and not _constant(node):
                yield f"{self._place(node)} imports by a name that is not written there: such a module is not merged"
            elif _is_name(node, "__file__"):
                yield f"{self._place(node)} uses __file__: files beside the program are not merged"

    def _place(self, node: Any) -> str:
        return f"{self.path}, line {node.lineno}"


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _imports_by_name(node: ast.AST) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", "")) in BY_NAME


def _constant(call: Any) -> str:
    """The absolute name of a module that is the first argument of a call; "" if it is anything else."""
    value = getattr(call.args[0], "value", None) if call.args else None
    return value if isinstance(value, str) and not value.startswith(".") else ""


# ---- The file


def _merged_text(source: Path, modules: Mapping[str, Path]) -> str:
    folder = source.absolute().parent
    texts = {name: (str(path.relative_to(folder)), read_source(path)) for name, path in modules.items()}
    for name in modules:
        for package in with_packages(name)[:-1]:
            texts.setdefault(package, (f"{package.replace('.', '/')}/{PACKAGE_FILE}", ""))  # a folder without that file
    shebang, first, rest = _split(source)
    head = f"{shebang}{HEADER.format(file=source.name, version=__version__)}{first}"
    if not texts:
        return f"{head}{rest}"
    entries = "".join(
        f'\n# ---- {file}\n"{name}": ({file!r}, {_quoted(text)}),\n' for name, (file, text) in sorted(texts.items())
    )
    loader, name = inspect.getsource(use_module_texts), use_module_texts.__name__
    return f"{head}\n\n{loader}\n\n{name}({{{entries}}})\ndel {name}\n\n# ---- {source.name}\n{rest}"


def _split(source: Path) -> tuple[str, str, str]:
    """The parts of a program: the line that names its interpreter, what Python wants first of all, and the rest.

    Docstring and imports from __future__ come first of all.
    """
    text = read_source(source)
    body = ast.parse(text).body
    count = 0
    for node in body:
        is_docstring = count == 0 and isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
        if not is_docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        count += 1
    end = body[count - 1].end_lineno or 0 if count else 0
    if count < len(body) and body[count].lineno <= end:
        raise PodiumError(f"{source}, line {end}: give each statement a line of its own")
    lines = [f"{line}\n" for line in text.split("\n")[:-1]]
    start = int(text.startswith("#!"))
    end = max(start, end)
    return "".join(lines[:start]), "".join(lines[start:end]), "".join(lines[end:])


def _quoted(text: str) -> str:
    """A text of whole lines, after an empty one, as an expression of Python in which people can read it."""
    text = f"\n{text}"
    if not text.strip():
        return '""'
    for quotes in ("'''", '"""'):
        if quotes not in text:
            return f"r{quotes}{text}{quotes}"
    return "(\n" + "".join(f"{line!r}\n" for line in text.splitlines(keepends=True)) + ")"
