"""Ways to measure a claim, each with the command that repeats it: rates and studies here, matches in `matches`.

A rate is a row of `podium bench GAME`, per second of processor time, so that other programs on the machine do not lower
it; its interval is that of the mean of several runs. A study measurement is a cell in the table of
`podium bench GAME --study NAME`.
"""

import math
import os
import platform
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar

from podium.arena.store.store import DEFAULT_STORE
from podium.arena.tournament.machine_noise import load_per_core
from podium.errors import PodiumError, unknown
from podium.games import load
from podium.games.game import Findings, Game
from podium.games.sample_mean import sample_mean
from podium.lab.claims.verdicts import Interval

BUSY = 1.5  # running programs per core: caches are shared, so that even a rate by processor time is lower


class OutOfTimeError(Exception):
    """The time for measuring has run out."""


@dataclass(frozen=True)
class MeasuredValue:
    """A measured value with its interval, sample, date and machine; plain data that is stored in a file."""

    value: float
    low: float
    high: float
    sample: int
    counted: str  # the unit of the sample: games, runs, positions
    date: str
    machine: str
    note: str = ""

    @property
    def interval(self) -> Interval:
        """The value with its 95 % interval."""
        return Interval(self.value, self.low, self.high)


@dataclass
class MeasurementSession:
    """Where measurements are made, and until when."""

    store: Path | str = DEFAULT_STORE
    jobs: int = 0
    cluster: str = ""
    games: int = 0  # of each match, at most; 0: the number in the list of claims
    end: float = math.inf  # on the monotonic clock
    progress: Callable[[str], None] = lambda text: None  # called now and then with the progress as text
    _studies: dict[tuple[str, str, float], Findings] = field(default_factory=dict)

    def check_time(self) -> None:
        """Raise OutOfTimeError if the time has run out."""
        if time.monotonic() >= self.end:
            raise OutOfTimeError

    def findings(self, game: Game, study: str, seconds: float) -> Findings:
        """The findings of a study, which is run once for all claims that need it."""
        key = (game.name, study, seconds)
        if key not in self._studies:
            self.progress(f"{game.name}: study {study}")
            self._studies[key] = game.tools.studies[study].run(seconds)
        return self._studies[key]


@dataclass(frozen=True)
class Measurement(ABC):
    """One way to measure a claim of a game."""

    slow: ClassVar[bool] = False  # whether it takes minutes rather than seconds
    game: str

    @property
    @abstractmethod
    def command(self) -> str:
        """The command that repeats it, by which its result is stored."""

    @property
    def shown_command(self) -> str:
        """The command as a page shows it."""
        return self.command

    @property
    def conditions(self) -> str:
        """The conditions that distinguish it from other ways to measure the same claim, in words."""
        return ""

    @abstractmethod
    def check(self) -> None:
        """PodiumError unless everything that it names exists."""

    @property
    def planned(self) -> int:
        """The size of the sample, which is fixed before it is measured."""
        return 1

    @property
    def looks(self) -> int:
        """How many times the result has been looked at, or will be, with the sample growing in between."""
        return 1

    @property
    def core_seconds(self) -> float:
        """How long a core takes for the planned sample, about; 0 if nobody knows, or if it is soon done."""
        return 0.0

    def wanted(self, session: MeasurementSession) -> int:
        """The size of the sample that is measured in a session."""
        return self.planned

    @abstractmethod
    def take(self, session: MeasurementSession) -> MeasuredValue | None:
        """Measure it; None if the time ran out before there was a result."""


@dataclass(frozen=True)
class RateMeasurement(Measurement):
    """A rate of `podium bench GAME`, or the time that one of its units takes."""

    benchmark: str
    factor: float = 1.0  # multiplied with the rate: 0.05 for the number in 50 ms
    each: bool = False  # the time of one unit instead: the factor divided by the rate
    seconds: float = 2.0
    runs: int = 5
    when: str = ""

    @property
    def command(self) -> str:
        """The command of the benchmark, with its row as a comment."""
        return f"podium bench {self.game} --seconds {self.seconds:g}  # {self._row}"

    @property
    def _row(self) -> str:
        if self.each:
            return f"{self.factor:g} / {self.benchmark}"
        return self.benchmark if self.factor == 1 else f"{self.benchmark} x {self.factor:g}"

    @property
    def conditions(self) -> str:
        """The conditions in words, or the name of the benchmark."""
        return self.when or self.benchmark

    @property
    def planned(self) -> int:
        """The number of runs."""
        return self.runs

    def check(self) -> None:
        """PodiumError unless the game has this benchmark."""
        known = [benchmark.name for benchmark in load(self.game).tools.benchmarks()]
        if self.benchmark not in known:
            raise unknown(f"benchmark of {self.game}", self.benchmark, known)

    def take(self, session: MeasurementSession) -> MeasuredValue:
        """The mean of several runs, with the interval of the mean."""
        benchmark = next(each for each in load(self.game).tools.benchmarks() if each.name == self.benchmark)
        benchmark.run(0.0)
        found = []
        for number in range(self.runs):
            session.check_time()
            session.progress(f"{self.game}: {self.benchmark}, run {number + 1} of {self.runs}")
            rate = benchmark.rate(self.seconds)
            found.append(self.factor / rate if self.each else self.factor * rate)
        busy = load_per_core()
        note = f"with {busy:.0f} programs per core, so slower than on an idle machine" if busy >= BUSY else ""
        return result(Interval(*sample_mean(found)), self.runs, "runs", note)


@dataclass(frozen=True)
class StudyMeasurement(Measurement):
    """A cell of a study's table; exact where the table has no interval for it."""

    study: str
    row: Mapping[str, Any]  # what the row must have in some columns
    column: str
    low: str = ""  # the columns with the 95 % interval of the mean
    high: str = ""
    sample: str = ""  # the column with the size of the sample
    counted: str = "positions"
    seconds: float = 2.0
    when: str = ""

    @property
    def command(self) -> str:
        """The command of the study, with its cell as a comment."""
        cell = ", ".join(f"{value}" for value in self.row.values())
        return f"podium bench {self.game} --study {self.study} --seconds {self.seconds:g}  # {cell}, {self.column}"

    @property
    def conditions(self) -> str:
        """The conditions in words, or the row of the table."""
        return self.when or ", ".join(f"{value}" for value in self.row.values())

    def check(self) -> None:
        """PodiumError unless the game has this study; its rows are only known once it has run."""
        known = load(self.game).tools.studies
        if self.study not in known:
            raise unknown(f"study of {self.game}", self.study, known)

    def take(self, session: MeasurementSession) -> MeasuredValue:
        """Run the study and read the cell."""
        session.check_time()
        return self.read(session.findings(load(self.game), self.study, self.seconds))

    def read(self, findings: Findings) -> MeasuredValue:
        """The result in a table of the study."""
        row = self._find(findings, self.row)
        value = self._number(row, self.column)
        low = self._number(row, self.low) if self.low else value
        high = self._number(row, self.high) if self.high else value
        sample = int(self._number(row, self.sample)) if self.sample else 1
        return result(Interval(value, low, high), sample, self.counted if self.sample else "study")

    def _find(self, findings: Findings, wanted: Mapping[str, Any]) -> dict[str, Any]:
        rows = [dict(zip(findings.columns, row, strict=True)) for row in findings.rows]
        for column in wanted:
            if column not in findings.columns:
                raise unknown(f"column of the study {self.study}", column, findings.columns)
        for row in rows:
            if all(row[column] == value for column, value in wanted.items()):
                return row
        text = ", ".join(f"{column} {value}" for column, value in wanted.items())
        raise PodiumError(f"the study {self.study} of {self.game} has no row with {text}")

    def _number(self, row: Mapping[str, Any], column: str) -> float:
        if column not in row:
            raise unknown(f"column of the study {self.study}", column, row)
        value = row[column]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PodiumError(f"the column {column} of the study {self.study} holds {value!r}, which is no number")
        return float(value)


@dataclass(frozen=True)
class NotMeasurable(Measurement):
    """A claim that is not measured, and the reason."""

    reason: str

    @property
    def command(self) -> str:
        """Nothing: there is no command."""
        return ""

    @property
    def conditions(self) -> str:
        """The reason why it is not measured."""
        return self.reason

    def check(self) -> None:
        """Nothing to check: it names nothing."""

    def take(self, session: MeasurementSession) -> None:
        """Nothing is measured."""


def result(found: Interval, sample: int, counted: str, note: str = "") -> MeasuredValue:
    """A result of today, on this machine."""
    today = datetime.now(UTC).date().isoformat()
    return MeasuredValue(found.value, found.low, found.high, sample, counted, today, machine(), note)


def machine() -> str:
    """The processor of this machine, and its number of cores."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        name = names[0] if names else name
    cores = os.cpu_count() or 1
    return f"{name}, {cores} {'core' if cores == 1 else 'cores'}"


def ordered(measurements: Sequence[Sequence[Measurement]]) -> list[Measurement]:
    """Measurements of several games in the order in which they are made: the first of each game, then the second, ...

    Quick ones come before slow ones, so that an early end leaves results for every game.
    """
    rounds = zip_longest(*measurements)
    return sorted((each for turn in rounds for each in turn if each), key=lambda measurement: measurement.slow)
