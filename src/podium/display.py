"""How results are displayed: as text, as plain rows, as a pandas DataFrame, and in a notebook.

A `Displayable` result has rows and a headline; everything else follows from them. Only `frame` needs pandas.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any

from podium.errors import PodiumError

Row = Mapping[str, Any]

CELL = "padding: 2px 10px; text-align: left"


class Displayable:
    """A result with rows and a headline, which prints itself as a table; a dataclass of it has `repr=False`."""

    @property
    @abstractmethod
    def headline(self) -> str:
        """The result in one sentence."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """The result as plain rows, all with the same columns."""

    def frame(self) -> Any:
        """The rows as a pandas DataFrame; PodiumError if pandas is not installed."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise PodiumError("a frame needs pandas: pip install pandas") from None
        return DataFrame(self.rows())

    def picture(self) -> str:
        """HTML that a notebook shows above the table; empty by default."""
        return ""

    def __str__(self) -> str:
        table = text_table(self.rows())
        return f"{table}\n{self.headline}" if table else self.headline

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"{self.picture()}{html_table(self.rows())}<p>{escape(self.headline)}</p>"


def cell(value: Any) -> str:
    """A value as text for a table."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {number}" for key, number in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(cell, value))
    return str(value)


def text_table(rows: Sequence[Row]) -> str:
    """Rows in columns of equal width."""
    if not rows:
        return ""
    lines = [list(rows[0]), *([cell(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def html_table(rows: Sequence[Row]) -> str:
    """Rows as a table for a notebook; all text is escaped."""
    if not rows:
        return ""
    head = "".join(f'<th style="{CELL}">{escape(column)}</th>' for column in rows[0])
    cells = [[f'<td style="{CELL}">{escape(cell(value))}</td>' for value in row.values()] for row in rows]
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
