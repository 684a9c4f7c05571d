"""Asking for memory before it is needed, so that a search does not wait for a table that is larger than the caches."""

from typing import Any

from podium.kernel.lazy import when_compiling


def prefetch(array: Any, index: Any) -> None:
    """Bring an element of an array with one dimension into the caches; nothing else happens. The index is not checked.

    Useful where some tens of nanoseconds of other work lie between: reading from main memory takes about 100.
    """


@when_compiling
def register_prefetch() -> None:
    """How compiled code does it."""
    from llvmlite import ir
    from numba import types

    from podium.kernel.numba_internals import element_address, intrinsic, overload

    @intrinsic()
    def _prefetch(typingctx: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = element_address(context, builder, signature.args[0], *args)
            number = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
            function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
            for_reading, all_caches, data = (ir.Constant(number, value) for value in (0, 3, 1))
            builder.call(function, [address, for_reading, all_caches, data])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

    @overload(prefetch, inline="always")
    def _prefetch_of(array: Any, index: Any) -> Any:
        def implementation(array: Any, index: Any) -> None:
            _prefetch(array, index)

        return implementation
