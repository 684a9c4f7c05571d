"""The command line: one file per command."""

import gc
import os
import sys

from podium.errors import PodiumError

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
USAGE = 2


def run(arguments: list[str]) -> None:
    """Run the command that the arguments name.

    A judge's clock may count the start of `podium bot GAME BOT`, so that one does not wait for the library of the
    command line, nor for garbage to be collected.
    """
    if len(arguments) == 3 and arguments[0] == "bot" and not any(word.startswith("-") for word in arguments):
        gc.disable()
        from podium.arena.stdio import speak

        speak(arguments[1], arguments[2])
    else:
        from podium.cli.app import app

        app(arguments)


def complain(text: str, style: str) -> None:
    """One line on standard error."""
    from podium.cli.common import errors

    errors.print(f"podium: {text}", style=style, highlight=False, markup=False, soft_wrap=True)


def main() -> None:
    """Run a command; a user's mistake is one sentence, Ctrl-C and a closed pipe are quiet."""
    try:
        run(sys.argv[1:])
    except PodiumError as error:
        complain(str(error), "red")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        complain("interrupted", "yellow")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # the reader of our output has gone: point the descriptor elsewhere, so that closing it cannot fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
