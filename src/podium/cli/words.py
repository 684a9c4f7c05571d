"""Numbers in sentences."""

from collections.abc import Mapping


def count(number: int, one: str, many: str = "") -> str:
    """So many of something: `1 game`, `2,000 games`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def words(counts: Mapping[str, int]) -> str:
    """Counts by word for a cell of a table."""
    return ", ".join(f"{word} {number:,}" for word, number in counts.items()) or "-"
