"""`podium bench`: how fast are the kernels of a game?"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import Json, numeric
from podium.errors import PodiumError, unknown
from podium.games import load, names
from podium.games.game import Game, Study
from podium.games.signature import play_signature
from podium.model.params import Parameter

SECONDS = Parameter("seconds", 2.0, "Duration of each measurement in seconds.", 0.01, 1e6)


def command(
    game: Annotated[str, typer.Argument(help="The name of the game; with --signature all games by default.")] = "",
    seconds: Annotated[float, numeric(SECONDS, metavar="SECONDS")] = 2.0,
    study: Annotated[str, typer.Option(metavar="NAME", help="Run a study of the game instead, such as ordering.")] = "",
    ordering: Annotated[bool, typer.Option("--ordering", hidden=True)] = False,
    pruning: Annotated[bool, typer.Option("--pruning", hidden=True)] = False,
    signature: Annotated[
        bool, typer.Option("--signature", help="Print one hash per bot that changes when the bot plays differently.")
    ] = False,
    json: Json = False,
) -> None:
    """Measure the speed of a game's kernels: rules, evaluations, searches, in units per second.

    With --signature every bot answers in fixed positions with a fixed number of nodes; the hash covers its answers.
    """
    if signature:
        _signatures([game] if game else names(), json)
        return
    if not game:
        raise PodiumError("which game? `podium games` lists them")
    rules = load(game)
    study = study or ("ordering" if ordering else "pruning" if pruning else "")
    if study:
        if study not in rules.tools.studies:
            raise unknown(f"study of {rules.name}", study, rules.tools.studies)
        _study(rules.tools.studies[study], seconds, json)
        return
    _rates(rules, seconds, json)
    for quick in rules.tools.studies.values() if not json else ():
        if quick.quick:
            _study(quick, seconds, json)


def _rates(rules: Game, seconds: float, json: bool) -> None:
    rows = []
    for benchmark in rules.tools.benchmarks():
        with compilation_shown():
            benchmark.run(0.0)
        with errors.status(f"{benchmark.name} ..."):
            count, elapsed = benchmark.run(seconds)
        rows.append((benchmark, count, elapsed))
    if json:
        rates = [
            {"name": b.name, "unit": b.counted, "count": count, "seconds": elapsed, "per_second": count / elapsed}
            for b, count, elapsed in rows
        ]
        print_json({"rates": rates})
        return
    table = Sheet("benchmark", "per second", "counted", "unit", typed=("benchmark",))
    for benchmark, count, elapsed in rows:
        table.add_row(benchmark.name, f"{count / elapsed:,.0f}", f"{count:,} in {elapsed:.2f} s", benchmark.counted)
    console.print(table)


def _signatures(games: Sequence[str], json: bool) -> None:
    found = []
    for rules in map(load, games):
        for kind in rules.bots.values():
            with compilation_shown(), errors.status(f"{rules.name} {kind.name} ..."):
                found.append(play_signature(rules, kind))
    if json:
        print_json({"signatures": [asdict(one) for one in found]})
        return
    table = Sheet("game", "bot", "signature", "nodes", "positions", typed=("game", "bot", "signature"))
    for one in found:
        table.add_row(one.game, one.bot, one.hash, f"{one.nodes:,}", str(one.positions))
    console.print(table)


def _study(study: Study, seconds: float, json: bool) -> None:
    with compilation_shown(), errors.status(f"{study.summary} ..."):
        found = study.run(seconds)
    if json:
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        print_json({"study": study.summary, "sentence": found.sentence, "rows": rows})
        return
    table = Sheet(*found.columns, title=study.summary)
    for row in found.rows:
        table.add_row(*map(_cell, row))
    console.print(table)
    if found.sentence:
        console.print(found.sentence)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
