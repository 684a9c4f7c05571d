"""`podium claims`: what the authors of the write-ups say, and what measuring it has come to."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from podium.arena import numbers
from podium.arena.orphans import adopt_orphans
from podium.arena.store import DEFAULT_STORE
from podium.cli import heard
from podium.cli.common import Json, compilation_shown, console, errors, numeric, print_json
from podium.cli.running import LINE_SECONDS, Cluster, Jobs, StorePath, interrupted
from podium.cli.tables import Sheet
from podium.games import load
from podium.kernel.minds import Parameter
from podium.lab.claims import Claim
from podium.lab.claims_report import ClaimsReport, claims, measured_text
from podium.lab.measures import Bench
from podium.lab.verdicts import Verdict

GAMES = Parameter("games", 0, "Games of each match; 0: as many as the list says.", 0, numbers.MOST)
MINUTES = Parameter("minutes", 0.0, "Stop measuring after so long; 0: when all is measured.", 0, 1e6)
STYLES = {
    Verdict.CONFIRMED: "green",
    Verdict.NOT_CONFIRMED: "red",
    Verdict.OTHER: "yellow",
    Verdict.DEPENDS: "yellow",
}


def command(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The games; all by default.")] = None,
    only: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only this claim; may be repeated.")] = None,
    measure: Annotated[bool, typer.Option("--measure", help="Measure what is missing.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Measure all of it anew.")] = False,
    undecided: Annotated[bool, typer.Option("--open", help="Measure only what has no verdict yet.")] = False,
    games_each: Annotated[int, numeric(GAMES, "--games")] = 0,
    minutes: Annotated[float, numeric(MINUTES, metavar="MINUTES")] = 0.0,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report as Markdown, with a picture in pictures/.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Write the results into the games' folders.")] = False,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Hold the claims of the write-ups against measurements: claimed, measured with its interval, verdict.

    Without --measure it shows what is known. Matches are runs of the store: what interrupts measuring loses no game,
    and the same command goes on.
    """
    stopped: KeyboardInterrupt | None = None
    names, ids = games or [], only or []
    bench = _bench(store, jobs, cluster, games_each, minutes, json) if measure or again or undecided else None
    try:
        with compilation_shown():
            found = claims(names, ids, bench=bench, again=again, undecided=undecided, keep=keep, store=store)
    except KeyboardInterrupt as stop:
        stopped = stop
        heard()
        found = claims(names, ids, keep=keep, store=store)
    if report:
        found.write(report)
    if json:
        print_json(found.data())
    else:
        _show(found)
    if stopped is not None:
        raise interrupted(stopped, quiet=json)


def _bench(store: Path, jobs: int, cluster: str, games: int, minutes: float, quiet: bool) -> Bench:
    """Where to measure, telling on standard error how it goes."""
    adopt_orphans()
    last = 0.0

    def look(text: str) -> None:
        nonlocal last
        if not quiet and time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            errors.print(text, style="dim")

    end = time.monotonic() + 60 * minutes if minutes else float("inf")
    return Bench(store, jobs, cluster, games, end, look)


def _show(report: ClaimsReport) -> None:
    for game in dict.fromkeys(claim.game for claim in report.claims):
        console.print(_table(report, game, [claim for claim in report.claims if claim.game == game]))
    console.print(report.headline)


def _table(report: ClaimsReport, game: str, claims: Sequence[Claim]) -> Sheet:
    table = Sheet("claim", "claimed", "measured", "verdict", typed=("claim",), title=load(game).title, show_lines=True)
    for claim in claims:
        verdict = report.verdict(claim)
        measured = "\n".join(measured_text(finding) for finding in report.of(claim))
        table.add_row(claim.id, claim.claimed, measured, Text(verdict.value, STYLES.get(verdict, "")))
    return table
