"""`podium league`: many bots, one table."""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from podium.arena import numbers
from podium.arena.league import DEFAULT_ROUNDS, League, LeagueReport
from podium.arena.limits import Policy
from podium.arena.store import DEFAULT_STORE
from podium.cli.common import GameName, Json, Milliseconds, Nodes, Players, Seed, compilation_shown, numeric, seated
from podium.cli.match import words
from podium.cli.running import (
    Cluster,
    Fair,
    Handicaps,
    Jobs,
    Keep,
    Memory,
    PolicyOption,
    Reserve,
    Settings,
    Startup,
    StorePath,
    Suspend,
    Thoughts,
    duration,
    handicaps_of,
    play_shown,
    settings_of,
)


def command(
    game: GameName,
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="[BOT]...", help="Bots that take part, besides those that do already.")
    ] = None,
    rounds: Annotated[int, numeric(numbers.ROUNDS)] = DEFAULT_ROUNDS,
    against: Annotated[str, typer.Option(metavar="BOT", help="A gauntlet: only meetings with this bot.")] = "",
    climb: Annotated[
        bool, typer.Option("--ladder", help="A ladder: neighbours in the table meet, round by round.")
    ] = False,
    name: Annotated[str, typer.Option(help="The league's name: one store can hold several.")] = "league",
    seed: Seed = 1,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
    handicap: Handicaps = None,
    policy: PolicyOption = Policy.SOFT,
    reserve: Reserve = 1000.0,
    startup: Startup = 0.0,
    memory: Memory = 0,
    suspend: Suspend = False,
    fair: Fair = False,
    setting: Settings = None,
    thoughts: Thoughts = True,
    players: Players = 0,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    archive: Keep = True,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let many bots play each other and rate them all together.

    The same command goes on with the same league; bots named later join it. Ratings do not depend on the order of
    games.
    """
    with League(
        seated(game, players),
        bots or (),
        rounds=rounds,
        against=against,
        ladder=climb,
        name=name,
        handicaps=handicaps_of(handicap),
        seed=seed,
        store=store,
        archive=archive,
        time=time,
        nodes=nodes,
        policy=policy,
        reserve=reserve,
        startup=startup,
        memory=memory,
        suspend=suspend,
        fair=fair,
        settings=settings_of(setting),
        thoughts=thoughts,
    ) as league:
        with compilation_shown():
            league.prepare()
        play_shown(league, view, progress_line, jobs, cluster, json)


def progress_line(report: LeagueReport) -> str:
    """How far a league is, in one line."""
    left = f"about {report.remaining_games:,} more ({duration(report.remaining_seconds)})"
    return f"{report.games:,} games, {left}"


def view(report: LeagueReport) -> RenderableType:
    """A league for people."""
    table = Table("")
    table.add_column("bot", min_width=10, overflow="fold")
    for title in ("Elo", "95 %", "over next", "games", "score"):
        table.add_column(title, justify="right", no_wrap=title in ("Elo", "95 %"))
    table.add_column("put out", min_width=7)
    table.add_column("ms: mean, 99 %, worst", justify="right")
    for place, row in enumerate(report.ratings, 1):
        table.add_row(
            str(place),
            row.bot + (" (retired)" if row.retired else ""),
            f"{row.elo:+.0f}",
            f"{row.low:+.0f} .. {row.high:+.0f}",
            f"{row.above_next:.0%}" if place < len(report.ratings) else "",
            f"{row.games:,}",
            f"{row.score:.1%}",
            words(row.faults),
            f"{row.clock.mean:.1f}  {row.clock.p99:.1f}  {row.clock.worst:.1f}",
        )
    cross = Table("score against", *(str(place) for place in range(1, len(report.ratings) + 1)))
    for place, (row, scores) in enumerate(zip(report.ratings, report.cross, strict=True), 1):
        cells = ["" if score is None else f"{score:.0%}" for score in scores]
        cross.add_row(f"{place} {row.bot}", *cells)
    parts: list[RenderableType] = [Text(f"{report.games:,} games"), table, cross]
    parts += [Text(f"warning: {text}", style="yellow") for text in report.warnings]
    return Group(*parts, Text(report.sentence, style="bold"))


command.__name__ = "league"
