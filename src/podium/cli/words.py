"""Numbers and tables for people."""

from collections.abc import Collection

from rich import box
from rich.table import Table


def count(number: int, one: str, many: str = "") -> str:
    """So many of something: `1 game`, `2,000 games`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def plain_table(*titles: str, words: Collection[str] = ()) -> Table:
    """A table that fits: the columns of words (the first one with a title unless others are named) are folded where
    they must, never cut, and those of numbers keep to the right.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    text = words or [next(title for title in titles if title)]
    for title in titles:
        if title in text:
            table.add_column(title, overflow="fold", min_width=min(10, max(map(len, title.split()))))
        else:
            table.add_column(title, justify="right", no_wrap=" " not in title, overflow="fold")
    return table
