"""`podium match`: which of two bots is stronger?"""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table

from podium.arena import bounds
from podium.arena.stats.intervals import PAIR_NAMES
from podium.arena.tournament.conclusion import Requirement
from podium.arena.tournament.match import Match
from podium.arena.tournament.options import MatchOptions
from podium.arena.tournament.report import MatchReport, SprtFigures
from podium.arena.tournament.schedule import SeatSharing
from podium.cli import completion
from podium.cli.console import console, errors
from podium.cli.formatting import TIMES, Sheet, count, counts_text, duration, elo_text
from podium.cli.options import (
    ANY_BOT,
    OUTPUT,
    GameName,
    Json,
    Players,
    Quiet,
    name_for_players,
    numeric,
    two_bots,
    with_run_options,
)
from podium.cli.run_view import opening, play_shown, where_to_look
from podium.cli.web import live_page

REFUTED, OPEN = 1, 3  # exit codes of --fail-unless
REQUIREMENT_WORDS = {  # a requirement, and its contrary
    Requirement.STRONGER: ("stronger", "not stronger"),
    Requirement.NOT_WEAKER: ("not weaker", "weaker"),
}
A_BOT = f"A bot: {ANY_BOT}; NAME=... names it, git:REVISION is one of a project."
LONGEST_NAME = 24  # characters of a bot in the labels of figures


@with_run_options()
def command(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help=A_BOT, autocompletion=completion.bots)] = "",
    second: Annotated[str, typer.Argument(metavar="B", help="The other bot.", autocompletion=completion.bots)] = "",
    games: Annotated[int, numeric(bounds.GAMES)] = 0,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Stop when a sequential test (SPRT) accepts H0 (A - B = ELO0) or H1 (A - B = ELO1); normalized Elo.",
        ),
    ] = None,
    logistic: Annotated[bool, typer.Option("--logistic", help="The bounds of --sprt are in logistic Elo.")] = False,
    alpha: Annotated[float, typer.Option(help="Probability that --sprt accepts H1 although H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability that --sprt accepts H0 although H1 is true.")] = 0.05,
    sharing: Annotated[
        SeatSharing,
        typer.Option(
            help="With more than two seats: each bot takes half of them (half), or A takes one and B the others (one)."
        ),
    ] = SeatSharing.HALF,
    *,
    players: Players = 0,
    fail_unless: Annotated[
        Requirement | None,
        typer.Option(
            metavar="stronger|not-weaker",
            help="For CI: exit with status 1 if the match shows the contrary, and with 3 if it shows neither.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Serve the page of the match while it is played.", rich_help_panel=OUTPUT)
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    options: MatchOptions,
) -> None:
    """Play two bots against each other in pairs of games, and report which one is stronger.

    For example, until it is clear whether a new version is better:

    podium match zuniq cmd:./new cmd:./old --sprt 0 50

    In a project (podium.toml) its bots have names, git:HEAD~1 is its last revision, and GAME may be left out.

    Every game is stored as it ends. The same command continues the same run, after an interruption, with more games or
    with a test.
    """
    game, first, second = two_bots((game, first, second), options, "a match has two bots")
    with Match(
        name_for_players(game, players),
        first,
        second,
        games=games,
        sprt=sprt,
        logistic=logistic,
        alpha=alpha,
        beta=beta,
        sharing=sharing,
        **options,
    ) as match:
        page = live_page(Path(options["store"]), f"runs/{match.run.id}") if web else nullcontext()
        with page:
            play_shown(match, view, progress_line, json, quiet)
        if not json and not quiet:
            console.print(*where_to_look(match.session.store, match.run), sep="\n", soft_wrap=True)
        if fail_unless:
            check(fail_unless, match.report())


def check(requirement: Requirement, report: MatchReport) -> None:
    """End with the status of a requirement that is not met."""
    met = requirement.is_met(report.verdict)
    if not met:
        first, second = report.bots
        what, contrary = REQUIREMENT_WORDS[requirement]
        if met is None:
            sentence = f"it is not shown that {first} is {what} than {second}"
        else:
            sentence = f"{first} is {contrary} than {second}: the match shows the contrary"
        errors.print(f"podium: {sentence}", style="red")
        raise typer.Exit(OPEN if met is None else REFUTED)


def progress_line(report: MatchReport) -> str:
    """The state of a running match in one line."""
    return f"{report.sentence}; {report.games_per_second:.1f} games/s{_left(report)}"


def _left(report: MatchReport) -> str:
    return f", {duration(report.remaining_seconds)} left" if report.remaining_seconds is not None else ""


def view(report: MatchReport) -> RenderableType:
    """The tables of a match."""
    return Group(*opening(report), _figures(report), _bots(report))


def _figures(report: MatchReport) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    first = _short(report.bots[0], "the first bot")
    beyond = report.finished - report.games
    extra = f" (and {beyond} not counted: of incomplete blocks, or after the decision)" if beyond else ""
    table.add_row("games", f"{report.games:,}{extra}")
    table.add_row(f"won, drawn, lost by {first}", f"{report.won:,}  {report.drawn:,}  {report.lost:,}")
    for seat, tally in enumerate(report.seats):
        if tally.score is not None:
            table.add_row(f"  in seat {seat}", f"{tally.won:,}  {tally.drawn:,}  {tally.lost:,}  ({tally.score:.1%})")
    table.add_row(f"score of {first}", f"{report.score:.2%}")
    plain = _interval(report.elo)
    if report.sprt and report.sprt.elo:
        table.add_row(f"Elo of {first}", f"{_interval(report.sprt.elo)} (median-unbiased)")
        table.add_row("  plain, biased by the test", plain)
    else:
        table.add_row(f"Elo of {first}", plain)
    table.add_row(f"normalized Elo of {first}", f"{report.nelo[0]:+.2f} ± {report.nelo[1]:.2f}")
    table.add_row(f"LOS of {first}", f"{report.los:.2%}")
    table.add_row(*_blocks(report))
    if report.sprt:
        table.add_row("SPRT", _sprt(report.sprt))
    if report.remaining_games:
        left = count(report.remaining_games, "game")
        table.add_row("remaining", f"about {left}" if report.sprt else left)
    table.add_row("endings", counts_text(report.endings))
    for title, counts in (("disqualified", report.faults), ("irregularities", report.irregularities)):
        for name, found in zip((first, _short(report.bots[1], "the second bot")), counts, strict=True):
            if found:
                table.add_row(f"{title}, {name}", counts_text(found))
    return table


def _short(name: str, otherwise: str) -> str:
    """The name of a bot for the label of a figure, or other words if it is too long for one."""
    return name if cell_len(name) <= LONGEST_NAME else otherwise


def _interval(found: tuple[float, float, float]) -> str:
    middle, low, high = map(elo_text, found)
    return f"{middle}   95 %: [{low}, {high}]"


def _blocks(report: MatchReport) -> tuple[str, str]:
    counts = [f"{number:g}" for number in report.blocks.values()]
    if report.games_per_block == 2:
        return "pairs", "  ".join(f"{name} {number}" for name, number in zip(PAIR_NAMES, counts, strict=True))
    shares = [f"{score}: {number}" for score, number in zip(report.blocks, counts, strict=True) if number != "0"]
    return f"blocks of {report.games_per_block}", "  ".join(shares)


def _sprt(test: SprtFigures) -> str:
    low, high = test.bounds
    text = f"LLR {test.llr:.2f} in [{test.lower:.2f}, {test.upper:.2f}], [{low:g}, {high:g}] {test.unit}"
    if test.accepted:
        return f"{test.accepted} accepted: {text}"
    return f"{text}; P(H1) {test.chance_of_h1:.0%}" if test.chance_of_h1 is not None else text


def _bots(report: MatchReport) -> Sheet:
    """Times of the bots' answers."""
    table = Sheet("bot", "answers", *TIMES, typed=("bot",))
    for name, times in zip(report.bots, report.clocks, strict=True):
        table.add_row(name, f"{times.answers:,}", f"{times.mean:.2f}", f"{times.p99:.2f}", f"{times.worst:.2f}")
    return table
