"""`podium warm`: compile everything now."""

from typing import Annotated

import typer

from podium.arena.play import Allowance, play_game
from podium.cli.common import compilation_shown, load_game
from podium.games import names

FEW_NODES = 3


def command(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; all if none is named.")] = None,
) -> None:
    """Compile the kernels of games and bots, so that nothing waits for it later."""
    with compilation_shown():
        for name in game or names():
            rules = load_game(name)
            for kind in rules.bots.values():
                bots = [kind.bot(seed=seat) for seat in range(rules.seats)]
                for bot in bots:
                    bot.warm_up()
                play_game(rules.new_referee(1), bots, Allowance(nodes=FEW_NODES))
            for benchmark in rules.benchmarks():
                benchmark.run(0.0)


command.__name__ = "warm"
