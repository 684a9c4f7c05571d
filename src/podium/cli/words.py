"""Numbers in sentences."""

from collections.abc import Mapping

from podium.arena.statistics import elo


def count(number: int, one: str, many: str = "") -> str:
    """So many of something: `1 game`, `2,000 games`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def elo_words(difference: float, digits: int = 1) -> str:
    """An Elo difference; where a score reaches the end of its scale it is infinite."""
    if abs(difference) >= elo(1.0):
        return "+∞" if difference > 0 else "-∞"
    return f"{difference:+z.{digits}f}"


def words(counts: Mapping[str, int]) -> str:
    """Counts by word for a cell of a table."""
    return ", ".join(f"{word} {number:,}" for word, number in counts.items()) or "-"
