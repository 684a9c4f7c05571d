"""Is the tuned bot really better? Sequential tests on fresh seeds, the second at another time control.

What a tuner found was found in its own games, and looks better there than it is. So it meets the bot as it is in games
that no tuner has seen; and then with another budget, because a number that is right for a shallow search may be wrong
for a deep one. Both are ordinary matches in the same store.
"""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from podium.arena.conditions import Conditions
from podium.arena.limits import Allowance
from podium.arena.match import Match
from podium.arena.report import MatchReport
from podium.arena.work import seed_of

BOUNDS = (0.0, 20.0)  # normalized Elo
OTHER = 2  # times the budget, in the second test


@dataclass(frozen=True)
class Confirmation:
    """A sequential test of the tuned bot against the bot as it is."""

    run: str
    limits: str  # what an answer may cost
    games: int
    elo: tuple[float, float, float]  # median-unbiased where the test tells it, with the 95 % interval
    accepted: str | None  # H1: it is stronger; H0: it is not; None: undecided
    command: str  # that repeats it

    @property
    def passed(self) -> bool:
        """Whether the tuned bot is shown to be stronger."""
        return self.accepted == "H1"


def other_terms(terms: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
    """Terms with another budget, and the share of it that both bots get: twice the nodes or the time of before; half of
    the contest's own."""
    changed = dict(terms)
    if terms.get("nodes"):
        changed["nodes"] = OTHER * terms["nodes"]
    elif terms.get("time"):
        changed["time"] = OTHER * terms["time"]
    else:
        return changed, 1 / OTHER
    return changed, 1.0


def confirm(
    game: str,
    tuned: str,
    base: str,
    terms: Mapping[str, Any],
    *,
    store: Any,
    seed: int,
    bounds: tuple[float, float],
    games: int,
    jobs: int,
    cluster: str,
    second: bool,
    look: Callable[[Match], None],
) -> Confirmation:
    """Play one of the two tests to its end, or to so many games."""
    share = 1.0
    if second:
        terms, share = other_terms(terms)
    handicaps = {"1": share, "2": share} if share != 1 else None
    fresh = seed_of(seed, 2 if second else 1)
    with Match(
        game, tuned, base, games=games, sprt=bounds, seed=fresh, store=store, handicaps=handicaps, **terms
    ) as match:
        report = match.play(jobs, cluster, look)
        start = begun_in(terms.get("positions", ""))
        test = [f"--sprt {bounds[0]:g} {bounds[1]:g}", f"--seed {fresh}"]
        command = command_of(game, tuned, base, *options_of(match.run.conditions, share), *start, *test)
        return confirmation(report, limits_of(match, share), command)


def limits_of(match: Match, share: float = 1.0) -> str:
    """What an answer may cost in a test, for people."""
    whole = "the contest's limits" if share == 1 else f"{share:g} of the contest's limits"
    return match.run.conditions.limits() or whole


def confirmation(report: MatchReport, limits: str, command: str) -> Confirmation:
    """What a test has shown so far."""
    accepted = report.sprt.accepted if report.sprt else None
    elo = (report.sprt.elo if report.sprt else None) or report.elo
    return Confirmation(report.run, limits, report.games, elo, accepted, command)


def command_of(game: str, tuned: str, base: str, *options: str) -> str:
    """The command of a match between the tuned bot and the bot as it is."""
    return " ".join(["podium match", game, shlex.quote(tuned), shlex.quote(base), *options])


def options_of(conditions: Conditions, share: float = 1.0) -> list[str]:
    """The options of a match under some conditions, where they are not the usual ones."""
    allowance, usual = conditions.allowance, Allowance()
    words = [f"--nodes {allowance.nodes}"] if allowance.nodes else []
    words += [f"--time {allowance.milliseconds:g}"] if allowance.milliseconds else []
    words += [f"--policy {allowance.policy.value}"] if allowance.policy is not usual.policy else []
    words += [f"--reserve {allowance.reserve:g}"] if allowance.reserve != usual.reserve else []
    words += [f"--startup {allowance.startup:g}"] if allowance.startup else []
    words += [f"--memory {conditions.memory}"] if conditions.memory else []
    words += [f"--{name}" for name in ("suspend", "fair") if getattr(conditions, name)]
    words += [shlex.join(["--set", f"{name}={value}"]) for name, value in conditions.settings.items()]
    return words + ([f"--handicap {place}={share:g}" for place in (1, 2)] if share != 1 else [])


def begun_in(positions: object) -> list[str]:
    """The option of a match that begins in the positions of a file; nothing where there is none."""
    return [shlex.join(["--from", str(positions)])] if positions else []
