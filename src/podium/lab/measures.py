"""Ways to measure a claim, each with the command that repeats it: rates and studies here, matches in `duels`.

A rate is a row of `podium bench GAME`, by processor time: what other programs took is not counted against it. A study
is a cell of the table of `podium bench GAME --study NAME`, or the ratio of two cells.
"""

import math
import os
import platform
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, ClassVar

from podium.arena.machine import load_per_core
from podium.arena.store import DEFAULT_STORE
from podium.errors import PodiumError, unknown
from podium.games import load
from podium.games.game import Findings, Game
from podium.lab.verdicts import Interval

BUSY = 1.5  # programs to a core: caches are shared, and even a rate by processor time suffers


class OutOfTimeError(Exception):
    """The time given for measuring is over."""


@dataclass(frozen=True)
class Result:
    """What was measured, with what it takes to believe it; plain data that a file keeps."""

    value: float
    low: float
    high: float
    sample: int
    counted: str  # what the sample counts: games, runs, positions
    date: str
    machine: str
    note: str = ""

    @property
    def interval(self) -> Interval:
        """The value with its interval."""
        return Interval(self.value, self.low, self.high)


@dataclass
class Bench:
    """Where and how long to measure."""

    store: Path | str = DEFAULT_STORE
    jobs: int = 0
    cluster: str = ""
    games: int = 0  # of each match; 0: as many as the claim asks for
    end: float = math.inf  # on the monotonic clock
    look: Callable[[str], None] = lambda text: None  # called now and then with how it goes
    _studies: dict[tuple[str, str, float], Findings] = field(default_factory=dict)

    def check_time(self) -> None:
        """Stop if the time is over."""
        if time.monotonic() >= self.end:
            raise OutOfTimeError

    def findings(self, game: Game, study: str, seconds: float) -> Findings:
        """What a study finds; run once for all claims that need it."""
        key = (game.name, study, seconds)
        if key not in self._studies:
            self.look(f"{game.name}: study {study}")
            self._studies[key] = game.studies[study].run(seconds)
        return self._studies[key]


@dataclass(frozen=True)
class Measure(ABC):
    """One way to measure a claim of a game."""

    slow: ClassVar[bool] = False  # it takes minutes, not seconds
    game: str

    @property
    @abstractmethod
    def command(self) -> str:
        """The command that repeats it; results are known by it."""

    @property
    def shown_command(self) -> str:
        """The command as a page shows it."""
        return self.command

    @property
    def conditions(self) -> str:
        """What sets it apart from other ways to measure the same claim, for people."""
        return ""

    @abstractmethod
    def check(self) -> None:
        """See that all that it names exists; PodiumError if not."""

    def wanted(self, bench: Bench, parts: int = 1) -> int:
        """The sample that is asked for, or one of so many parts of it."""
        return 1

    @abstractmethod
    def take(self, bench: Bench, parts: int = 1) -> Result | None:
        """Measure with such a sample; None if there was no time to find anything."""


@dataclass(frozen=True)
class Rate(Measure):
    """A row of `podium bench GAME`, or what one of its units takes."""

    benchmark: str
    factor: float = 1.0  # what the rate is multiplied with: 0.05 for what happens in 50 ms
    each: bool = False  # what one takes instead: the factor divided by the rate
    seconds: float = 2.0
    runs: int = 5
    when: str = ""

    @property
    def command(self) -> str:
        """The benchmark."""
        return f"podium bench {self.game} --seconds {self.seconds:g}  # {self._row}"

    @property
    def _row(self) -> str:
        if self.each:
            return f"{self.factor:g} / {self.benchmark}"
        return self.benchmark if self.factor == 1 else f"{self.benchmark} x {self.factor:g}"

    @property
    def conditions(self) -> str:
        """In words, or what is counted."""
        return self.when or self.benchmark

    def check(self) -> None:
        """See that there is such a benchmark."""
        known = [benchmark.name for benchmark in load(self.game).benchmarks()]
        if self.benchmark not in known:
            raise unknown(f"benchmark of {self.game}", self.benchmark, known)

    def take(self, bench: Bench, parts: int = 1) -> Result:
        """The median of some runs, and their range."""
        benchmark = next(each for each in load(self.game).benchmarks() if each.name == self.benchmark)
        benchmark.run(0.0)
        found = []
        for number in range(self.runs):
            bench.check_time()
            bench.look(f"{self.game}: {self.benchmark}, run {number + 1} of {self.runs}")
            wall, own = time.perf_counter(), time.process_time()
            count, elapsed = benchmark.run(self.seconds)
            share = (time.process_time() - own) / (time.perf_counter() - wall)  # of the processor that it had
            rate = count / (elapsed * min(share, 1.0))
            found.append(self.factor / rate if self.each else self.factor * rate)
        busy = load_per_core()
        note = f"with {busy:.0f} programs to a core, so at its slowest" if busy >= BUSY else ""
        return result(Interval(median(found), min(found), max(found)), self.runs, "runs", note)


@dataclass(frozen=True)
class InStudy(Measure):
    """A cell of a study's table, or the ratio of two; exact where the table has no interval for it."""

    study: str
    row: Mapping[str, Any]  # what the row must have in some columns
    column: str
    over: Mapping[str, Any] = field(default_factory=dict)  # the row of the cell to divide by, as far as it differs
    low: str = ""  # the columns with the interval
    high: str = ""
    sample: str = ""  # the column with the size of the sample
    counted: str = "positions"
    seconds: float = 2.0
    when: str = ""

    @property
    def command(self) -> str:
        """The study."""
        cell = ", ".join(f"{value}" for value in self.row.values())
        if self.over:
            cell += f" : {', '.join(f'{value}' for value in self.over.values())}"
        return f"podium bench {self.game} --study {self.study} --seconds {self.seconds:g}  # {cell}, {self.column}"

    @property
    def conditions(self) -> str:
        """In words, or the row."""
        return self.when or ", ".join(f"{value}" for value in self.row.values())

    def check(self) -> None:
        """See that there is such a study; its rows are known when it has run."""
        known = load(self.game).studies
        if self.study not in known:
            raise unknown(f"study of {self.game}", self.study, known)

    def take(self, bench: Bench, parts: int = 1) -> Result:
        """Run the study and look the cells up."""
        bench.check_time()
        return self.read(bench.findings(load(self.game), self.study, self.seconds))

    def read(self, findings: Findings) -> Result:
        """The result that a table of the study holds."""
        row = self._find(findings, self.row)
        value = self._number(row, self.column)
        by = self._number(self._find(findings, {**self.row, **self.over}), self.column) if self.over else 1.0
        low = self._number(row, self.low) if self.low else value
        high = self._number(row, self.high) if self.high else value
        sample = int(self._number(row, self.sample)) if self.sample else 1
        return result(Interval(value / by, low / by, high / by), sample, self.counted if self.sample else "study")

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
class Nowhere(Measure):
    """A claim that is not measured here, and why."""

    reason: str

    @property
    def command(self) -> str:
        """There is none."""
        return ""

    @property
    def conditions(self) -> str:
        """Why."""
        return self.reason

    def check(self) -> None:
        """Nothing is named."""

    def take(self, bench: Bench, parts: int = 1) -> None:
        """Nothing can be measured."""


def result(found: Interval, sample: int, counted: str, note: str = "") -> Result:
    """A result of now and here."""
    today = datetime.now(UTC).date().isoformat()
    return Result(found.value, found.low, found.high, sample, counted, today, machine(), note)


def machine() -> str:
    """This machine in a few words."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        name = names[0] if names else name
    cores = os.cpu_count() or 1
    return f"{name}, {cores} {'core' if cores == 1 else 'cores'}"


def ordered(measures: Sequence[Sequence[Measure]]) -> list[Measure]:
    """Measures of several games in the order in which they are taken: the first of each game, then the second, ...

    What takes seconds goes before what takes minutes, so that an early end leaves something of every game.
    """
    turns = [
        each[place] for place in range(max(map(len, measures), default=0)) for each in measures if place < len(each)
    ]
    return sorted(turns, key=lambda measure: measure.slow)
