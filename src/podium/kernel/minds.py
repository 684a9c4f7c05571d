"""Minds: the coefficients and switches of a bot, as one record.

Every number that can be tuned and every part that can be switched off is a `Parameter` with a name, a default, a
help text and bounds. A bot's parameters together make a record type, its mind. Tuning changes numbers in the
record, never code, so nothing is compiled again; an ablation is a mind with one switch off.

What is true for one decision only (who searches, what is foretold, notes for speed) is no part of a mind: it belongs to
an outlook, a record with all fields of the mind and some more, made anew for each search and handed to the generic
functions in the mind's place.
"""

import copy
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.errors import PodiumError, unknown
from podium.kernel.records import blank, name_of, record

Value = bool | int | float | str

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}
LARGEST = 2**63 - 1  # of a number; what a record can hold
LONGEST_SHOWN = 60  # characters of a user's text in a message
LONGEST_TEXT = 240  # bytes of a parameter that is text, such as the name of a file


@dataclass(frozen=True)
class Parameter:
    """One number, switch or choice: of a bot, or a setting of a game.

    A choice is kept in a bot's record as the index of its word. Plain text (the name of a file) is kept there too, as
    bytes that no kernel looks at.
    """

    name: str
    default: Value
    help: str  # what it does, its unit, and where the default comes from
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    drawn: bool = False  # a setting that the seed decides unless it is given; the default only tells its type

    @property
    def is_text(self) -> bool:
        """Whether any text will do."""
        return isinstance(self.default, str) and not self.choices

    @property
    def format(self) -> str:
        """The NumPy format of the field."""
        if isinstance(self.default, bool):
            return "?"
        if self.is_text:
            return f"S{LONGEST_TEXT}"
        return "f8" if isinstance(self.default, float) else "i8"

    def read(self, text: str) -> Value:
        """The value that a user's text stands for; a PodiumError if it stands for none."""
        word = text.strip().lower()
        if self.choices:
            found = [choice for choice in self.choices if choice.lower() == word]
            if not found:
                raise unknown(f"value of {self.name}", text, self.choices)
            return found[0]
        if self.is_text:
            if len(text.strip().encode()) > LONGEST_TEXT:
                raise PodiumError(f"{self.name} is longer than {LONGEST_TEXT} bytes: {shortened(text)!r}")
            return text.strip()
        if isinstance(self.default, bool):
            if word not in TRUE_WORDS | FALSE_WORDS:
                raise PodiumError(f"{self.name} is a switch: on or off expected, not {text!r}")
            return word in TRUE_WORDS
        try:
            number: int | float = float(word) if isinstance(self.default, float) else int(word)
        except ValueError:
            kind = "a number" if isinstance(self.default, float) else "a whole number"
            raise PodiumError(f"{self.name} needs {kind}, not {shortened(text)!r}") from None
        low, high = max(self.low, -LARGEST - 1), min(self.high, LARGEST)  # also refuses nan
        if not low <= number <= high:
            raise PodiumError(f"{self.name} must be from {low:g} to {high:g}, not {shortened(text)!r}")
        return number

    def store(self, value: Value) -> Value | bytes:
        """The value as it stands in the record."""
        if self.is_text:
            return str(value).encode()
        return self.choices.index(str(value)) if self.choices else value

    def restore(self, stored: Any) -> Value:
        """The value that stands in the record, as Python's own type."""
        if self.is_text:
            return bytes(stored).decode()
        return self.choices[int(stored)] if self.choices else stored.item()


def read_values(owner: str, parameters: Iterable[Parameter], given: Iterable[tuple[str, object]]) -> dict[str, Value]:
    """The values that names and texts (or what a text was read into before) stand for; a PodiumError for others."""
    known = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Value] = {}
    for name, value in given:
        if name not in known:
            raise unknown(owner, name, known)
        values[name] = known[name].read(str(value))
    return values


def pair(what: str, text: str) -> tuple[str, str]:
    """The two sides of `name=value`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise PodiumError(f"a {what} is written name=value, not {text!r}")
    return name.strip(), value


def shortened(text: str) -> str:
    """Enough of a text to know it again."""
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def adjusted(parameters: Iterable[Parameter], **defaults: Value) -> tuple[Parameter, ...]:
    """The same parameters with other defaults."""
    known = {parameter.name for parameter in parameters}
    if not defaults.keys() <= known:
        raise ValueError(f"no such parameters: {sorted(defaults.keys() - known)}")
    return tuple(replace(p, default=defaults.get(p.name, p.default)) for p in parameters)


def marker(name: str) -> tuple[str, str]:
    """A first field that only the record of that name has.

    Two bots often share their first parameters, and an outlook has those of its mind; without a mark Numba would take
    the longer record for the shorter one, and run code that was compiled for the other bot.
    """
    return re.sub(r"\W+", "_", f"is {name}"), "?"


class MindType:
    """The parameters of one kind of bot, and the record type made of them."""

    def __init__(self, name: str, *parameters: Parameter) -> None:
        self.name = name
        self.parameters = {parameter.name: parameter for parameter in parameters}
        if len(self.parameters) != len(parameters):
            raise ValueError(f"{name}: a parameter is named twice")
        self.dtype: np.dtype = record(name, [marker(name), *((p.name, p.format) for p in parameters)])

    def variant(self, name: str, **defaults: Value) -> "MindType":
        """The same parameters and record type with other defaults: another bot with the same code."""
        other = copy.copy(self)
        other.name = name
        other.parameters = {p.name: p for p in adjusted(tuple(self), **defaults)}
        return other

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.parameters.values())

    def mind(self, changes: Mapping[str, Value] | None = None) -> Any:
        """A mind with the defaults and the given changes."""
        changes = changes or {}
        for name in changes:
            if name not in self.parameters:
                raise unknown(f"parameter of {self.name}", name, self.parameters)
        mind = blank(self.dtype)
        for parameter in self:
            mind[parameter.name] = parameter.store(changes.get(parameter.name, parameter.default))
        return mind

    def parse(self, text: str) -> dict[str, Value]:
        """The changes that a text such as `playouts=5,rave=off` stands for."""
        items = filter(None, (part.strip() for part in text.split(",")))
        return read_values(f"parameter of {self.name}", self, (pair("parameter", item) for item in items))

    def values(self, mind: Any) -> dict[str, Value]:
        """All values of a mind by name."""
        return {p.name: p.restore(mind[p.name]) for p in self}

    def text(self, mind: Any) -> str:
        """A mind as stable text, for fingerprints and stored games."""
        return json.dumps(self.values(mind), sort_keys=True)

    def outlook(self, name: str, fields: Sequence[tuple[Any, ...]]) -> "OutlookType":
        """A record type with all fields of these minds and further ones, each (name, format) or with a shape."""
        return OutlookType(name, self, fields)


class OutlookType:
    """What a bot's decision needs besides its mind, and the record type made of both."""

    def __init__(self, name: str, minds: MindType, fields: Sequence[tuple[Any, ...]]) -> None:
        self.name = name
        self.minds = minds
        self.dtype: np.dtype = record(name, [marker(name), *((p.name, p.format) for p in minds), *fields])

    def of(self, mind: Any, **values: Any) -> Any:
        """A new outlook with what a mind of the right type holds, and values for the further fields (else 0)."""
        if mind.dtype != self.minds.dtype:
            raise TypeError(f"{self.name} is made of a {name_of(self.minds.dtype)}, not of a {name_of(mind.dtype)}")
        outlook = blank(self.dtype)
        for parameter in self.minds:
            outlook[parameter.name] = mind[parameter.name]
        for name, value in values.items():
            if name in self.minds.parameters:
                raise TypeError(f"{name} of {self.name} comes from the mind")
            outlook[name] = value
        return outlook
