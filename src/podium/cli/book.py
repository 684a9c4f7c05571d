"""`podium book`: compute the opening book of a game."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from podium.arena import bounds
from podium.arena.tournament.runner import jobs_of, workers
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors
from podium.cli.options import Cluster, GameName, Seed, numeric
from podium.errors import PodiumError, unknown
from podium.games import folder_of, load
from podium.games.game import MakeOptions


def command(
    game: GameName,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="What to compute, for example book or walls.")] = "book",
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Output file; an unfinished one is continued. Default: in the game's folder."
        ),
    ] = None,
    nodes: Annotated[int, numeric(bounds.NODES, help="Node limit per position or move; 0: the default.")] = 0,
    games: Annotated[int, numeric(bounds.GAMES, help="Number of self-play games; 0: the default.")] = 0,
    jobs: Annotated[int, numeric(bounds.JOBS, help="Number of processes; 0: one per core.")] = 1,
    cluster: Cluster = "",
    seed: Seed = 1,
) -> None:
    """Compute opening knowledge for a game; the same command continues after an interruption."""
    rules = load(game)
    if not rules.tools.makers:
        raise PodiumError(f"{rules.title} has no opening knowledge to compute")
    if what not in rules.tools.makers:
        raise unknown(f"kind of opening knowledge of {rules.name}", what, rules.tools.makers)
    maker = rules.tools.makers[what]
    path = output or folder_of(rules.name) / "data" / maker.file
    path.parent.mkdir(parents=True, exist_ok=True)
    with compilation_shown():
        rules.kind("champion").bot().warm_up()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors) as progress, workers(jobs_of(jobs), cluster) as crew:

        def announce(text: str, number: int) -> None:
            progress.add_task(text, total=number)

        def run(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
            task, left = progress.task_ids[-1], iter(items)
            waiting = {crew.executor.submit(function, item) for item in islice(left, crew.ahead)}
            while waiting:
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                waiting |= {crew.executor.submit(function, item) for item in islice(left, len(finished))}
                for future in finished:
                    progress.advance(task)
                    yield future.result()

        maker.make(MakeOptions(path, nodes or maker.nodes, games or maker.games, seed, announce, run))
    console.print(f"{maker.summary}: {path}")
