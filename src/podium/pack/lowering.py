"""Python sources for a judge: without what only people and type checkers read, and in words that Python 3.8 knows.

The code runs as it did: docstrings, annotations, imports for type checkers and extensions of the compiler are left out,
and what later versions of Python brought is written in an older way.
"""

import ast
import re
from collections.abc import Sequence
from typing import Any

from podium import MODULE_OF
from podium.arena.entrants.fingerprint import imported_from

FRONT_DOOR = "podium"  # which a packed bot goes past: what it offers is imported from where it is
FIELD_BASES = {"NamedTuple", "Protocol", "TypedDict"}
LATER_NAMES = {  # (module, name): what stands in its place, for Python 3.8
    ("functools", "cache"): "def cache(function):\n return __import__('functools').lru_cache(None)(function)",
    ("itertools", "pairwise"): (
        "def pairwise(values):\n values = list(values)\n return [*zip(values, values[1:])]"  # in order, as a list
    ),
    ("enum", "StrEnum"): (
        "class StrEnum(str, __import__('enum').Enum):\n __str__ = str.__str__\n __format__ = str.__format__"
    ),
}
LATER_METHODS = {  # a method of a text or number: the same as an expression of `self` and its argument `other`
    "removeprefix": "(self[len(other):] if self.startswith(other) else self)",
    "removesuffix": "(self[:len(self) - len(other)] if other and self.endswith(other) else self)",
    "bit_count": "bin(self).count('1')",
}
POSSESSIVE = re.compile(r"([*+?}])\+")  # repetitions in patterns that give nothing back, from Python 3.11 on
TYPES_ONLY = ("TYPE_CHECKING",)
BUILTIN_GENERICS = {"dict", "frozenset", "list", "set", "tuple", "type"}  # which take no parameters before Python 3.9,
GENERIC_MODULES = {"collections", "collections.abc"}  # as those from these modules


def lowered(source: str, filename: str = "<source>", package: str = "") -> ast.Module:
    """The tree of a source, as this module's docstring says; relative imports are those of a package."""
    tree: ast.Module = _Lowering(package).visit(ast.parse(source, filename))
    return ast.fix_missing_locations(tree)


class _Lowering(ast.NodeTransformer):
    """Rewrites one module."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.keeps_fields = False  # whether annotations of the class around are fields
        self.has_patterns = False  # whether the module imports `re`
        self.generics: set[str] = set()  # names of types that take no parameters in Python 3.8

    # ---- What only people and type checkers read

    def visit_Module(self, node: ast.Module) -> ast.Module:
        imports = (each for each in node.body if isinstance(each, ast.Import))
        self.has_patterns = any(alias.name == "re" for each in imports for alias in each.names)
        self.generics = _generics(node)
        node.body = self._body(node.body, empty=True)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if any(isinstance(each, ast.Name) and each.id == "when_compiling" for each in node.decorator_list):
            return None
        outside, self.keeps_fields = self.keeps_fields, False
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.body = self._body(node.body)
        self.keeps_fields = outside
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        names = {_last_name(each) for each in (*node.decorator_list, *node.bases)}
        outside, self.keeps_fields = self.keeps_fields, bool(names & ({"dataclass"} | FIELD_BASES))
        node.bases = [each.value if _is_parameterized(each) else each for each in node.bases]  # type: ignore[attr-defined]
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.body = self._body(node.body)
        self.keeps_fields = outside
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        value = self.visit(node.value) if node.value else None
        if self.keeps_fields and "ClassVar" not in ast.dump(node.annotation):
            node.annotation, node.value = ast.Name("object", ast.Load()), value
            return node
        return ast.Assign([node.target], value, lineno=0) if value else None

    def visit_If(self, node: ast.If) -> Any:
        if _last_name(node.test) in TYPES_ONLY or ast.unparse(node.test) == "__name__ == '__main__'":
            return self._body(node.orelse, empty=True) or None
        node.test = self.visit(node.test)
        node.body = self._body(node.body)
        node.orelse = self._body(node.orelse, empty=True)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        if isinstance(call, ast.Call) and _last_name(call.func) == "when_compiling":
            return None
        return None if isinstance(call, ast.Constant) else self.generic_visit(node)

    def _body(self, statements: Sequence[ast.stmt], empty: bool = False) -> list[Any]:
        found: list[Any] = []
        for statement in statements:
            made = self.visit(statement)
            found += made if isinstance(made, list) else [made] * (made is not None)
        return found if found or empty else [ast.Pass()]

    # ---- What Python 3.8 does not know

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        name = _last_name(node.func)
        if isinstance(node.func, ast.Name) and name == "cast":
            return node.args[1]
        if name == "isinstance":
            node.args[1] = _without_bars(node.args[1])
        if name == "zip":
            node.keywords = [each for each in node.keywords if each.arg != "strict"]
        if name == "dataclass":
            node.keywords = [each for each in node.keywords if each.arg != "slots"]
        if isinstance(node.func, ast.Attribute) and name in LATER_METHODS:
            arguments = ast.Tuple([node.func.value, *node.args], ast.Load())
            parameters = "self, other" if node.args else "self"
            function = ast.parse(f"lambda {parameters}: {LATER_METHODS[name]}", mode="eval").body
            return ast.Call(function, arguments.elts, [])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        if isinstance(node.op, ast.BitOr) and any(
            isinstance(n, ast.Dict | ast.DictComp) for n in (node.left, node.right)
        ):
            return ast.Dict([None, None], [node.left, node.right])
        return node

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str) and self.has_patterns:
            node.value = POSSESSIVE.sub(r"\1", node.value)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.level:
            node.module, node.level = imported_from(node, self.package), 0
        if node.module == FRONT_DOOR:
            return [ast.ImportFrom(MODULE_OF.get(each.name, FRONT_DOOR), [each], 0) for each in node.names]
        if node.module in ("typing", "__future__"):
            later = {"Self", "Unpack", "Never", "NotRequired", "TypeVarTuple", "assert_never", "override"}
            node.names = [each for each in node.names if each.name not in later and node.module == "typing"]
            return node if node.names else None
        places = {each: LATER_NAMES.get((node.module or "", each.name)) for each in node.names}
        made: list[ast.stmt] = [ast.parse(text).body[0] for text in places.values() if text]
        node.names = [each for each, text in places.items() if text is None]
        return [*([node] if node.names else []), *made]

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.generics:
            return node.value
        if isinstance(node.slice, ast.Tuple) and any(isinstance(each, ast.Starred) for each in node.slice.elts):
            items = ast.List(node.slice.elts, ast.Load())
            node.slice = ast.Call(ast.Name("tuple", ast.Load()), [items], [])
        return node


def _generics(tree: ast.Module) -> set[str]:
    """The types whose parameters are left out: not where a module uses such a name for something else."""
    found, others = {*BUILTIN_GENERICS}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in GENERIC_MODULES:
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            others.add(node.id)
        elif isinstance(node, ast.arg):
            others.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            others.add(node.name)
    return found - others


def _last_name(node: ast.AST) -> str:
    """The name that an expression ends with: `cache` of `functools.cache`, `dataclass` of `dataclass(frozen=True)`."""
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_parameterized(base: ast.expr) -> bool:
    return isinstance(base, ast.Subscript) and _last_name(base) != "Generic"


def _without_bars(types: ast.expr) -> ast.expr:
    """`A | B` as `(A, B)`."""
    if not isinstance(types, ast.BinOp) or not isinstance(types.op, ast.BitOr):
        return types
    left, right = _without_bars(types.left), _without_bars(types.right)
    return ast.Tuple([*(left.elts if isinstance(left, ast.Tuple) else [left]), right], ast.Load())
