"""Parameters: the coefficients and switches of a bot, as one record.

Every number that can be tuned and every part that can be switched off is a `Parameter` with a name, a default, a help
text and bounds. The parameters of a bot form a record type. Tuning changes numbers in the record, never code, so
nothing is compiled again; an ablation is the same record with one switch off.

What holds for one decision only (the searching seat, predicted moves, precomputed values) is not a parameter: it
belongs to a search context, a record with all parameters and further fields, made for each search and passed to the
generic functions in place of the parameters.
"""

import copy
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.errors import LimitError, MalformedError, unknown
from podium.kernel.records import blank, name_of, record

Value = bool | int | float | str

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}
LARGEST = 2**63 - 1  # of a number; what a record can hold
FAR = 1e5  # a bound from here on only keeps numbers within what the program can hold
LONGEST_SHOWN = 60  # characters of a user's text in a message
LONGEST_TEXT = 240  # bytes of a parameter that is text, such as the name of a file


@dataclass(frozen=True)
class Parameter:
    """One number, switch or choice: of a bot, or a setting of a game.

    The record stores a choice as the index of its word, and plain text (the name of a file) as bytes that no kernel
    reads.
    """

    name: str
    default: Value
    help: str  # its effect, its unit, and the origin of the default
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    drawn: bool = False  # a setting that is drawn from the seed unless it is given; the default gives only its type
    aliases: tuple[str, ...] = ()  # former names, still accepted wherever a parameter is named, but not documented

    @property
    def is_text(self) -> bool:
        """Whether its values are plain text."""
        return isinstance(self.default, str) and not self.choices

    @property
    def format(self) -> str:
        """The NumPy format of its field in the record."""
        if isinstance(self.default, bool):
            return "?"
        if self.is_text:
            return f"S{LONGEST_TEXT}"
        return "f8" if isinstance(self.default, float) else "i8"

    def read(self, text: str) -> Value:
        """Parse a user's text; PodiumError if it is not a value of this parameter."""
        word = text.strip().lower()
        if self.choices:
            found = [choice for choice in self.choices if choice.lower() == word]
            if not found:
                raise unknown(f"value of {self.name}", text, self.choices)
            return found[0]
        if self.is_text:
            if len(text.strip().encode()) > LONGEST_TEXT:
                raise LimitError(f"{self.name} is longer than {LONGEST_TEXT} bytes: {shortened(text)!r}")
            return text.strip()
        if isinstance(self.default, bool):
            if word not in TRUE_WORDS | FALSE_WORDS:
                raise MalformedError(f"{self.name} is a switch: on or off expected, not {text!r}")
            return word in TRUE_WORDS
        try:
            number: int | float = float(word) if isinstance(self.default, float) else int(word)
        except ValueError:
            kind = "a number" if isinstance(self.default, float) else "a whole number"
            raise MalformedError(f"{self.name} needs {kind}, not {shortened(text)!r}") from None
        low, high = max(self.low, -LARGEST - 1), min(self.high, LARGEST)  # also refuses nan
        if not low <= number <= high:
            raise LimitError(f"{self.name} must be {_range(low, high, number)}, not {shortened(word)}")
        return number

    def store(self, value: Value) -> Value | bytes:
        """The value as it is stored in the record."""
        if self.is_text:
            return str(value).encode()
        return self.choices.index(str(value)) if self.choices else value

    def restore(self, stored: Any) -> Value:
        """The value that a field of the record stores, as a Python type."""
        if self.is_text:
            return bytes(stored).decode()
        return self.choices[int(stored)] if self.choices else stored.item()


def _range(low: float, high: float, number: float) -> str:
    """The bounds of a number for a message; one that is far away is said only to a number beyond it."""
    if high < FAR:
        return f"from {low:g} to {high:g}"
    if number > high:
        return f"at most {high:,.0f}"
    return f"at least {low:,.0f}" if low <= -FAR else f"at least {low:g}"


def read_values(owner: str, parameters: Iterable[Parameter], given: Iterable[tuple[str, object]]) -> dict[str, Value]:
    """Parse (name, value) pairs, where values are texts or already parsed; PodiumError for unknown names and values."""
    known = tuple(parameters)
    found = ((find(owner, known, name), value) for name, value in given)
    return {parameter.name: parameter.read(str(value)) for parameter, value in found}


def find(owner: str, parameters: Iterable[Parameter], name: str) -> Parameter:
    """The parameter with a name or alias; PodiumError with the known names if there is none."""
    accepted = by_any_name(parameters)
    if name not in accepted:
        raise unknown(owner, name, {each.name for each in accepted.values()})
    return accepted[name]


def by_any_name(parameters: Iterable[Parameter]) -> dict[str, Parameter]:
    """Parameters by their aliases and names; a name that is also an alias of another parameter stays a name."""
    known = tuple(parameters)
    return {alias: each for each in known for alias in each.aliases} | {each.name: each for each in known}


def pair(what: str, text: str) -> tuple[str, str]:
    """Split `name=value`; PodiumError without an equals sign."""
    name, equals, value = text.partition("=")
    if not equals:
        raise MalformedError(f"a {what} is written name=value, not {text!r}")
    return name.strip(), value


def shortened(text: str) -> str:
    """The beginning of a long text, for messages."""
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def adjusted(parameters: Iterable[Parameter], **defaults: Value) -> tuple[Parameter, ...]:
    """The same parameters with other defaults; ValueError for unknown names."""
    known = tuple(parameters)
    accepted = by_any_name(known)
    if not defaults.keys() <= accepted.keys():
        raise ValueError(f"no such parameters: {sorted(defaults.keys() - accepted.keys())}")
    changed = {accepted[name].name: default for name, default in defaults.items()}
    return tuple(replace(p, default=changed.get(p.name, p.default)) for p in known)


def marker(name: str) -> tuple[str, str]:
    """A first field that only the record with this name has.

    Two bots often share their first parameters, and a search context begins with those of its bot. Without a marker
    Numba would take the longer record for the shorter one and run code that was compiled for the other bot.
    """
    return re.sub(r"\W+", "_", f"is {name}"), "?"


class ParamSpec:
    """The parameters of a bot, and the record type that holds them."""

    def __init__(self, name: str, *parameters: Parameter) -> None:
        self.name = name
        self.parameters = {parameter.name: parameter for parameter in parameters}
        if len(self.parameters) != len(parameters):
            raise ValueError(f"{name}: a parameter is named twice")
        self.dtype: np.dtype = record(name, [marker(name), *((p.name, p.format) for p in parameters)])

    def __repr__(self) -> str:
        return f"<ParamSpec of {self.name}: {', '.join(self.parameters)}>"

    def variant(self, name: str, **defaults: Value) -> "ParamSpec":
        """The same parameters and record type with other defaults: another bot with the same code."""
        other = copy.copy(self)
        other.name = name
        other.parameters = {p.name: p for p in adjusted(tuple(self), **defaults)}
        return other

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.parameters.values())

    def params(self, changes: Mapping[str, Value] | None = None) -> Any:
        """A new record with the defaults and the given changes."""
        values = self.canonical(changes or {})
        params = blank(self.dtype)
        for parameter in self:
            params[parameter.name] = parameter.store(values.get(parameter.name, parameter.default))
        return params

    def canonical(self, changes: Mapping[str, Value]) -> dict[str, Value]:
        """The same changes with aliases replaced by the parameters' names; of two for one parameter the last counts."""
        owner = f"parameter of {self.name}"
        return {find(owner, self, name).name: value for name, value in changes.items()}

    def parse(self, text: str, owner: str = "") -> dict[str, Value]:
        """Parse changes such as `playouts=5,rave=off`; messages say whose parameters they are."""
        items = filter(None, (part.strip() for part in text.split(",")))
        return read_values(f"parameter of {owner or self.name}", self, (pair("parameter", item) for item in items))

    def values(self, params: Any) -> dict[str, Value]:
        """The values of all parameters, by name."""
        return {p.name: p.restore(params[p.name]) for p in self}

    def text(self, params: Any) -> str:
        """All values as stable text, for fingerprints and stored games."""
        return json.dumps(self.values(params), sort_keys=True)

    def context(self, name: str, fields: Sequence[tuple[Any, ...]]) -> "ContextSpec":
        """A record type with all fields of these parameters and further ones, each (name, format) or with a shape."""
        return ContextSpec(name, self, fields)


class ContextSpec:
    """The fields of a search context, and the record type that holds them together with the parameters."""

    def __init__(self, name: str, param_spec: ParamSpec, fields: Sequence[tuple[Any, ...]]) -> None:
        self.name = name
        self.param_spec = param_spec
        self.dtype: np.dtype = record(name, [marker(name), *((p.name, p.format) for p in param_spec), *fields])

    def of(self, params: Any, **values: Any) -> Any:
        """A new search context with the given parameters and values of the further fields (0 by default)."""
        if params.dtype != self.param_spec.dtype:
            raise TypeError(f"{self.name} is made of {name_of(self.param_spec.dtype)}, not of {name_of(params.dtype)}")
        context = blank(self.dtype)
        for parameter in self.param_spec:
            context[parameter.name] = params[parameter.name]
        for name, value in values.items():
            if name in self.param_spec.parameters:
                raise TypeError(f"{name} of {self.name} comes from the parameters")
            context[name] = value
        return context
