"""`podium new`: templates for bots and games."""

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from podium.cli.console import console
from podium.cli.help_text import HelpfulCommand, HelpfulGroup
from podium.cli.options import HELP, GameName
from podium.starters import LANGUAGES, new_bot
from podium.starters.new_game import HEAP, new_game

app = typer.Typer(
    name="new",
    cls=HelpfulGroup,
    help="Create a bot or a game from a template.",
    no_args_is_help=True,
    context_settings=HELP,
)

Folder = Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Destination folder.")]


@app.command(cls=HelpfulCommand)
def bot(
    game: GameName,
    language: Annotated[
        str,
        typer.Option(
            "--language",
            "-l",
            metavar="LANGUAGE",
            help=f"One of {', '.join(LANGUAGES)}; py, c++, js and so on also work.",
        ),
    ] = "python",
    to: Folder = Path(),
) -> None:
    """Create a small bot that plays legal moves, with the protocol of the game in its comments."""
    starter = new_bot(game, language, to)
    console.print(f"wrote {starter.path}", soft_wrap=True)
    print_steps(filter(None, (starter.build, starter.match)))


@app.command(cls=HelpfulCommand)
def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters, digits and underscores.")],
    like: Annotated[
        str,
        typer.Option(
            "--like",
            metavar="heap|board|connect_four",
            help="heap: the shortest game, in one file. board: a grid with page, alpha-beta, MCTS and learning, in one "
            "file. connect_four: a package of its own, with tests.",
        ),
    ] = HEAP,
    to: Folder = Path(),
) -> None:
    """Create a small playable game, which passes the conformance suite."""
    made = new_game(name, like, to)
    console.print(f"wrote {made.path}", soft_wrap=True)
    print_steps(made.commands)


def print_steps(commands: Iterable[str]) -> None:
    """Print the next commands, as they work in the user's shell."""
    for command in commands:
        console.print(f"  {as_typed(command)}", soft_wrap=True, style="bold")


def as_typed(command: str) -> str:
    """A command that begins with `podium` or `python`, which need not be those of this program on the user's path."""
    program, _, rest = command.partition(" ")
    found = shutil.which(program)
    if program == "python" and (found is None or not Path(found).samefile(sys.executable)):
        return f"{quote(sys.executable)} {rest}"
    if program == "podium" and found is None:
        called = sys.argv[0] if Path(sys.argv[0]).name == "podium" else ""
        return f"{quote(called)} {rest}" if called else f"{quote(sys.executable)} -m podium {rest}"
    return command
