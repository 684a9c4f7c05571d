"""Which parts of some modules a program uses: the rest of their code need not travel.

A part is a statement of a module, an imported name, or a method of a class. Names decide: a part is used if a used part
has its name in it, in the same module, in an import from there, or anywhere as an attribute or as a text of its own. So
a part may be kept for nothing, but none is lost that the sources name.

A kernel with machine code keeps its name and arguments alone. One without stays Python, with all that it calls. An
implementation of a generic function is used if it is named itself, or if the generic function is called.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

NAMES = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")  # a text that may name something
REGISTERING = ("register", "otherwise")
FOUND_BY_BASE = "Referee"  # subclasses of what is called so are found without their names: `podium.games.floor_plan`


@dataclass(eq=False)
class Part:
    """A statement, an imported name, or a method of a class, with the names that lead to it and from it."""

    node: Any
    defines: set[str]
    owner: "Part | None" = None  # the class of a method
    generics: set[str] = field(default_factory=set)  # the generic functions that it implements
    is_used: bool = False
    names: set[str] = field(default_factory=set)  # of the same module
    attributes: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)  # that may name something
    imports: set[tuple[str, str]] = field(default_factory=set)  # module and name

    @property
    def is_unconditional(self) -> bool:
        """Whether it runs for its effect, so that it is used in any case."""
        return not self.defines and not self.generics

    def read(self, nodes: Iterable[ast.AST | None]) -> None:
        """Note what some nodes name."""
        for node in (inner for each in nodes if each is not None for inner in ast.walk(each)):
            if isinstance(node, ast.Name):
                self.names.add(node.id)
            elif isinstance(node, ast.Attribute):
                self.attributes.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMES.fullmatch(node.value):
                self.texts.update(node.value.split("."))
            elif isinstance(node, ast.ImportFrom):
                self.imports.update((node.module or "", alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                self.imports.update(("", alias.name) for alias in node.names)


class Shaker:
    """The parts of a program's modules."""

    def __init__(self, trees: Mapping[str, ast.Module], packages: Collection[str], compiled: Collection[str]) -> None:
        """Trees by the names of modules, which of them are packages, and the names of kernels with machine code."""
        self.packages, self.compiled = packages, compiled
        self.parts = {module: [*self._parts(module, tree)] for module, tree in trees.items()}
        self.names: dict[str, set[str]] = {module: set() for module in trees}  # by module: what used parts need of it
        self.attributes: set[str] = set()  # in used parts
        self.texts: set[str] = set()  # in used parts
        self.called: set[str] = set()  # names, attributes and texts of used parts
        self.objects: set[str] = set()  # modules that used parts import as such

    def shake(self, roots: Collection[str]) -> dict[str, ast.Module]:
        """The used parts of all modules; the root modules are used as a whole."""
        found = True
        while found:
            found = False
            for module, parts in self.parts.items():
                for part in parts:
                    if not part.is_used and (module in roots or self._is_needed(module, part)):
                        self._use(module, part)
                        found = True
        return {module: self._rest(module) for module in self.parts}

    # ---- Parts

    def _parts(self, module: str, tree: ast.Module) -> Iterator[Part]:
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from self._imported(module, node)
            elif isinstance(node, ast.ClassDef):
                yield from self._class(node)
            else:
                yield self._statement(module, node)

    def _imported(self, module: str, node: ast.Import | ast.ImportFrom) -> Iterator[Part]:
        for alias in node.names:
            name = (alias.asname or alias.name).partition(".")[0]
            part = Part((node, alias), {name})
            part.imports.add((node.module or "", alias.name) if isinstance(node, ast.ImportFrom) else ("", alias.name))
            yield part

    def _class(self, node: ast.ClassDef) -> Iterator[Part]:
        by_base = any(isinstance(base, ast.Name) and base.id.endswith(FOUND_BY_BASE) for base in node.bases)
        part = Part(node, set() if by_base else {node.name})
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("__")]
        part.read((*node.bases, *node.keywords, *node.decorator_list, *(n for n in node.body if n not in methods)))
        yield part
        for method in methods:
            inner = Part(method, {method.name}, part)
            inner.read([method])
            yield inner

    def _statement(self, module: str, node: ast.stmt) -> Part:
        part = Part(node, _defined(node), generics=_implemented(node))
        if isinstance(node, ast.FunctionDef):
            if f"{module}.{node.name}" in self.compiled:
                node.body = [ast.Pass()]
            others = [each for each in node.decorator_list if not _registered(each)]
            registering = [each for each in node.decorator_list if _registered(each)]
            part.read([node.args, *node.body, *others])
            part.read(inner for each in registering if isinstance(each, ast.Call) for inner in each.args)
        elif part.generics and isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            part.read((*node.value.args, *getattr(node.value.func, "args", ())))
        else:
            part.read([node])
        return part

    # ---- Use

    def _is_needed(self, module: str, part: Part) -> bool:
        if part.is_unconditional:
            return True
        if part.owner is not None:
            return part.owner.is_used and bool(part.defines & (self.attributes | self.texts))
        if part.generics & self.called or part.defines & self.names[module]:
            return True
        by_attribute = module in self.objects and bool(part.defines & self.attributes)
        return self._is_offered(module, part) and (by_attribute or bool(part.defines & self.texts))

    def _is_offered(self, module: str, part: Part) -> bool:
        """Whether a part may be meant by an attribute of its module: an import only where it is written as an offer."""
        if not isinstance(part.node, tuple):
            return True
        _, alias = part.node
        return alias.asname == alias.name or module in self.packages

    def _use(self, module: str, part: Part) -> None:
        part.is_used = True
        self.names[module] |= part.names | part.generics
        self.attributes |= part.attributes
        self.texts |= part.texts
        self.called |= part.names | part.attributes | part.texts
        for origin, name in part.imports:
            self.objects.add(f"{origin}.{name}".lstrip("."))
            if origin in self.names:
                self.names[origin].add(name)

    # ---- What is left

    def _rest(self, module: str) -> ast.Module:
        body: list[ast.stmt] = []
        for part in self.parts[module]:
            if isinstance(part.node, tuple):
                body += self._rest_of_import(part)
            elif isinstance(part.node, ast.ClassDef):
                dropped = [each.node for each in self.parts[module] if each.owner is part and not each.is_used]
                part.node.body = [each for each in part.node.body if each not in dropped] or [ast.Pass()]
                body += [part.node] * part.is_used
            elif part.owner is None and part.is_used:
                body.append(part.node)
        return ast.fix_missing_locations(ast.Module(body, []))

    def _rest_of_import(self, part: Part) -> list[ast.stmt]:
        node, alias = part.node
        if isinstance(node, ast.Import):
            return [ast.Import([alias])] if part.is_used else []
        if part.is_used:
            return [ast.ImportFrom(node.module, [alias], node.level)]
        registers = any(each.is_used and each.generics for each in self.parts.get(node.module or "", ()))
        return [ast.Import([ast.alias(node.module or "")])] if registers else []


def _registered(decorator: ast.expr) -> str:
    """The generic function that a decorator registers something for; "" if it does nothing like that."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    is_registering = isinstance(function, ast.Attribute) and function.attr in REGISTERING
    return function.value.id if is_registering and isinstance(function.value, ast.Name) else ""  # type: ignore[attr-defined]


def _implemented(node: ast.stmt) -> set[str]:
    """The generic functions that a statement implements: a decorated kernel, or a call that registers one."""
    if isinstance(node, ast.FunctionDef):
        return {*map(_registered, node.decorator_list)} - {""}
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return {_registered(node.value.func)} - {""}
    return set()


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement defines or changes; none if it may do anything."""
    if isinstance(node, ast.FunctionDef):
        return {node.name} - {"__getattr__"}  # which Python itself calls
    if isinstance(node, ast.Expr):
        return set()
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            found.add(inner.id)
        elif isinstance(inner, ast.Subscript | ast.Attribute) and isinstance(inner.ctx, ast.Store):
            if isinstance(inner, ast.Attribute):
                return set()
            found.add(_base(inner))
        elif isinstance(inner, ast.Expr):
            found.add(_base(inner.value))
        elif isinstance(inner, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in inner.names)
        elif isinstance(inner, ast.FunctionDef | ast.ClassDef):
            found.add(inner.name)
    return found - {""}


def _base(node: ast.AST) -> str:
    """The name that an expression begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
