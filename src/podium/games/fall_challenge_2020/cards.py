"""The cards of Fall Challenge 2020: 42 spells of the tome, 4 starting spells, 36 client orders, as tables for kernels.

Spells are numbered 0 .. 45: the tome's by their official ids 0 .. 41, then the four that both players start with.
Orders are numbered 0 .. 35: their official ids less 42. No player can own a spell twice, so a player's spells are a set
of bits.

There are only 1001 inventories of at most ten ingredients. Each has a rank, and tables by rank say which spells can be
cast how often from it and which orders it pays for (precomputed transitions: an idea of MartaStraszak's
contest bot). The rank is the combinatorial number system's: a sum of binomials of partial sums.
"""

import csv
from itertools import product
from math import comb

import numpy as np

from podium.model.package_data import package_data

TIERS = 4
CAPACITY = 10  # ingredients that fit into an inventory
TOME_SPELLS = 42
STARTING_SPELLS = 4
SPELLS = TOME_SPELLS + STARTING_SPELLS
ORDERS = 36
FIRST_ORDER_ID = 42
FIRST_STARTING_ID = 78  # of seat 0; seat 1 has the next four
FIRST_LEARNT_ID = 86
INVENTORIES = 1001
MOST_TIMES = 5  # no spell can be cast more often at once from an inventory that fits


def _table(name: str, *columns: str) -> list[list[float]]:
    with package_data("podium.games.fall_challenge_2020", name).open(encoding="utf-8", newline="") as file:
        return [[float(row[column]) for column in columns] for row in csv.DictReader(file)]


_DELTA = [f"delta{tier}" for tier in range(TIERS)]
_tome = _table("tome.csv", *_DELTA, "repeatable")
_starting = _table("starting_spells.csv", *_DELTA, "repeatable")
_orders = _table("orders.csv", *_DELTA, "price")

DELTAS = np.array([row[:TIERS] for row in _tome + _starting], dtype=np.int64)
DELTA_SUMS = DELTAS.sum(axis=1)
REPEATABLE = np.array([bool(row[TIERS]) for row in _tome + _starting])
ORDER_DELTAS = np.array([row[:TIERS] for row in _orders], dtype=np.int64)
PRICES = np.array([row[TIERS] for row in _orders], dtype=np.int64)

REPEATABLE_BITS = np.uint64(sum(1 << spell for spell in range(SPELLS) if REPEATABLE[spell]))
STARTING_BITS = np.uint64(sum(1 << spell for spell in range(TOME_SPELLS, SPELLS)))

SPELL_BY_DELTAS = {tuple(deltas): spell for spell, deltas in enumerate(DELTAS.tolist())}

# Average rupees over 22 turns that pb4 measured for each spell, in this module's numbering.
_values = [value for (value,) in _table("spell_values.csv", "value")]
SPELL_VALUES = np.array(_values[STARTING_SPELLS:] + _values[:STARTING_SPELLS])

# rank = BINOMIAL_4[all] + BINOMIAL_3[first three] + BINOMIAL_2[first two] + first
BINOMIAL_4 = np.array([comb(total + 3, 4) for total in range(CAPACITY + 1)], dtype=np.int64)
BINOMIAL_3 = np.array([comb(total + 2, 3) for total in range(CAPACITY + 1)], dtype=np.int64)
BINOMIAL_2 = np.array([comb(total + 1, 2) for total in range(CAPACITY + 1)], dtype=np.int64)


def rank_of(inventory: tuple[int, ...]) -> int:
    """The rank of an inventory that fits, 0 .. 1000."""
    a, b, c, d = inventory
    return int(BINOMIAL_4[a + b + c + d] + BINOMIAL_3[a + b + c] + BINOMIAL_2[a + b] + a)


def _tables_by_rank() -> tuple[np.ndarray, np.ndarray]:
    """The spells that can be cast 1 .. 5 times, and the orders that can be paid for, from each inventory."""
    inventories = np.zeros((INVENTORIES, TIERS), np.int64)
    for inventory in product(range(CAPACITY + 1), repeat=TIERS):
        if sum(inventory) <= CAPACITY:
            inventories[rank_of(inventory)] = inventory
    castable = np.zeros((INVENTORIES, MOST_TIMES), np.uint64)
    for times, spell in product(range(1, MOST_TIMES + 1), range(SPELLS)):
        if times == 1 or REPEATABLE[spell]:
            after = inventories + times * DELTAS[spell]
            fits = (after >= 0).all(axis=1) & (after.sum(axis=1) <= CAPACITY)
            castable[:, times - 1] |= np.where(fits, np.uint64(1 << spell), np.uint64(0))
    payable = np.zeros(INVENTORIES, np.uint64)
    for order in range(ORDERS):
        fits = (inventories + ORDER_DELTAS[order] >= 0).all(axis=1)
        payable |= np.where(fits, np.uint64(1 << order), np.uint64(0))
    return castable, payable


CASTABLE, PAYABLE = _tables_by_rank()
