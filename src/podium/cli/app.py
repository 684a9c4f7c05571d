"""All commands, each in a file of its own."""

from importlib import import_module
from typing import Annotated

import typer

from podium import __version__
from podium.cli import league, new, referee
from podium.cli.common import flowing

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
    "ablate",
    "tune",
    "train",
    "relearn",
    "claims",
)

app = typer.Typer(
    name="podium",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name in COMMANDS:
    command = import_module(f"podium.cli.{name}").command
    app.command(name, help=flowing(command.__doc__ or ""))(command)
app.add_typer(league.app)
app.add_typer(new.app)
app.add_typer(referee.app)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"podium {__version__}")
        raise typer.Exit


@app.callback()
def podium(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """A laboratory for contest game bots: exact referees, champion bots, honest statistics."""
