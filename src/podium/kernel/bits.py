"""Bit operations on 64-bit sets, each one machine instruction when compiled.

Literals in bit code are `np.uint64(...)`: Numba turns uint64 mixed with plain integers into float or int64.
"""

from typing import Any

import numpy as np

from podium.kernel.lazy import when_compiling

ONE = np.uint64(1)
EMPTY = np.uint64(0)


def popcount(bits: Any) -> Any:
    """How many bits are set."""
    return int(bits).bit_count()


def lowest(bits: Any) -> Any:
    """The index of the lowest set bit; the caller guarantees that there is one."""
    value = int(bits)
    return (value & -value).bit_length() - 1


def highest(bits: Any) -> Any:
    """The index of the highest set bit; the caller guarantees that there is one."""
    return int(bits).bit_length() - 1


@when_compiling
def register_bits() -> None:
    """How compiled code does the same."""
    from llvmlite import ir
    from numba import types

    from podium.kernel.numba_internals import intrinsic, overload

    @intrinsic()
    def _ctpop(typingctx: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), generate

    @intrinsic()
    def _cttz(typingctx: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # "zero is undefined" lets the compiler emit the bare instruction
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), generate

    @intrinsic()
    def _ctlz(typingctx: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), generate

    @overload(popcount, inline="always")
    def _popcount(bits: Any) -> Any:
        def implementation(bits: Any) -> Any:
            return np.int64(_ctpop(np.uint64(bits)))

        return implementation

    @overload(lowest, inline="always")
    def _lowest(bits: Any) -> Any:
        def implementation(bits: Any) -> Any:
            return np.int64(_cttz(np.uint64(bits)))

        return implementation

    @overload(highest, inline="always")
    def _highest(bits: Any) -> Any:
        def implementation(bits: Any) -> Any:
            return 63 - np.int64(_ctlz(np.uint64(bits)))

        return implementation
