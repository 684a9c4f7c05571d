"""What compiled code is made of: records, generic functions, clock, random numbers, bits, hash tables."""

import numpy as np

from podium.kernel.lazy import QUICK

if QUICK:
    JIT = True
else:
    from numba import config

    JIT = not config.DISABLE_JIT

if not JIT:
    np.seterr(over="ignore")  # 64-bit arithmetic wraps around, as it does in compiled code

from podium.kernel.generic import MissingImplementationError, generic, inlined, kernel
from podium.kernel.records import allocate, blank, record

__all__ = ["JIT", "MissingImplementationError", "allocate", "blank", "generic", "inlined", "kernel", "record"]
