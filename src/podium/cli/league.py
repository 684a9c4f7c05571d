"""`podium league`: many bots, one table."""

import time as clock
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from podium.arena.league import Form, League, league_report, recalled
from podium.arena.limits import Policy
from podium.arena.runner import workers
from podium.arena.session import LEAGUE, Session
from podium.arena.store import Store
from podium.cli.common import GameName, Json, Milliseconds, Nodes, Seed, console, errors, load_game, print_json
from podium.cli.match import INTERRUPTED, words
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
from podium.errors import PodiumError


def command(
    game: GameName,
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="[BOT]...", help="Bots that take part, besides those that do already.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Blocks that every meeting plays.")] = 10,
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
    setting: Settings = None,
    thoughts: Thoughts = True,
    jobs: Jobs = 0,
    cluster: Cluster = "",
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let many bots play each other and rate them all together.

    The same command goes on with the same league; bots named later join it. Ratings do not depend on the order of
    games.
    """
    rules = load_game(game)
    if against and climb:
        raise PodiumError("a league is a gauntlet (--against) or a ladder (--ladder), not both")
    specs = list(dict.fromkeys([*(bots or []), *([against] if against else [])]))
    entrants = entrants_of(rules, specs, handicap or [])
    settings = setting or []
    conditions = conditions_of(rules, time, nodes, policy, reserve, startup, memory, settings, thoughts, suspend)
    newcomers = list({who.fingerprint: who for who in entrants}.values())
    with Session(store, LEAGUE, name, newcomers, conditions, seed, [name]) as session:
        stored = session.store.bots(session.run)
        known = {who.fingerprint for who in newcomers}
        others = [bot for bot in stored.values() if bot.fingerprint not in known]
        session.entrants += recalled(rules, others)
        by_fingerprint = {bot.fingerprint: bot.id for bot in stored.values()}
        session.ids = [by_fingerprint[who.fingerprint] for who in session.entrants]
        if len(session.entrants) < 2:
            raise PodiumError(f"a league needs at least two bots, not {len(session.entrants)}")
        index = newcomers.index(entrants[specs.index(against)]) if against else None
        form = Form.GAUNTLET if against else Form.LADDER if climb else Form.ROUND_ROBIN
        league = League(session, rules.seats, form, index, rounds)
        session.store.want(session.run, {"rounds": rounds, "form": form.value})
        retired = set(stored) - set(session.ids)
        prepare(rules, session.entrants, conditions)
        interrupted = _play(league, jobs_of(jobs), cluster, json)
        report = {
            "run": f"r{session.run.id}",
            "game": rules.name,
            **league_report(session.games, stored, retired),
        }
    if json:
        print_json(report)
    else:
        console.print(view(report))
        if interrupted:
            errors.print("interrupted; the same command goes on", style="yellow")
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _play(league: League, jobs: int, cluster: str, quiet: bool) -> bool:
    """Play all that is left; whether it was interrupted."""
    session = league.session
    started = clock.monotonic()
    before = len(session.games)
    expected = league.games_in_all()

    def line() -> str:
        done = len(session.games) - before
        rate = done / max(clock.monotonic() - started, 1e-9)
        left = max(0, expected - len(session.games))
        return f"{len(session.games):,} games, about {left:,} more ({duration(left / rate if rate else None)})"

    def render() -> RenderableType:
        bots = session.store.bots(session.run)
        head = Text(f"run r{session.run.id} in {session.store.path}: {line()}", style="dim")
        return Group(head, view(league_report(session.games, bots, set(bots) - set(session.ids))))

    try:
        with shown(render, line, quiet) as look, workers(jobs, cluster) as team:
            for meetings, rounds in league.stages():
                session.play(team, league.fixtures(meetings, rounds), lambda game: None, lambda: False, look)
    except KeyboardInterrupt:
        return True
    return False


def view(report: dict[str, Any]) -> RenderableType:
    """A league for people."""
    table = Table("")
    table.add_column("bot", min_width=10, overflow="fold")
    for title in ("Elo", "95 %", "over next", "games", "score"):
        table.add_column(title, justify="right", no_wrap=title in ("Elo", "95 %"))
    table.add_column("put out", min_width=7)
    table.add_column("ms: mean, 99 %, worst", justify="right")
    for place, row in enumerate(report["ratings"], 1):
        times = row["clock"]
        table.add_row(
            str(place),
            row["bot"] + (" (retired)" if row["retired"] else ""),
            f"{row['elo']:+.0f}",
            f"{row['low']:+.0f} .. {row['high']:+.0f}",
            f"{row['above_next']:.0%}" if place < len(report["ratings"]) else "",
            f"{row['games']:,}",
            f"{row['score']:.1%}",
            words(row["faults"]),
            f"{times['mean']:.1f}  {times['p99']:.1f}  {times['worst']:.1f}",
        )
    cross = Table("score against", *(str(place) for place in range(1, len(report["ratings"]) + 1)))
    for place, (row, scores) in enumerate(zip(report["ratings"], report["cross"], strict=True), 1):
        cells = ["" if score is None else f"{score:.0%}" for score in scores]
        cross.add_row(f"{place} {row['bot']}", *cells)
    parts: list[RenderableType] = [Text(f"{report['games']:,} games"), table, cross]
    parts += [Text(f"warning: {text}", style="yellow") for text in report["warnings"]]
    return Group(*parts, Text(report["sentence"], style="bold"))


def stored_report(store: Store, number: int) -> dict[str, Any]:
    """The tables of a stored league."""
    run = store.run(number)
    return league_report(list(store.games(run)), store.bots(run), set())


command.__name__ = "league"
