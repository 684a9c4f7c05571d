"""`podium bench`: how fast is it?"""

from statistics import fmean
from typing import Annotated

import typer
from rich.table import Table

from podium.cli.common import GameName, Json, compilation_shown, console, errors, load_game, print_json
from podium.errors import PodiumError


def command(
    game: GameName,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds to measure each thing.")] = 2.0,
    pruning: Annotated[bool, typer.Option("--pruning", help="How much the search prunes, instead of rates.")] = False,
    json: Json = False,
) -> None:
    """Measure the speed of a game's kernels: rates, each with what was counted."""
    if pruning:
        _pruning(game, json)
        return
    rows = []
    for benchmark in load_game(game).benchmarks():
        with compilation_shown():
            benchmark.run(0.0)
        with errors.status(f"{benchmark.name} ..."):
            count, elapsed = benchmark.run(seconds)
        rows.append((benchmark, count, elapsed))
    if json:
        print_json(
            [
                {"name": b.name, "unit": b.counted, "count": count, "seconds": elapsed, "per_second": count / elapsed}
                for b, count, elapsed in rows
            ]
        )
        return
    table = Table("benchmark", "per second", "counted", "what one is")
    for benchmark, count, elapsed in rows:
        table.add_row(benchmark.name, f"{count / elapsed:,.0f}", f"{count:,} in {elapsed:.2f} s", benchmark.counted)
    console.print(table)


def _pruning(name: str, json: bool) -> None:
    game = load_game(name)
    if game.pruning is None:
        raise PodiumError(f"{game.title} has no positions to measure pruning with")
    with compilation_shown(), errors.status("counting trees ..."):
        rows = game.pruning()
    if json:
        print_json([{**vars(row), "exponent": row.exponent} for row in rows])
        return
    table = Table("players", "positions", "mean depth in plies", "mean full tree", "mean searched", "mean exponent")
    for players in sorted({row.players for row in rows}, reverse=True):
        group = [row for row in rows if row.players == players]
        table.add_row(
            str(players),
            str(len(group)),
            f"{fmean(row.depth for row in group):.1f}",
            f"{fmean(row.full for row in group):,.0f}",
            f"{fmean(row.searched for row in group):,.0f}",
            f"{fmean(row.exponent for row in group):.3f}",
        )
    console.print(table)


command.__name__ = "bench"
