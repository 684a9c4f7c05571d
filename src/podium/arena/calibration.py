"""A calibration: a bot plays itself, which shows the noise of this machine and whether time limits can be kept."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Unpack

from podium.arena.conditions import Terms
from podium.arena.machine import Quiet, load_per_core, machine_warnings, seat_scores, spin
from podium.arena.match import Match
from podium.arena.report import MatchReport
from podium.arena.runner import default_jobs, workers
from podium.arena.session import CALIBRATION, Contest
from podium.arena.store import DEFAULT_STORE

DEFAULT_GAMES = 100


@dataclass(frozen=True)
class CalibrationReport:
    """What can be measured on this machine now."""

    match: MatchReport  # of the bot against itself
    seat_scores: tuple[tuple[float, float], ...]  # how each seat fares, with its 95 % error
    worst_stall_ms: float
    time_lost_to_stalls: float  # a share
    load_per_core: float
    overruns: int  # answers after their limit
    noise_elo: float  # differences below this cannot be told from nothing
    findings: tuple[str, ...]  # what the figures mean
    warnings: tuple[str, ...]  # what speaks against measuring here

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        own = asdict(self)
        return own.pop("match") | own


class Calibration(Contest):
    """A match of a bot with itself, and a look at the machine."""

    def __init__(
        self,
        game: str,
        bot: str,
        *,
        games: int = DEFAULT_GAMES,
        seed: int = 1,
        store: Path | str = DEFAULT_STORE,
        **terms: Unpack[Terms],
    ) -> None:
        terms.setdefault("thoughts", False)
        self.match = Match(game, bot, bot, games=games, seed=seed, store=store, kind=CALIBRATION, **terms)
        self.session = self.match.session

    def play(self, jobs: int = 0, progress: Callable[[Match], None] | None = None) -> CalibrationReport:
        """Watch the machine with as many workers as will play, then play."""
        jobs = jobs or default_jobs()
        self.match.prepare()
        with workers(jobs) as team:
            stalls = [future.result() for future in [team.executor.submit(spin) for _ in range(jobs)]]
        return self._report(self.match.play(jobs, progress=progress), stalls)

    def _report(self, report: MatchReport, stalls: list[Quiet]) -> CalibrationReport:
        session = self.session
        allowance = session.conditions.allowance
        limit = 0.0 if allowance.nodes else (allowance.milliseconds or session.game.limits.later)
        load = load_per_core()
        low, high = report.elo[1:]
        noise = max(abs(low), abs(high))
        seats = seat_scores(list(session.store.games(session.run)))
        overruns = sum(marks.get("overrun", 0) + marks.get("late", 0) for marks in report.marks)
        worst = max(quiet.worst for quiet in stalls)
        lost = max(quiet.lost for quiet in stalls)
        findings = [f"after {report.games:,} games, differences below {noise:.0f} Elo cannot be told from nothing here"]
        for seat, (score, error) in enumerate(seats):
            fair = "fair" if abs(score - 0.5) <= error else "not fair; blocks of swapped seats cancel it"
            findings.append(f"seat {seat} scores {score:.1%} ± {error:.1%}: {fair}")
        answers = sum(times.answers for times in report.clocks)
        findings.append(f"{overruns:,} of {answers:,} answers overran their limit")
        findings.append(f"longest stall {worst:.1f} ms, {lost:.1%} of the time lost, {load:.1f} programs per core")
        warnings = [*report.warnings, *machine_warnings(stalls, limit, load)]
        if not low <= 0 <= high:
            warnings.append("one of two equal bots won significantly: one in twenty calibrations shows this by chance")
        return CalibrationReport(
            report, tuple(seats), worst, lost, load, overruns, noise, tuple(findings), tuple(warnings)
        )
