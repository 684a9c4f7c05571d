"""The search space of a tuning: numbers between bounds, words, switches.

    impact=0.5:2        any number between the bounds
    nodes=100:10000:log the same, on a logarithmic scale
    width=20:200        a whole number, where the bot's parameter is one
    placing=worst|random one of these words
    rave=on|off         a switch

A model sees a setting as coordinates: a number is one from -1 to 1, a choice of two words is -1 or 1, and a choice of
more has a coordinate for each word, which is 1 for the word chosen and 0 for the others.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from podium.errors import PodiumError
from podium.lab.tune.tunable import TunableBot, parameter_like, written
from podium.model.params import Parameter, Value, pair

Setting = tuple[Value, ...]  # a value for each dimension

POOL = 200
DIGITS = 4  # of a number that is not whole: games never distinguish more


@dataclass(frozen=True)
class Dimension:
    """A parameter to tune, with its range."""

    name: str
    base: Value  # of the baseline bot
    low: float = 0.0
    high: float = 0.0
    log: bool = False
    whole: bool = False
    words: tuple[Value, ...] = ()  # of a choice; a switch has False and True

    @property
    def coordinates(self) -> int:
        """The number of its coordinates in a model."""
        return len(self.words) if len(self.words) > 2 else 1

    def places(self, values: Sequence[Value]) -> np.ndarray:
        """The places of numbers between the bounds, from 0 to 1; numbers outside have places beyond."""
        numbers, bounds = np.array(values, float), np.array([self.low, self.high])
        if self.log:
            numbers, bounds = np.log(numbers), np.log(bounds)
        return np.asarray((numbers - bounds[0]) / (bounds[1] - bounds[0]))

    def at(self, place: float) -> Value:
        """The value at a place from 0 to 1: a number between the bounds, or a word."""
        place = min(max(place, 0.0), 1.0)
        if self.words:
            return self.words[min(int(place * len(self.words)), len(self.words) - 1)]
        low, high = (math.log(x) if self.log else x for x in (self.low, self.high))
        number = low + place * (high - low)
        number = math.exp(number) if self.log else number
        if self.whole:
            return min(max(round(number), round(self.low)), round(self.high))
        return self.rounded(number, DIGITS)

    def rounded(self, number: float, digits: int) -> float:
        """A number rounded to `digits` digits, or more in a narrow range such as 0.999 to 0.9999."""
        narrow = math.log10(max(abs(self.low), abs(self.high)) / (self.high - self.low))
        return min(max(float(f"{number:.{digits + max(0, int(narrow))}g}"), self.low), self.high)

    def coded(self, values: Sequence[Value]) -> np.ndarray:
        """Values as coordinates, a row for each."""
        if not self.words:
            return 2 * self.places(values)[:, None] - 1
        chosen = np.array([[value == word for word in self.words] for value in values], float)
        return chosen[:, 1:] - chosen[:, :1] if len(self.words) == 2 else chosen

    def decoded(self, coordinates: np.ndarray) -> list[Value]:
        """The values for rows of coordinates."""
        if not self.words:
            return [self.at(float(row[0] + 1) / 2) for row in coordinates]
        return [self.words[int(row[0] > 0) if len(row) == 1 else int(row.argmax())] for row in coordinates]

    def choices(self) -> np.ndarray | None:
        """The coordinates of all its words, a row for each; None for a number."""
        return self.coded(self.words) if self.words else None


class SearchSpace:
    """The parameters to tune, together."""

    def __init__(self, dimensions: Sequence[Dimension]) -> None:
        self.dimensions = tuple(dimensions)
        names = [each.name for each in dimensions]
        twice = [name for place, name in enumerate(names) if name in names[:place]]
        if twice:
            raise PodiumError(f"{twice[0]} is named twice")
        if not self.dimensions:
            raise PodiumError("nothing to tune: name parameters with their bounds, for example width=20:200")

    @property
    def base(self) -> Setting:
        """The setting of the baseline bot; its numbers may lie outside the bounds."""
        return tuple(each.base for each in self.dimensions)

    @cached_property
    def owners(self) -> np.ndarray:
        """The dimension that each coordinate belongs to."""
        return np.repeat(np.arange(len(self.dimensions)), [each.coordinates for each in self.dimensions])

    @cached_property
    def pool(self) -> np.ndarray:
        """Coordinates of the baseline bot and of random settings, from which the search for an optimum starts."""
        return self.coded([self.base, *self.draw(np.random.default_rng(POOL), POOL)]).clip(-1, 1)

    def coded(self, settings: Sequence[Setting]) -> np.ndarray:
        """Settings as coordinates, a row for each."""
        columns = zip(*settings, strict=True)
        return np.hstack([each.coded(values) for each, values in zip(self.dimensions, columns, strict=True)])

    def at(self, places: Iterable[float]) -> Setting:
        """The setting at a place of the unit cube."""
        return tuple(each.at(float(place)) for each, place in zip(self.dimensions, places, strict=True))

    def draw(self, random: np.random.Generator, number: int) -> list[Setting]:
        """Random settings that cover each dimension evenly: a Latin hypercube (McKay and others, 1979).

        None of them is the baseline bot, whose games against itself would say nothing.
        """
        size = (len(self.dimensions), number)
        strata = random.permuted(np.tile(np.arange(number), (size[0], 1)), axis=1)
        places = (strata + random.random(size)) / number
        return [self.other(self.at(place), random) for place in places.T]

    def other(self, setting: Setting, random: np.random.Generator) -> Setting:
        """The setting, or a random one if it is the baseline bot's."""
        while setting == self.base:
            setting = self.at(random.random(len(self.dimensions)))
        return setting

    def changes(self, setting: Setting) -> dict[str, Value]:
        """The values of a setting by parameter."""
        return {each.name: value for each, value in zip(self.dimensions, setting, strict=True)}

    def setting_of(self, values: Mapping[str, Value]) -> Setting:
        """The setting of a bot with these values of its parameters."""
        return tuple(values[each.name] for each in self.dimensions)


def space_of(tunable: TunableBot, texts: Iterable[str]) -> SearchSpace:
    """The space that a user describes: `name=low:high`, `name=low:high:log`, `name=a|b|c`, `name=on|off`."""
    return SearchSpace([_dimension(tunable, *pair("range", text)) for text in texts])


def _dimension(tunable: TunableBot, name: str, text: str) -> Dimension:
    parameter = tunable.parameter(name.strip())
    if "|" in text:
        return _choice(tunable, parameter, [word.strip() for word in text.split("|")])
    parts = [part.strip() for part in text.split(":")]
    log = len(parts) == 3 and parts[2] == "log"
    if len(parts) != 2 + log:
        raise PodiumError(f"{name} is given as low:high, low:high:log or a|b|c, not {text!r}")
    if tunable.is_program and tunable.base[parameter.name] is None:
        likes = [parameter_like(name, part).default for part in parts[:2]]
        parameter = replace(parameter, default=likes[0] if isinstance(likes[1], int) else likes[1])
        tunable.parameters[parameter.name] = parameter
    if isinstance(parameter.default, bool | str):
        words = parameter.choices or (("on", "off") if _is_switch(parameter) else ("one", "another"))
        raise PodiumError(f"{name} is not a number but a choice: write {name}={'|'.join(words)}")
    low, high = (float(parameter.read(part)) for part in parts[:2])
    if not low < high:
        raise PodiumError(f"{name} needs two rising bounds, not {text!r}")
    if log and low <= 0:
        raise PodiumError(f"{name} has a logarithm only above 0, not at {low:g}")
    found = Dimension(parameter.name, 0, low, high, log, isinstance(parameter.default, int))
    base = _as_it_is(tunable, parameter, found.at(0.5))
    if log and float(base) <= 0:
        raise PodiumError(f"{name} of the baseline bot ({base}) has no logarithm: omit :log")
    return replace(found, base=base)


def _choice(tunable: TunableBot, parameter: Parameter, texts: Sequence[str]) -> Dimension:
    if tunable.is_program and tunable.base[parameter.name] is None:
        parameter = tunable.parameters[parameter.name] = parameter_like(parameter.name, texts[0])
    words = tuple(
        sorted({parameter.read(text) for text in texts}) if _is_switch(parameter) else map(parameter.read, texts)
    )
    if len(set(words)) < 2 or len(set(words)) < len(words):
        raise PodiumError(f"{parameter.name} needs different words to choose from, not {'|'.join(texts)!r}")
    base = _as_it_is(tunable, parameter, words[0])
    if base not in words:
        words = (base, *words)  # what a model compares with must be among them
    return Dimension(parameter.name, base, words=words)


def _is_switch(parameter: Parameter) -> bool:
    return isinstance(parameter.default, bool)


def _as_it_is(tunable: TunableBot, parameter: Parameter, otherwise: Value) -> Value:
    """The value of the baseline bot; `otherwise` becomes its value where a program's command does not state it."""
    value = tunable.base[parameter.name]
    if value is None:
        value = tunable.base[parameter.name] = otherwise
    return value


def described(dimension: Dimension) -> str:
    """A parameter and its range as a user would write them."""
    if dimension.words:
        return f"{dimension.name}={'|'.join(map(written, dimension.words))}"
    low, high = (written(round(x) if dimension.whole else x) for x in (dimension.low, dimension.high))
    return f"{dimension.name}={low}:{high}{':log' if dimension.log else ''}"
