"""Generic functions: one name, one implementation per record type.

A search calls `play(state, move)`; the type of `state` chooses the rules. In compiled code the choice is made
while compiling and costs nothing at run time; from plain Python, and with the JIT off, it is made through a
dictionary. Unlike functions passed as arguments, closures or generated code, such calls are found again in the
cache by the next process.

    @generic(by=1)
    def play(state, move): "Play the move in place."

    @play.register(State)
    @kernel
    def nim_play(state, move): ...

Defining a kernel or registering an implementation again, as a cell of a notebook does, takes the place of the earlier
one everywhere: compiled code that calls it is forgotten, and compiled or loaded again when it is called.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from podium.kernel import aot
from podium.kernel.dependencies import function_of, is_kernel
from podium.kernel.diagnostics import MissingImplementationError, no_kernel
from podium.kernel.lazy import QUICK, compiler, is_imported, when_compiling
from podium.kernel.records import name_of, on_record_change, text_of

F = TypeVar("F", bound=Callable[..., Any])
Dtypes = tuple[np.dtype[Any], ...]

MOST_KNOWN = 256  # of a generic function: combinations of dtype objects whose implementation is remembered
# no_cfunc_wrapper: Python and kernels call kernels, C does not
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
NOTEBOOK = "__main__"

_defined: dict[tuple[str, str], FunctionType] = {}  # kernels by module and name
_redefinitions = [0]


# ---- Kernels


def kernel(function: F) -> F:
    """Compile a function on first use and store it in the cache. Kernels never raise: they return a status."""
    return _compiled(function)


def inlined(function: F) -> F:
    """A kernel that is made a part of each caller before types are found: for steps of a hot loop that take many
    arrays. An array is passed as seven words, so a call with a dozen of them costs more than the step itself, and
    compiling it apart costs more than compiling it with its caller."""
    return _compiled(function, inline="always")


def _compiled(function: F, **options: Any) -> F:
    python_function = cast(FunctionType, function)
    python_function.__module__ = python_function.__module__ or NOTEBOOK  # defined by code that no module holds
    options = {**OPTIONS, **options}

    def dispatcher() -> Any:
        return compiler().dispatcher(python_function, options)

    if QUICK and python_function.__closure__ is None:
        made: Any = aot.AotKernel(python_function, dispatcher, options)
    else:
        made = dispatcher()
    if made is python_function:
        made.__dict__["podium_kernel"] = True  # with the JIT off
    _note_definition(python_function)
    return cast(F, made)


def _note_definition(function: FunctionType) -> None:
    """Remember a kernel by its name; one that was there before under that name is replaced."""
    if "<locals>" in function.__qualname__:
        return
    place = function.__module__, function.__qualname__
    before, _defined[place] = _defined.get(place), function
    if before is not None:
        _replace(before)


def _replace(function: FunctionType) -> None:
    """Let everything that was compiled with a function be compiled again."""
    _redefinitions[0] += 1
    aot.forget_all()
    if is_imported():
        compiler().reset_users(function)


def refresh() -> None:
    """Let kernels be compiled again whose captured values have changed, such as a table that was filled anew.

    Numba freezes the globals that a kernel uses when it is first called. New definitions of kernels are noticed
    without this.
    """
    _redefinitions[0] += 1
    aot.forget_all()
    if is_imported():
        compiler().reset_changed()


def redefinitions() -> int:
    """A number that grows when a kernel, an implementation or a record is defined anew: what a search remembers of
    positions may then be wrong."""
    return _redefinitions[0]


def kernels_left() -> int:
    """How many kernels that are defined by now have been neither compiled nor loaded."""
    return int(compiler().kernels_left()) if is_imported() else 0


@on_record_change
def _forget_compiled_code() -> None:
    """Code compiled for a record must not run for another record that begins with the same fields."""
    _redefinitions[0] += 1
    aot.forget_all()
    if is_imported():
        compiler().reset_all()


# ---- Generic functions


class GenericFunction(Protocol):
    """What `generic` makes of a declaration."""

    __name__: str

    def __call__(self, *arguments: Any) -> Any:
        """Call the implementation for the leading arguments' record types."""

    def register(self, *dtypes: np.dtype[Any]) -> Callable[[F], F]:
        """Decorate the implementation for these record types, or for all with these as the first ones."""

    def otherwise(self, implementation: F) -> F:
        """Decorate the implementation for all record types without one of their own."""


class Implementations:
    """The implementations of one generic function, by the record types of its first arguments."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.all: dict[tuple[Any, ...], Any] = {}  # by dtypes, and by Numba's types; the default by ()
        self.texts: dict[tuple[str, ...], Any] = {}  # by the texts of the dtypes
        self.known: dict[tuple[int, ...], tuple[Any, Dtypes]] = {}  # what was found for dtype objects, by their ids

    def find(self, types: tuple[Any, ...]) -> Any:
        """The implementation for record types, NumPy's or Numba's."""
        for count in range(len(types), -1, -1):  # those for the first record types alone serve all others
            found = self.all.get(types[:count])
            if found is not None:
                break
        if found is None:
            known = sorted({" with ".join(map(name_of, types)) for types in self.all if types})
            raise MissingImplementationError(
                f"{self.name}() is not implemented for {' with '.join(map(name_of, types))}"
                f" (it is for: {', '.join(known) or 'nothing yet'})",
                self.name,
            )
        return found

    def find_kernel(self, types: tuple[Any, ...]) -> Any:
        """The implementation for record types, for compiled code: plain functions serve Python only."""
        found = self.find(types)
        if not is_kernel(found):
            raise no_kernel(self.name, found)
        return found

    def implementations_for(self, records: Iterable[str]) -> Iterator[Any]:
        """All implementations for record types with these texts, and the default."""
        met = {*records}
        return (found for texts, found in self.texts.items() if met.issuperset(texts))

    def register(self, dtypes: Dtypes, implementation: Any) -> None:
        """Take an implementation for record types, or the default for none, in the place of an earlier one."""
        if not callable(implementation):
            raise no_kernel(self.name, implementation)
        before = self.all.get(dtypes)
        default = next((self.all[dtypes[:n]] for n in range(len(dtypes) - 1, -1, -1) if dtypes[:n] in self.all), None)
        if before is not None:
            self._check_name(dtypes, before, implementation)
        self.all[dtypes] = self.texts[tuple(map(text_of, dtypes))] = implementation
        self.known.clear()
        if dtypes:
            when_compiling(lambda: self.all.update({types_of(dtypes): implementation}))
        replaced = before or default
        if replaced is not None and replaced is not implementation and self._is_compiled(dtypes):
            _replace(function_of(replaced))

    def _check_name(self, dtypes: Dtypes, before: Any, implementation: Any) -> None:
        """A second implementation of another name is a mistake, except in a notebook."""
        modules = {before.__module__, implementation.__module__}
        if before.__qualname__ != implementation.__qualname__ and modules != {NOTEBOOK}:
            records = " with ".join(map(name_of, dtypes)) or "all other records"
            names = [f"{one.__module__}.{one.__qualname__}" for one in (before, implementation)]
            raise ValueError(f"{self.name}() has two implementations for {records}: {' and '.join(names)}")

    def _is_compiled(self, dtypes: Dtypes) -> bool:
        """Whether some compiled kernel may have called this function for these record types."""
        if aot.is_used():
            return True
        return is_imported() and compiler().compiled_records.issuperset(map(text_of, dtypes))


def implementation_of(function: GenericFunction, *dtypes: np.dtype[Any]) -> Any:
    """What is registered for record types or the first of them, the default aside; None if nothing is."""
    implementations = cast(Any, function).podium_generic.all
    prefixes = (dtypes[:count] for count in range(len(dtypes), 0, -1))
    return next((implementations[prefix] for prefix in prefixes if prefix in implementations), None)


def types_of(dtypes: Dtypes) -> tuple[Any, ...]:
    """Record types as Numba knows them."""
    import numba

    return tuple(numba.from_dtype(dtype) for dtype in dtypes)


def generic(by: int) -> Callable[[Callable[..., Any]], GenericFunction]:
    """Make a declaration generic: its first `by` arguments are records, whose types choose the implementation."""

    def decorate(declaration: Callable[..., Any]) -> GenericFunction:
        implementations = Implementations(declaration.__name__)
        # What was found, by the dtype objects themselves: hashing a dtype goes through all its fields. The dtypes are
        # kept with it, so that no other can come to have their ids.
        known = implementations.known

        @wraps(declaration)
        def function(*arguments: Any) -> Any:
            dtypes = tuple([argument.dtype for argument in arguments[:by]])
            ids = tuple([id(dtype) for dtype in dtypes])
            if ids not in known:
                if len(known) == MOST_KNOWN:
                    known.clear()
                known[ids] = implementations.find(dtypes), dtypes
            return known[ids][0](*arguments)

        def register(*dtypes: np.dtype[Any]) -> Callable[[F], F]:
            if not 1 <= len(dtypes) <= by:
                raise TypeError(f"{declaration.__name__}() is chosen by {by} record types, not {len(dtypes)}")

            def decorate_implementation(implementation: F) -> F:
                implementations.register(dtypes, implementation)
                return implementation

            return decorate_implementation

        def otherwise(implementation: F) -> F:
            implementations.register((), implementation)
            return implementation

        made = cast(Any, function)
        made.register, made.otherwise, made.podium_generic = register, otherwise, implementations
        when_compiling(lambda: compiler().register_choice(made, lambda types: implementations.find_kernel(types[:by])))
        return cast(GenericFunction, made)

    return decorate
