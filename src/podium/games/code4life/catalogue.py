"""What never changes in Code 4 Life: modules, distances, the 90 kinds of samples, the projects.

Five small counts, one per molecule type, are packed into one 64-bit word with a byte each (type A in the lowest). One
addition or comparison then handles all five types: see `podium.games.code4life.packed_counts`.
"""

import csv

import numpy as np

from podium.model.package_data import package_data

TYPES = "ABCDE"
MODULES = ("START_POS", "SAMPLES", "DIAGNOSIS", "MOLECULES", "LABORATORY")
START_POS, SAMPLES, DIAGNOSIS, MOLECULES, LABORATORY = range(5)

PER_TYPE = 5  # molecules of each type in the game
CAPACITY = 10  # molecules that a robot can hold
TRAY = 3  # samples that a robot can carry
RANKS = 3
PROJECTS = 3  # in a game
PROJECT_POINTS = 50
ROUNDS = 200

# Rounds from module to module; a robot cannot go back to the start, and staying costs nothing.
DISTANCE = np.array(
    [[0, 2, 2, 2, 2], [2, 0, 3, 3, 3], [2, 3, 0, 3, 4], [2, 3, 3, 0, 3], [2, 3, 4, 3, 0]],
    dtype=np.int64,
)

# Kinds of samples: 0 .. 89 as in the data file, then one unknown kind for each rank, for samples that a player has not
# been told about.
SAMPLE_KINDS = 90
UNKNOWN = SAMPLE_KINDS  # UNKNOWN + rank - 1
ALL_KINDS = SAMPLE_KINDS + RANKS
UNKNOWN_COST = 100  # per type: more than anyone can ever have


def pack(counts: list[int]) -> int:
    """Five counts as one word with a byte each."""
    return sum(count << (8 * index) for index, count in enumerate(counts))


def unpack(word: int) -> list[int]:
    """The five counts of a packed word."""
    return list(int(word).to_bytes(8, "little")[: len(TYPES)])


def _rows(name: str) -> list[dict[str, str]]:
    with package_data("podium.games.code4life", name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_samples = _rows("samples.csv")

KIND_RANK = np.array([int(row["rank"]) for row in _samples] + [1, 2, 3], dtype=np.int64)
KIND_HEALTH = np.array([int(row["health"]) for row in _samples] + [0, 0, 0], dtype=np.int64)
KIND_GAIN = np.array([TYPES.index(row["gain"]) for row in _samples] + [0, 0, 0], dtype=np.int64)
KIND_COST = np.array(
    [pack([int(row[f"cost{letter}"]) for letter in TYPES]) for row in _samples]
    + [pack([UNKNOWN_COST] * len(TYPES))] * RANKS,
    dtype=np.uint64,
)
# The kinds of each rank are neighbours: rank r has POOL_SIZE[r - 1] of them, from POOL_START[r - 1] on.
POOL_SIZE = np.array([int(np.sum(KIND_RANK[:SAMPLE_KINDS] == rank)) for rank in (1, 2, 3)], dtype=np.int64)
POOL_START = np.array([0, POOL_SIZE[0], POOL_SIZE[0] + POOL_SIZE[1]], dtype=np.int64)

# The kind of a sample by its line in the prompt: rank, gain, health, costs.
KIND_BY_LINE = {
    (row["rank"], row["gain"], row["health"], *(row[f"cost{letter}"] for letter in TYPES)): kind
    for kind, row in enumerate(_samples)
}

PROJECT_LIST = [[int(row[letter]) for letter in TYPES] for row in _rows("projects.csv")]
