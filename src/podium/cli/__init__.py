"""The command line: one file per command."""

import gc
import os
import sys
from importlib import import_module

import typer

# A judge's clock may count the start of `podium bot`: it loads no other command, and collects no garbage meanwhile.
PLAYS = sys.argv[1:2] == ["bot"]
if PLAYS:
    gc.disable()

from podium.cli.common import errors  # noqa: E402
from podium.errors import PodiumError  # noqa: E402

COMMANDS = (
    "games",
    "bots",
    "play",
    "match",
    "league",
    "calibrate",
    "runs",
    "show",
    "replay",
    "export",
    "bot",
    "analyze",
    "bench",
    "book",
    "verify",
    "warm",
)
INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
USAGE = 2

app = typer.Typer(
    name="podium",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in ("bot",) if PLAYS else COMMANDS:
    app.command()(import_module(f"podium.cli.{command}").command)


@app.callback()
def podium() -> None:
    """A laboratory for contest game bots: exact referees, champion bots, honest statistics."""


def main() -> None:
    """Run a command; a user's mistake is one sentence, Ctrl-C and a closed pipe are quiet."""
    try:
        app(standalone_mode=True)
    except PodiumError as error:
        errors.print(f"podium: {error}", style="red", highlight=False, markup=False, soft_wrap=True)
        sys.exit(USAGE)
    except KeyboardInterrupt:
        errors.print("podium: interrupted", style="yellow")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # the reader of our output has gone: point the descriptor elsewhere, so that closing it cannot fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
