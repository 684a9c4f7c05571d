"""`podium league`: many bots in one table; `podium league add`, `remove`, `pause` and `resume` change it."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from podium.arena import bounds
from podium.arena.store.store import DEFAULT_STORE, Run, Store
from podium.arena.tournament.continuous import ContinuousLeague, add_bots, find_league, pause_league, set_state
from podium.arena.tournament.league import DEFAULT_ROUNDS, League
from podium.arena.tournament.league_report import PAUSED, PLAYS, REMOVED, LeagueReport
from podium.arena.tournament.options import MatchOptions
from podium.cli import completion
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors
from podium.cli.formatting import TIMES, Sheet, bars, count, counts_text, duration
from podium.cli.groups import DefaultCommand, WithDefault
from podium.cli.help_text import HelpfulCommand
from podium.cli.options import (
    HELP,
    Archive,
    GameName,
    Json,
    Players,
    Quiet,
    StorePath,
    built,
    flowing,
    name_for_players,
    numeric,
    of_project,
    with_run_options,
)
from podium.cli.run_view import opening, play_shown
from podium.errors import PodiumError
from podium.pack.releases import write_version

MOST_IN_CROSS_TABLE = 15  # bots: more do not fit into 80 columns

LeagueName = Annotated[str, typer.Option("--name", help="Name of the league; a store can hold several.")]
OfGame = Annotated[str, typer.Option("--game", help="Its game, where leagues of several games have that name.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME", help="Bots by their names in the table.")]
Some = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Only these bots.")]


app = typer.Typer(
    name="league",
    cls=WithDefault,
    help="Play many bots against each other and rate them in one table.",
    context_settings=HELP,
)


@with_run_options(without=["positions"])
def command(
    game: GameName,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT", help="Bots that join the league; earlier ones stay.", autocompletion=completion.bots
        ),
    ] = None,
    rounds: Annotated[int, numeric(bounds.ROUNDS)] = DEFAULT_ROUNDS,
    against: Annotated[str, typer.Option(metavar="BOT", help="Play a gauntlet: all others against this bot.")] = "",
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Play a ladder: neighbours in the table, round by round.")
    ] = False,
    continuous: Annotated[
        bool,
        typer.Option(
            "--continuous",
            help="Play until stopped, always the most informative pairing; bots may be added and removed meanwhile.",
        ),
    ] = False,
    name: LeagueName = "league",
    *,
    players: Players = 0,
    json: Json = False,
    quiet: Quiet = False,
    options: MatchOptions,
) -> None:
    """Play many bots against each other and rate them in one table.

    The same command continues the same league; bots named later join it. Ratings do not depend on the order of the
    games. While a continuous league is played, other commands change it: podium league add v2=BOT, remove, pause,
    resume.
    """
    game, *named = of_project((game, *(bots or ())))
    bots = built(game, named, Path(options["store"]))
    league: League
    if continuous:
        if against or ladder or rounds != DEFAULT_ROUNDS:
            raise PodiumError("a continuous league chooses its games itself: no --rounds, --against or --ladder")
        league = ContinuousLeague(name_for_players(game, players), bots, name=name, packer=pack_for_archive, **options)
    else:
        league = League(
            name_for_players(game, players),
            bots,
            rounds=rounds,
            against=against,
            ladder=ladder,
            name=name,
            packer=pack_for_archive,
            **options,
        )
    with league:
        line = continuous_line(league) if isinstance(league, ContinuousLeague) else progress_line
        play_shown(league, view, line, json, quiet)


def pack_for_archive(game: str, bot: str, file: Path) -> None:
    """Pack a bot for the archive, and say so, because it takes a while."""
    errors.print(f"packing {bot} for the archive", style="dim")
    write_version(game, bot, file)


def continuous_line(league: ContinuousLeague) -> Callable[[LeagueReport], str]:
    """The state of a continuous league in one line, as a function of its report."""

    def line(report: LeagueReport) -> str:
        playing = count(sum(row.state == PLAYS for row in report.ratings), "bot")
        return f"{count(report.games, 'game')}, {league.waits_for or f'{playing} playing'}; Ctrl-C stops it"

    return line


def progress_line(report: LeagueReport) -> str:
    """The state of a running league in one line."""
    left = f"about {report.remaining_games:,} more ({duration(report.remaining_seconds)})"
    return f"{count(report.games, 'game')}, {left}"


def view(report: LeagueReport) -> RenderableType:
    """The tables of a league: ratings, details of each bot, and the cross table."""
    games = Text(f"{count(report.games, 'game')}; Elo is relative to the mean of the table", style="dim")
    parts: list[RenderableType] = [*opening(report), games, _ratings(report), _details(report)]
    if 1 < len(report.ratings) <= MOST_IN_CROSS_TABLE:
        parts.append(_cross(report))
    return Group(*parts)


def _ratings(report: LeagueReport) -> Table:
    table = Sheet("", "bot", typed=("bot",))
    for title in ("Elo", "95 %", "P(> next)", "games", "score"):
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
    """Times of the bots' answers, their ratings over time, and disqualifications if there are any."""
    table = Sheet("")
    timed = any(row.clock.worst for row in report.ratings)  # imported games tell no times
    for title in TIMES if timed else ():
        table.column(title, justify="right")
    table.column("Elo over time")
    if faults := any(row.faults for row in report.ratings):
        table.column("disqualified")
    for place, row in enumerate(report.ratings, 1):
        times = (row.clock.mean, row.clock.p99, row.clock.worst)
        cells = (str(place), *(f"{ms:.1f}" for ms in times if timed), _over_time(report, row.bot))
        table.add_row(*cells, *([counts_text(row.faults)] if faults else []))
    return table


def _over_time(report: LeagueReport, bot: str) -> str:
    """A rating over time: its first value, a sparkline, its last value."""
    values = [snapshot.ratings[bot] for snapshot in report.history if bot in snapshot.ratings]
    if len(values) < 2:
        return ""
    return f"{values[0]:+z.0f} {bars(values, min(values), max(values))} {values[-1]:+z.0f}"


def _cross(report: LeagueReport) -> Table:
    table = Table("score vs", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for place in range(1, len(report.ratings) + 1):
        table.add_column(str(place), justify="right")
    for place, scores in enumerate(report.cross, 1):
        table.add_row(str(place), *("" if score is None else f"{score:.0%}" for score in scores))
    return table


def add(
    bots: Annotated[list[str], typer.Argument(metavar="NAME=BOT", help="New bots, for example v2=cmd:./mybot")],
    name: LeagueName = "league",
    game: OfGame = "",
    archive: Archive = None,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Add bots to a league; if it is being played, they join at once."""
    run = _league(store, name, game)
    with compilation_shown():
        sentences = add_bots(store, run, bots, archive is not False, pack_for_archive if archive else None)
    _tell(sentences)


def remove(bots: Names, name: LeagueName = "league", game: OfGame = "", store: StorePath = DEFAULT_STORE) -> None:
    """Remove bots from a league and its table; their games still count for the ratings of the others."""
    _tell(set_state(store, _league(store, name, game), bots, REMOVED))


def pause(bots: Some = None, name: LeagueName = "league", game: OfGame = "", store: StorePath = DEFAULT_STORE) -> None:
    """Pause a league, or only some of its bots."""
    _pause(_league(store, name, game), bots, store, paused=True)


def resume(bots: Some = None, name: LeagueName = "league", game: OfGame = "", store: StorePath = DEFAULT_STORE) -> None:
    """Resume a paused league, or some of its bots."""
    _pause(_league(store, name, game), bots, store, paused=False)


def _pause(run: Run, bots: list[str] | None, store: Path, paused: bool) -> None:
    if bots:
        _tell(set_state(store, run, bots, PAUSED if paused else None))
    else:
        _tell(pause_league(store, run, paused))


def _league(store: Path, name: str, game: str) -> Run:
    with Store(store, create=False) as opened:
        return find_league(opened, name, game)


def _tell(sentences: list[str]) -> None:
    for text in sentences:
        console.print(text, markup=False, soft_wrap=True)


app.command("GAME", cls=DefaultCommand, help=flowing(command.__doc__ or ""))(command)
for each in (add, remove, pause, resume):
    app.command(cls=HelpfulCommand)(each)
