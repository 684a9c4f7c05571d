"""`podium bot`: a bot on standard input and output, ready for a contest's judge."""

from typing import Annotated

import typer

from podium.arena.processes.stdio import play_on_stdio
from podium.cli.options import BOT, GameName, Milliseconds, Nodes, Seed


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help=BOT)],
    seed: Seed = 0,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
) -> None:
    """Play as a bot on standard input and output in the contest's protocol, until the game or the input ends."""
    play_on_stdio(game, bot, seed, time, nodes)
