"""Copies of records, clock, bits, random numbers, hash table."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.kernel import JIT, allocate, kernel, record
from podium.kernel.bits import highest, lowest, popcount
from podium.kernel.clock import now
from podium.kernel.prefetch import prefetch
from podium.kernel.random import JavaRandom, draw_below, draw_unit, generator
from podium.kernel.table import ABSENT, clear, insert, lookup, new_table

Large = record("a large record", [("number", "i8"), ("rest", "u1", (700,))])


@kernel
def copy_one(records, source, target):
    records[target] = records[source]


@kernel
def copy_in_grid(grid):
    grid[0, -1] = grid[1, 0]


@kernel
def fill_row(grid):
    grid[0] = grid[1, 1]


@kernel
def compiled_popcount(bits):
    return popcount(bits)


@kernel
def compiled_lowest(bits):
    return lowest(bits)


@kernel
def compiled_highest(bits):
    return highest(bits)


@kernel
def compiled_now():
    return now()


def some_records(*shape):
    records = allocate(Large, *shape)
    records.number = np.arange(records.size).reshape(shape)
    records.rest[..., -1] = records.number
    return records


def test_a_record_is_copied_whole_and_alone():
    records, grid = some_records(4), some_records(2, 3)
    copy_one(records, 1, 3)
    assert records.number.tolist() == records.rest[:, -1].tolist() == [0, 1, 2, 1]
    copy_in_grid(grid)
    assert grid.number.tolist() == grid.rest[..., -1].tolist() == [[0, 1, 3], [3, 4, 5]]
    fill_row(grid)
    assert grid.number.tolist() == grid.rest[..., -1].tolist() == [[4, 4, 4], [3, 4, 5]]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_copy_of_a_record_has_fewer_instructions_than_bytes():
    copy_one(some_records(2), 0, 1)
    (compiled,) = copy_one.overloads.values()
    functions = compiled.library._get_module_for_linking().functions
    assert sum(1 for function in functions for block in function.blocks for _ in block.instructions) < 700


@given(st.integers(1, 2**64 - 1))
def test_bits(number):
    bits = np.uint64(number)
    assert popcount(bits) == compiled_popcount(bits) == bin(number).count("1")
    assert highest(bits) == compiled_highest(bits) == len(bin(number)) - len("0b1")
    assert lowest(bits) == compiled_lowest(bits) == len(bin(number)) - len(bin(number).rstrip("0"))


def test_the_clock_is_the_same_inside_and_outside():
    before = now()
    inside = compiled_now()
    assert before <= inside <= now()
    assert abs(now() - time.monotonic_ns()) < 10**9


def test_java_random():
    """First values of `new java.util.Random(42)`, as Java prints them."""
    assert [JavaRandom(42).next_int(10) for _ in range(1)] == [0]
    random = JavaRandom(42)
    assert [random.next_int() for _ in range(3)] == [-1170105035, 234785527, -1360544799]
    assert JavaRandom(0).next_double() == 0.730967787376657
    assert [JavaRandom(-1).next_int(), JavaRandom(2**48 - 1).next_int()] == [1155099827, 1155099827]


def test_java_shuffle():
    """The order that the rules of Code 4 Life give for the first shuffle of 40 with seed 1."""
    items = list(range(40))
    JavaRandom(1).shuffle(items)
    assert items[:10] == [38, 21, 23, 33, 35, 7, 32, 36, 15, 29]


def test_fast_random_numbers_are_spread_evenly():
    random = generator(7)
    draws = [draw_below(random, 10) for _ in range(20_000 if JIT else 2000)]
    counts = np.bincount(draws, minlength=10)
    assert counts.min() > 0.85 * len(draws) / 10
    assert counts.max() < 1.15 * len(draws) / 10
    assert 0 <= min(draw_unit(random) for _ in range(100)) < 0.5


def test_the_same_seed_gives_the_same_numbers():
    assert [draw_below(generator(3), 1000)] * 2 == [draw_below(generator(3), 1000) for _ in range(2)]
    assert draw_below(generator(3), 10**6) != draw_below(generator(4), 10**6)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 1000)), max_size=120))
def test_the_table_is_a_dictionary_until_it_is_full(items):
    table, twin = new_table(1024), {}
    for key, value in items:
        assert insert(table, np.uint64(key * 7919), value)
        twin[key] = value
    for key in range(201):
        assert lookup(table, np.uint64(key * 7919)) == twin.get(key, ABSENT)
    clear(table)
    assert lookup(table, np.uint64(0)) == ABSENT


def test_a_full_window_is_told():
    table = new_table(16)
    assert all(insert(table, np.uint64(key), key) for key in range(16))
    assert not insert(table, np.uint64(99), 1)
    assert lookup(table, np.uint64(5)) == 5


@kernel
def sum_with_prefetch(numbers, order):
    total = 0
    for place in order:
        prefetch(numbers, place + 1)
        total += numbers[place]
    return total


def test_prefetching_changes_nothing_even_outside_an_array():
    numbers = np.arange(1000)
    kept = numbers.copy()
    order = np.array([999, 0, 3, 998, 500])
    assert sum_with_prefetch(numbers, order) == 2500
    assert sum_with_prefetch(numbers, np.array([0, -2])) == 998  # prefetches the last element
    assert (numbers == kept).all()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_prefetching_is_an_instruction():
    sum_with_prefetch(np.arange(3), np.array([0, 1]))
    (compiled,) = sum_with_prefetch.overloads.values()
    assert "call void @llvm.prefetch" in str(compiled.library._get_module_for_linking())
