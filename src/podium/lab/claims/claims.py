"""The claims of the authors of the write-ups, and how they are measured.

A game lists the claims of its write-up in `claims/claims.toml`: the gist of a sentence, the figure in the author's
words and as a range of values, and one or several ways to measure it (`podium.lab.claims.measurements` and `matches`).
The size of each sample is in the list, so that it is fixed before anyone sees a result; a smaller sample has no
verdict.

Results are stored in `claims/measured.json` beside the list, by the command that repeats the measurement. Results that
a user measures are stored beside the user's store; of two results for one command the later one counts. The folder is
not the game's `data`, which is part of every bot's fingerprint: a bot must not change while it is measured.

    report = podium.claims("zuniq")                      # the results so far
    report = podium.claims("zuniq", measure=True)        # measure what is missing first
"""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_type_hints

import msgspec

from podium.errors import PodiumError, unknown
from podium.games import folder_of, load, names
from podium.lab.claims.matches import GainMeasurement, MatchMeasurement
from podium.lab.claims.measurements import (
    MeasuredValue,
    Measurement,
    MeasurementSession,
    NotMeasurable,
    OutOfTimeError,
    RateMeasurement,
    StudyMeasurement,
    ordered,
)
from podium.lab.claims.verdicts import (
    STORED_LEVEL,
    ClaimVerdict,
    Expectation,
    Interval,
    Judged,
    Standard,
    combined,
    discovery_level,
)

FOLDER, LIST, MEASURED = "claims", "claims.toml", "measured.json"
BESIDE = ".claims.json"  # appended to the name of a store: the file of the results measured with it
KINDS: dict[str, type[Measurement]] = {
    "match": MatchMeasurement,
    "gain": GainMeasurement,
    "rate": RateMeasurement,
    "study": StudyMeasurement,
    "nowhere": NotMeasurable,
}
PERCENT = "%"  # the unit of shares, which are stored as fractions of 1


@dataclass(frozen=True)
class Claim:
    """One claim of a write-up."""

    game: str
    id: str
    gist: str  # of the author's sentence
    claimed: str  # the figure in the author's words
    standard: Standard  # what measurements are compared with
    unit: str
    measurements: tuple[Measurement, ...]

    @property
    def asked(self) -> bool:
        """Whether it is a question: the author does not say what to expect."""
        return self.standard.expectation is Expectation.QUESTION


@dataclass(frozen=True)
class Finding:
    """One way to measure a claim, with its result if it was measured."""

    claim: Claim
    measurement: Measurement
    result: MeasuredValue | None
    level: float = STORED_LEVEL  # of the interval that decides

    @property
    def complete(self) -> bool:
        """Whether it was measured with the sample that the list says."""
        return self.result is not None and self.result.sample >= self.measurement.planned

    @property
    def is_missing(self) -> bool:
        """Whether it can be measured, and was not."""
        return self.result is None and not isinstance(self.measurement, NotMeasurable)

    @property
    def judged(self) -> Judged | None:
        """What its verdict depends on; None if the sample is not complete."""
        if self.result is None or not self.complete:
            return None
        return Judged(self.claim.standard, self.result.interval, self.measurement.looks)

    @property
    def interval(self) -> Interval | None:
        """The measured value, with the interval that decides."""
        return self.result.interval.at_level(self.level, self.measurement.looks) if self.result else None

    @property
    def verdict(self) -> ClaimVerdict:
        """The verdict of this measurement alone."""
        if self.result is None:
            return ClaimVerdict.NOT_MEASURED
        return self.judged.verdict(self.level) if self.judged else ClaimVerdict.OPEN

    @property
    def games_needed(self) -> int | None:
        """Estimated number of games that would decide; None if none are needed or far too many."""
        if self.result is None or self.interval is None or self.verdict.decided:
            return None
        return self.claim.standard.games_needed(self.interval, self.result.sample)


def verdict_on(findings: Iterable[Finding]) -> ClaimVerdict:
    """The verdict on a claim, from all its findings. Once one is measured, a missing one leaves it open."""
    found = list(findings)
    begun = any(finding.result for finding in found)
    return combined(ClaimVerdict.OPEN if begun and finding.is_missing else finding.verdict for finding in found)


# Reading the list of a game


def games_with_claims() -> list[str]:
    """The names of the games that have a list of claims."""
    return [name for name in names() if (folder_of(name) / FOLDER / LIST).is_file()]


def claims_of(game: str) -> list[Claim]:
    """The claims about a game, the most important first; PodiumError if the list is missing or malformed."""
    load(game)
    path = folder_of(game) / FOLDER / LIST
    if not path.is_file():
        raise unknown("game with a list of claims", game, games_with_claims())
    return read_claims(game, path)


def read_claims(game: str, path: Path) -> list[Claim]:
    """The claims in a file, checked; PodiumError names the claim that is malformed."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise PodiumError(f"{path}: {error}") from None
    found: list[Claim] = []
    shared = {"node_seconds": data["node_seconds"]} if "node_seconds" in data else {}
    for number, table in enumerate(data.get("claim", []), 1):
        where = f"{path.name} of {game}, claim {number} ({table.get('id', 'without an id')})"
        claim = _read_claim(game, dict(table), where, shared)
        if claim.id in {other.id for other in found}:
            raise PodiumError(f"{where}: another claim has the same id")
        found.append(claim)
    if not found:
        raise PodiumError(f"{path} has no claims")
    return found


@dataclass(frozen=True)
class _Head:
    """The fields of a claim in the file."""

    id: str
    gist: str
    claimed: str
    expect: Literal["effect", "nothing", "equal", "figure", "question"]
    figure: list[float]  # the range of values that agree with the words; of a question, that hardly matter
    measure: list[dict[str, Any]]
    than: float = 0.5
    better: Literal["more", "less"] = "more"
    unit: str = PERCENT


def _read_claim(game: str, table: dict[str, Any], where: str, shared: Mapping[str, Any]) -> Claim:
    head = _read(_Head, table, where)
    if len(head.figure) != 2 or head.figure[0] > head.figure[1]:
        raise PodiumError(f"{where}: a figure is a range [low, high], not {head.figure}")
    if not head.measure:
        raise PodiumError(f'{where}: no [[claim.measure]]; kind = "nowhere" says why it is not measured')
    low, high = head.figure
    standard = Standard(Expectation(head.expect), low, high, head.than, head.better == "more")
    measures = tuple(_read_measure(game, dict(each), where, shared) for each in head.measure)
    return Claim(game, head.id, head.gist, head.claimed, standard, head.unit, measures)


def _read_measure(game: str, table: dict[str, Any], where: str, shared: Mapping[str, Any]) -> Measurement:
    """A measurement; `shared` are values of those fields that it has and the table does not."""
    kind = table.pop("kind", None)
    if kind not in KINDS:
        raise PodiumError(f"{where}: {unknown('kind of measure', str(kind), KINDS)}")
    known = {each.name for each in fields(KINDS[kind])}
    common = {name: value for name, value in shared.items() if name in known}
    measure: Measurement = _read(KINDS[kind], {"game": game, **common, **table}, where)
    return measure


def _read(made: Any, table: Mapping[str, Any], where: str) -> Any:
    """A dataclass from a table of the file; PodiumError for unknown or missing fields and wrong types."""
    types, known = get_type_hints(made), fields(made)
    for name, value in table.items():
        if name not in {field.name for field in known}:
            raise PodiumError(f"{where}: {unknown('field', name, [field.name for field in known])}")
        try:
            msgspec.convert(value, types[name])
        except msgspec.ValidationError:
            raise PodiumError(f"{where}: {name} cannot be {value!r}") from None
    for field in known:
        if field.name not in table and field.default is MISSING and field.default_factory is MISSING:
            raise PodiumError(f"{where}: {field.name} is missing")
    return made(**table)


# Results


class ClaimResults:
    """Results by the command that repeats the measurement."""

    def __init__(self, games: Sequence[str], store: Path | str) -> None:
        self.own = Path(f"{store}{BESIDE}")  # beside the store
        self.found: dict[str, MeasuredValue] = {}
        for path in (*(folder_of(game) / FOLDER / MEASURED for game in games), self.own):
            for command, result in read_results(path).items():
                present = self.found.get(command)
                if present is None or result.date >= present.date:
                    self.found[command] = result

    def add(self, measure: Measurement, result: MeasuredValue) -> None:
        """Write a result to the file beside the store at once."""
        self.found[measure.command] = result
        write_results(self.own, {**read_results(self.own), measure.command: result})

    def keep(self, claims: Sequence[Claim]) -> list[Path]:
        """Write the results of claims into the folders of their games; returns the files."""
        paths = []
        for game in dict.fromkeys(claim.game for claim in claims):
            commands = [measure.command for claim in claims if claim.game == game for measure in claim.measurements]
            kept = {command: self.found[command] for command in commands if command in self.found}
            path = folder_of(game) / FOLDER / MEASURED
            write_results(path, kept)
            paths.append(path)
        return paths


def read_results(path: Path) -> dict[str, MeasuredValue]:
    """The results in a file; none if the file is missing."""
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {command: MeasuredValue(**result) for command, result in data.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise PodiumError(f"{path} does not hold results of claims: {error}") from None


def write_results(path: Path, results: Mapping[str, MeasuredValue]) -> None:
    """Write results to a file, whole or not at all."""
    text = json.dumps({command: asdict(result) for command, result in results.items()}, indent=1)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(f"{text}\n", encoding="utf-8")
    os.replace(fresh, path)


# Measuring


def chosen(games: Sequence[str], only: Sequence[str] = ()) -> list[Claim]:
    """The claims of these games (or of all games, if none is named); with `only`, those of some ids."""
    claims = [claim for game in games or games_with_claims() for claim in claims_of(game)]
    known = {claim.id for claim in claims}
    for each in only:
        if each not in known:
            raise unknown("claim", each, known)
    return [claim for claim in claims if not only or claim.id in only]


def findings_of(claims: Iterable[Claim], results: ClaimResults, level: float = STORED_LEVEL) -> list[Finding]:
    """The findings of claims: one for each way to measure one."""
    return [
        Finding(claim, measure, results.found.get(measure.command), level)
        for claim in claims
        for measure in claim.measurements
    ]


def level_of(findings: Iterable[Finding]) -> float:
    """The level of the intervals that decide, from all findings of a report (`discovery_level`)."""
    return discovery_level([finding.judged for finding in findings if finding.judged])


def measure(
    claims: Sequence[Claim],
    results: ClaimResults,
    session: MeasurementSession,
    again: bool = False,
) -> bool:
    """Measure what is missing, or everything `again`; False if the session's time ran out first.

    With `again`, bots that have changed since play new games; the games of others are in the store. PodiumError before
    anything is measured, if a claim names something that does not exist.
    """
    waiting = ordered(
        [
            [
                measurement
                for claim in claims
                for measurement in claim.measurements
                if claim.game == game and not isinstance(measurement, NotMeasurable)
            ]
            for game in dict.fromkeys(claim.game for claim in claims)
        ]
    )
    for each in waiting:
        each.check()
    try:
        for each in waiting:
            present = None if again else results.found.get(each.command)
            if present is None or present.sample < each.wanted(session):
                session.check_time()
                result = each.take(session)
                if result and (present is None or result.sample >= present.sample):
                    results.add(each, result)
    except OutOfTimeError:
        return False
    return True
