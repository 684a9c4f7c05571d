"""Positions up to the 8 symmetries of the board."""

from collections.abc import Iterable

from podium.games.zuniq.board import INVERSES, NAMES, SYMMETRIES, WALLS


def turned(walls: Iterable[int], symmetry: int) -> list[int]:
    """Walls moved by a symmetry, in the order of their numbers."""
    return sorted(int(SYMMETRIES[symmetry][wall]) for wall in walls)


def canonical(walls: Iterable[int]) -> tuple[tuple[int, ...], int]:
    """The smallest of a set of walls' 8 images, and a symmetry that leads there."""
    drawn = list(walls)
    return min((tuple(turned(drawn, symmetry)), symmetry) for symmetry in range(8))


def back(wall: int, symmetry: int) -> int:
    """The wall that a symmetry moves to this one."""
    return int(INVERSES[symmetry][wall])


def orbits() -> list[list[int]]:
    """The walls in groups that the symmetries move among each other."""
    groups: dict[int, list[int]] = {}
    for wall in range(WALLS):
        groups.setdefault(int(SYMMETRIES[:, wall].min()), []).append(wall)
    return list(groups.values())


def names_of(walls: Iterable[int]) -> str:
    """The walls' names, separated by blanks."""
    return " ".join(NAMES[wall] for wall in walls)
