"""May a new version of a bot replace the old one? One answer for CI: `podium gate`, and `podium.gate` in Python.

Three checks, each passed, failed or open:

1. **pins**: the new version plays right in all pinned positions of the game;
2. **strength**: a sequential test against the old version shows that the new one is not weaker, or that it is stronger;
3. **faults**: in the games of that test the new version was not disqualified more often than is allowed. What a busy
   machine has done to it does not count.

The gate is open only if all checks pass; one that fails closes it, and otherwise nothing is decided.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Unpack

from podium.arena.analysis.pins import DEFAULT_PINS, PinsReport, read_pins, run_pins
from podium.arena.entrants.entrant import COPY
from podium.arena.game.sentences import name_of
from podium.arena.store.game_row import Irregularity
from podium.arena.tournament.conclusion import Requirement
from podium.arena.tournament.match import Match
from podium.arena.tournament.options import MatchOptions, choice, completed
from podium.arena.tournament.report import MatchReport
from podium.display import Displayable
from podium.errors import PodiumError
from podium.games import load

MOST_GAMES = 2000  # of the sequential test
BOUNDS = {Requirement.NOT_WEAKER: (-30.0, 0.0), Requirement.STRONGER: (0.0, 30.0)}  # nElo, of the sequential test


class GateVerdict(StrEnum):
    """What a gate says of a new version, or a check of it."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"

    @property
    def exit_code(self) -> int:
        """The exit status of the command."""
        return {"passed": 0, "failed": 1, "undecided": 3}[self.value]


@dataclass(frozen=True)
class GateCheck:
    """One check of a gate."""

    check: str
    verdict: GateVerdict
    sentence: str


@dataclass(frozen=True, repr=False)
class GateReport(Displayable):
    """All checks of a new version."""

    old: str
    new: str
    checks: tuple[GateCheck, ...]
    match: MatchReport | None  # None: both versions are the same program, so that no game was played
    pins: PinsReport | None  # None: there are no pins of the game

    @property
    def verdict(self) -> GateVerdict:
        """Failed if any check failed, else undecided if any is."""
        found = {each.verdict for each in self.checks}
        return next((bad for bad in (GateVerdict.FAILED, GateVerdict.UNDECIDED) if bad in found), GateVerdict.PASSED)

    @property
    def headline(self) -> str:
        """The verdict, and the checks that are not passed."""
        bad = [each.check for each in self.checks if each.verdict is self.verdict is not GateVerdict.PASSED]
        which = f" ({', '.join(bad)})" if bad else ""
        return f"{self.new} against {self.old}: {self.verdict}{which}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each check."""
        return [asdict(each) for each in self.checks]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {
            "verdict": self.verdict,
            "exit_code": self.verdict.exit_code,
            "old": self.old,
            "new": self.new,
            "sentence": self.headline,
            "checks": self.rows(),
            "match": self.match.data() if self.match else None,
            "pins": self.pins.data() if self.pins else None,
        }


def run_gate(
    game: str,
    old: str,
    new: str,
    *,
    require: Requirement | str = Requirement.NOT_WEAKER,
    sprt: tuple[float, float] | None = None,
    games: int = MOST_GAMES,
    faults: int = 0,
    pins: Path = DEFAULT_PINS,
    progress: Callable[[Match], None] = lambda match: None,
    **options: Unpack[MatchOptions],
) -> GateReport:
    """Check a new version of a bot against the old one: pins, a sequential test, faults.

    `sprt` are the bounds of the test in normalized Elo, by default -30 and 0, or 0 and 30 if the new version is
    required to be stronger; `games` bounds its length. `faults` is the number of games in which the new version may be
    disqualified. A missing `pins.jsonl`, or a file without pins of the game, is no check; another file has to exist.
    Pins are played with the limits of the match. `progress` is called a few times a second while the match is played.
    """
    wanted, limits = choice("require", Requirement, require), completed(options)
    with Match(game, new, old, games=games, sprt=sprt or BOUNDS[wanted], **options) as match:
        if pins != DEFAULT_PINS and not pins.exists():
            raise PodiumError(f"there is no file of pins {pins}")
        match.prepare()
        checks, pinned = [], None
        if pins.exists() and any(pin.game == load(game).name for pin in read_pins(pins)):
            name = load(game).name
            pinned = run_pins(new, pins, game=name, time=limits["time"], nodes=limits["nodes"], seed=limits["seed"])
            checks.append(_pins_check(pinned))
        if match.session.entrants[match.tally.second].name.endswith(COPY):
            same = f"{match.names[0]} is the same program as {match.names[1].removesuffix(COPY)}: nothing to play"
            return GateReport(old, new, (*checks, GateCheck("strength", GateVerdict.PASSED, same)), None, pinned)
        report = match.play(progress=progress)
        checks += [_strength_check(report, wanted), _faults_check(report, faults)]
    return GateReport(report.bots[1], report.bots[0], tuple(checks), report, pinned)


def _pins_check(report: PinsReport) -> GateCheck:
    failed = [result for result in report.results if not result.is_passed]
    places = ", ".join(f"{result.number} ({result.pin.wanted})" for result in failed)
    verdict = GateVerdict.FAILED if failed else GateVerdict.PASSED
    return GateCheck("pins", verdict, report.headline + (f"; wrong in {places}" if failed else ""))


def _strength_check(report: MatchReport, wanted: Requirement) -> GateCheck:
    met = wanted.is_met(report.verdict)
    verdict = GateVerdict.UNDECIDED if met is None else GateVerdict.PASSED if met else GateVerdict.FAILED
    return GateCheck("strength", verdict, report.sentence)


def _faults_check(report: MatchReport, allowed: int) -> GateCheck:
    """Whether the new version, the first bot of the match, was disqualified too often."""
    excused = report.irregularities[0].get(Irregularity.EXCUSED, 0)
    count = max(0, sum(report.faults[0].values()) - excused)
    causes = ", ".join(f"{name_of(code)} {times}" for code, times in report.faults[0].items())
    games = f"disqualified in {count} of {report.games} games" + (f" ({causes})" if causes else "")
    verdict = GateVerdict.PASSED if count <= allowed else GateVerdict.FAILED
    if not report.games:
        raise PodiumError(f"no game of {report.run} counts, so nothing is known of the new version")
    return GateCheck("faults", verdict, f"{report.bots[0]} was {games}; {allowed} are allowed")
