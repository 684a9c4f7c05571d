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
"""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import numpy as np

from podium.kernel.lazy import QUICK, compiler, when_compiling
from podium.kernel.ready import Ready
from podium.kernel.records import name_of, record_type_of, text_of

Name = tuple[str, str]  # of a function: module, name in it
F = TypeVar("F", bound=Callable[..., Any])

MOST_KNOWN = 256  # of a generic function: combinations of dtype objects whose implementation is remembered
# no_cfunc_wrapper: Python and kernels call kernels, C does not
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

# All implementations of generic functions: by the generic function, the record types and the implementation, where
# functions are known by module and name. The default of a generic function is an implementation for no types.
_registered: dict[Name, list[tuple[tuple[Any, ...], Name]]] = {}
_fingerprint = [""]  # of all that is registered


def implementations_of(function: Name, records: set[Any]) -> Iterator[Name]:
    """The implementations of a generic function for record types, and its default."""
    return (found for types, found in _registered.get(function, ()) if records.issuperset(types))


def registered() -> str:
    """A text that changes with whatever is registered."""
    return _fingerprint[0]


def _note(generic_function: Name, dtypes: tuple[np.dtype, ...], implementation: Any) -> None:
    found = (implementation.__module__, implementation.__name__)
    file = getattr(sys.modules[implementation.__module__], "__file__", "")  # working copies differ
    text = f"{_fingerprint[0]} {generic_function} {[*map(text_of, dtypes)]} {found} {file}"
    _fingerprint[0] = blake2b(text.encode(), digest_size=8).hexdigest()

    @when_compiling
    def tell() -> None:
        _registered.setdefault(generic_function, []).append((types_of(dtypes), found))


def types_of(dtypes: tuple[np.dtype, ...]) -> tuple[Any, ...]:
    """Record types as the compiler knows them."""
    import numba

    return tuple(numba.from_dtype(dtype) for dtype in dtypes)


_kernels: list[Any] = []  # all that are defined


def kernels_left() -> int:
    """How many kernels that are defined by now have been neither compiled nor loaded."""
    return sum(not dispatcher.overloads for dispatcher in _kernels)


def _kept(function: F, **options: Any) -> F:
    """Compile a function on first use; its compiled code is kept."""

    def dispatcher() -> Any:
        made = compiler().dispatcher(function, OPTIONS | options, implementations_of, registered, record_type_of)
        _kernels.append(made)
        return made

    if QUICK and function.__closure__ is None:
        return Ready(function, dispatcher, registered)  # type: ignore[return-value]
    return dispatcher()


def kernel(function: F) -> F:
    """Compile a function on first use and keep it in the cache. Kernels never raise: they return a status."""
    return _kept(function)


def inlined(function: F) -> F:
    """A kernel that is always made a part of its caller: for small steps of a hot loop that take many arrays, since
    an array is passed as seven words and a call with a dozen of them costs more than the step itself."""
    return _kept(function, forceinline=True)


class MissingImplementationError(LookupError):
    """A generic function was called for records that it has no implementation for."""


class GenericFunction(Protocol):
    """What `generic` makes of a declaration."""

    __name__: str

    def __call__(self, *arguments: Any) -> Any:
        """Call the implementation for the leading arguments' record types."""

    def register(self, *dtypes: np.dtype) -> Callable[[F], F]:
        """Decorate the implementation for these record types."""

    def otherwise(self, implementation: F) -> F:
        """Decorate the implementation for all record types without one of their own."""


def generic(by: int) -> Callable[[Callable[..., Any]], GenericFunction]:
    """Make a declaration generic: its first `by` arguments are records, whose types choose the implementation."""

    def decorate(declaration: Callable[..., Any]) -> GenericFunction:
        implementations: dict[tuple[Any, ...], Any] = {}
        own_name = (declaration.__module__, declaration.__name__)

        def find(types: tuple[Any, ...]) -> Any:
            found = implementations.get(types) or implementations.get(())
            if found is None:
                known = sorted({" with ".join(map(name_of, t)) for t in implementations if t})
                raise MissingImplementationError(
                    f"{declaration.__name__}() is not implemented for {' with '.join(map(name_of, types))}"
                    f" (it is for: {', '.join(known) or 'nothing yet'})"
                )
            return found

        # What was found, by the dtype objects themselves: hashing a dtype goes through all its fields. The dtypes are
        # kept with it, so that no other can come to have their ids.
        known: dict[tuple[int, ...], tuple[Any, tuple[Any, ...]]] = {}

        @wraps(declaration)
        def function(*arguments: Any) -> Any:
            dtypes = tuple([argument.dtype for argument in arguments[:by]])
            ids = tuple([id(dtype) for dtype in dtypes])
            if ids not in known:
                if len(known) == MOST_KNOWN:
                    known.clear()
                known[ids] = find(dtypes), dtypes
            return known[ids][0](*arguments)

        def register(*dtypes: np.dtype) -> Callable[[F], F]:
            if len(dtypes) != by:
                raise TypeError(f"{declaration.__name__}() is chosen by {by} record types, not {len(dtypes)}")

            def keep(implementation: F) -> F:
                other = implementations.get(dtypes)
                if other is not None and other.__qualname__ != implementation.__qualname__:
                    raise ValueError(
                        f"{declaration.__name__}() has two implementations for {' with '.join(map(name_of, dtypes))}:"
                        f" {other.__module__}.{other.__qualname__} and"
                        f" {implementation.__module__}.{implementation.__qualname__}"
                    )
                implementations[dtypes] = implementation
                known.clear()
                _note(own_name, dtypes, implementation)

                @when_compiling
                def tell() -> None:
                    implementations[types_of(dtypes)] = implementation

                return implementation

            return keep

        def otherwise(implementation: F) -> F:
            implementations[()] = implementation
            known.clear()
            _note(own_name, (), implementation)
            return implementation

        function.register = register  # type: ignore[attr-defined]
        function.otherwise = otherwise  # type: ignore[attr-defined]

        @when_compiling
        def tell_of_all() -> None:
            compiler().let_choose(function, lambda types: find(types[:by]))

        return function  # type: ignore[return-value]

    return decorate
