"""All commands, each in a file of its own."""

from importlib import import_module

import typer

from podium.cli import league, new, referee

COMMANDS = (
    "games",
    "bots",
    "play",
    "match",
    "calibrate",
    "runs",
    "show",
    "review",
    "replay",
    "export",
    "web",
    "watch",
    "bot",
    "analyze",
    "bench",
    "book",
    "verify",
    "warm",
    "train",
)

app = typer.Typer(
    name="podium",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    app.command()(import_module(f"podium.cli.{command}").command)
app.add_typer(league.app)
app.add_typer(new.app)
app.add_typer(referee.app)


@app.callback()
def podium() -> None:
    """A laboratory for contest game bots: exact referees, champion bots, honest statistics."""
