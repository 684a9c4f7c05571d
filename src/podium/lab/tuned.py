"""What a tuning says: the best setting of its model, what each parameter does, and what tests have confirmed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arena.report import RunReport
from podium.kernel.minds import Value
from podium.lab.confirming import Confirmation
from podium.lab.proposals import Method, answer
from podium.lab.regression import DRAWS, Fit, Gain, Trial
from podium.lab.space import Dimension, Setting, Space, described
from podium.lab.subject import written

CURVE_POINTS = 25
LEAST_GAIN = 1.0  # Elo; what promises less is not worth its tests
FEW_DIGITS = 3  # of the values that a user is told


@dataclass(frozen=True)
class Point:
    """A value of a parameter, and the gain with it over the bot as it is, all others being at their best."""

    value: Value
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class ParameterFigures:
    """What is known of one parameter."""

    name: str
    base: Value
    best: Value
    low: Value | None  # where the best value of a number lies with 95 %
    high: Value | None
    sure: float | None  # how sure it is that the best word is the best one
    gain: Gain  # of its best value over its value in the bot as it is, all others being at their best
    log: bool
    curve: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class TuningReport(RunReport):
    """All that a tuning knows."""

    bot: str
    method: str
    space: tuple[str, ...]
    games: int
    wanted: int
    remaining_games: int
    remaining_seconds: float | None
    games_per_second: float
    gain: Gain  # of the best setting, as the model expects it
    parameters: tuple[ParameterFigures, ...]
    tuned: str  # the text that names the tuned bot
    confirmations: tuple[Confirmation, ...]
    line: str  # the match to paste; "" while nothing better is known

    @property
    def confirmed(self) -> bool:
        """Whether both tests have shown that the tuned bot is stronger."""
        return len(self.confirmations) == 2 and all(test.passed for test in self.confirmations)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each parameter, the one that gains most first."""
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
        """What each parameter does, drawn."""
        from podium.lab.effects import effects_svg

        return effects_svg(self.parameters)


@dataclass(frozen=True)
class Findings:
    """What the trials of a tuning say."""

    best: Setting
    gain: Gain
    parameters: tuple[ParameterFigures, ...]


def findings(method: Method, space: Space, trials: Sequence[Trial]) -> Findings:
    """The best setting and what each parameter does."""
    best, model = answer(method, space, trials)
    best = tuple(_few_digits(each, value) for each, value in zip(space.dimensions, best, strict=True))
    if model.gains([best])[0].elo < LEAST_GAIN:
        best = space.base
    likely = model.likely_best(DRAWS, np.random.default_rng(DRAWS))
    figures = tuple(
        _figures(model, each, index, best, [setting[index] for setting in likely])
        for index, each in enumerate(space.dimensions)
    )
    return Findings(best, model.gains([best])[0], figures)


def _few_digits(dimension: Dimension, value: Value) -> Value:
    if dimension.words or dimension.whole:
        return value
    return dimension.rounded(float(value), FEW_DIGITS)


def _figures(model: Fit, dimension: Dimension, index: int, best: Setting, likely: Sequence[Value]) -> ParameterFigures:
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


def sentence(bot: str, found: Findings, space: Space, games: int, tests: Sequence[Confirmation], testing: bool) -> str:
    """What a tuning says in plain words; `testing`: the last test goes on."""
    if not games:
        return "nothing is known yet"
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


def described_space(space: Space) -> tuple[str, ...]:
    """A space as a user would write it."""
    return tuple(described(each) for each in space.dimensions)


def put_out_where(space: Space, put_out: Mapping[Setting, bool]) -> str:
    """Which settings are put out most of the time: by one parameter if it tells them all, else by one of them."""
    bad, good = ([setting for setting, is_out in put_out.items() if is_out == which] for which in (True, False))
    if not bad:
        return ""
    for index, each in enumerate(space.dimensions):
        ill, well = ([setting[index] for setting in some] for some in (bad, good))
        if each.words and not set(ill) & set(well):
            return f"put out are the settings with {each.name}={'|'.join(map(written, dict.fromkeys(ill)))}"
        if not each.words and well and min(map(float, ill)) > max(map(float, well)):
            return f"put out are the settings with {each.name} from {written(min(ill, key=float))} on"
        if not each.words and well and max(map(float, ill)) < min(map(float, well)):
            return f"put out are the settings with {each.name} up to {written(max(ill, key=float))}"
    example = ", ".join(f"{name}={written(value)}" for name, value in space.changes(bad[0]).items())
    return f"{len(bad)} of {len(put_out)} settings are put out most of the time, for example {example}"
