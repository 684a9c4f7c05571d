"""Whole numbers in foreign text, read within bounds.

Text from bots and users can hold anything, thousands of digits among them, which Python's own `int` refuses with an
exception of its own. These readers look at a text once, whatever its length.
"""

import re

from podium.errors import PodiumError

LOWEST, HIGHEST = -(2**31), 2**31 - 1  # what contests' referees, in Java, can read
FEW_DIGITS = 10
SHOWN = 40  # characters of a refused text that a sentence quotes

_FORM = re.compile(r"([+-]?)0*+([0-9]*+)", re.ASCII)


def integer(text: str, low: int = LOWEST, high: int = HIGHEST) -> int | None:
    """The whole number that a text is, leading zeros allowed; None if it is none, or not from `low` to `high`."""
    if len(text) < FEW_DIGITS and text.isascii() and text.isdigit():  # nearly all numbers: the quick way
        number = int(text)
        return number if low <= number <= high else None
    match = _FORM.fullmatch(text)
    if match is None or not text[-1:].isdigit():
        return None
    digits = match[2] or "0"
    if len(digits) > max(len(str(abs(low))), len(str(abs(high)))):
        return None
    number = -int(digits) if match[1] == "-" else int(digits)
    return number if low <= number <= high else None


def number(text: str, what: str, low: int = LOWEST, high: int = HIGHEST) -> int:
    """The same, with a PodiumError that says what was expected, `what`, and shows what came."""
    found = integer(text.strip(), low, high)
    if found is None:
        bounds = "" if (low, high) == (LOWEST, HIGHEST) else f" from {low} to {high}"
        raise PodiumError(f"{what}: a whole number{bounds} was expected, but got {text[:SHOWN]!r}")
    return found


def numbers(line: str, what: str, count: int, low: int = LOWEST, high: int = HIGHEST) -> list[int]:
    """So many numbers of a line, with blanks between them."""
    words = line.split()
    if len(words) != count:
        raise PodiumError(f"{what}: {count} whole numbers were expected, but got {line[:SHOWN]!r}")
    return [number(word, what, low, high) for word in words]
