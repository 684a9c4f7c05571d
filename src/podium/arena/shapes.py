"""What plain data from elsewhere (stores, recordings) must look like before anybody works with it.

A check takes a value and says whether it fits; small ones are put together to large ones.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]


def is_text(value: Any) -> bool:
    """Whether it is a text."""
    return isinstance(value, str)


def is_count(value: Any) -> bool:
    """Whether it is a whole number from 0 that a column can hold."""
    return type(value) is int and 0 <= value < 2**63


def is_whole(value: Any) -> bool:
    """Whether it is a whole number of 64 bits."""
    return type(value) is int and -(2**63) <= value < 2**63


def is_number(value: Any) -> bool:
    """Whether it is a finite number."""
    return type(value) in (int, float) and math.isfinite(value)


def is_nothing(value: Any) -> bool:
    """Whether it is null."""
    return value is None


def either(*checks: Check) -> Check:
    """Fits one of the checks."""
    return lambda value: any(check(value) for check in checks)


def list_of(check: Check) -> Check:
    """A list of any length whose items all fit."""
    return lambda value: isinstance(value, list) and all(map(check, value))


def row_of(*checks: Check) -> Check:
    """A list with an item for each check."""
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(checks)
        and all(check(item) for check, item in zip(checks, value, strict=True))
    )


def dictionary_of(check: Check) -> Check:
    """A dictionary whose values all fit."""
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def misfit(value: Any, fields: Mapping[str, Check]) -> str:
    """The first field of a dictionary that is missing or does not fit; nothing if all do."""
    return next((name for name, check in fields.items() if not check(value.get(name))), "")
