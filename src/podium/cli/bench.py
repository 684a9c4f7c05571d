"""`podium bench`: how fast is it?"""

from typing import Annotated

import typer
from rich.table import Table

from podium.cli.common import GameName, Json, compilation_shown, console, errors, load_game, print_json


def command(
    game: GameName,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds to measure each thing.")] = 2.0,
    json: Json = False,
) -> None:
    """Measure the speed of a game's kernels: rates, each with what was counted."""
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


command.__name__ = "bench"
