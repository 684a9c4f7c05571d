"""What the code of a packed bot depends on is settled. It takes the place of `podium.kernel.dependencies`."""

from typing import Any

UnknownValueError = TypeError


class NoDependencies:
    """Asked for only where kernels are compiled."""

    def __init__(self, function: Any) -> None:
        raise UnknownValueError(function)


Dependencies = NoDependencies


def is_kernel(value: Any) -> bool:
    """Whether a value is a compiled function."""
    return hasattr(value, "py_func")


def function_of(kernel: Any) -> Any:
    """The Python function that a kernel is compiled from."""
    return getattr(kernel, "py_func", kernel)
