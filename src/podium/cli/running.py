"""What the commands that run many games share: their options, and showing how it goes."""

import os
import shlex
import time as clock
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from podium.arena import numbers
from podium.arena.limits import Policy
from podium.arena.orphans import adopt_orphans
from podium.arena.review import STRONGEST
from podium.arena.runner import default_jobs
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.arena.stored import last_losses
from podium.cli import exit_code, heard
from podium.cli.common import console, errors, numeric, print_json
from podium.errors import PodiumError
from podium.games import load_stored
from podium.kernel.minds import pair
from podium.referees.registry import FILE, VARIABLE

LOOK_SECONDS = 0.25  # between two pictures on a terminal
LINE_SECONDS = 10.0  # between two lines of progress where there is no terminal


def _names_beside(store: Path) -> Path:
    """Short names of referees are kept beside the store: they hold for the command that names it."""
    file = store.parent / FILE
    if file.is_file():
        os.environ.setdefault(VARIABLE, str(file.absolute()))
    return store


StorePath = Annotated[Path, typer.Option("--store", help="The file that keeps all games.", callback=_names_beside)]
Jobs = Annotated[int, numeric(numbers.JOBS)]
Cluster = Annotated[str, typer.Option(help="Play on the Dask cluster at this address instead.")]
PolicyOption = Annotated[
    Policy, typer.Option(help="Answers after the limit: strict; soft (50 ms forgiven, but not three times); bank.")
]
Reserve = Annotated[float, numeric(numbers.RESERVE, metavar="MS")]
Startup = Annotated[float, numeric(numbers.STARTUP, metavar="MS")]
Memory = Annotated[int, numeric(numbers.MEMORY, metavar="MB")]
Suspend = Annotated[bool, typer.Option("--suspend", help="Programs sleep while it is not their turn (as at CodeCup).")]
Fair = Annotated[
    bool, typer.Option("--fair", help="A block in which the machine made a bot late is void, and played again.")
]
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
Keep = Annotated[
    bool, typer.Option("--archive/--no-archive", help="Keep copies of programs beside the store, and play those.")
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="FILE", help="Begin games in the positions of this file (podium export --positions)."
    ),
]
Thoughts = Annotated[bool, typer.Option(help="Keep what bots thought with each game.")]


def settings_of(texts: Sequence[str] | None) -> dict[str, str]:
    """Settings written as name=value; the game reads them."""
    return dict(pair("setting", text) for text in texts or ())


def positions_of(path: Path | None) -> str:
    """The file of positions as the arena takes it: "" for none."""
    return str(path) if path else ""


def handicaps_of(texts: Sequence[str] | None) -> dict[str, float]:
    """Handicaps written as bot=factor."""
    factors = {}
    for text in texts or ():
        bot, _, factor = text.rpartition("=")
        try:
            factors[bot] = float(factor)
        except ValueError:
            raise PodiumError(f"a handicap is written bot=factor, for example 2=0.5, not {text!r}") from None
    return factors


def jobs_of(jobs: int) -> int:
    """How many games at a time."""
    return jobs or default_jobs()


def play_shown(
    contest: Any,
    view: Callable[[Any], RenderableType],
    line: Callable[[Any], str],
    jobs: int,
    cluster: str,
    json: bool,
) -> None:
    """Play a match or a league, shown as it goes, and print its report; Ctrl-C ends it in good order."""
    adopt_orphans()
    head = f"run r{contest.run.id} in {contest.session.store.path}"

    def render() -> RenderableType:
        report = contest.report()
        return Group(Text(f"{head}: {line(report)}", style="dim"), view(report))

    told = ""

    def tell(look: Callable[[], None]) -> None:
        nonlocal told
        if contest.session.notice != told:
            told = contest.session.notice
            errors.print(told or "all is well again", style="yellow")
        look()

    stopped: KeyboardInterrupt | None = None
    try:
        with shown(render, lambda: line(contest.report()), json) as look:
            contest.play(jobs, cluster, lambda _: tell(look))
    except KeyboardInterrupt as stop:
        stopped = stop
        heard()
    report = contest.report()
    if json:
        print_json(report.data())
    else:
        console.print(view(report), crop=False)
    if stopped is not None:
        raise interrupted(stopped, quiet=json)


def interrupted(stop: KeyboardInterrupt, quiet: bool = False) -> typer.Exit:
    """The end of a command that goes on when it is repeated, and says so unless it is quiet."""
    if not quiet:
        errors.print("interrupted; the same command goes on", style="yellow")
    return typer.Exit(exit_code(stop))


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


def where_to_look(store: Store, run: Run) -> list[Text]:
    """The commands that show the games of a run, and why they were lost."""
    other = "" if store.path == DEFAULT_STORE else f" --store {shlex.quote(str(store.path))}"
    losses = last_losses(store, run) if STRONGEST in load_stored(run.game).bots else {}
    lines = [f"why {bot} lost its last one: podium review {game}{other}" for bot, game in losses.items()]
    return [Text(line, style="dim") for line in (f"its games: podium watch r{run.id}{other}", *lines)]


def closing(warnings: Sequence[str], sentence: str) -> list[Text]:
    """How the report of a run ends: what to know before believing it, and what it says."""
    return [*(Text(f"warning: {text}", style="yellow") for text in warnings), Text(sentence, style="bold")]


def pasted_line(command: str) -> Text:
    """A command to copy: one line, however narrow the terminal is."""
    return Text(command, no_wrap=True, overflow="ignore")


def duration(seconds: float | None) -> str:
    """A time for people."""
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
