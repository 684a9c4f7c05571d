"""A packed bot has no compiler. It takes the place of `podium.kernel.lazy`."""

from typing import Any

QUICK = True


class NoCompiler:
    """Leaves a kernel that captures values in Python: machine code that calls it has it inside."""

    @staticmethod
    def dispatcher(function: Any, options: Any) -> Any:
        """The kernel of a function."""
        from podium.kernel.aot import AotKernel

        return AotKernel(function, None, options)  # type: ignore[arg-type]  # of a packed bot, which compiles nothing


def compiler() -> type[NoCompiler]:
    """What makes kernels that are not made when their module is imported."""
    return NoCompiler


def is_imported() -> bool:
    """There is no compiler."""
    return False


def extensions_of(module: str) -> tuple[()]:
    """Nothing is registered with a compiler."""
    return ()
