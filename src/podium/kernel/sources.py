"""What a kernel is made of: the pieces of source code and the data files that its machine code can depend on.

Numba does not notice when something that a kernel calls changes in another file. So the name under which compiled code
is kept contains a digest of everything that the kernel can see, found by following names through the sources:

 1. A module falls into its top-level statements. Each *binds* names (a definition, an assignment, a loop that fills a
    table) and *uses* names (whatever occurs in it, but for annotations of functions and docstrings).
 2. From the kernel's own definition on, a name that is used leads to all statements that bind it, in the same module
    or, through an import, in another one.
 3. A generic function that is used leads to its implementations for the record types that were met: those of the
    kernel's arguments, and those that the followed names stand for. Of a record type only its fields count.
 4. A data file counts if a statement names it; where a statement names the folder `data` alone, all of its files count.

Comments, formatting, texts for people and whatever no kernel uses change nothing. Python's own modules and the
libraries below are not followed: the cache knows code by their versions.
"""

import ast
import hashlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from podium.kernel.generic import Name

NOT_FOLLOWED = frozenset({"numpy", "numba", "llvmlite", "scipy", "rich", "typer", *sys.stdlib_module_names})
# How code is kept, not what it is.
NOT_IN_KERNELS = frozenset(f"podium.kernel.{name}" for name in ("cache", "compiler", "lazy", "ready", "sources"))
DATA = "data"


@dataclass
class Statement:
    """One top-level statement of a module."""

    text: str  # its syntax tree: equal for sources that differ in comments and formatting only
    uses: set[str] = field(default_factory=set)
    parts: set[tuple[str, str]] = field(default_factory=set)  # of `name.part`: both
    words: set[str] = field(default_factory=set)  # text constants


@dataclass
class Module:
    """The statements of a module by the names that they bind, and where imported names come from."""

    path: Path
    binding: dict[str, list[Statement]] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: module and name there, "" for itself


def read_module(path: Path, name: str) -> Module:
    """The module in a file; its name is needed for relative imports."""
    module = Module(path)
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    for node in ast.parse(path.read_bytes()).body:
        _note_imports(node, package, module.imports)
        if not isinstance(node, ast.Import | ast.ImportFrom):
            statement, binds = _read_statement(node)
            for bound in binds:
                module.binding.setdefault(bound, []).append(statement)
    return module


def _note_imports(node: ast.AST, package: str, imports: dict[str, tuple[str, str]]) -> None:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            for alias in inner.names:
                imports[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0],
                    "",
                )
        elif isinstance(inner, ast.ImportFrom):
            parents = package.split(".")
            base = ".".join(parents[: len(parents) - inner.level + 1]) if inner.level else ""
            source = ".".join(filter(None, [base, inner.module]))
            for alias in inner.names:
                imports[alias.asname or alias.name] = (source, alias.name)


def _read_statement(node: ast.stmt) -> tuple[Statement, set[str]]:
    """A statement without annotations of functions and docstrings, and the names that it binds or may change."""
    for inner in ast.walk(node):
        _strip(inner)
    statement = Statement(ast.dump(node))
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            statement.uses.add(inner.id)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            statement.parts.add((inner.value.id, inner.attr))
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            statement.words.add(inner.value)
    return statement, set(_bound(node))


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement defines, assigns to, or may change what they stand for.

    The last is what a loop does that fills a table, or a bare call such as `shuffle(deck)`: all its names count.
    """
    yield from _overloaded(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.ClassDef):
            yield inner.name
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, ast.Subscript | ast.Attribute) and isinstance(inner.ctx, ast.Store):
            yield from (name.id for name in ast.walk(inner.value) if isinstance(name, ast.Name))
        elif isinstance(inner, ast.Expr):
            yield from (name.id for name in ast.walk(inner) if isinstance(name, ast.Name))


def _strip(node: ast.AST) -> None:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        node.body = node.body[1:] or [ast.Pass()]
    if isinstance(node, ast.ClassDef):
        return
    node.returns = None
    arguments = node.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if argument is not None:
            argument.annotation = None


def _overloaded(node: ast.AST) -> Iterator[str]:
    """The functions that `@overload(function)` implements for the compiler."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef):
            for decorator in inner.decorator_list:
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "overload":
                    yield from (argument.id for argument in decorator.args if isinstance(argument, ast.Name))


@cache
def module_of(name: str) -> Module | None:
    """The loaded module of that name, or None if it is not followed or has no file."""
    if name.partition(".")[0] in NOT_FOLLOWED or name in NOT_IN_KERNELS or name not in sys.modules:
        return None
    file = getattr(sys.modules[name], "__file__", None)
    if not file or not file.endswith(".py"):
        return None
    try:
        return read_module(Path(file), name)
    except (OSError, SyntaxError, ValueError):
        return None


@dataclass(frozen=True)
class Sources:
    """What a kernel can see."""

    digest: str
    files: tuple[Path, ...]


class Follower:
    """Follows names from one kernel on, see the steps above."""

    def __init__(self, implementations: Callable[[Name, set[Any]], Iterator[Name]], records: set[Any]) -> None:
        self.implementations = implementations
        self.records = records  # record types that were met
        self.names: set[Name] = set()
        self.statements: dict[int, tuple[Path, Statement]] = {}
        self.waiting: list[Name] = []

    def follow(self, start: Name, record_of: Callable[[Any], Any]) -> Sources:
        """The sources that a kernel's machine code can depend on."""
        self._reach(start)
        while True:
            while self.waiting:
                module, name = self.waiting.pop()
                self._visit(module, name, record_of)
            for reached in [*self.names]:  # step 3, which may meet new records and names
                for found in self.implementations(reached, self.records):
                    self._reach(found)
            if not self.waiting:
                return self._sources()

    def _reach(self, name: Name) -> None:
        if name not in self.names:
            self.names.add(name)
            self.waiting.append(name)

    def _visit(self, module_name: str, name: str, record_of: Callable[[Any], Any]) -> None:
        module = module_of(module_name)
        if module is None:
            return
        value = getattr(sys.modules[module_name], name, None)
        record = record_of(value)
        if record is not None:
            self.records.add(record)
            if not isinstance(value, np.ndarray):
                return  # the type tells all that compiled code knows of it: no defaults, no help texts
        for statement in module.binding.get(name, ()):
            if id(statement) not in self.statements:
                self.statements[id(statement)] = (module.path, statement)
                for used in statement.uses:
                    self._reach((module_name, used))
                for used, part in statement.parts:
                    if used in module.imports:
                        source, original = module.imports[used]
                        self._reach((f"{source}.{original}" if original else source, part))
        if name in module.imports and name not in module.binding:
            source, original = module.imports[name]
            if original:
                self._reach((source, original))

    def _sources(self) -> Sources:
        digest = hashlib.blake2b(digest_size=16)
        files = {path for path, _ in self.statements.values()}
        texts = {statement.text for _, statement in self.statements.values()} | set(map(str, self.records))
        for text in sorted(texts):
            digest.update(text.encode() + b"\0")
        for path in sorted(self._data_files(), key=lambda path: path.name):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
            files.add(path)
        return Sources(digest.hexdigest(), tuple(sorted(files)))

    def _data_files(self) -> set[Path]:
        """Step 4."""
        words: dict[Path, set[str]] = {}
        for path, statement in self.statements.values():
            words.setdefault(path.parent, set()).update(statement.words)
        found: set[Path] = set()
        for folder, named in words.items():
            data = next((f / DATA for f in (folder, folder.parent) if (f / DATA).is_dir()), None)
            if data is None:
                continue
            files = {path for path in data.iterdir() if path.is_file()}
            chosen = {path for path in files if path.name in named}
            found |= chosen or (files if DATA in named else set())
        return found
