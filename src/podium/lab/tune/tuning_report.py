"""The report of a tuning: the best setting of its model, the effect of each parameter, the validation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arena.stats.intervals import EloInterval
from podium.arena.tournament.report import RunReport
from podium.lab.tune.proposals import Method, answer
from podium.lab.tune.regression import DRAWS, FittedModel, Trial
from podium.lab.tune.space import Dimension, SearchSpace, Setting, described
from podium.lab.tune.tunable import written
from podium.lab.tune.validation_match import ValidationResult
from podium.model.params import Value

CURVE_POINTS = 25
LEAST_GAIN = 1.0  # Elo; a smaller expected gain is not tested
FEW_DIGITS = 3  # of reported values


@dataclass(frozen=True)
class Point:
    """A value of a parameter and its gain over the baseline bot, with all other parameters at their best."""

    value: Value
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class ParameterFigures:
    """The effect of one parameter."""

    name: str
    base: Value
    best: Value
    low: Value | None  # 95 % interval of the best value of a number
    high: Value | None
    sure: float | None  # probability that the best word is the best one
    gain: EloInterval  # of its best value over its baseline value, with all others at their best
    log: bool
    curve: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class TuningReport(RunReport):
    """All figures of a tuning."""

    bot: str
    method: str
    space: tuple[str, ...]
    games: int
    wanted: int
    remaining_games: int
    remaining_seconds: float | None
    games_per_second: float
    gain: EloInterval  # of the best setting, as the model expects it
    parameters: tuple[ParameterFigures, ...]
    tuned: str  # the text that names the tuned bot
    validations: tuple[ValidationResult, ...]
    line: str  # the command of a match against the baseline bot; "" if no better setting is known

    @property
    def confirmed(self) -> bool:
        """Whether both tests have shown that the tuned bot is stronger."""
        return len(self.validations) == 2 and all(test.passed for test in self.validations)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each parameter, the one with the largest gain first."""
        return [
            {
                "parameter": each.name,
                "base": written(each.base),
                "best": written(each.best),
                "from": None if each.low is None else written(each.low),
                "to": None if each.high is None else written(each.high),
                "elo": each.gain.elo,
                "elo_low": each.gain.low,
                "elo_high": each.gain.high,
            }
            for each in sorted(self.parameters, key=lambda each: -each.gain.elo)
        ]

    def picture(self) -> str:
        """The effect of each parameter as SVG."""
        from podium.lab.tune.effects import effects_svg

        return effects_svg(self.parameters)


@dataclass(frozen=True)
class TuningFindings:
    """The best setting of a tuning, its gain, and the effects of the parameters."""

    best: Setting
    gain: EloInterval
    parameters: tuple[ParameterFigures, ...]


def findings(method: Method, space: SearchSpace, trials: Sequence[Trial]) -> TuningFindings:
    """The best setting after some trials, and the effect of each parameter."""
    best, model = answer(method, space, trials)
    best = tuple(_few_digits(each, value) for each, value in zip(space.dimensions, best, strict=True))
    if model.gains([best])[0].elo < LEAST_GAIN:
        best = space.base
    likely = model.likely_best(DRAWS, np.random.default_rng(DRAWS))
    figures = tuple(
        _figures(model, each, index, best, [setting[index] for setting in likely])
        for index, each in enumerate(space.dimensions)
    )
    return TuningFindings(best, model.gains([best])[0], figures)


def _few_digits(dimension: Dimension, value: Value) -> Value:
    if dimension.words or dimension.whole:
        return value
    return dimension.rounded(float(value), FEW_DIGITS)


def _figures(
    model: FittedModel, dimension: Dimension, index: int, best: Setting, likely: Sequence[Value]
) -> ParameterFigures:
    def with_value(value: Value) -> Setting:
        return (*best[:index], value, *best[index + 1 :])

    if dimension.words:
        values: Sequence[Value] = dimension.words
        low = high = None
        sure: float | None = sum(value == best[index] for value in likely) / len(likely)
    else:
        values = list(dict.fromkeys(dimension.at(place) for place in np.linspace(0, 1, CURVE_POINTS)))
        order = sorted(likely, key=float)
        low, high = (_few_digits(dimension, order[int(share * len(order))]) for share in (0.025, 0.975))
        sure = None
    curve = [
        Point(value, gain.elo, gain.low, gain.high)
        for value, gain in zip(values, model.gains([with_value(value) for value in values]), strict=True)
    ]
    gain = model.difference(best, with_value(dimension.base))
    return ParameterFigures(
        dimension.name, dimension.base, best[index], low, high, sure, gain, dimension.log, tuple(curve)
    )


def sentence(
    bot: str, found: TuningFindings, space: SearchSpace, games: int, tests: Sequence[ValidationResult], testing: bool
) -> str:
    """The result of a tuning as a sentence; `testing`: the last test is not finished."""
    if not games:
        return "no games yet"
    gain = found.gain
    expected = f"expected gain {gain.elo:+z.0f} Elo, 95 % from {gain.low:+z.0f} to {gain.high:+z.0f}"
    if found.best == space.base:
        return f"no better setting than that of {bot} was found in {games:,} games"
    if not tests:
        return f"{expected}; not yet confirmed"
    if testing:
        elo, low, high = tests[-1].elo
        return f"{expected}; tested with {tests[-1].limits}: {elo:+z.0f} Elo [{low:+z.0f}, {high:+z.0f}] so far"
    first, *rest = tests
    figures = f"{first.elo[0]:+z.0f} Elo [{first.elo[1]:+z.0f}, {first.elo[2]:+z.0f}]"
    if not first.passed:
        why = "the test found no gain" if first.accepted else f"the test was undecided after {first.games:,} games"
        return f"not confirmed: {why} ({figures}); keep {bot} as it is"
    if not rest:
        return f"confirmed with {first.limits}: {figures} in {first.games:,} games; the second test is to come"
    second = rest[0]
    other = f"{second.elo[0]:+z.0f} Elo [{second.elo[1]:+z.0f}, {second.elo[2]:+z.0f}]"
    if second.passed:
        return f"confirmed: {figures} with {first.limits}, {other} with {second.limits}"
    return f"confirmed only with {first.limits} ({figures}), not with {second.limits} ({other})"


def described_space(space: SearchSpace) -> tuple[str, ...]:
    """The parameters and their ranges as a user would write them."""
    return tuple(described(each) for each in space.dimensions)


def disqualified_where(space: SearchSpace, disqualified: Mapping[Setting, bool]) -> str:
    """Which settings are disqualified in most games: by one parameter if it separates them, else by an example."""
    bad, good = ([setting for setting, out in disqualified.items() if out == which] for which in (True, False))
    if not bad:
        return ""
    for index, each in enumerate(space.dimensions):
        ill, well = ([setting[index] for setting in some] for some in (bad, good))
        if each.words and not set(ill) & set(well):
            return f"disqualified: the settings with {each.name}={'|'.join(map(written, dict.fromkeys(ill)))}"
        if not each.words and well and min(map(float, ill)) > max(map(float, well)):
            return f"disqualified: the settings with {each.name} from {written(min(ill, key=float))} on"
        if not each.words and well and max(map(float, ill)) < min(map(float, well)):
            return f"disqualified: the settings with {each.name} up to {written(max(ill, key=float))}"
    example = ", ".join(f"{name}={written(value)}" for name, value in space.changes(bad[0]).items())
    return f"{len(bad)} of {len(disqualified)} settings are disqualified in most games, for example {example}"
