"""`podium bot`: a bot on standard input and output, ready for a contest's judge."""

from typing import Annotated

import typer

from podium.arena.stdio import speak
from podium.cli.common import GameName, Milliseconds, Nodes, Seed


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="name, name:parameter=value,... or py:file.py")],
    seed: Seed = 0,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
) -> None:
    """Speak the contest's protocol on standard input and output, until the game or the input ends."""
    speak(game, bot, seed, time, nodes)
