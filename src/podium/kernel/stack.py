"""Arrays for the time of one call, on the stack: a kernel that needs room now and then need not allocate it."""

from typing import Any

import numpy as np

from podium.kernel.lazy import when_compiling
from podium.kernel.records import allocate

ALIGNMENT = 16  # bytes; enough for every field of a record


def on_stack(count: Any, dtype: Any) -> Any:
    """An array of so many elements (a constant, and not many: a stack has a few megabytes), with anything in it.

    It ends with the call of the kernel that asked for it, which must not return it nor keep it anywhere.
    """
    return allocate(dtype, count) if np.dtype(dtype).names else np.empty(count, dtype)


@when_compiling
def tell_of_the_stack() -> None:
    """How compiled code does it."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload
    from numba.np.arrayobj import make_array, populate_array

    @intrinsic(prefer_literal=True)
    def _on_stack(typingctx: Any, count: Any, dtype: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None
        kind = types.Array(dtype.dtype, 1, "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            element = context.get_data_type(kind.dtype)
            memory = cgutils.alloca_once(builder, element, size=count.literal_value)
            memory.align = ALIGNMENT
            array = make_array(kind)(context, builder)
            size = context.get_constant(types.intp, context.get_abi_sizeof(element))
            populate_array(
                array,
                data=builder.bitcast(memory, array.data.type),
                shape=[context.get_constant(types.intp, count.literal_value)],
                strides=[size],
                itemsize=size,
                meminfo=None,  # nobody has to free it
            )
            return array._getvalue()

        return kind(count, dtype), generate

    # inlined, so that the array lives as long as the call of the kernel itself
    @overload(on_stack, inline="always")
    def _on_stack_of_caller(count: Any, dtype: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None

        def implementation(count: Any, dtype: Any) -> Any:
            return _on_stack(count, dtype)

        return implementation
