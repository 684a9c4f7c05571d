"""`podium warm`: compile everything now."""

from concurrent.futures import as_completed
from typing import Annotated

import typer

from podium.arena.runner import workers
from podium.cli.common import compilation_shown, errors, load_game
from podium.cli.running import Jobs, jobs_of
from podium.games import names
from podium.games.game import Budget
from podium.games.loop import play_bots
from podium.kernel.clock import now

FEW_NODES = 3


def command(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; all if none is named.")] = None,
    jobs: Jobs = 0,
) -> None:
    """Compile the kernels of games and bots, so that nothing waits for it later."""
    chosen = [load_game(name).name for name in game or names()]
    number = min(jobs_of(jobs), len(chosen))
    if number == 1:
        with compilation_shown():
            for name in chosen:
                warm(name)
        return
    with errors.status("compiling ...") as status, workers(number) as crew:
        waiting = {crew.executor.submit(warm, name): name for name in chosen}
        for future in as_completed(waiting):
            future.result()
            chosen.remove(waiting[future])
            status.update(f"compiling {', '.join(chosen)} ...")


def warm(name: str) -> None:
    """Let every bot of a game play a little, and every benchmark run once."""
    rules = load_game(name)
    for kind in rules.bots.values():
        bots = [kind.bot(seed=seat) for seat in range(rules.seats)]
        for bot in bots:
            bot.warm_up()
        play_bots(rules.new_referee(1), bots, Budget(now(), nodes=FEW_NODES))
    for benchmark in rules.benchmarks():
        benchmark.run(0.0)


command.__name__ = "warm"
