"""Validation of a tuned bot: sequential tests on fresh seeds, the second with another budget.

The best setting looks better in the games that selected it than it is. So the tuned bot plays the baseline bot in games
of fresh seeds; then also with another budget, because a number that is right for a shallow search may be wrong for a
deep one. Both are ordinary matches in the same store.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import TimeControl
from podium.arena.tournament.match import Match
from podium.arena.tournament.options import RunOptions
from podium.arena.tournament.report import MatchReport
from podium.arena.tournament.worker import seed_of

BOUNDS = (0.0, 20.0)  # normalized Elo
OTHER = 2  # factor of the budget in the second test


@dataclass(frozen=True)
class ValidationResult:
    """A sequential test of the tuned bot against the baseline bot."""

    run: str
    limits: str  # nodes or time per answer
    games: int
    elo: tuple[float, float, float]  # median-unbiased if the test is decided, with the 95 % interval
    accepted: str | None  # H1: stronger; H0: not stronger; None: undecided
    command: str  # repeats the match

    @property
    def passed(self) -> bool:
        """Whether the tuned bot is shown to be stronger."""
        return self.accepted == "H1"


def other_budget(options: RunOptions) -> tuple[RunOptions, float]:
    """Options with another budget, and the factor of it that both bots get: twice the nodes or the time of before; half
    of the contest's own."""
    if options.get("nodes"):
        return {**options, "nodes": OTHER * options["nodes"]}, 1.0
    if options.get("time"):
        return {**options, "time": OTHER * options["time"]}, 1.0
    return options, 1 / OTHER


def play_validation(
    game: str,
    tuned: str,
    base: str,
    options: RunOptions,
    *,
    seed: int,
    bounds: tuple[float, float],
    games: int,
    jobs: int | None,
    cluster: str | None,
    second: bool,
    look: Callable[[Match], None],
) -> ValidationResult:
    """Play one of the two tests until it is decided, or for `games` games."""
    share = 1.0
    if second:
        options, share = other_budget(options)
    fresh = seed_of(seed, 2 if second else 1)
    wanted: RunOptions = {**options, "seed": fresh}
    handicaps = {"1": share, "2": share} if share != 1 else {}
    with Match(game, tuned, base, games=games, sprt=bounds, handicaps=handicaps, **wanted) as match:
        report = match.play(jobs, cluster, look)
        start = begun_in(options.get("positions", ""))
        test = [f"--sprt {bounds[0]:g} {bounds[1]:g}", f"--seed {fresh}"]
        command = command_of(game, tuned, base, *options_of(match.run.conditions, share), *start, *test)
        return validation_result(report, limits_of(match, share), command)


def limits_of(match: Match, share: float = 1.0) -> str:
    """Nodes or time per answer in a test, in words."""
    whole = "the contest's limits" if share == 1 else f"{share:g} of the contest's limits"
    return match.run.conditions.limits() or whole


def validation_result(report: MatchReport, limits: str, command: str) -> ValidationResult:
    """The result of a test so far."""
    accepted = report.sprt.accepted if report.sprt else None
    elo = (report.sprt.elo if report.sprt else None) or report.elo
    return ValidationResult(report.run, limits, report.games, elo, accepted, command)


def command_of(game: str, tuned: str, base: str, *options: str) -> str:
    """The command of a match between the tuned bot and the baseline bot."""
    return " ".join(["podium match", game, shlex.quote(tuned), shlex.quote(base), *options])


def options_of(conditions: Conditions, share: float = 1.0) -> list[str]:
    """The command-line options for conditions, where they differ from the defaults."""
    time_control, usual = conditions.time_control, TimeControl()
    words = [f"--nodes {time_control.nodes}"] if time_control.nodes else []
    words += [f"--time {time_control.milliseconds:g}"] if time_control.milliseconds else []
    words += [f"--policy {time_control.policy.value}"] if time_control.policy is not usual.policy else []
    words += [f"--reserve {time_control.reserve:g}"] if time_control.reserve != usual.reserve else []
    words += [f"--startup {time_control.startup:g}"] if time_control.startup else []
    words += [f"--memory {conditions.memory}"] if conditions.memory else []
    words += [f"--{name}" for name in ("suspend", "fair") if getattr(conditions, name)]
    words += [shlex.join(["--set", f"{name}={value}"]) for name, value in conditions.settings.items()]
    return words + ([f"--handicap {place}={share:g}" for place in (1, 2)] if share != 1 else [])


def begun_in(positions: object) -> list[str]:
    """The command-line option for games that start from the positions of a file; none without a file."""
    return [shlex.join(["--from", str(positions)])] if positions else []
