"""`podium league`: many bots, one table."""

from typing import Annotated, Any

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from podium.arena import numbers
from podium.arena.league import DEFAULT_ROUNDS, PLAYS, League, LeagueReport
from podium.arena.limits import Policy
from podium.arena.standing import StandingLeague
from podium.arena.store import DEFAULT_STORE
from podium.cli.common import (
    GameName,
    Json,
    Milliseconds,
    Nodes,
    Players,
    Seed,
    compilation_shown,
    flowing,
    numeric,
    seated,
)
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
    closing,
    duration,
    handicaps_of,
    play_shown,
    settings_of,
)
from podium.cli.standing import LeagueName, WithDefault, add, pause, remove, resume
from podium.cli.tables import Sheet, bars
from podium.cli.words import count, words
from podium.errors import PodiumError

MOST_IN_CROSS_TABLE = 15  # bots: more do not fit into 80 columns

app = typer.Typer(
    name="league",
    cls=WithDefault,
    help="Let many bots play each other and rate them all together.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(
    game: GameName,
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT", help="Bots that take part, besides those that do already.")
    ] = None,
    rounds: Annotated[int, numeric(numbers.ROUNDS)] = DEFAULT_ROUNDS,
    against: Annotated[str, typer.Option(metavar="BOT", help="A gauntlet: only meetings with this bot.")] = "",
    climb: Annotated[
        bool, typer.Option("--ladder", help="A ladder: neighbours in the table meet, round by round.")
    ] = False,
    standing: Annotated[
        bool, typer.Option("--standing", help="Go on until stopped, with the games that tell most; bots come and go.")
    ] = False,
    name: LeagueName = "league",
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
    games. While a league stands, other commands change it: podium league add v2=BOT, remove, pause, resume.
    """
    options: dict[str, Any] = {
        "name": name,
        "handicaps": handicaps_of(handicap),
        "seed": seed,
        "store": store,
        "archive": archive,
        "time": time,
        "nodes": nodes,
        "policy": policy,
        "reserve": reserve,
        "startup": startup,
        "memory": memory,
        "suspend": suspend,
        "fair": fair,
        "settings": settings_of(setting),
        "thoughts": thoughts,
    }
    contest: League
    if standing:
        if against or climb or rounds != DEFAULT_ROUNDS:
            raise PodiumError("a standing league chooses its games itself: no --rounds, --against or --ladder")
        contest = StandingLeague(seated(game, players), bots or (), **options)
    else:
        contest = League(seated(game, players), bots or (), rounds=rounds, against=against, ladder=climb, **options)
    with contest as league:
        with compilation_shown():
            league.prepare()
        line = (lambda report: standing_line(league, report)) if isinstance(league, StandingLeague) else progress_line
        play_shown(league, view, line, jobs, cluster, json)


def standing_line(league: StandingLeague, report: LeagueReport) -> str:
    """How a standing league goes, in one line."""
    playing = sum(row.state == PLAYS for row in report.ratings)
    return f"{count(report.games, 'game')}, {league.waits_for or count(playing, 'bot') + ' play'}; Ctrl-C stops it"


def progress_line(report: LeagueReport) -> str:
    """How far a league is, in one line."""
    left = f"about {report.remaining_games:,} more ({duration(report.remaining_seconds)})"
    return f"{count(report.games, 'game')}, {left}"


def view(report: LeagueReport) -> RenderableType:
    """A league for people: who is where, how sure that is, and what else there is to know of each."""
    parts: list[RenderableType] = [Text(count(report.games, "game")), _ratings(report), _details(report)]
    if 1 < len(report.ratings) <= MOST_IN_CROSS_TABLE:
        parts.append(_cross(report))
    return Group(*parts, *closing(report.warnings, report.sentence))


def _ratings(report: LeagueReport) -> Table:
    table = Sheet("", "bot", typed=("bot",))
    for title in ("Elo", "95 %", "over next", "games", "score"):
        table.column(title, justify="right")
    for place, row in enumerate(report.ratings, 1):
        table.add_row(
            str(place),
            row.bot + ("" if row.state == PLAYS else f" ({row.state})"),
            f"{row.elo:+z.0f}",
            f"{row.low:+z.0f} .. {row.high:+z.0f}",
            f"{row.above_next:.0%}" if place < len(report.ratings) else "",
            f"{row.games:,}",
            f"{row.score:.1%}",
        )
    return table


def _details(report: LeagueReport) -> Table:
    table = Sheet("", "put out")
    for title in ("ms: mean", "99 %", "worst"):
        table.column(title, justify="right")
    table.column("Elo over time")
    for place, row in enumerate(report.ratings, 1):
        times = (row.clock.mean, row.clock.p99, row.clock.worst)
        table.add_row(str(place), words(row.faults), *(f"{ms:.1f}" for ms in times), _over_time(report, row.bot))
    return table


def _over_time(report: LeagueReport, bot: str) -> str:
    """How a rating went: its first and its last value, and bars between its lowest and highest one."""
    values = [moment.ratings[bot] for moment in report.history if bot in moment.ratings]
    if len(values) < 2:
        return ""
    return f"{values[0]:+z.0f} {bars(values, min(values), max(values))} {values[-1]:+z.0f}"


def _cross(report: LeagueReport) -> Table:
    table = Table("score against", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for place in range(1, len(report.ratings) + 1):
        table.add_column(str(place), justify="right")
    for place, scores in enumerate(report.cross, 1):
        table.add_row(str(place), *("" if score is None else f"{score:.0%}" for score in scores))
    return table


app.command(WithDefault.default, help=flowing(command.__doc__ or ""))(command)
for each in (add, remove, pause, resume):
    app.command()(each)
