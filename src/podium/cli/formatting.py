"""Tables, counts and numbers on the terminal: what a user has to type is never cut, and no number has an exponent."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from podium.arena.game.sentences import name_of
from podium.arena.stats.intervals import elo

DECIDED = 1e6  # evaluations from here on mean a won game, in whatever unit a bot has
LEAST = 6  # minimal width of a column in characters
NAME = 20  # characters of a typed cell that stay together before words in other columns are broken
WORD = 20  # characters of a word that stay together while there is room
BARS, UNKNOWN = "▁▂▃▄▅▆▇█", "·"
TIMES = ("mean ms", "p99 ms", "max ms")  # headers of the times of answers
BORDER = 3  # characters that a column takes besides its own: two of padding and a line


class Sheet(Table):
    """A table that fits the terminal: long cells are wrapped, nothing is cut.

    The columns `typed` hold what a user has to type; they are wrapped last.
    """

    def __init__(self, *headers: str, typed: Collection[str] = (), **options: Any) -> None:
        super().__init__(**options)
        self._typed: list[bool] = []
        self._widest: list[int] = []  # line of each column
        self._word: list[int] = []  # the longest of each column
        for header in headers:
            self.column(header, typed=header in typed)

    def column(self, header: str, typed: bool = False, **options: Any) -> None:
        """Add a column to the sheet."""
        self.add_column(header, overflow="fold", **options)
        self._typed.append(typed)
        self._widest.append(cell_len(header))
        self._word.append(_longest_word(header))

    def add_row(self, *cells: Any, **options: Any) -> None:
        """Add a row of texts."""
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
        """The widths of the columns: the widest are narrowed first until all fit, typed ones last."""
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
    """A sparkline of values between two bounds; values beyond are clipped, unknown ones are dots."""
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    heights = (None if value is None else (min(max(value, low), high) - low) * scale for value in values)
    return "".join(UNKNOWN if height is None else BARS[round(height)] for height in heights)


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)


def evaluation_text(value: float) -> str:
    """An evaluation with about three digits; won or lost where it means that."""
    size = abs(value)
    if size >= DECIDED:
        return "won" if value > 0 else "lost"
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def count(number: int, one: str, many: str = "") -> str:
    """A count with its noun: `1 game`, `2,000 games`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def elo_text(difference: float, digits: int = 1) -> str:
    """An Elo difference; infinite where a score is at the end of its scale."""
    if abs(difference) >= elo(1.0):
        return "+∞" if difference > 0 else "-∞"
    return f"{difference:+z.{digits}f}"


def counts_text(counts: Mapping[str, int]) -> str:
    """Counts by code for a cell of a table: `late 2, illegal 1`."""
    return ", ".join(f"{name_of(code)} {number:,}" for code, number in counts.items()) or "-"


def duration(seconds: float | None) -> str:
    """A duration in seconds, minutes or hours; `?` where it is unknown."""
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
