"""`podium calibrate`: how small a difference can be measured on this machine?"""

from typing import Annotated

import typer

from podium.arena import bounds
from podium.arena.tournament.calibration import DEFAULT_GAMES, Calibration, CalibrationReport
from podium.arena.tournament.options import RunOptions
from podium.cli import completion
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, print_json
from podium.cli.formatting import TIMES, Sheet
from podium.cli.match import progress_line, view
from podium.cli.options import GameName, Json, Players, name_for_players, numeric, with_run_options
from podium.cli.run_view import shown


@with_run_options(without=["fair", "thoughts", "cluster", "handicaps", "archive"])
def command(
    game: GameName,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", autocompletion=completion.bots, help="The bot that plays itself.")
    ],
    games: Annotated[int, numeric(bounds.GAMES, help="Number of games.")] = DEFAULT_GAMES,
    *,
    players: Players = 0,
    json: Json = False,
    options: RunOptions,
) -> None:
    """Let a bot play itself: the noise of this machine, the fairness of the seats, and whether time limits hold."""
    with Calibration(name_for_players(game, players), bot, games=games, **options) as calibration:
        match = calibration.match
        with compilation_shown():
            match.prepare()
        with shown(lambda: view(match.report()), lambda: progress_line(match.report()), json) as look:
            report = calibration.play(progress=lambda match: look())
    if json:
        print_json(report.data())
    else:
        _print(report)


def _print(report: CalibrationReport) -> None:
    table = Sheet("bot", *TIMES, typed=("bot",))
    for name, times in zip(report.match.bots, report.match.clocks, strict=True):
        table.add_row(name, f"{times.mean:.2f}", f"{times.p99:.2f}", f"{times.worst:.2f}")
    console.print(table)
    for text in report.findings:
        console.print(text)
    for text in report.warnings:
        console.print(f"warning: {text}", style="yellow")
    if not report.warnings:
        console.print("this machine is quiet enough to measure on", style="bold")
