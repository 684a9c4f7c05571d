"""`podium match`: which of two bots is stronger?"""

from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from podium.arena import numbers
from podium.arena.limits import Policy
from podium.arena.match import Match
from podium.arena.report import MatchReport, TestFigures
from podium.arena.schedule import Sharing
from podium.arena.statistics import PAIR_NAMES
from podium.arena.store import DEFAULT_STORE
from podium.cli.common import (
    GameName,
    Json,
    Milliseconds,
    Nodes,
    Players,
    Seed,
    compilation_shown,
    console,
    numeric,
    seated,
)
from podium.cli.running import (
    Cluster,
    Fair,
    From,
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
    positions_of,
    settings_of,
    where_to_look,
)
from podium.cli.tables import Sheet
from podium.cli.web import live_page
from podium.cli.words import count, elo_words, words


def command(
    game: GameName,
    first: Annotated[
        str, typer.Argument(metavar="A", help="name, name:parameter=value,..., py:file.py or 'cmd:program args'")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The other bot.")],
    games: Annotated[int, numeric(numbers.GAMES, shown=False)] = 0,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="LOW HIGH", help="Stop once it is decided: is A better by LOW or by HIGH (nElo)?"),
    ] = None,
    logistic: Annotated[bool, typer.Option("--logistic", help="The bounds of --sprt are plain Elo.")] = False,
    alpha: Annotated[float, typer.Option(help="How often --sprt may wrongly accept HIGH.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often --sprt may wrongly accept LOW.")] = 0.05,
    sharing: Annotated[
        Sharing, typer.Option(help="More than two seats: half of them each, or one A against copies of B.")
    ] = Sharing.HALF,
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
    start: From = None,
    thoughts: Thoughts = True,
    players: Players = 0,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    archive: Keep = False,
    store: StorePath = DEFAULT_STORE,
    web: Annotated[bool, typer.Option("--web", help="Serve the page of the match while it is played.")] = False,
    json: Json = False,
) -> None:
    """Pit two bots against each other in pairs of games, and say which one is stronger.

    For example, until it is clear whether a new version is better: podium match zuniq cmd:./new cmd:./old --sprt 0 50

    Every game is stored as it ends. The same command goes on with the same run: after an interruption, or when more
    games or a test are asked for.
    """
    with Match(
        seated(game, players),
        first,
        second,
        games=games,
        sprt=sprt,
        logistic=logistic,
        alpha=alpha,
        beta=beta,
        sharing=sharing,
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
        positions=positions_of(start),
        thoughts=thoughts,
    ) as match:
        with compilation_shown():
            match.prepare()
        with live_page(store, f"runs/{match.run.id}") if web else nullcontext():
            play_shown(match, view, progress_line, jobs, cluster, json)
        if not json:
            console.print(*where_to_look(match.session.store, match.run), sep="\n", soft_wrap=True)


def progress_line(report: MatchReport) -> str:
    """All that matters while a match goes on, in one line."""
    left = report.remaining_games
    more = f", about {left:,} more ({duration(report.remaining_seconds)})" if left is not None else ""
    return f"{count(report.games, 'game')}{more}, {report.games_per_second:.1f} games/s: {report.sentence}"


def view(report: MatchReport) -> RenderableType:
    """A match for people."""
    return Group(_figures(report), _bots(report), *closing(report.warnings, report.sentence))


def _figures(report: MatchReport) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    beyond = report.finished - report.games
    extra = f" (and {beyond} that do not count: in no complete block, or after the decision)" if beyond else ""
    table.add_row("games", f"{report.games:,}{extra}")
    table.add_row("won, drawn, lost", f"{report.won:,}  {report.drawn:,}  {report.lost:,}")
    for seat, tally in enumerate(report.seats):
        if tally.score is not None:
            table.add_row(f"  in seat {seat}", f"{tally.won:,}  {tally.drawn:,}  {tally.lost:,}  ({tally.score:.1%})")
    elo, low, high = report.elo
    table.add_row("score", f"{report.score:.2%}")
    table.add_row("Elo", f"{elo_words(elo)}   [{elo_words(low)}, {elo_words(high)}]")
    table.add_row("normalized Elo", f"{report.nelo[0]:+.2f} ± {report.nelo[1]:.2f}")
    table.add_row("LOS", f"{report.los:.2%}")
    table.add_row(*_blocks(report))
    if report.sprt:
        table.add_row("SPRT", _sprt(report.sprt))
        if report.sprt.elo:
            middle, low, high = report.sprt.elo
            table.add_row("  Elo, unbiased", f"{middle:+.2f}   [{low:+.1f}, {high:+.1f}]")
    if report.remaining_games:
        left = f"{count(report.remaining_games, 'game')}, {duration(report.remaining_seconds)}"
        table.add_row("still to play", f"about {left}" if report.sprt else left)
    table.add_row("games ended", words(report.endings))
    return table


def _blocks(report: MatchReport) -> tuple[str, str]:
    counts = [f"{number:g}" for number in report.blocks.values()]
    if report.games_per_block == 2:
        return "pairs", "  ".join(f"{name} {number}" for name, number in zip(PAIR_NAMES, counts, strict=True))
    shares = [f"{score}: {number}" for score, number in zip(report.blocks, counts, strict=True) if number != "0"]
    return f"blocks of {report.games_per_block}", "  ".join(shares)


def _sprt(test: TestFigures) -> str:
    low, high = test.bounds
    text = f"LLR {test.llr:.2f} in [{test.lower:.2f}, {test.upper:.2f}] for [{low:g}, {high:g}] {test.unit}"
    if test.accepted:
        return f"{text}: {test.accepted} accepted"
    return f"{text}; H1 has a chance of {test.chance_of_h1:.0%}" if test.chance_of_h1 is not None else text


def _bots(report: MatchReport) -> Sheet:
    table = Sheet("bot", "answers", "ms: mean", "99 %", "worst", "put out", "seen by the arena", typed=("bot",))
    for name, times, faults, marks in zip(report.bots, report.clocks, report.faults, report.marks, strict=True):
        figures = (f"{times.answers:,}", f"{times.mean:.2f}", f"{times.p99:.2f}", f"{times.worst:.2f}")
        table.add_row(name, *figures, words(faults), words(marks))
    return table
