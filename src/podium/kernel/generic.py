"""Generic functions: one name, one implementation per record type.

A search calls `play(state, move)`; the type of `state` chooses the rules. In compiled code the choice is made
while compiling, through Numba's `overload`, and costs nothing at run time; from plain Python, and with the JIT
off, it is made through a dictionary. Unlike functions passed as arguments, closures or generated code, such
calls are found again in Numba's cache by the next process.

    @generic(by=1)
    def play(state, move): "Play the move in place."

    @play.register(State)
    @kernel
    def nim_play(state, move): ...
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar

import numba
import numpy as np
from numba import config, njit
from numba.extending import overload

from podium.kernel.records import name_of

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a function on first use and keep it in the cache. Kernels never raise: they return a status."""
    return njit(**OPTIONS)(function)


def inlined(function: F) -> F:
    """A kernel that is always made a part of its caller: for small steps of a hot loop that take many arrays, since
    an array is passed as seven words and a call with a dozen of them costs more than the step itself."""
    return njit(forceinline=True, **OPTIONS)(function)


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

        def find(types: tuple[Any, ...]) -> Any:
            found = implementations.get(types) or implementations.get(())
            if found is None:
                known = sorted({" with ".join(map(name_of, t)) for t in implementations if t})
                raise MissingImplementationError(
                    f"{declaration.__name__}() is not implemented for {' with '.join(map(name_of, types))}"
                    f" (it is for: {', '.join(known) or 'nothing yet'})"
                )
            return found

        @wraps(declaration)
        def function(*arguments: Any) -> Any:
            return find(tuple(argument.dtype for argument in arguments[:by]))(*arguments)

        def register(*dtypes: np.dtype) -> Callable[[F], F]:
            if len(dtypes) != by:
                raise TypeError(f"{declaration.__name__}() is chosen by {by} record types, not {len(dtypes)}")

            def keep(implementation: F) -> F:
                implementations[dtypes] = implementation
                implementations[tuple(numba.from_dtype(dtype) for dtype in dtypes)] = implementation
                return implementation

            return keep

        def otherwise(implementation: F) -> F:
            implementations[()] = implementation
            return implementation

        function.register = register  # type: ignore[attr-defined]
        function.otherwise = otherwise  # type: ignore[attr-defined]

        if not config.DISABLE_JIT:
            # strict=False: the chooser takes *arguments, the implementations name theirs. The caller's cache holds
            # the call; a cache entry of its own would shadow the implementation's, and lack its Python entry point.
            @overload(function, strict=False, jit_options={**OPTIONS, "cache": False})
            def choose(*arguments: Any) -> Any:
                found = find(tuple(arguments[:by]))

                def call(*arguments: Any) -> Any:
                    return found(*arguments)

                return call

        return function  # type: ignore[return-value]

    return decorate
