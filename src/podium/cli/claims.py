"""`podium claims`: check the authors' claims against measurements."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from podium.arena import bounds
from podium.arena.processes.reaper import adopt_orphans
from podium.arena.store.store import DEFAULT_STORE
from podium.cli import signal_handled
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import BORDER, Sheet
from podium.cli.options import Cluster, Jobs, Json, StorePath, numeric
from podium.cli.run_view import LINE_SECONDS, interrupted
from podium.games import load
from podium.lab.claims.claims import Claim
from podium.lab.claims.claims_report import MEANINGS, ClaimsReport, claims
from podium.lab.claims.finding_texts import measured_text, short_text
from podium.lab.claims.measurements import MeasurementSession
from podium.lab.claims.verdicts import ClaimVerdict
from podium.model.params import Parameter

GAMES = Parameter(
    "games", 0, "Most games of each match; 0: as many as its list says, which a verdict needs.", 0, bounds.MOST
)
MINUTES = Parameter("minutes", 0.0, "Stop measuring after this many minutes; 0: when everything is measured.", 0, 1e6)
LEAST_CLAIMED = 12  # characters of the author's figure that are worth a column
STYLES = {
    ClaimVerdict.CONFIRMED: "green",
    ClaimVerdict.NOT_CONFIRMED: "red",
    ClaimVerdict.DIFFERENT_VALUE: "yellow",
    ClaimVerdict.DEPENDS_ON_CONDITIONS: "yellow",
    ClaimVerdict.PARTLY_DECIDED: "yellow",
    ClaimVerdict.HELPS: "green",
    ClaimVerdict.HARMS: "red",
}


def command(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Games whose claims are shown; all by default.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only this claim; may be repeated.")] = None,
    measure: Annotated[bool, typer.Option("--measure", help="Measure what is missing.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Measure everything again.")] = False,
    games_each: Annotated[int, numeric(GAMES, "--games")] = 0,
    minutes: Annotated[float, numeric(MINUTES, metavar="MINUTES")] = 0.0,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the report to this Markdown file, and its picture to pictures/ beside it."
        ),
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="Show conditions, samples and commands.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Store the results in the games' folders.")] = False,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Check the authors' claims against measurements: claimed value, measured value with its interval, verdict.

    Without --measure it shows the results so far. Matches are runs of the store: an interruption loses no game, and the
    same command continues.
    """
    stopped: KeyboardInterrupt | None = None
    names, ids = games or [], only or []
    session = _session(store, jobs, cluster, games_each, minutes, json) if measure or again else None
    try:
        with compilation_shown():
            found = claims(names, ids, session=session, again=again, keep=keep, store=store)
    except KeyboardInterrupt as stop:
        stopped = stop
        signal_handled()
        found = claims(names, ids, keep=keep, store=store)
    if report:
        found.write(report)
    if json:
        print_json(found.data())
    else:
        _show(found, details or bool(ids))
    if stopped is not None:
        raise interrupted(stopped, quiet=json)


def _session(store: Path, jobs: int, cluster: str, games: int, minutes: float, quiet: bool) -> MeasurementSession:
    """Where to measure; progress is written to standard error."""
    adopt_orphans()
    last = 0.0

    def look(text: str) -> None:
        nonlocal last
        if not quiet and time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            errors.print(text, style="dim")

    end = time.monotonic() + 60 * minutes if minutes else float("inf")
    return MeasurementSession(store, jobs, cluster, games, end, look)


def _show(report: ClaimsReport, details: bool) -> None:
    show = _described if details else _tables
    for game in dict.fromkeys(claim.game for claim in report.claims):
        console.print(show(report, game, [claim for claim in report.claims if claim.game == game]))
    for line in report.headlines:
        console.print(line)
    console.print("A % of a match is the score of the first bot of its command; else it is a share.")
    console.print(f"(...): intervals at the level of {100 * report.level:.1f} %. Several values: several conditions.")
    if not details:
        console.print("podium claims GAME --details: what each claim says, and how it was measured.")


def _tables(report: ClaimsReport, game: str, claims: Sequence[Claim]) -> Group:
    """A line for each claim, and apart from them a line for each question."""
    groups = ([claim for claim in claims if claim.asked is asked] for asked in (False, True))
    return Group(*(_table(report, load(game).title, group) for group in groups if group))


def _table(report: ClaimsReport, title: str, claims: Sequence[Claim]) -> Sheet:
    """Claims, or questions; what was claimed is cut to the room that is left, and left out where there is little."""
    rows = [(claim.id, short_text(report.of(claim)), report.verdict(claim)) for claim in claims]
    widths = (max(len(text) for text in column) for column in zip(*((a, b, c.value) for a, b, c in rows), strict=True))
    room = console.width - sum(widths) - 4 * BORDER - 1
    wide = room >= LEAST_CLAIMED
    name, words = ("question", "the author") if claims[0].asked else ("claim", "claimed")
    headers = (name, words, "measured", "verdict") if wide else (name, "measured", "verdict")
    table = Sheet(*headers, typed=(name,), title=f"{title}: {name}s")
    for claim, (id, measured, verdict) in zip(claims, rows, strict=True):
        claimed = claim.claimed if len(claim.claimed) <= room else f"{claim.claimed[: room - 1]}…"
        cells = (id, claimed, measured) if wide else (id, measured)
        table.add_row(*cells, Text(verdict.value, STYLES.get(verdict, "")))
    return table


def _described(report: ClaimsReport, game: str, claims: Sequence[Claim]) -> Group:
    """Everything about each claim, one below the other."""
    lines: list[RenderableType] = [Text(load(game).title, "bold")]
    for claim in claims:
        verdict = report.verdict(claim)
        words = "the author" if claim.asked else "claimed"
        lines += [Text(f"\n{claim.id}: {claim.gist}"), _indented(2, Text(f"{words}: {claim.claimed}"))]
        for finding in report.of(claim):
            lines.append(_indented(2, Text(f"measured: {measured_text(finding)}")))
            lines += [_indented(4, Text(line, "dim")) for line in finding.measurement.shown_command.splitlines()]
        words = f"{report.remark(claim)}: {MEANINGS[verdict]}"
        lines.append(_indented(2, Text.assemble("verdict: ", (verdict.value, STYLES.get(verdict, "")), words)))
    return Group(*lines)


def _indented(width: int, text: Text) -> RenderableType:
    """A line that is indented, and so is what a terminal wraps; elsewhere nothing is wrapped."""
    if console.is_terminal:
        return Padding(text, (0, 0, 0, width), expand=False)
    return Text.assemble(" " * width, text)
