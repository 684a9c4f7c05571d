"""Random numbers: a fast generator for searches, and Java's for the set-ups of official referees.

Both keep their state in a `uint64` array of length 1 that the caller owns and seeds, so everything random is
reproducible, also inside kernels. The fast one is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", 2014): any seed is good, and a draw takes about 2 ns. Java's is the 48-bit linear
congruential generator that the documentation of `java.util.Random` specifies.
"""

from typing import Any, TypeVar

import numpy as np

from podium.kernel.generic import kernel

T = TypeVar("T")

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
SHIFT_32, SHIFT_11 = np.uint64(32), np.uint64(11)

JAVA_MULTIPLIER = np.uint64(0x5DEECE66D)
JAVA_INCREMENT = np.uint64(0xB)
JAVA_MASK = np.uint64((1 << 48) - 1)


def generator(seed: int) -> np.ndarray:
    """The state of a fast generator."""
    return np.array([seed & (2**64 - 1)], dtype=np.uint64)


@kernel
def mix(bits: Any) -> Any:
    """Scramble 64 bits: a bijection whose outputs look independent (the finaliser of SplitMix64)."""
    bits = (bits ^ (bits >> SHIFT_30)) * MIX_1
    bits = (bits ^ (bits >> SHIFT_27)) * MIX_2
    return bits ^ (bits >> SHIFT_31)


@kernel
def draw(random: Any) -> Any:
    """Draw 64 random bits."""
    random[0] += GOLDEN
    return mix(random[0])


@kernel
def draw_below(random: Any, bound: int) -> Any:
    """A random integer in 0 .. bound - 1, for 0 < bound < 2^31 (bias below bound / 2^32)."""
    return np.int64(((draw(random) >> SHIFT_32) * np.uint64(bound)) >> SHIFT_32)


@kernel
def draw_unit(random: Any) -> Any:
    """A random float in [0, 1)."""
    return np.float64(draw(random) >> SHIFT_11) * (1.0 / 9007199254740992.0)


def java_generator(seed: int) -> np.ndarray:
    """The state of `new java.util.Random(seed)`; a negative seed is taken in two's complement."""
    return np.array([(seed ^ int(JAVA_MULTIPLIER)) & int(JAVA_MASK)], dtype=np.uint64)


@kernel
def java_next(random: Any, bits: int) -> Any:
    """The top `bits` bits of the next state, not negative."""
    random[0] = (random[0] * JAVA_MULTIPLIER + JAVA_INCREMENT) & JAVA_MASK
    return np.int64(random[0] >> np.uint64(48 - bits))


@kernel
def java_int(random: Any) -> Any:
    """`nextInt()`: a signed 32-bit integer."""
    value = java_next(random, 32)
    return value - (1 << 32) if value >= (1 << 31) else value


@kernel
def java_below(random: Any, bound: int) -> Any:
    """`nextInt(bound)`, for 0 < bound < 2^31."""
    if bound & (bound - 1) == 0:
        return (bound * java_next(random, 31)) >> 31
    while True:
        bits = java_next(random, 31)
        value = bits % bound
        if bits - value + (bound - 1) < (1 << 31):
            return value


@kernel
def java_double(random: Any) -> Any:
    """`nextDouble()`: a float in [0, 1)."""
    high = java_next(random, 26)
    return ((high << 27) + java_next(random, 27)) * (1.0 / (1 << 53))


class JavaRandom:
    """`java.util.Random` for set-ups written in plain Python."""

    def __init__(self, seed: int) -> None:
        self.state = java_generator(seed)

    def next_int(self, bound: int | None = None) -> int:
        """`nextInt()` or `nextInt(bound)`."""
        if bound is None:
            return int(java_int(self.state))
        if not 0 < bound < 2**31:
            raise ValueError(f"nextInt needs a bound in 1 .. 2^31 - 1, not {bound}")
        return int(java_below(self.state, bound))

    def next_double(self) -> float:
        """Java's `nextDouble()`."""
        return float(java_double(self.state))

    def shuffle(self, items: list[T]) -> None:
        """`Collections.shuffle(items, this)`, in place."""
        for size in range(len(items), 1, -1):
            other = self.next_int(size)
            items[size - 1], items[other] = items[other], items[size - 1]
