"""`podium warm`: compile all kernels in advance."""

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from typing import Annotated

import typer

from podium.arena import bounds
from podium.arena.tournament.runner import jobs_of, workers
from podium.cli.compilation import compilation_shown
from podium.cli.console import errors
from podium.cli.options import MACHINE, numeric
from podium.games import load, names
from podium.games.game import Answer, Budget, Request
from podium.games.loop import play_bots
from podium.kernel import cache
from podium.kernel.clock import now
from podium.kernel.explain import VARIABLE as EXPLAIN
from podium.kernel.notices import QUIET

FEW_NODES = 3


def command(
    game: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games; default: all.")] = None,
    jobs: Annotated[int, numeric(bounds.JOBS, help="Number of processes; 0: one per core.", panel=MACHINE)] = 0,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Say for each kernel that is compiled what has changed since the last time."),
    ] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled code first.")] = False,
) -> None:
    """Compile the kernels of games and bots in advance."""
    if clear:
        count, size = cache.clear(cache.root())
        errors.print(f"deleted {count} files ({size / 1e6:.0f} MB) in {cache.root()}")
    if explain:
        os.environ[EXPLAIN] = "1"
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
        prompts: list[str] = []  # all that the first seat is sent

        def watch(requests: Sequence[Request], answers: Sequence[Answer], prompts: list[str] = prompts) -> None:
            prompts += [line for request in requests if request.seat == 0 for line in request.lines]

        play_bots(rules.new_referee(1), bots, Budget(now(), nodes=FEW_NODES), watch)
        compile_ahead(name, kind.name, prompts)
    for benchmark in rules.tools.benchmarks():
        benchmark.run(0.0)


def compile_ahead(game: str, bot: str, prompts: Sequence[str]) -> None:
    """Let a bot play the same game for a judge: afterwards it has ahead-of-time code for all that it needs.

    One that does not play the same says so on standard error; it has what it needed until then.
    """
    command = [sys.executable, "-P", "-m", "podium", "bot", game, bot, "--nodes", str(FEW_NODES)]
    lines = "".join(f"{line}\n" for line in prompts)
    environment = {**os.environ, QUIET: "1"}  # whose waiting is shown already
    subprocess.run(command, input=lines, text=True, stdout=subprocess.DEVNULL, env=environment, check=False)
