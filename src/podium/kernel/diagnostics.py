"""Mistakes in kernels, as sentences that name the kernel, its file and the line."""

import ast
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel.records import name_of


class KernelError(PodiumError):
    """A mistake in a kernel; the sentence names it, with file and line."""


class MissingImplementationError(KernelError, LookupError):
    """A generic function was called for records that it has no implementation for."""

    def __init__(self, sentence: str, generic: str = "", place: str = "") -> None:
        super().__init__(f"{sentence}; called by {place}" if place else sentence)
        self.sentence, self.generic, self.place = sentence, generic, place


class UnknownFieldError(KernelError, LookupError):
    """A kernel uses a field that a record does not have."""


class NotCompiledError(KernelError, TypeError):
    """A kernel needs a compiled function, and there is a plain one, or none."""


def place_of(function: FunctionType, is_it: Callable[[ast.AST], bool] = lambda node: False) -> str:
    """A kernel with its file and line: that of the first node of its syntax tree that fits, else of its definition."""
    line = function.__code__.co_firstlineno
    found = [node for node in _nodes(function) if is_it(node)]
    if found:
        line = min(getattr(node, "lineno", line) for node in found)
    return f"{function.__module__}.{function.__qualname__} ({function.__code__.co_filename}, line {line})"


def _nodes(function: FunctionType) -> list[ast.AST]:
    """The syntax tree of a function with the line numbers of its file; nothing where the source is not known."""
    from textwrap import dedent

    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return []
    return list(ast.walk(ast.increment_lineno(tree, first - 1)))


def unknown_field(function: FunctionType, field: str, dtypes: dict[str, np.dtype[Any]]) -> UnknownFieldError | None:
    """The mistake of using a field that a record does not have; None if the kernel mentions no such field.

    `dtypes` are the record types of the kernel's arguments by name.
    """
    uses = [node for node in _nodes(function) if isinstance(node, ast.Attribute) and node.attr == field]
    if not uses:
        return None
    place = place_of(function, lambda node: isinstance(node, ast.Attribute) and node.attr == field)
    owners = {node.value.id for node in uses if isinstance(node.value, ast.Name)}
    lacking = {name: dtype for name, dtype in dtypes.items() if name in owners and field not in (dtype.names or ())}
    if not lacking:
        return UnknownFieldError(f"{place} uses the field {field!r}, which its record does not have")
    name, dtype = next(iter(lacking.items()))
    fields = dtype.names or ()
    from difflib import get_close_matches  # which a quick start does without

    close = get_close_matches(field, fields, 1)
    hint = f"did you mean {close[0]}?" if close else f"its fields are {', '.join(fields)}"
    return UnknownFieldError(f"{place} uses {name}.{field}, but {name_of(dtype)} has no such field; {hint}")


def located(error: MissingImplementationError, function: FunctionType) -> MissingImplementationError:
    """A missing implementation, with the kernel that calls the generic function."""
    if error.place:
        return error

    def is_call(node: ast.AST) -> bool:
        name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
        return bool(name) and name == error.generic

    return MissingImplementationError(error.sentence, error.generic, place_of(function, is_call))


def no_kernel(generic: str, implementation: Any) -> NotCompiledError:
    """The mistake of calling something from a kernel that is not compiled."""
    if isinstance(implementation, FunctionType):
        place = place_of(implementation)
        mistake = f"{place} is a plain Python function; put @kernel above it"
        return NotCompiledError(f"kernels cannot call {generic}() for these records: {mistake}")
    return NotCompiledError(f"{generic}() cannot use {implementation!r}: a function decorated with @kernel is needed")
