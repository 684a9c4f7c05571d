"""The claims of the authors of the write-ups, and how they are measured.

A game lists the claims of its write-up in `claims/claims.toml`: the gist of a sentence, the figure in the author's
words and as a range of values, and one or several ways to measure it (`podium.lab.claims.measurements` and `matches`).
Results are stored in `claims/measured.json` beside it, by the command that repeats the measurement. Results that a user
measures are stored beside the user's store; of two results for one command the later one counts. The folder is not the
game's `data`, which is part of every bot's fingerprint: a bot must not change while it is measured.

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
from podium.lab.claims.verdicts import ClaimVerdict, Expectation, Standard, combined

FOLDER, LIST, MEASURED = "claims", "claims.toml", "measured.json"
BESIDE = ".claims.json"  # appended to the name of a store: the file of the results measured with it
STAGES = (4, 2, 1)  # divisors of the number of games: first a quarter of each match, then half, then all
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


@dataclass(frozen=True)
class Finding:
    """One way to measure a claim, with its result if it was measured."""

    claim: Claim
    measurement: Measurement
    result: MeasuredValue | None

    @property
    def verdict(self) -> ClaimVerdict:
        """The verdict of this measurement alone."""
        return self.claim.standard.verdict(self.result.interval) if self.result else ClaimVerdict.NOT_MEASURED

    @property
    def games_needed(self) -> int | None:
        """Estimated number of games that would decide an open verdict; None if it is not open, or far too many."""
        if self.result is None or self.verdict is not ClaimVerdict.OPEN:
            return None
        return self.claim.standard.games_needed(self.result.interval, self.result.sample)


def verdict_on(findings: Iterable[Finding]) -> ClaimVerdict:
    """The verdict on a claim, from all its findings."""
    return combined(finding.verdict for finding in findings)


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
    for number, table in enumerate(data.get("claim", []), 1):
        where = f"{path.name} of {game}, claim {number} ({table.get('id', 'without an id')})"
        claim = _read_claim(game, dict(table), where)
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
    expect: Literal["effect", "nothing", "equal", "figure"]
    figure: list[float]  # the range of values that agree with the words
    measure: list[dict[str, Any]]
    than: float = 0.5
    better: Literal["more", "less"] = "more"
    unit: str = PERCENT


def _read_claim(game: str, table: dict[str, Any], where: str) -> Claim:
    head = _read(_Head, table, where)
    if len(head.figure) != 2 or head.figure[0] > head.figure[1]:
        raise PodiumError(f"{where}: a figure is a range [low, high], not {head.figure}")
    if not head.measure:
        raise PodiumError(f'{where}: no [[claim.measure]]; kind = "nowhere" says why it is not measured')
    low, high = head.figure
    standard = Standard(Expectation(head.expect), low, high, head.than, head.better == "more")
    measures = tuple(_read_measure(game, dict(each), where) for each in head.measure)
    return Claim(game, head.id, head.gist, head.claimed, standard, head.unit, measures)


def _read_measure(game: str, table: dict[str, Any], where: str) -> Measurement:
    kind = table.pop("kind", None)
    if kind not in KINDS:
        raise PodiumError(f"{where}: {unknown('kind of measure', str(kind), KINDS)}")
    measure: Measurement = _read(KINDS[kind], {"game": game, **table}, where)
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


def findings_of(claims: Iterable[Claim], results: ClaimResults) -> list[Finding]:
    """The findings of claims: one for each way to measure one."""
    return [
        Finding(claim, measure, results.found.get(measure.command))
        for claim in claims
        for measure in claim.measurements
    ]


def measure(
    claims: Sequence[Claim],
    results: ClaimResults,
    session: MeasurementSession,
    again: bool = False,
    undecided: bool = False,
) -> bool:
    """Measure what is missing, or everything `again`; False if the session's time ran out first.

    With `undecided`, claims that have a verdict are skipped, and more games are played for the others.

    Matches are first played to a quarter of their games, so that an early end leaves a result for every claim. With
    `again`, bots that have changed since play new games; the games of others are in the store. PodiumError before
    anything is measured, if a claim names something that does not exist.
    """

    def waits(found: Finding) -> bool:
        if isinstance(found.measurement, NotMeasurable):
            return False
        return not undecided or found.verdict in (ClaimVerdict.OPEN, ClaimVerdict.NOT_MEASURED)

    waiting = ordered(
        [
            [found.measurement for found in findings_of(claims, results) if found.claim.game == game and waits(found)]
            for game in dict.fromkeys(claim.game for claim in claims)
        ]
    )
    for each in waiting:
        each.check()
    fresh: set[str] = set()  # commands that were measured in this call
    try:
        for parts in STAGES:
            for each in waiting:
                present = None if again and each.command not in fresh else results.found.get(each.command)
                if present is None or present.sample < each.wanted(session, parts):
                    session.check_time()
                    result = each.take(session, parts)
                    if result and (present is None or result.sample >= present.sample):
                        results.add(each, result)
                fresh.add(each.command)
    except OutOfTimeError:
        return False
    return True
