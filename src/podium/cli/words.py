"""Numbers in sentences."""


def count(number: int, one: str, many: str = "") -> str:
    """So many of something: `1 game`, `2,000 games`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
