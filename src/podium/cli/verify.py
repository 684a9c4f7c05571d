"""`podium verify`: check the referee against recorded games."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track
from rich.table import Table

from podium.arena.game.recordings import Comparison, Difference, json_lines, read, verify
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.options import Json, Seed, numeric
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game
from podium.model.params import Parameter
from podium.referees.names import SCHEME
from podium.referees.recorded_sessions import Agreement, is_session, read_sessions, verify_session

GAMES = Parameter("games", 50, "Number of games with --against.", 1, 1e9)
SHOWN = 40  # lines of a prompt in which a difference was found


def command(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|referee", help="The game; or `referee` to check recorded sessions with external referees."
        ),
    ],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Recorded games or sessions, plain or gzipped.")
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="REFEREE", help="The contest's original referee to compare with.")
    ] = "",
    games: Annotated[int, numeric(GAMES)] = 50,
    bot: Annotated[str, typer.Option(metavar="BOT", help="Bot that plays them.")] = "random",
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Replay recorded games through the referee, and compare every line, legal move and result.

    Recorded sessions with the contest's referee are replayed in the same way. With --against, a bot plays games under
    the contest's referee, and Podium's referee replays them: the same seed and answers must give the same prompts and
    result.
    """
    if game == SCHEME:
        _verify_sessions(files or [], json)
        return
    if not files and not against:
        raise PodiumError("name a file of recorded games, or the contest's referee with --against")
    rules = load(game)
    total = Comparison()
    with compilation_shown():
        for path in files or []:
            jobs = list(_comparisons(rules, path))
            for job in track(jobs, "verifying", console=errors, transient=True, disable=json):
                total.add(job())
        if against:
            from podium.referees.crosscheck import cross_check

            other = load(against)
            for number in track(range(games), "playing", console=errors, transient=True, disable=json):
                total.add(cross_check(rules, other, number, seed, bot))
    _report(total, json)


def _comparisons(rules: Game, path: Path) -> Iterator[Callable[[], Comparison]]:
    """What there is to compare in a file: recorded games, or sessions with the contest's referee."""
    first = next(json_lines(path), None)
    if first and is_session(first[1]):
        from podium.referees.crosscheck import check_session

        for session in read_sessions(path):
            yield partial(check_session, rules, session)
    else:
        for number, one in read(path):
            yield partial(verify, rules, number, one)


def _report(total: Comparison, json: bool) -> None:
    if json:
        data = asdict(total)
        if total.first:
            del data["first"]["context"]
        print_json(data)
    else:
        table = Table("", "agree", "differ")
        table.add_row("games", str(total.games), str(total.differing))
        table.add_row("positions (prompts)", str(total.positions), "")
        table.add_row("lines", str(total.lines), "")
        table.add_row("results and other facts", str(total.facts), "")
        console.print(table)
        if total.first:
            _show(total.first)
    if total.differing:
        raise typer.Exit(1)


def _show(difference: Difference) -> None:
    console.print(f"First difference: game {difference.game}, seed {difference.seed}, {difference.where}", style="red")
    console.print(f"  expected: {difference.expected!r}")
    console.print(f"  found:    {difference.found!r}")
    for line in difference.context[:SHOWN]:
        console.print(f"    {line}", style="dim")


def _verify_sessions(files: list[Path], json: bool) -> None:
    """Play our side of recorded sessions again, against a fake referee made of each."""
    if not files:
        raise PodiumError("name a file of recorded sessions")
    total = Agreement()
    for path in files:
        for session in track(list(read_sessions(path)), "verifying", console=errors, transient=True, disable=json):
            verify_session(session, total)
    if json:
        names = ("session", "where", "expected", "found")
        first = total.first and dict(zip(names, total.first, strict=True))
        counts = {name: getattr(total, name) for name in ("sessions", "differing", "messages", "lines")}
        print_json({**counts, "first": first})
    else:
        table = Table("", "agree", "differ")
        table.add_row("sessions", str(total.sessions - total.differing), str(total.differing))
        table.add_row("messages of ours", f"{total.messages:,}", "")
        table.add_row("lines of the referee", f"{total.lines:,}", "")
        console.print(table)
        if total.first:
            number, where, expected, found = total.first
            _show(Difference(number, "-", where, expected, found))
    if total.differing:
        raise typer.Exit(1)
