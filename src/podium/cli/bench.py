"""`podium bench`: how fast is it?"""

from typing import Annotated

import typer
from rich.table import Table

from podium.cli.common import Json, compilation_shown, console, errors, load_game, print_json

ARENA = "arena"


def command(
    game: Annotated[str, typer.Argument(metavar="GAME|arena", help="The game's name, or arena.")],
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds to measure each thing.")] = 2.0,
    json: Json = False,
) -> None:
    """Measure the speed of a game's kernels: rates, each with what was counted. `arena` measures the arena itself."""
    if game == ARENA:
        _arena(seconds, json)
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


def _arena(seconds: float, json: bool) -> None:
    from podium.arena.bench import figures

    with compilation_shown(), errors.status("measuring the arena ..."):
        found = figures(seconds)
    if json:
        print_json([{**vars(figure), "reached": figure.reached} for figure in found])
        return
    table = Table("what the arena itself costs", "measured", "aim", "", "how")
    for figure in found:
        aim = f"{'at least' if figure.at_least else 'at most'} {figure.aim:g} {figure.unit}"
        mark = "[green]reached[/]" if figure.reached else "[red]missed[/]"
        table.add_row(figure.name, f"{figure.value:.3g} {figure.unit}", aim, mark, figure.note)
    console.print(table)


command.__name__ = "bench"
