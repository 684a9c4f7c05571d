"""Arrays on the stack, for the time of one call: for kernels that must not allocate memory."""

from typing import Any

import numpy as np

from podium.kernel.lazy import when_compiling
from podium.kernel.records import allocate

ALIGNMENT = 16  # bytes; enough for every field of a record


def on_stack(count: Any, dtype: Any) -> Any:
    """An uninitialized array of `count` elements, which must be a constant: a stack has a few megabytes.

    It is valid until the kernel that asked for it returns, and must neither be returned nor stored anywhere.
    """
    return allocate(dtype, count) if np.dtype(dtype).names else np.empty(count, dtype)


@when_compiling
def register_on_stack() -> None:
    """How compiled code does it."""
    from numba import types

    from podium.kernel.numba_internals import intrinsic, overload, stack_array

    @intrinsic(prefer_literal=True)
    def _on_stack(typingctx: Any, count: Any, dtype: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None
        kind = types.Array(dtype.dtype, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return stack_array(context, builder, kind, count.literal_value, ALIGNMENT)

        return kind(count, dtype), generate

    # inlined, so that the array lives as long as the call of the kernel itself
    @overload(on_stack, inline="always")
    def _on_stack_of_caller(count: Any, dtype: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None

        def implementation(count: Any, dtype: Any) -> Any:
            return _on_stack(count, dtype)

        return implementation
