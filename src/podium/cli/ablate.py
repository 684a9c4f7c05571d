"""`podium ablate`: what does each part of a bot contribute?"""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from podium.arena import bounds
from podium.arena.tournament.options import RunOptions
from podium.cli import completion
from podium.cli.formatting import Sheet, elo_text
from podium.cli.options import GameName, Json, Quiet, numeric, with_run_options
from podium.cli.run_view import opening, play_shown, study_line
from podium.lab.tune.ablation import DEFAULT_GAMES, Ablation, AblationReport
from podium.model.params import pair

SIGN = "Elo lost by each change: above 0 the complete bot is stronger, below 0 the changed one."


@with_run_options(without=["fair", "thoughts", "handicaps", "archive"])
def command(
    game: GameName,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            autocompletion=completion.bots,
            help="name, name:parameter=value,... or 'cmd:bot -r {rave=on}'",
        ),
    ],
    parts: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="Switches to toggle; default: all that are on, if there are no --values."),
    ] = "",
    values: Annotated[
        list[str] | None, typer.Option(metavar="NAME=V,W,...", help="Other values of a parameter; may be repeated.")
    ] = None,
    games: Annotated[int, numeric(bounds.GAMES, help="Total number of games of all variants.")] = DEFAULT_GAMES,
    *,
    json: Json = False,
    quiet: Quiet = False,
    options: RunOptions,
) -> None:
    """Switch off one part of a bot at a time, and measure the Elo that each contributes to the complete bot.

    Every game is stored as it ends. The same command continues the same run, after an interruption or with more games,
    which go to the parts with the widest intervals.
    """
    with Ablation(
        game,
        bot,
        parts=[part.strip() for part in parts.split(",") if part.strip()],
        values=values_of(values or ()),
        games=games,
        **options,
    ) as ablation:
        play_shown(ablation, view, study_line, json, quiet)


def values_of(texts: Sequence[str]) -> dict[str, list[str]]:
    """Other values, written as name=value,value,..."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, values = pair("list of values", text)
        found.setdefault(name, []).extend(value.strip() for value in values.split(",") if value.strip())
    return found


def view(report: AblationReport) -> RenderableType:
    """The table of an ablation."""
    table = Sheet("change", "Elo lost", "95 %", "games", "ms (complete bot)", "result", typed=("change",))
    for each in report.parts:
        table.add_row(
            each.part,
            elo_text(each.elo, 0),
            f"{elo_text(each.low, 0)} .. {elo_text(each.high, 0)}",
            f"{each.games:,}",
            f"{each.milliseconds:.2f} ({each.whole_milliseconds:.2f})",
            each.sentence,
        )
    return Group(*opening(report), Text(SIGN, style="dim"), table)
