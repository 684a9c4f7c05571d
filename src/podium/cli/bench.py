"""`podium bench`: how fast is it?"""

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from podium.cli.common import Json, Seed, compilation_shown, console, errors, numeric, print_json
from podium.cli.tables import Sheet
from podium.errors import PodiumError, unknown
from podium.games import load, names
from podium.games.game import Findings, Game, Study
from podium.kernel.minds import Parameter

ARENA = "arena"
START = "start"
STATISTICS = "statistics"
TORTURE = "torture"
QUICK = "zuniq"  # the game on which the arena is measured where one is enough

SHOWN = 20  # failures of a torture
SECONDS = Parameter("seconds", 2.0, "Seconds to measure each thing.", 0.01, 1e6)


def command(
    game: Annotated[
        str, typer.Argument(metavar="GAME|arena|start|statistics|torture", help="The game's name, or one of these.")
    ],
    of: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Of start: which games; else all.")] = None,
    bot: Annotated[str, typer.Option(metavar="BOT", help="Of start: which bot.")] = "champion",
    seconds: Annotated[float, numeric(SECONDS, metavar="SECONDS")] = 2.0,
    seed: Seed = 1,
    study: Annotated[str, typer.Option(help="A study of the game instead of rates, for example ordering.")] = "",
    ordering: Annotated[bool, typer.Option("--ordering", help="The same as --study ordering.")] = False,
    pruning: Annotated[bool, typer.Option("--pruning", help="The same as --study pruning.")] = False,
    json: Json = False,
) -> None:
    """Measure the speed of a game's kernels: rates, each with what was counted.

    `arena` measures the arena itself; `start` what the first answer of `podium bot` costs; `statistics` plays leagues
    and tests by dice, and sees how often what is said of them is true; `torture` kills runs, plays hostile programs and
    changes stores, numbers and prompts, for so long altogether.
    """
    if game == ARENA:
        _arena(seconds, json)
        return
    if game == START:
        _start([load(name) for name in of or names()], bot, seconds, json)
        return
    if of:
        raise PodiumError(f"one thing at a time: {game}, not also {' '.join(of)}")
    if game == TORTURE:
        _torture(seconds, seed, json)
        return
    if game == STATISTICS:
        _statistics(seconds, json)
        return
    rules = load(game)
    study = study or ("ordering" if ordering else "pruning" if pruning else "")
    if study:
        if study not in rules.studies:
            raise unknown(f"study of {rules.name}", study, rules.studies)
        _study(rules.studies[study], seconds, json)
        return
    rows = []
    for benchmark in rules.benchmarks():
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
    table = Sheet("benchmark", "per second", "counted", "what one is", typed=("benchmark",))
    for benchmark, count, elapsed in rows:
        table.add_row(benchmark.name, f"{count / elapsed:,.0f}", f"{count:,} in {elapsed:.2f} s", benchmark.counted)
    console.print(table)
    for quick in rules.studies.values():
        if quick.quick:
            _study(quick, seconds, json)


def _study(study: Study, seconds: float, json: bool) -> None:
    findings = _findings(study, seconds)
    if json:
        print_json(_study_data(study, findings))
        return
    table = Sheet(*findings.columns, title=study.summary)
    for row in findings.rows:
        table.add_row(*map(_cell, row))
    console.print(table)
    if findings.sentence:
        console.print(findings.sentence)


def _findings(study: Study, seconds: float) -> Findings:
    with compilation_shown(), errors.status(f"{study.summary} ..."):
        return study.run(seconds)


def _study_data(study: Study, findings: Findings) -> dict[str, Any]:
    rows = [dict(zip(findings.columns, row, strict=True)) for row in findings.rows]
    return {"study": study.summary, "sentence": findings.sentence, "rows": rows}


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _statistics(seconds: float, json: bool) -> None:
    from podium.arena.simulation import STUDIES

    if json:
        print_json({"studies": [_study_data(study, _findings(study, seconds)) for study in STUDIES]})
        return
    for study in STUDIES:
        _study(study, seconds, json)


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _torture(seconds: float, seed: int, json: bool) -> None:
    from podium.arena.torture import Ordeal, torture

    with tempfile.TemporaryDirectory() as folder, errors.status("torture ...") as status:

        def look(found: list[Ordeal]) -> None:
            status.update(", ".join(f"{ordeal.name} {ordeal.tried:,}" for ordeal in found))

        found = torture(load(QUICK), Path(folder), seconds, seed, look)
    if json:
        print_json({"ordeals": [vars(ordeal) for ordeal in found]})
    else:
        table = Sheet("torture", "tried", "what one is", "failed")
        for ordeal in found:
            failed = Text(f"{len(ordeal.failures):,}", "red" if ordeal.failures else "green")
            table.add_row(ordeal.name, f"{ordeal.tried:,}", ordeal.what, failed)
        console.print(table)
        for text in [failure for ordeal in found for failure in ordeal.failures][:SHOWN]:
            console.print(text, style="red")
    if any(ordeal.failures for ordeal in found):
        raise typer.Exit(1)


def _start(games: list[Game], bot: str, seconds: float, json: bool) -> None:
    from podium.arena.starts import measure, starts_of

    with errors.status("starting ...") as status:
        starts = starts_of(games, bot)
        measure(starts, seconds, lambda name: status.update(f"starting {name} ..."))
    if json:
        print_json({"starts": [start.data() for start in starts]})
        return
    title = "first answer of podium bot: processor time, and time until it is there, in ms"
    table = Sheet("start of", "processor", "median", "time", "median", "aim", "", typed=("start of",), title=title)
    for start in starts:
        data = start.data()
        mark = {True: Text("reached", "green"), False: Text("missed", "red"), None: Text("")}[start.reached]
        figures = [data[kind][which] for kind in ("processor_ms", "wall_ms") for which in ("best", "median")]
        table.add_row(start.name, *map(_three_digits, figures), "" if start.aim is None else f"{start.aim:g}", mark)
    console.print(table)


def _arena(seconds: float, json: bool) -> None:
    from podium.arena.bench import figures

    with compilation_shown(), errors.status("measuring the arena ..."):
        found = figures([load(name) for name in names()], load(QUICK), seconds)
    if json:
        print_json({"figures": [{**vars(figure), "reached": figure.reached} for figure in found]})
        return
    table = Sheet("what the arena itself costs", "measured", "aim", "", "how")
    for figure in found:
        aim = f"{'at least' if figure.at_least else 'at most'} {figure.aim:g} {figure.unit}"
        mark = Text("reached", "green") if figure.reached else Text("missed", "red")
        table.add_row(figure.name, f"{_three_digits(figure.value)} {figure.unit}", aim, mark, figure.note)
    console.print(table)
