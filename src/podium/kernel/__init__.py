"""Compiled code: records, kernels, generic functions, the cache, clock, random numbers, bits, hash tables.

The package itself is the decorator, too: `@podium.kernel` is `@podium.kernel.kernel`.

>>> @podium.kernel
... def parity(plies):
...     return 1.0 if plies % 2 == 0 else -1.0
>>> parity(3)
-1.0
"""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from podium.kernel.lazy import QUICK

if QUICK:
    JIT = True
else:
    from numba import config

    JIT = not config.DISABLE_JIT

if not JIT:
    np.seterr(over="ignore")  # 64-bit arithmetic wraps around, as it does in compiled code

from podium.kernel.diagnostics import KernelError, MissingImplementationError, UnknownFieldError
from podium.kernel.generic import generic, inlined, kernel, refresh
from podium.kernel.records import allocate, blank, copy_of, record

F = TypeVar("F", bound=Callable[..., Any])


class KernelPackage(ModuleType):
    """This package as a decorator."""

    def __call__(self, function: F) -> F:
        """Compile a function, as `kernel` does."""
        return kernel(function)


sys.modules[__name__].__class__ = KernelPackage

__all__ = [
    "JIT",
    "KernelError",
    "MissingImplementationError",
    "UnknownFieldError",
    "allocate",
    "blank",
    "copy_of",
    "generic",
    "inlined",
    "kernel",
    "record",
    "refresh",
]
