"""Kernels that only borrow arrays count no references; what allocates or returns memory is counted as ever."""

import gc
from sys import getrefcount
from typing import Any

import numpy as np
import pytest

from podium.kernel import kernel
from podium.kernel.numba_internals import linked_module

pytestmark = pytest.mark.compiled


@kernel
def total(values: Any) -> int:
    found = 0
    for value in values:
        found += value
    return found


@kernel
def upper_half(values: Any) -> Any:
    """A view from the middle on; long enough to be called instead of being made a part of its callers."""
    first, last = values[0], values[0]
    for value in values:
        first, last = min(first, value), max(last, value)
    for value in values[::2]:
        first = first * 31 % 1_000_003 + value // 7
    for value in values[1::2]:
        last = last * 37 % 1_000_033 + value // 5
    if first == -last - 1:
        return values[:0]
    return values[len(values) // 2 :]


@kernel
def total_of_upper_half(values: Any) -> int:
    return total(upper_half(values)) + 2 * total(upper_half(upper_half(values)))


@kernel
def squares(count: int) -> Any:
    made = np.zeros(count, np.int64)
    for i in range(count):
        made[i] = i * i
    return made


@kernel
def sums_of_squares(rounds: int, count: int) -> int:
    found = 0
    for _ in range(rounds):
        made = squares(count)
        found += total_of_upper_half(made) - total(upper_half(upper_half(made)))
    return found


@kernel
def passed_on(values: Any) -> Any:
    return values


def allocations() -> int:
    """How many arrays kernels have allocated and not freed yet, counted since the first call."""
    from numba.core.runtime import _nrt_python as runtime

    runtime.memsys_enable_stats()
    gc.collect()
    allocated: int = runtime.memsys_get_stats_mi_alloc()
    return allocated - int(runtime.memsys_get_stats_mi_free())


def code_of(made: Any) -> str:
    """The LLVM code of a kernel that was called."""
    dispatcher = getattr(made, "dispatcher", made)
    (version,) = dispatcher.overloads.values()
    return str(linked_module(version))


def test_a_kernel_that_borrows_counts_nothing() -> None:
    def own_total(values: Any) -> int:
        return total(values)

    summed = kernel(own_total)
    values = np.arange(10)
    references = getrefcount(values)
    assert summed(values) == 45
    assert getrefcount(values) == references
    assert "NRT_incref" not in code_of(summed)
    assert "NRT_decref" not in code_of(summed)


def test_a_view_returned_to_python_keeps_its_memory_alive() -> None:
    values = np.arange(1_000_000)
    view = upper_half(values)
    del values
    gc.collect()
    other = np.full(1_000_000, -1)  # would take memory that was freed
    assert view[0] == 500_000
    assert view[-1] == 999_999
    assert other[0] == -1


def test_an_array_returned_to_python_is_the_argument() -> None:
    values = np.arange(3)
    references = getrefcount(values)
    found = passed_on(values)
    assert found is values
    del found
    assert getrefcount(values) == references


def test_memory_of_kernels_is_freed_once() -> None:
    values = np.arange(8)
    (
        total(values),
        total_of_upper_half(values),
    )  # compiled for Python before they are linked into a kernel that allocates
    expected = sum(i * i for i in range(50, 100)) + sum(i * i for i in range(75, 100))
    assert sums_of_squares(1, 100) == expected
    held = allocations()
    assert sums_of_squares(1_000, 100) == 1_000 * expected
    assert allocations() == held


def test_an_allocated_array_returned_to_python_is_freed() -> None:
    squares(3)
    held = allocations()
    made = [squares(100) for _ in range(50)]
    assert allocations() == held + 50
    assert all(array[99] == 99 * 99 for array in made)
    del made
    assert allocations() == held
