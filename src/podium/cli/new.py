"""`podium new`: beginnings for authors."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.common import GameName, console
from podium.starters import LANGUAGES, new_bot, new_game

app = typer.Typer(
    name="new",
    help="Begin a bot or a game of your own.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Folder = Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where to write it.")]


@app.command()
def bot(
    game: GameName,
    language: Annotated[str, typer.Option("--language", "-l", help=f"One of {', '.join(LANGUAGES)}.")] = "python",
    to: Folder = Path(),
) -> None:
    """Write a small bot that plays legal moves, with the game's protocol in its comments."""
    starter = new_bot(game, language, to)
    console.print(f"wrote {starter.path}", soft_wrap=True)
    for step in filter(None, (starter.build, starter.match)):
        console.print(f"  {step}", soft_wrap=True, style="bold")


@app.command()
def game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A word of small letters, digits and underscores.")],
    to: Folder = Path(),
) -> None:
    """Write a package with a small playable game, which passes the conformance suite as it is."""
    folder = new_game(name, to)
    console.print(f"wrote {folder}", soft_wrap=True)
    for step in (f"pip install --editable {folder}", f"pytest {folder}", f"podium play {name} search random"):
        console.print(f"  {step}", soft_wrap=True, style="bold")
