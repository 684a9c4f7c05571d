"""A calibration: a bot plays itself, which shows the noise of this machine and whether time limits hold."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Unpack

from podium.arena.store.game_row import Irregularity
from podium.arena.tournament.machine_noise import Stalls, load_per_core, machine_warnings, seat_scores, spin
from podium.arena.tournament.match import Match
from podium.arena.tournament.options import RunOptions
from podium.arena.tournament.report import MatchReport
from podium.arena.tournament.run_session import CALIBRATION, Tournament
from podium.arena.tournament.runner import jobs_of, workers
from podium.display import Displayable
from podium.errors import PodiumError

DEFAULT_GAMES = 100


@dataclass(frozen=True, repr=False)
class CalibrationReport(Displayable):
    """The noise of this machine, and what it means for measurements."""

    match: MatchReport  # of the bot against itself
    seat_scores: tuple[tuple[float, float], ...]  # mean score of each seat, with its 95 % error
    worst_stall_ms: float
    time_lost_to_stalls: float  # a share
    load_per_core: float
    overruns: int  # answers after their limit
    noise_elo: float  # smaller differences cannot be distinguished from 0
    findings: tuple[str, ...]  # the figures in sentences
    warnings: tuple[str, ...]  # reasons not to measure here

    @property
    def headline(self) -> str:
        """What was found, in sentences, one in a line."""
        return "\n".join((*self.findings, *(f"warning: {text}" for text in self.warnings)))

    def rows(self) -> list[dict[str, Any]]:
        """The bot in both its places, as in a match."""
        return self.match.rows()

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        own = asdict(self)
        match: dict[str, Any] = own.pop("match")
        return match | own


class Calibration(Tournament):
    """A match of a bot against itself, after a measurement of the machine."""

    def __init__(self, game: str, bot: str, *, games: int = DEFAULT_GAMES, **options: Unpack[RunOptions]) -> None:
        if options.get("cluster"):
            raise PodiumError("a calibration measures this machine, not a cluster")
        options.setdefault("thoughts", False)
        self.match = Match(game, bot, bot, games=games, kind=CALIBRATION, **options)
        self.session = self.match.session

    def play(self, jobs: int | None = None, progress: Callable[[Match], None] | None = None) -> CalibrationReport:
        """Measure the stalls of the machine with as many workers as will play, then play."""
        jobs = jobs_of(self.session.options["jobs"] if jobs is None else jobs)
        self.match.prepare()
        with workers(jobs) as team:
            stalls = [future.result() for future in [team.executor.submit(spin) for _ in range(jobs)]]
        return self._report(self.match.play(jobs, progress=progress), stalls)

    def report(self) -> MatchReport:
        """The report of the bot's match against itself so far."""
        return self.match.report()

    def _report(self, report: MatchReport, stalls: list[Stalls]) -> CalibrationReport:
        session = self.session
        time_control = session.conditions.time_control
        limit = 0.0 if time_control.nodes else (time_control.milliseconds or session.game.contest.limits.later)
        load = load_per_core()
        low, high = report.elo[1:]
        noise = max(abs(low), abs(high))
        seats = seat_scores(list(session.store.games(session.run)))
        overruns = sum(
            seen.get(Irregularity.OVERRUN, 0) + seen.get(Irregularity.LATE, 0) for seen in report.irregularities
        )
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
