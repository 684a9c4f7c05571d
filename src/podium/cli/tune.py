"""`podium tune`: which parameters make a bot strongest?"""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from podium.arena import bounds
from podium.arena.tournament.options import RunOptions
from podium.cli import completion
from podium.cli.formatting import Sheet, elo_text
from podium.cli.options import GameName, Json, Quiet, numeric, with_run_options
from podium.cli.run_view import opening, pasted_line, play_shown, study_line
from podium.files import writing
from podium.lab.tune.effects import effects_svg
from podium.lab.tune.proposals import Method
from podium.lab.tune.tunable import written
from podium.lab.tune.tuning import DEFAULT_GAMES, Tuning
from podium.lab.tune.tuning_report import ParameterFigures, TuningReport
from podium.lab.tune.validation_match import BOUNDS
from podium.model.params import Parameter

TESTS = Parameter("tests", 0, "Most games of each test; default: as many as the search; 0: no tests.", 0, 1e12)


@with_run_options(without=["fair", "thoughts", "handicaps", "archive"])
def command(
    game: GameName,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", autocompletion=completion.bots, help="name, name:parameter=value,... or 'cmd:bot -w {w=20}'"
        ),
    ],
    space: Annotated[
        list[str],
        typer.Argument(metavar="NAME=RANGE", help="A parameter and its range: low:high, low:high:log, a|b|c or on|off"),
    ],
    games: Annotated[int, numeric(bounds.GAMES, help="Number of games of the search.")] = DEFAULT_GAMES,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="Opponent, instead of other settings; may be repeated."),
    ] = None,
    method: Annotated[
        Method | None,
        typer.Option(
            metavar="surface|design|spsa",
            help="surface: up to six parameters; design: many; spsa: fine-tuning of numbers.",
        ),
    ] = None,
    sprt: Annotated[
        tuple[float, float],
        typer.Option(metavar="ELO0 ELO1", help="Bounds of the final tests, in normalized Elo."),
    ] = BOUNDS,
    tests: Annotated[int | None, numeric(TESTS)] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw each parameter's effect.")] = None,
    *,
    json: Json = False,
    quiet: Quiet = False,
    options: RunOptions,
) -> None:
    """Tune the parameters of a bot, and test the result against the unchanged bot.

    Every game is stored as it ends. The same command continues the same run, after an interruption or with more games.
    The search is followed by a sequential test on fresh seeds, and by another one with twice the budget.
    """
    with Tuning(
        game,
        bot,
        space,
        games=games,
        against=against or (),
        method=method,
        sprt=sprt,
        tests=tests,
        **options,
    ) as tuning:
        if svg:
            draw(tuning.report(), svg)  # a file that cannot be written is reported now, not after the search
        try:
            play_shown(tuning, view, study_line, json, quiet)
        finally:
            if svg:
                draw(tuning.report(), svg)


def draw(report: TuningReport, path: Path) -> None:
    """Write the picture of a tuning."""
    with writing(path):
        path.write_text(effects_svg(report.parameters), encoding="utf-8")


def view(report: TuningReport) -> RenderableType:
    """The tables of a tuning."""
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
    if report.validations:
        tests = Sheet("test", "limits", "games", "Elo", "95 %", "accepted", typed=("test",))
        for test in report.validations:
            elo, low, high = test.elo
            tests.add_row(
                test.run,
                test.limits,
                f"{test.games:,}",
                elo_text(elo, 0),
                f"{elo_text(low, 0)} .. {elo_text(high, 0)}",
                {"H1": "stronger", "H0": "not stronger"}.get(test.accepted or "", "undecided"),
            )
        parts.append(tests)
    pasted = [pasted_line(f"play the best setting: {report.line}")] if report.line else []
    return Group(*opening(report), *parts, *pasted)


def _where(each: ParameterFigures) -> str:
    if each.sure is not None:
        return f"sure by {each.sure:.0%}"
    return "" if each.low is None or each.high is None else f"{written(each.low)} .. {written(each.high)}"
