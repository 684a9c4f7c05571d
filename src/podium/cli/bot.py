"""`podium bot`: a bot on standard input and output, ready for a contest's judge."""

import gc
import sys
from typing import Annotated

import typer

from podium.cli.common import GameName, Milliseconds, Nodes, Seed, load_game
from podium.games.game import Budget
from podium.kernel.clock import now

NANOSECONDS = 1_000_000  # in a millisecond


def _read() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot's name, or name:parameter=value,...")],
    seed: Seed = 0,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
) -> None:
    """Speak the contest's protocol on standard input and output, until the game or the input ends."""
    rules = load_game(game)
    kind, changes = rules.named(bot)
    player = kind.bot(changes, seed)
    player.warm_up()
    gc.collect()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects
    limits = rules.limits
    left = limits.first
    first = True
    try:
        for prompt in rules.prompts(_read):
            start = now()
            limit = time or (left if limits.bank or first else limits.later)
            budget = Budget(start + int(limit * NANOSECONDS), limits.bank and not time, nodes)
            sys.stdout.write(player.reply(prompt, budget) + "\n")
            sys.stdout.flush()
            left -= (now() - start) / NANOSECONDS
            first = False
    except EOFError:
        return


command.__name__ = "bot"
