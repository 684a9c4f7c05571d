"""What the commands that run many games share: their options, and showing how it goes."""

import time as clock
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.live import Live

from podium.arena.entrants import Entrant, entrant
from podium.arena.limits import Allowance, Policy
from podium.arena.runner import default_jobs, probe, warm
from podium.arena.work import Conditions
from podium.cli.common import compilation_shown, console, errors
from podium.errors import PodiumError, unknown
from podium.games.game import Game
from podium.kernel.minds import Value, pair

LOOK_SECONDS = 0.25  # between two pictures on a terminal
LINE_SECONDS = 10.0  # between two lines of progress where there is no terminal

StorePath = Annotated[Path, typer.Option("--store", help="The file that keeps all games.")]
DEFAULT_STORE = Path("podium.db")
Jobs = Annotated[int, typer.Option(min=0, help="Games at a time on this machine; 0: one per core.")]
Cluster = Annotated[str, typer.Option(help="Play on the Dask cluster at this address instead.")]
PolicyOption = Annotated[
    Policy, typer.Option(help="Answers after the limit: strict; soft (50 ms forgiven, but not three times); bank.")
]
Reserve = Annotated[float, typer.Option(min=0, metavar="MS", help="With --policy bank: ms for overruns of a game.")]
Startup = Annotated[
    float, typer.Option(min=0, metavar="MS", help="ms that programs get on top for their first answer.")
]
Memory = Annotated[int, typer.Option(min=0, metavar="MB", help="Memory limit of each program; 0: none.")]
Suspend = Annotated[bool, typer.Option("--suspend", help="Programs sleep while it is not their turn (as at CodeCup).")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the game; may be repeated.")
]
Handicaps = Annotated[
    list[str] | None,
    typer.Option(
        "--handicap",
        metavar="BOT=FACTOR",
        help="Give a bot (its name, or its place from 1) a share of time or nodes; may be repeated.",
    ),
]
Thoughts = Annotated[bool, typer.Option(help="Keep what bots thought with each game.")]


def conditions_of(
    game: Game,
    time: float,
    nodes: int,
    policy: Policy,
    reserve: float,
    startup: float,
    memory: int,
    settings: Sequence[str],
    thoughts: bool,
    suspend: bool = False,
) -> Conditions:
    """The conditions that options stand for."""
    allowance = Allowance(time, nodes, policy, reserve=reserve, startup=startup)
    return Conditions(game.name, parse_settings(game, settings), allowance, memory, thoughts, suspend)


def parse_settings(game: Game, texts: Sequence[str]) -> dict[str, Value]:
    """Settings written as name=value."""
    return game.read_settings(dict(pair("setting", text) for text in texts))


def entrants_of(game: Game, specs: Sequence[str], handicaps: Sequence[str]) -> list[Entrant]:
    """The entrants that the command line names, with their handicaps."""
    factors = dict.fromkeys(range(len(specs)), 1.0)
    for text in handicaps:
        bot, _, factor = text.rpartition("=")
        places = [i for i, spec in enumerate(specs) if spec == bot or str(i + 1) == bot]
        if not places:
            raise unknown("bot in --handicap", bot, [*specs, *(str(i + 1) for i in range(len(specs)))])
        try:
            factors[places[0]] = float(factor)
        except ValueError:
            raise PodiumError(f"a handicap is written bot=factor, for example 2=0.5, not {text!r}") from None
    return [entrant(game, spec).with_handicap(factors[i]) for i, spec in enumerate(specs)]


def prepare(game: Game, entrants: Sequence[Entrant], conditions: Conditions) -> None:
    """Compile what is needed, and see that every program can play, before anything counts."""
    with compilation_shown():
        warm(game, entrants)
    probe(game, entrants, conditions)


def jobs_of(jobs: int) -> int:
    """How many games at a time."""
    return jobs or default_jobs()


@contextmanager
def shown(render: Callable[[], RenderableType], line: Callable[[], str], quiet: bool) -> Iterator[Callable[[], None]]:
    """Show how a run goes: a live table on a terminal, now and then a line otherwise, nothing if quiet."""
    if quiet:
        yield lambda: None
        return
    last = clock.monotonic()
    if console.is_terminal:
        with Live(render(), console=console, transient=True, auto_refresh=False) as live:

            def look() -> None:
                nonlocal last
                start = clock.monotonic()
                # a large run takes longer to add up: spend a tenth of the time on it at most
                if start - last >= LOOK_SECONDS:
                    live.update(render(), refresh=True)
                    last = clock.monotonic() + 9 * (clock.monotonic() - start) - LOOK_SECONDS

            yield look
        return

    def tell() -> None:
        nonlocal last
        if clock.monotonic() - last >= LINE_SECONDS:
            last = clock.monotonic()
            errors.print(line(), style="dim")

    yield tell


def duration(seconds: float | None) -> str:
    """A time for people."""
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
