"""The application: all commands, one module each.

`application` imports the module of one command alone: all of them together take longer than most commands do.
"""

from importlib import import_module
from typing import Annotated

import typer

from podium import __version__
from podium.cli.help_text import HelpfulCommand, HelpfulGroup
from podium.cli.options import HELP, flowing, present_name, project_defaults

# Commands by the panel of the help in which they are listed.
PANELS = {
    "Play and test": ("play", "match", "gate", "league", "calibrate", "runs"),
    "Understand": ("show", "watch", "web", "analyze", "review", "slice", "pin", "pins", "import"),
    "Lab": ("ablate", "tune", "train", "relearn", "claims"),
    "Your own bots, games and referees": ("games", "bots", "new", "bot", "pack", "referee"),
    "Maintenance": ("export", "replay", "verify", "bench", "book", "warm"),
}
PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names}
GROUPS = ("league", "runs", "new", "referee")  # commands that have commands of their own
COMMANDS = tuple(name for name in PANEL_OF if name not in GROUPS)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"podium {__version__}")
        raise typer.Exit


def podium(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A laboratory for contest game bots: exact referees, champion bots, honest statistics."""
    ctx.default_map = project_defaults(PANEL_OF)


def application(command: str = "") -> typer.Typer:
    """The application as one command needs it; with all commands, if there is none of that name."""
    made = typer.Typer(
        name="podium",
        cls=HelpfulGroup,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={**HELP, "token_normalize_func": present_name},
    )
    made.callback()(podium)
    for name in [command] if command in PANEL_OF else PANEL_OF:
        module, panel = import_module(f"podium.cli.{name}"), PANEL_OF[name]
        if name in GROUPS:
            made.add_typer(module.app, rich_help_panel=panel)
        else:
            help = flowing(module.command.__doc__ or "")
            made.command(name, cls=HelpfulCommand, help=help, rich_help_panel=panel)(module.command)
    return made


def names_alone(_: str = "") -> typer.Typer:
    """The application with nothing but the names of its commands, which is all that a shell needs to complete one."""
    made = typer.Typer(name="podium")
    for name in PANEL_OF:
        made.command(name)(_nothing)
    return made


def _nothing() -> None:
    """Do nothing at all."""


def __getattr__(name: str) -> typer.Typer:
    """`app`, the application with all commands, for those who call it from Python."""
    if name == "app":
        return application()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
