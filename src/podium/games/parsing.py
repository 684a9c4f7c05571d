"""Reading text from bots and users: whole numbers within bounds, prompts, seeds.

Such text can hold anything, thousands of digits among them, which Python's own `int` refuses with a ValueError. These
readers look at a text once, whatever its length.
"""

import re
import sys
from collections.abc import Sequence
from operator import index
from os.path import isfile
from pathlib import Path
from typing import Any, SupportsIndex

from podium.errors import MalformedError, PodiumError

LOWEST, HIGHEST = -(2**31), 2**31 - 1  # what contests' referees, in Java, can read
FEW_DIGITS = 10
SHOWN = 40  # characters of a refused text that a message quotes
STANDARD_INPUT = "-"
SEED = "seed="  # begins the word that names the seed of a game

_FORM = re.compile(r"([+-]?)0*+([0-9]*+)", re.ASCII)


def parse_int(text: str, low: int = LOWEST, high: int = HIGHEST) -> int | None:
    """The whole number in a text, leading zeros allowed; None if it is not a number from `low` to `high`."""
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


def read_int(text: str, what: str, low: int = LOWEST, high: int = HIGHEST) -> int:
    """The whole number in a text. A PodiumError says what was expected, `what`, and shows the text."""
    found = parse_int(text.strip(), low, high)
    if found is None:
        bounds = "" if (low, high) == (LOWEST, HIGHEST) else f" from {low} to {high}"
        raise MalformedError(f"{what}: a whole number{bounds} was expected, but got {text[:SHOWN]!r}")
    return found


def read_ints(line: str, what: str, count: int, low: int = LOWEST, high: int = HIGHEST) -> list[int]:
    """Exactly `count` whole numbers, separated by blanks; a PodiumError otherwise."""
    words = line.split()
    if len(words) != count:
        raise MalformedError(f"{what}: {count} whole numbers were expected, but got {line[:SHOWN]!r}")
    return [read_int(word, what, low, high) for word in words]


def read_seed(word: str) -> int:
    """The seed in a word such as `seed=7`."""
    return read_int(word.removeprefix(SEED), SEED, -(2**63), 2**63 - 1)


def checked_seed(seed: Any) -> int:
    """The seed, if a signed 64-bit integer holds it; PodiumError otherwise."""
    if not isinstance(seed, SupportsIndex) or not -(2**63) <= index(seed) < 2**63:
        raise PodiumError(f"a seed is a signed 64-bit integer, not {seed!r}")
    return index(seed)


def is_prompt(arguments: Sequence[str]) -> bool:
    """Whether words are a prompt (or the name of a file with one, or `-`) rather than moves."""
    if len(arguments) == 1 and "\n" not in arguments[0]:
        return arguments[0] == STANDARD_INPUT or isfile(arguments[0])
    return any("\n" in argument for argument in arguments)


def prompt_argument(arguments: Sequence[str]) -> str:
    """The prompt that a user gave: `-` for standard input, the name of a file, or the lines themselves."""
    if list(arguments) == [STANDARD_INPUT]:
        return sys.stdin.read()
    if len(arguments) == 1 and "\n" not in arguments[0]:
        try:
            return Path(arguments[0]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise MalformedError(f"expected a prompt, a file that holds one, or -, but got {arguments[0]!r}") from None
    return "\n".join(arguments)
