"""`podium match`: which of two bots is stronger?"""

import time as clock
from itertools import count
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from podium.arena.limits import Policy
from podium.arena.report import match_report
from podium.arena.runner import workers
from podium.arena.schedule import Meeting, Sharing, duel, fixtures
from podium.arena.session import MATCH, Session, copy_of
from podium.arena.sprt import Test
from podium.arena.statistics import PAIR_NAMES
from podium.arena.tally import MatchTally
from podium.cli.common import GameName, Json, Milliseconds, Nodes, Seed, console, errors, load_game, print_json
from podium.cli.running import (
    DEFAULT_STORE,
    Cluster,
    Handicaps,
    Jobs,
    Memory,
    PolicyOption,
    Reserve,
    Settings,
    Startup,
    StorePath,
    Suspend,
    Thoughts,
    conditions_of,
    duration,
    entrants_of,
    jobs_of,
    prepare,
    shown,
)

DEFAULT_GAMES = 200
INTERRUPTED = 130


def command(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help="name, name:parameter=value,... or 'cmd:program args'")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other bot.")],
    games: Annotated[int, typer.Option(min=0, help="Games to play; 200 without --sprt, no limit with it.")] = 0,
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
    setting: Settings = None,
    thoughts: Thoughts = True,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Pit two bots against each other in pairs of games, and say which one is stronger.

    Every game is stored as it ends. The same command goes on with the same run: after an interruption, or with more
    --games, or with a test.
    """
    rules = load_game(game)
    test = Test(sprt[0], sprt[1], alpha, beta, not logistic) if sprt else None
    entrants = entrants_of(rules, [first, second], handicap or [])
    if entrants[0].fingerprint == entrants[1].fingerprint:
        entrants[1] = copy_of(entrants[1])
    settings = setting or []
    conditions = conditions_of(rules, time, nodes, policy, reserve, startup, memory, settings, thoughts, suspend)
    meeting = duel(entrants, 0, 1, rules.seats, sharing)
    target = _whole_blocks(games or (0 if test else DEFAULT_GAMES), meeting)
    name = f"{entrants[0].label} - {entrants[1].label}"
    with Session(store, MATCH, name, entrants, conditions, seed, [meeting.key]) as session:
        wanted = {"games": target, "sprt": sprt, "logistic": logistic, "alpha": alpha, "beta": beta}
        session.store.want(session.run, {**wanted, "block": len(meeting.seatings)})
        names = (entrants[0].label, entrants[1].label)
        tally = MatchTally(session.ids[0], session.ids[1], rules.seats, len(meeting.seatings), test)
        for stored in session.games:
            tally.add(stored)
        progress = Progress(tally, names, test, target)
        if not progress.enough():
            prepare(rules, entrants, conditions)
        interrupted = _play(session, meeting, progress, jobs_of(jobs), cluster, json)
        report = {"run": f"r{session.run.id}", "game": rules.name, **progress.report()}
    if json:
        print_json(report)
    else:
        console.print(view(report))
        if interrupted:
            errors.print("interrupted; the same command goes on", style="yellow")
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _whole_blocks(games: int, meeting: Meeting) -> int:
    size = len(meeting.seatings)
    return -(-games // size) * size


class Progress:
    """A match on its way."""

    def __init__(self, tally: MatchTally, names: tuple[str, str], test: Test | None, target: int) -> None:
        self.tally, self.names, self.test, self.target = tally, names, test, target
        self.before = tally.finished
        self.started = clock.monotonic()

    def enough(self) -> bool:
        """Whether the match is over."""
        return self.tally.decided or bool(self.target and self.tally.counted >= self.target)

    def rate(self) -> float:
        """Games per second in this session."""
        return (self.tally.finished - self.before) / max(clock.monotonic() - self.started, 1e-9)

    def report(self) -> dict[str, Any]:
        """All figures."""
        report = match_report(self.tally, self.names, self.test, self.target, self.rate())
        return {**report, "games_per_second": self.rate()}

    def line(self) -> str:
        """All that matters in one line."""
        report = self.report()
        left = report["remaining_games"]
        more = f", about {left:,} more ({duration(report['remaining_seconds'])})" if left is not None else ""
        return f"{report['games']:,} games{more}: {report['sentence']}"


def _play(session: Session, meeting: Meeting, progress: Progress, jobs: int, cluster: str, quiet: bool) -> bool:
    """Play until it is enough; whether it was interrupted."""
    if progress.enough():
        return False
    size = len(meeting.seatings)
    rounds = range(progress.target // size) if progress.target else count()
    schedule = fixtures([meeting], session.run.seed, session.is_done, rounds)
    head = f"run r{session.run.id} in {session.store.path}"
    progress.started = clock.monotonic()

    def render() -> RenderableType:
        return Group(Text(f"{head}, {progress.rate():.1f} games/s", style="dim"), view(progress.report()))

    try:
        with shown(render, progress.line, quiet) as look, workers(jobs, cluster) as team:
            progress.started = clock.monotonic()
            session.play(team, schedule, progress.tally.add, progress.enough, look)
    except KeyboardInterrupt:
        return True
    return False


def view(report: dict[str, Any]) -> RenderableType:
    """A match for people."""
    parts: list[RenderableType] = [_figures(report), _bots(report)]
    parts += [Text(f"warning: {text}", style="yellow") for text in report["warnings"]]
    parts.append(Text(report["sentence"], style="bold"))
    return Group(*parts)


def _figures(report: dict[str, Any]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    beyond = report["finished"] - report["games"]
    extra = f" (and {beyond} that do not count: in no complete block, or after the decision)" if beyond else ""
    table.add_row("games", f"{report['games']:,}{extra}")
    table.add_row("won, drawn, lost", f"{report['won']:,}  {report['drawn']:,}  {report['lost']:,}")
    for seat, tally in enumerate(report["seats"]):
        if tally["score"] is not None:
            figures = f"{tally['won']:,}  {tally['drawn']:,}  {tally['lost']:,}  ({tally['score']:.1%})"
            table.add_row(f"  in seat {seat}", figures)
    low, high = report["elo"][1:]
    table.add_row("score", f"{report['score']:.2%}")
    table.add_row("Elo", f"{report['elo'][0]:+.2f} ± {(high - low) / 2:.2f}   [{low:+.1f}, {high:+.1f}]")
    table.add_row("normalized Elo", f"{report['nelo'][0]:+.2f} ± {report['nelo'][1]:.2f}")
    table.add_row("LOS", f"{report['los']:.2%}")
    table.add_row(*_blocks(report))
    if report["sprt"]:
        table.add_row("SPRT", _sprt(report["sprt"]))
    if report["remaining_games"]:
        left = f"{report['remaining_games']:,} games, {duration(report['remaining_seconds'])}"
        table.add_row("still to play", f"about {left}" if report["sprt"] else left)
    endings = ", ".join(f"{word} {number:,}" for word, number in report["endings"].items())
    table.add_row("games ended", endings or "-")
    return table


def _blocks(report: dict[str, Any]) -> tuple[str, str]:
    counts = [f"{number:g}" for number in report["blocks"].values()]
    if report["games_per_block"] == 2:
        return "pairs", "  ".join(f"{name} {number}" for name, number in zip(PAIR_NAMES, counts, strict=True))
    shares = [f"{score}: {number}" for score, number in zip(report["blocks"], counts, strict=True) if number != "0"]
    return f"blocks of {report['games_per_block']}", "  ".join(shares)


def _sprt(test: dict[str, Any]) -> str:
    low, high = test["bounds"]
    text = f"LLR {test['llr']:.2f} in [{test['lower']:.2f}, {test['upper']:.2f}] for [{low:g}, {high:g}] {test['unit']}"
    if test["accepted"]:
        return f"{text}: {test['accepted']} accepted"
    return f"{text}; H1 has a chance of {test['chance_of_h1']:.0%}" if test["chance_of_h1"] is not None else text


def _bots(report: dict[str, Any]) -> Table:
    table = Table("bot", "answers", "ms: mean", "99 %", "worst", "put out", "seen by the arena")
    for name, times, faults, marks in zip(
        report["bots"], report["clocks"], report["faults"], report["marks"], strict=True
    ):
        table.add_row(
            name,
            f"{times['answers']:,}",
            f"{times['mean']:.2f}",
            f"{times['p99']:.2f}",
            f"{times['worst']:.2f}",
            words(faults),
            words(marks),
        )
    return table


def words(counts: dict[str, int]) -> str:
    """Counts by word for a cell of a table."""
    return ", ".join(f"{word} {number:,}" for word, number in counts.items()) or "-"


command.__name__ = "match"
