"""`podium tune`: which numbers and switches make a bot strongest?"""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from podium.arena import numbers
from podium.arena.limits import Policy
from podium.arena.store import DEFAULT_STORE
from podium.cli.common import GameName, Json, Milliseconds, Nodes, Seed, compilation_shown, numeric
from podium.cli.running import (
    Cluster,
    From,
    Jobs,
    Memory,
    PolicyOption,
    Settings,
    Startup,
    StorePath,
    duration,
    play_shown,
    positions_of,
    settings_of,
)
from podium.cli.tables import Sheet
from podium.cli.words import count
from podium.errors import PodiumError
from podium.kernel.minds import Parameter
from podium.lab.ablation import AblationReport
from podium.lab.confirming import BOUNDS
from podium.lab.effects import effects_svg
from podium.lab.proposals import Method
from podium.lab.subject import written
from podium.lab.tuned import ParameterFigures, TuningReport
from podium.lab.tuning import DEFAULT_GAMES, Tuning

TESTS = Parameter("tests", -1, "Games of each test at most; as many as the search by default, 0: no tests.", -1, 1e12)


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="name, name:parameter=value,... or 'cmd:bot -w {w=20}'")],
    space: Annotated[
        list[str],
        typer.Argument(metavar="NAME=RANGE...", help="low:high, low:high:log, a|b|c or on|off for a parameter"),
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
    seed: Seed = 1,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
    policy: PolicyOption = Policy.SOFT,
    startup: Startup = 0.0,
    memory: Memory = 0,
    setting: Settings = None,
    start: From = None,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Find the settings that make a bot strongest, and test them against the bot as it is.

    Every game is stored as it ends. The same command goes on with the same run: after an interruption, or with more
    --games. It ends with a sequential test on fresh seeds, and another one with twice the budget.
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
        seed=seed,
        store=store,
        time=time,
        nodes=nodes,
        policy=policy,
        startup=startup,
        memory=memory,
        settings=settings_of(setting),
        positions=positions_of(start),
    ) as tuning:
        with compilation_shown():
            tuning.prepare()
        play_shown(tuning, view, progress_line, jobs, cluster, json)
        if svg:
            draw(tuning.report(), svg)


def draw(report: TuningReport, path: Path) -> None:
    """Write the picture of a tuning."""
    try:
        path.write_text(effects_svg(report.parameters), encoding="utf-8")
    except OSError as error:
        raise PodiumError(f"cannot write {path}: {error.strerror}") from None


def progress_line(report: TuningReport | AblationReport) -> str:
    """All that matters while a study goes on, in one line."""
    left = f", {report.remaining_games:,} more ({duration(report.remaining_seconds)})" if report.remaining_games else ""
    return f"{count(report.games, 'game')}{left}, {report.games_per_second:.1f} games/s: {report.sentence}"


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
            f"{gain.elo:+.0f}",
            f"{gain.low:+.0f} .. {gain.high:+.0f}",
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
                f"{elo:+.0f}",
                f"{low:+.0f} .. {high:+.0f}",
                {"H1": "stronger", "H0": "not stronger"}.get(test.accepted or "", "undecided"),
            )
        parts.append(tests)
    parts += [Text(f"warning: {text}", style="yellow") for text in report.warnings]
    parts.append(Text(report.sentence, style="bold"))
    parts.append(Text(report.line))
    return Group(*parts)


def _where(each: ParameterFigures) -> str:
    if each.sure is not None:
        return f"sure by {each.sure:.0%}"
    return "" if each.low is None or each.high is None else f"{written(each.low)} .. {written(each.high)}"


command.__name__ = "tune"
