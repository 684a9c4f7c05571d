"""`podium ablate`: what is each part of a bot worth?"""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from podium.arena import numbers
from podium.cli.common import GameName, numeric
from podium.cli.running import closing
from podium.cli.studies import StudyOptions, of_study, play_study
from podium.cli.tables import Sheet
from podium.cli.words import elo_words
from podium.kernel.minds import pair
from podium.lab.ablation import DEFAULT_GAMES, Ablation, AblationReport


@of_study
def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="name, name:parameter=value,... or 'cmd:bot -r {rave=on}'")],
    parts: Annotated[str, typer.Option(metavar="A,B,...", help="Switches to turn over; all that are on if none.")] = "",
    values: Annotated[
        list[str] | None, typer.Option(metavar="NAME=V,W,...", help="Other values of a parameter; may be repeated.")
    ] = None,
    games: Annotated[int, numeric(numbers.GAMES, help="Games of all variants together.")] = DEFAULT_GAMES,
    *,
    options: StudyOptions,
) -> None:
    """Switch off one part of a bot at a time, and say what each is worth against the whole bot.

    Every game is stored as it ends. The same command goes on with the same run: after an interruption, or when more
    games are asked for, which go where the interval is still widest.
    """
    with Ablation(
        game,
        bot,
        parts=[part.strip() for part in parts.split(",") if part.strip()],
        values=values_of(values or ()),
        games=games,
        seed=options.seed,
        store=options.store,
        **options.terms,
    ) as ablation:
        play_study(ablation, view, options)


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
            elo_words(each.worth, 0),
            f"{elo_words(each.low, 0)} .. {elo_words(each.high, 0)}",
            f"{each.games:,}",
            f"{each.milliseconds:.2f}",
            f"{each.whole_milliseconds:.2f}",
            each.sentence,
        )
    return Group(table, *closing(report.warnings, report.sentence))
