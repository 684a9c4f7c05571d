"""`podium gate`: may a new version replace the old one? For CI."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from podium.arena import bounds
from podium.arena.analysis.gate import MOST_GAMES, GateReport, GateVerdict, run_gate
from podium.arena.analysis.pins import DEFAULT_PINS
from podium.arena.processes.reaper import adopt_orphans
from podium.arena.tournament.conclusion import Requirement
from podium.arena.tournament.match import Match
from podium.arena.tournament.options import MatchOptions
from podium.cli import completion, signal_handled
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, print_json
from podium.cli.formatting import Sheet
from podium.cli.match import A_BOT, progress_line
from podium.cli.options import GameName, Json, numeric, two_bots, with_run_options
from podium.cli.pin import PinsPath
from podium.cli.run_view import interrupted, shown
from podium.model.params import Parameter

FAULTS = Parameter("faults", 0, "Number of games in which NEW may be disqualified.", 0, 1e9)
STYLES = {GateVerdict.PASSED: "green", GateVerdict.FAILED: "red", GateVerdict.UNDECIDED: "yellow"}


@with_run_options()
def command(
    game: GameName,
    old: Annotated[str, typer.Argument(metavar="OLD", help=A_BOT, autocompletion=completion.bots)] = "",
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new version.", autocompletion=completion.bots)] = "",
    require: Annotated[
        Requirement, typer.Option(metavar="stronger|not-weaker", help="What NEW has to be, against OLD.")
    ] = Requirement.NOT_WEAKER,
    games: Annotated[
        int, numeric(bounds.GAMES, help="Most games of the test, in whole pairs; 0: no limit.")
    ] = MOST_GAMES,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Bounds of the sequential test in normalized Elo; default: -30 0, or 0 30 for --require stronger.",
        ),
    ] = None,
    faults: Annotated[int, numeric(FAULTS)] = 0,
    *,
    pins: PinsPath = DEFAULT_PINS,
    json: Json = False,
    options: MatchOptions,
) -> None:
    """Check a new version of a bot against the old one, for CI: pins, a sequential test, faults.

    The exit status is 0 if all checks pass, 1 if one fails, 3 if the games do not decide, and 2 if it cannot be played.
    In a project (podium.toml) GAME may be left out:

    podium gate git:origin/main mine
    """
    game, old, new = two_bots((game, old, new), options, "a gate has two versions, the old and the new one")
    playing: list[Match] = []  # once it is known

    def line() -> str:
        return progress_line(playing[0].report()) if playing else "preparing ..."

    adopt_orphans()
    try:
        with compilation_shown(), shown(lambda: Text(line(), style="dim"), line, json) as look:

            def progress(match: Match) -> None:
                playing[:] = [match]
                look()

            report = run_gate(
                game,
                old,
                new,
                require=require,
                sprt=sprt,
                games=games,
                faults=faults,
                pins=pins,
                progress=progress,
                **options,
            )
    except KeyboardInterrupt as stop:
        signal_handled()
        raise interrupted(stop, quiet=json) from None
    if json:
        print_json(report.data())
    else:
        console.print(view(report))
    raise typer.Exit(report.verdict.exit_code)


def view(report: GateReport) -> RenderableType:
    """The checks as a table, and the verdict."""
    table = Sheet("check", "verdict", "why")
    for each in report.checks:
        table.add_row(each.check, Text(each.verdict, style=STYLES[each.verdict]), each.sentence)
    warnings = report.match.warnings if report.match else ()
    return Group(
        table,
        *(Text(f"warning: {text}", style="yellow") for text in warnings),
        Text(report.headline, style=f"bold {STYLES[report.verdict]}"),
    )
