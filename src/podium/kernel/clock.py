"""One monotonic clock for Python and for kernels, in nanoseconds.

Kernels read the clock themselves (30 to 70 ns each time); Python's `time` module is not available inside them.
"""

import time
from typing import Any

from podium.kernel.lazy import when_compiling

CLOCK = time.CLOCK_MONOTONIC
NEVER = 2**63 - 1  # a deadline that is never reached

# Units of time, in nanoseconds.
MICROSECOND = 1_000
MILLISECOND = 1_000_000
SECOND = 1_000_000_000


def now() -> int:
    """The monotonic time in nanoseconds."""
    return time.clock_gettime_ns(CLOCK)


@when_compiling
def register_clock() -> None:
    """How compiled code reads the same clock."""
    from llvmlite import ir
    from numba import types

    from podium.kernel.numba_internals import intrinsic, overload

    @intrinsic()
    def _clock_gettime(typingctx: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            integer, long = ir.IntType(32), ir.IntType(64)
            timespec = ir.LiteralStructType([long, long])
            where = builder.alloca(timespec)
            signature_type = ir.FunctionType(integer, [integer, timespec.as_pointer()])
            function = builder.module.globals.get("clock_gettime") or ir.Function(
                builder.module, signature_type, "clock_gettime"
            )
            builder.call(function, [ir.Constant(integer, CLOCK), where])
            seconds, nanoseconds = (
                builder.load(builder.gep(where, [ir.Constant(integer, 0), ir.Constant(integer, field)]))
                for field in (0, 1)
            )
            return builder.add(builder.mul(seconds, ir.Constant(long, SECOND)), nanoseconds)

        return types.int64(), generate

    @overload(now)
    def _now() -> Any:
        def implementation() -> Any:
            return _clock_gettime()

        return implementation
