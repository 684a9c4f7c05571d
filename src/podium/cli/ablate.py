"""`podium ablate`: what is each part of a bot worth?"""

from collections.abc import Sequence
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
    play_shown,
    positions_of,
    settings_of,
)
from podium.cli.tables import Sheet
from podium.cli.tune import progress_line
from podium.kernel.minds import pair
from podium.lab.ablation import DEFAULT_GAMES, Ablation, AblationReport


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="name, name:parameter=value,... or 'cmd:bot -r {rave=on}'")],
    parts: Annotated[str, typer.Option(metavar="A,B,...", help="Switches to turn over; all that are on if none.")] = "",
    values: Annotated[
        list[str] | None, typer.Option(metavar="NAME=V,W,...", help="Other values of a parameter; may be repeated.")
    ] = None,
    games: Annotated[int, numeric(numbers.GAMES, help="Games of all variants together.")] = DEFAULT_GAMES,
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
    """Switch off one part of a bot at a time, and say what each is worth against the whole bot.

    Every game is stored as it ends. The same command goes on with the same run: after an interruption, or with more
    --games, which go where the interval is still widest.
    """
    with Ablation(
        game,
        bot,
        parts=[part.strip() for part in parts.split(",") if part.strip()],
        values=values_of(values or ()),
        games=games,
        seed=seed,
        store=store,
        time=time,
        nodes=nodes,
        policy=policy,
        startup=startup,
        memory=memory,
        settings=settings_of(setting),
        positions=positions_of(start),
    ) as ablation:
        with compilation_shown():
            ablation.prepare()
        play_shown(ablation, view, progress_line, jobs, cluster, json)


def values_of(texts: Sequence[str]) -> dict[str, list[str]]:
    """Other values, written as name=value,value,..."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, values = pair("list of values", text)
        found.setdefault(name, []).extend(value.strip() for value in values.split(",") if value.strip())
    return found


def view(report: AblationReport) -> RenderableType:
    """An ablation for people."""
    table = Sheet("part", "Elo", "95 %", "games", "ms", "whole", "result", typed=("part",))
    for each in report.parts:
        table.add_row(
            each.part,
            f"{each.worth:+.0f}",
            f"{each.low:+.0f} .. {each.high:+.0f}",
            f"{each.games:,}",
            f"{each.milliseconds:.2f}",
            f"{each.whole_milliseconds:.2f}",
            each.sentence,
        )
    warnings = [Text(f"warning: {text}", style="yellow") for text in report.warnings]
    return Group(table, *warnings, Text(report.sentence, style="bold"))


command.__name__ = "ablate"
