"""`podium calibrate`: what can be measured on this machine?"""

from typing import Annotated

import typer

from podium.arena import numbers
from podium.arena.calibration import DEFAULT_GAMES, Calibration, CalibrationReport
from podium.arena.limits import Policy
from podium.arena.store import DEFAULT_STORE
from podium.cli.common import (
    GameName,
    Json,
    Milliseconds,
    Nodes,
    Players,
    Seed,
    compilation_shown,
    console,
    numeric,
    print_json,
    seated,
)
from podium.cli.match import progress_line, view
from podium.cli.running import Jobs, Memory, PolicyOption, StorePath, shown
from podium.cli.tables import Sheet


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot that plays itself.")],
    games: Annotated[int, numeric(numbers.GAMES, help="Games to play.")] = DEFAULT_GAMES,
    seed: Seed = 1,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
    policy: PolicyOption = Policy.SOFT,
    memory: Memory = 0,
    players: Players = 0,
    jobs: Jobs = 0,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot play itself: the noise of this machine, whether seats are fair, whether time limits can be kept."""
    with Calibration(
        seated(game, players),
        bot,
        games=games,
        seed=seed,
        store=store,
        time=time,
        nodes=nodes,
        policy=policy,
        memory=memory,
    ) as calibration:
        match = calibration.match
        with compilation_shown():
            match.prepare()
        with shown(lambda: view(match.report()), lambda: progress_line(match.report()), json) as look:
            report = calibration.play(jobs, lambda match: look())
    if json:
        print_json(report.data())
    else:
        _print(report)


def _print(report: CalibrationReport) -> None:
    table = Sheet("ms per answer", "mean", "99 %", "worst", typed=("ms per answer",))
    for name, times in zip(report.match.bots, report.match.clocks, strict=True):
        table.add_row(name, f"{times.mean:.2f}", f"{times.p99:.2f}", f"{times.worst:.2f}")
    console.print(table)
    for text in report.findings:
        console.print(text)
    for text in report.warnings:
        console.print(f"warning: {text}", style="yellow")
    if not report.warnings:
        console.print("nothing speaks against measuring here", style="bold")
