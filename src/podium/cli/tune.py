"""`podium tune`: which numbers and switches make a bot strongest?"""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from podium.arena import numbers
from podium.cli.common import GameName, numeric
from podium.cli.running import closing, pasted_line
from podium.cli.studies import StudyOptions, of_study, play_study
from podium.cli.tables import Sheet
from podium.cli.words import elo_words
from podium.errors import PodiumError
from podium.kernel.minds import Parameter
from podium.lab.confirming import BOUNDS
from podium.lab.effects import effects_svg
from podium.lab.proposals import Method
from podium.lab.subject import written
from podium.lab.tuned import ParameterFigures, TuningReport
from podium.lab.tuning import DEFAULT_GAMES, Tuning

TESTS = Parameter("tests", -1, "Games of each test at most; -1: as many as the search; 0: no tests.", -1, 1e12)


@of_study
def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="name, name:parameter=value,... or 'cmd:bot -w {w=20}'")],
    space: Annotated[
        list[str],
        typer.Argument(metavar="NAME=RANGE", help="low:high, low:high:log, a|b|c or on|off for a parameter"),
    ],
    games: Annotated[int, numeric(numbers.GAMES, help="Games of the search.")] = DEFAULT_GAMES,
    against: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="Play this bot instead of each other; may be repeated.")
    ] = None,
    method: Annotated[
        Method | None, typer.Option(help="surface: up to six parameters; design: many; spsa: fine tuning of numbers.")
    ] = None,
    sprt: Annotated[
        tuple[float, float], typer.Option(metavar="LOW HIGH", help="Bounds of the tests at the end (nElo).")
    ] = BOUNDS,
    tests: Annotated[int, numeric(TESTS)] = -1,
    svg: Annotated[Path | None, typer.Option(help="Draw what each parameter does into this file.")] = None,
    *,
    options: StudyOptions,
) -> None:
    """Find the settings that make a bot strongest, and test them against the bot as it is.

    Every game is stored as it ends. The same command goes on with the same run: after an interruption, or when more
    games are asked for. It ends with a sequential test on fresh seeds, and another one with twice the budget.
    """
    with Tuning(
        game,
        bot,
        space,
        games=games,
        against=against or (),
        method=method,
        sprt=sprt,
        tests=None if tests < 0 else tests,
        seed=options.seed,
        store=options.store,
        **options.terms,
    ) as tuning:
        if svg:
            draw(tuning.report(), svg)  # a file that cannot be written is told now, not after the search
        try:
            play_study(tuning, view, options)
        finally:
            if svg:
                draw(tuning.report(), svg)


def draw(report: TuningReport, path: Path) -> None:
    """Write the picture of a tuning."""
    try:
        path.write_text(effects_svg(report.parameters), encoding="utf-8")
    except OSError as error:
        raise PodiumError(f"cannot write {path}: {error.strerror}") from None


def view(report: TuningReport) -> RenderableType:
    """A tuning for people."""
    table = Sheet("parameter", "base", "best", "95 %", "Elo", "95 %", typed=("parameter", "best"))
    for each in sorted(report.parameters, key=lambda each: -each.gain.elo):
        gain = each.gain
        table.add_row(
            each.name,
            written(each.base),
            written(each.best),
            _where(each),
            f"{gain.elo:+z.0f}",
            f"{gain.low:+z.0f} .. {gain.high:+z.0f}",
        )
    parts: list[RenderableType] = [table]
    if report.confirmations:
        tests = Sheet("test", "limits", "games", "Elo", "95 %", "accepted", typed=("test",))
        for test in report.confirmations:
            elo, low, high = test.elo
            tests.add_row(
                test.run,
                test.limits,
                f"{test.games:,}",
                elo_words(elo, 0),
                f"{elo_words(low, 0)} .. {elo_words(high, 0)}",
                {"H1": "stronger", "H0": "not stronger"}.get(test.accepted or "", "undecided"),
            )
        parts.append(tests)
    pasted = [pasted_line(report.line)] if report.line else []
    return Group(*parts, *closing(report.warnings, report.sentence), *pasted)


def _where(each: ParameterFigures) -> str:
    if each.sure is not None:
        return f"sure by {each.sure:.0%}"
    return "" if each.low is None or each.high is None else f"{written(each.low)} .. {written(each.high)}"
