"""The command line: one file per command."""

import os
import sys

import typer

from podium.cli import (
    analyze,
    bench,
    book,
    bot,
    bots,
    calibrate,
    export,
    games,
    league,
    match,
    play,
    replay,
    runs,
    show,
    verify,
    warm,
)
from podium.cli.common import errors
from podium.errors import PodiumError

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
USAGE = 2

app = typer.Typer(
    name="podium",
    help="A laboratory for contest game bots: exact referees, champion bots, honest statistics.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (
    games,
    bots,
    play,
    match,
    league,
    calibrate,
    runs,
    show,
    replay,
    export,
    bot,
    analyze,
    bench,
    book,
    verify,
    warm,
):
    app.command()(module.command)


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
