"""`podium pins`: what a bot plays in all pinned positions."""

from typing import Annotated

import typer

from podium.arena.analysis.pins import DEFAULT_PINS, run_pins
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import ANY_BOT, Json, Nodes, Seed, StorePath, built_if_of_project, numeric
from podium.cli.pin import PinsPath
from podium.model.params import Parameter

TIME = Parameter("time", 0.0, "Thinking time per position in ms (0: the contest's limit).", 0, 1e9)
REPEATS = Parameter("repeats", 1, "Number of times that each position is played, with other seeds.", 1, 1e6)


def command(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=ANY_BOT)],
    pins: PinsPath = DEFAULT_PINS,
    game: Annotated[str, typer.Option(metavar="GAME", help="Only the pins of this game.")] = "",
    time: Annotated[float, numeric(TIME, metavar="MS")] = 0.0,
    nodes: Nodes = 0,
    repeats: Annotated[int, numeric(REPEATS)] = 1,
    seed: Seed = 1,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot play in all pinned positions, and compare with what should be played there.

    The exit status is 1 if the bot fails in any of them: a regression suite made of lost games. In a project
    (podium.toml) its bots have names here, too; the store is where their old revisions are built.
    """
    bot = built_if_of_project(bot, store)
    with compilation_shown(), errors.status("") as status:
        report = run_pins(
            bot,
            pins,
            game=game,
            time=time,
            nodes=nodes,
            repeats=repeats,
            seed=seed,
            progress=lambda done: status.update(f"{done} pins done ..."),
        )
    if json:
        print_json(report.data())
    else:
        rows = report.rows()
        columns = [name for name in rows[0] if any(row[name] for row in rows)]
        table = Sheet(*columns)
        for row in rows:
            table.add_row(*(str(row[name]) for name in columns))
        console.print(table)
        for text in report.warnings:
            console.print(f"warning: {text}", style="yellow")
        console.print(report.headline)
    if report.failed:
        raise typer.Exit(1)
