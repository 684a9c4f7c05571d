"""How commands play a run and show it: live tables, progress lines, the end of a report."""

import os
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from podium.arena.analysis.stored_runs import last_losses
from podium.arena.entrants.project import find_project
from podium.arena.processes.reaper import adopt_orphans
from podium.arena.store.store import DEFAULT_STORE, Run, Store
from podium.arena.tournament.league_report import LeagueReport
from podium.arena.tournament.report import MatchReport, RunReport
from podium.cli import exit_code, signal_handled
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import count, duration
from podium.games import load_stored
from podium.games.game import CHAMPION
from podium.lab.tune.ablation import AblationReport
from podium.lab.tune.tuning_report import TuningReport
from podium.referees.names import title_of

REFRESH_SECONDS = 0.25  # between two pictures on a terminal
LINE_SECONDS = 10.0  # between two lines of progress where there is no terminal


def play_shown(
    tournament: Any,
    view: Callable[[Any], RenderableType],
    line: Callable[[Any], str],
    json: bool,
    quiet: bool = False,
) -> None:
    """Play a match, a league or a study, show its progress and print its report; Ctrl-C ends it in good order."""
    with compilation_shown():
        tournament.prepare()
    adopt_orphans()

    def render() -> RenderableType:
        report = tournament.report()
        return Group(view(report), Text(line(report), style="dim"))

    told = ""

    def tell(look: Callable[[], None]) -> None:
        nonlocal told
        if tournament.session.notice != told:
            told = tournament.session.notice
            errors.print(told or "the cluster is working again", style="yellow")
        look()

    stopped: KeyboardInterrupt | None = None
    try:
        with shown(render, lambda: line(tournament.report()), json or quiet) as look:
            tournament.play(progress=lambda _: tell(look))
    except KeyboardInterrupt as stop:
        stopped = stop
        signal_handled()
    report = tournament.report()
    if json:
        print_json(report.data())
    elif quiet:
        console.print(report.sentence)
        for text in report.warnings:
            errors.print(f"warning: {text}", style="yellow")
    else:
        console.print(view(report), crop=False)
    if stopped is not None:
        raise interrupted(stopped, quiet=json)
    tournament.session.refuse_nothing_but_annulled(report.games)


def interrupted(stop: KeyboardInterrupt, quiet: bool = False) -> typer.Exit:
    """The exit of a command that the same command continues, which it says unless it is quiet."""
    if not quiet:
        errors.print("interrupted; the same command continues", style="yellow")
    return typer.Exit(exit_code(stop))


@contextmanager
def shown(render: Callable[[], RenderableType], line: Callable[[], str], quiet: bool) -> Iterator[Callable[[], None]]:
    """Show the progress of a run: a live table on a terminal, else a line every ten seconds, nothing if quiet."""
    if quiet:
        yield lambda: None
        return
    last = time.monotonic()
    if console.is_terminal:
        with Live(render(), console=console, transient=True, auto_refresh=False) as live:

            def look() -> None:
                nonlocal last
                start = time.monotonic()
                # a report of a large run takes a while: spend at most a tenth of the time on it
                if start - last >= REFRESH_SECONDS:
                    live.update(render(), refresh=True)
                    last = time.monotonic() + 9 * (time.monotonic() - start) - REFRESH_SECONDS

            yield look
        return

    def tell() -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            errors.print(line(), style="dim")

    yield tell


def where_to_look(store: Store, run: Run) -> list[Text]:
    """The commands that show the games of a run, and that review lost ones."""
    project = find_project()
    named = DEFAULT_STORE if os.environ.get("PODIUM_STORE") else (project and project.store) or DEFAULT_STORE
    other = "" if store.path.absolute() == named.absolute() else f" --store {shlex.quote(str(store.path))}"
    losses = last_losses(store, run) if CHAMPION in load_stored(run.game).bots else {}
    lines = [f"review the last loss of {bot}: podium review {game}{other}" for bot, game in losses.items()]
    return [Text(line, style="dim") for line in (f"watch the games: podium watch r{run.id}{other}", *lines)]


def opening(report: RunReport) -> list[Text]:
    """The beginning of a report: what was played, the conclusion in one sentence, and what casts doubt on it."""
    played = f"{report.kind} {report.run} of {title_of(report.game)}: {report.name}"
    bots = " vs ".join(report.bots) if isinstance(report, MatchReport) else report.name
    on_a_site = isinstance(report, LeagueReport) and report.imported
    conditions = "played on the contest's site" if on_a_site else f"{budget_text(report)}, seed {report.seed}"
    return [
        Text(played if bots == report.name else f"{played} ({bots})"),  # which a title of the user's does not name
        Text(conditions, style="dim"),
        Text(report.sentence, style="bold"),
        *(Text(f"warning: {text}", style="yellow") for text in report.warnings),
    ]


def budget_text(report: RunReport) -> str:
    """What a move may cost in a run."""
    words = [count(report.nodes, "node")] if report.nodes else []
    words += [f"{report.time:g} ms"] if report.time else []
    return f"{' and '.join(words)} per move" if words else "the contest's time limits"


def pasted_line(command: str) -> Text:
    """A command to copy, kept on one line however narrow the terminal is."""
    return Text(command, no_wrap=True, overflow="ignore")


def study_line(report: TuningReport | AblationReport) -> str:
    """The state of a running ablation or tuning in one line."""
    left = f", {report.remaining_games:,} more ({duration(report.remaining_seconds)})" if report.remaining_games else ""
    return f"{count(report.games, 'game')}{left}, {report.games_per_second:.1f} games/s: {report.sentence}"
