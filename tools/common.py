"""What the tools share: options, tables, JSON."""

import argparse
from collections.abc import Iterable, Sequence

from podium.cli.console import console
from podium.cli.formatting import Sheet


def parser(doc: str | None, seconds: float, unit: str) -> argparse.ArgumentParser:
    """A parser with the options of all tools; `unit` is what `--seconds` limits."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--seconds", type=float, default=seconds, help=f"{unit} (default: {seconds:g})")
    made.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return made


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table; the first column is wrapped last."""
    table = Sheet(*columns, typed=columns[:1], title=title or None)
    for row in rows:
        table.add_row(*map(str, row))
    console.print(table)


def three_digits(value: float) -> str:
    """A number with three significant digits, or as a whole number."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
