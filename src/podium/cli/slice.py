"""`podium slice`: in which games is a bot weaker?"""

from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from podium.arena.analysis.slices import Slice, SliceReport, slice_stored
from podium.arena.store.store import DEFAULT_STORE
from podium.cli import completion
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import Sheet, count
from podium.cli.options import Json, StorePath, numeric
from podium.model.params import Parameter

MOST_RESULTS = 30  # slices of imported games
MOST = Parameter("most", 40, "Number of slices to list, the surest differences first.", 1, 1e9)


def command(
    run: Annotated[str, typer.Argument(metavar="RUN", autocompletion=completion.runs, help="A run such as r7.")],
    bot: Annotated[
        str,
        typer.Option(metavar="NAME", help="The bot whose results are sliced; default: the first of a match."),
    ] = "",
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Attribute to slice by; may be repeated. Default: all."),
    ] = None,
    most: Annotated[int, numeric(MOST)] = 40,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Slice the results of a bot by attributes of games, and find out where it is weaker or stronger than elsewhere.

    Attributes are the opponent, seat, length, settings, what the seed drew (a map, for example), and every value that
    the bot wrote to standard error as `@podium set NAME VALUE`. The q-value of a difference is adjusted for the number
    of slices (Benjamini and Hochberg): of the findings at most 5 % are expected to be chance.
    """
    with compilation_shown(), errors.status("") as status:
        report = slice_stored(
            run, bot=bot, by=by or (), path=store, progress=lambda games: status.update(f"{games} games read ...")
        )
    if json:
        print_json(report.data())
        return
    console.print(overall(report))
    console.print(report.headline, style="bold")
    if report.slices:
        console.print(sheet(report, most))
    if len(report.slices) > most:
        console.print(f"{count(len(report.slices) - most, 'more slice')}; --most {len(report.slices)} lists all")


def results(report: SliceReport) -> RenderableType:
    """The score in all imported games and, where they differ in anything, the table by opponents and seats."""
    return Group(overall(report), *([sheet(report, MOST_RESULTS)] if report.slices else []))


def overall(report: SliceReport) -> str:
    """The score in all games, in one line."""
    low, high = report.interval
    games = f"{count(report.games, 'game')}, score {report.score:.1%} (95 %: {low:.1%} to {high:.1%})"
    late = f"; {count(report.timeouts, 'time-out')}" if report.timeouts else ""
    return f"{report.run}, {report.bot}: {games}{late}"


def sheet(report: SliceReport, most: int) -> Sheet:
    """The slices as a table, the surest differences first."""
    columns: dict[str, Callable[[Slice], str]] = {
        "attribute": lambda each: each.attribute,
        "value": lambda each: each.value,
        "games": lambda each: f"{each.games:,}",
        "score": lambda each: f"{each.score:.1%}",
        "95 %": lambda each: f"{each.low:.0%} to {each.high:.0%}",
        "rest": lambda each: f"{each.elsewhere:.1%}",
    }
    if any(each.q is not None for each in report.slices):
        columns["q"] = lambda each: "-" if each.q is None else f"{each.q:.3f}"
    if any(each.timeouts for each in report.slices):
        columns["time-outs"] = lambda each: str(each.timeouts)
    if report.findings:
        columns["finding"] = lambda each: each.finding
    table = Sheet(*columns)
    for each in sorted(report.slices, key=_order)[:most]:
        table.add_row(*(cell(each) for cell in columns.values()))
    return table


def _order(each: Slice) -> tuple[float, float]:
    return (2.0 if each.q is None else each.q), (2.0 if each.p is None else each.p)
