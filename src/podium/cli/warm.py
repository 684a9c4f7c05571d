"""`podium warm`: compile everything now."""

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from typing import Annotated

import typer

from podium.arena.runner import workers
from podium.cli.common import compilation_shown, errors
from podium.cli.running import Jobs, jobs_of
from podium.games import load, names
from podium.games.game import Answer, Budget, Request
from podium.games.loop import play_bots
from podium.kernel.clock import now

FEW_NODES = 3


def command(
    game: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games; all if none is named.")] = None,
    jobs: Jobs = 0,
) -> None:
    """Compile the kernels of games and bots, so that nothing waits for it later."""
    chosen = [load(name).name for name in game or names()]
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
    rules = load(name)
    for kind in rules.bots.values():
        bots = [kind.bot(seed=seat) for seat in range(rules.seats)]
        for bot in bots:
            bot.warm_up()
        told: list[str] = []  # all that the first seat is sent

        def watch(requests: Sequence[Request], answers: Sequence[Answer], told: list[str] = told) -> None:
            told += [line for request in requests if request.seat == 0 for line in request.lines]

        play_bots(rules.new_referee(1), bots, Budget(now(), nodes=FEW_NODES), watch)
        make_ready(name, kind.name, told)
    for benchmark in rules.benchmarks():
        benchmark.run(0.0)


def make_ready(game: str, bot: str, told: Sequence[str]) -> None:
    """Let a bot play the same game for a judge: afterwards it has ready code for all that it needs.

    One that does not play the same says so on standard error; it has what it needed until then.
    """
    command = [sys.executable, "-m", "podium", "bot", game, bot, "--nodes", str(FEW_NODES)]
    lines = "".join(f"{line}\n" for line in told)
    subprocess.run(command, input=lines, text=True, stdout=subprocess.DEVNULL, check=False)
