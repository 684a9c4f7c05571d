"""What the authors of the write-ups claim, and what measuring it here has come to.

A game lists the claims of its write-up in `claims/claims.toml`: the gist of a sentence, the figure in the author's
words and as a range of values, and one or several ways to measure it (`podium.lab.measures` and `duels`). What was
measured is kept in `claims/measured.json` beside it, under the command that repeats it; what a user measures is kept
beside his store, and the later of the two counts. The folder is not the game's `data`: that is part of what a bot is,
and a bot must stay the same bot while it is measured.

    report = podium.claims("zuniq")                      # what is known
    report = podium.claims("zuniq", measure=True)        # after measuring what is missing
"""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from podium.errors import PodiumError, unknown
from podium.games import folder_of, load, names
from podium.lab.duels import Gain, InMatch
from podium.lab.measures import Bench, InStudy, Measure, Nowhere, OutOfTimeError, Rate, Result, ordered
from podium.lab.verdicts import Expectation, Standard, Verdict, combined

FOLDER, LIST, MEASURED = "claims", "claims.toml", "measured.json"
BESIDE = ".claims.json"  # behind the name of a store: what was measured with it
STAGES = (4, 2, 1)  # parts of a match's games: first a quarter of each match, then half, then all
KINDS: dict[str, type[Measure]] = {
    "match": InMatch,
    "gain": Gain,
    "rate": Rate,
    "study": InStudy,
    "nowhere": Nowhere,
}
PERCENT = "%"  # the unit of shares, which are kept as parts of 1


@dataclass(frozen=True)
class Claim:
    """One claim of a write-up."""

    game: str
    id: str
    gist: str  # of the sentence, in our words
    claimed: str  # the figure in the author's words
    standard: Standard  # what measurements are held against
    unit: str
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class Finding:
    """One measurement of a claim, or that it is still missing."""

    claim: Claim
    measure: Measure
    result: Result | None

    @property
    def verdict(self) -> Verdict:
        """What this measurement alone says."""
        return self.claim.standard.verdict(self.result.interval) if self.result else Verdict.NOT_MEASURED

    @property
    def games_needed(self) -> int | None:
        """About how many games would close what is open; None if it is not open, or nobody would wait for it."""
        if self.result is None or self.verdict is not Verdict.OPEN:
            return None
        return self.claim.standard.games_needed(self.result.interval, self.result.sample)


def verdict_on(findings: Iterable[Finding]) -> Verdict:
    """The verdict on a claim, from all its findings."""
    return combined(finding.verdict for finding in findings)


# Reading the list of a game


def games_with_claims() -> list[str]:
    """The games that have a list of claims."""
    return [name for name in names() if (folder_of(name) / FOLDER / LIST).is_file()]


def claims_of(game: str) -> list[Claim]:
    """The claims about a game, in the order of their importance; PodiumError if the list is not as it should be."""
    load(game)
    path = folder_of(game) / FOLDER / LIST
    if not path.is_file():
        raise unknown("game with a list of claims", game, games_with_claims())
    return read_claims(game, path)


def read_claims(game: str, path: Path) -> list[Claim]:
    """The claims in a file."""
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
    figure: list[float]  # the range that agrees with the words
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


def _read_measure(game: str, table: dict[str, Any], where: str) -> Measure:
    kind = table.pop("kind", None)
    if kind not in KINDS:
        raise PodiumError(f"{where}: {unknown('kind of measure', str(kind), KINDS)}")
    measure: Measure = _read(KINDS[kind], {"game": game, **table}, where)
    return measure


def _read(made: Any, table: Mapping[str, Any], where: str) -> Any:
    """A dataclass from a table of the file: nothing unknown, nothing missing, everything of its type."""
    types, known = get_type_hints(made), fields(made)
    for name, value in table.items():
        if name not in {field.name for field in known}:
            raise PodiumError(f"{where}: {unknown('field', name, [field.name for field in known])}")
        if not _is_of(value, types[name]):
            raise PodiumError(f"{where}: {name} cannot be {value!r}")
    for field in known:
        if field.name not in table and field.default is MISSING and field.default_factory is MISSING:
            raise PodiumError(f"{where}: {field.name} is missing")
    return made(**table)


def _is_of(value: object, wanted: Any) -> bool:
    origin, inner = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return value in inner
    if origin is list:
        return isinstance(value, list) and all(_is_of(each, inner[0]) for each in value)
    if origin is not None:
        return isinstance(value, Mapping)
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, wanted) and isinstance(value, bool) == (wanted is bool)


# Results


class Results:
    """What was measured, by the command that repeats it."""

    def __init__(self, games: Sequence[str], store: Path | str) -> None:
        self.own = Path(f"{store}{BESIDE}")  # beside the store
        self.found: dict[str, Result] = {}
        for path in (*(folder_of(game) / FOLDER / MEASURED for game in games), self.own):
            for command, result in read_results(path).items():
                present = self.found.get(command)
                if present is None or result.date >= present.date:
                    self.found[command] = result

    def add(self, measure: Measure, result: Result) -> None:
        """Keep a result beside the store, at once."""
        self.found[measure.command] = result
        write_results(self.own, {**read_results(self.own), measure.command: result})

    def keep(self, claims: Sequence[Claim]) -> list[Path]:
        """Write what is known into the folders of the games; the files."""
        paths = []
        for game in dict.fromkeys(claim.game for claim in claims):
            commands = [measure.command for claim in claims if claim.game == game for measure in claim.measures]
            kept = {command: self.found[command] for command in commands if command in self.found}
            path = folder_of(game) / FOLDER / MEASURED
            write_results(path, kept)
            paths.append(path)
        return paths


def read_results(path: Path) -> dict[str, Result]:
    """The results in a file; none if there is no such file."""
    if not path.is_file():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {command: Result(**result) for command, result in data.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise PodiumError(f"{path} does not hold results of claims: {error}") from None


def write_results(path: Path, results: Mapping[str, Result]) -> None:
    """Write results to a file, whole or not at all."""
    text = json.dumps({command: asdict(result) for command, result in results.items()}, indent=1)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(f"{text}\n", encoding="utf-8")
    os.replace(fresh, path)


# Measuring


def chosen(games: Sequence[str], only: Sequence[str] = ()) -> list[Claim]:
    """The claims of these games (none: of all that have any), or of these only those of some ids."""
    claims = [claim for game in games or games_with_claims() for claim in claims_of(game)]
    known = {claim.id for claim in claims}
    for each in only:
        if each not in known:
            raise unknown("claim", each, known)
    return [claim for claim in claims if not only or claim.id in only]


def findings_of(claims: Iterable[Claim], results: Results) -> list[Finding]:
    """What is known of claims."""
    return [
        Finding(claim, measure, results.found.get(measure.command)) for claim in claims for measure in claim.measures
    ]


def measure(
    claims: Sequence[Claim], results: Results, bench: Bench, again: bool = False, undecided: bool = False
) -> bool:
    """Measure what is missing, or all of it `again`; False if the time was over before the end.

    With `undecided` what has a verdict is left as it is, and games go where they may still bring one.

    Matches are first played to a quarter of their games, so that an early end leaves something of everything. Again
    means that bots which have changed play anew; of others the store has the games. Nothing is measured if something
    that a claim names does not exist.
    """

    def waits(found: Finding) -> bool:
        if isinstance(found.measure, Nowhere):
            return False
        return not undecided or found.verdict in (Verdict.OPEN, Verdict.NOT_MEASURED)

    waiting = ordered(
        [
            [found.measure for found in findings_of(claims, results) if found.claim.game == game and waits(found)]
            for game in dict.fromkeys(claim.game for claim in claims)
        ]
    )
    for each in waiting:
        each.check()
    fresh: set[str] = set()  # commands whose results are of this time
    try:
        for parts in STAGES:
            for each in waiting:
                present = None if again and each.command not in fresh else results.found.get(each.command)
                if present is None or present.sample < each.wanted(bench, parts):
                    bench.check_time()
                    result = each.take(bench, parts)
                    if result and (present is None or result.sample >= present.sample):
                        results.add(each, result)
                fresh.add(each.command)
    except OutOfTimeError:
        return False
    return True
