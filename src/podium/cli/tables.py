"""Tables and numbers for people: what a user has to type is never cut, and no number needs an exponent."""

from collections.abc import Collection, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

DECIDED = 1e6  # values that mean a won or a lost game, whatever a bot counts in
LEAST = 6  # characters of a column at least, however narrow the terminal is
NAME = 20  # characters of what is typed that stay together before words elsewhere are broken
WORD = 20  # characters of a word that are kept together while there is room
BARS, UNKNOWN = "▁▂▃▄▅▆▇█", "·"
BORDER = 3  # characters that a column takes besides its own: two of padding and a line


class Sheet(Table):
    """A table that fits: cells go on in the next line where they are too long, and nothing is cut.

    The columns `typed` hold what a user has to type; they give way last.
    """

    def __init__(self, *headers: str, typed: Collection[str] = (), **options: Any) -> None:
        super().__init__(**options)
        self._typed: list[bool] = []
        self._widest: list[int] = []  # line of each column
        self._word: list[int] = []  # the longest of each column
        for header in headers:
            self.column(header, typed=header in typed)

    def column(self, header: str, typed: bool = False, **options: Any) -> None:
        """One more column."""
        self.add_column(header, overflow="fold", **options)
        self._typed.append(typed)
        self._widest.append(cell_len(header))
        self._word.append(_longest_word(header))

    def add_row(self, *cells: Any, **options: Any) -> None:
        """A row of texts."""
        super().add_row(*cells, **options)
        for index, cell in enumerate(cells):
            text = cell.plain if isinstance(cell, Text) else str(cell)
            lines = text.splitlines() or [""]
            self._widest[index] = max(self._widest[index], *map(cell_len, lines))
            self._word[index] = max(self._word[index], _longest_word(text))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for column, width in zip(self.columns, self._widths(options.max_width), strict=True):
            column.width = width
        yield from super().__rich_console__(console, options)

    def _widths(self, room: int) -> list[int]:
        """As wide as they want; where that is too much, the widest gives way first, what is typed last of all."""
        widths = list(self._widest)
        available = room - BORDER * len(widths) - 1
        places = range(len(widths))
        words = [max(LEAST, min(self._word[i], WORD)) for i in places]
        for floors in (
            [self._widest[i] if self._typed[i] else words[i] for i in places],
            [min(self._widest[i], NAME) if self._typed[i] else words[i] for i in places],
            [LEAST for _ in places],
        ):
            while sum(widths) > available:
                give = [i for i in places if widths[i] > floors[i]]
                if not give:
                    break
                widths[max(give, key=lambda i: widths[i])] -= 1
        return widths


def bars(values: Sequence[float | None], low: float, high: float) -> str:
    """A row of bars, as tall as values lie between two bounds; what lies beyond is cut off, what is unknown a dot."""
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    heights = (None if value is None else (min(max(value, low), high) - low) * scale for value in values)
    return "".join(UNKNOWN if height is None else BARS[round(height)] for height in heights)


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


def number(value: float) -> str:
    """A value with as many digits as people want: three, and never an exponent."""
    size = abs(value)
    if size >= DECIDED:
        return "won" if value > 0 else "lost"
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"
