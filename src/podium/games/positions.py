"""Reading a position that a user gives to `podium analyze`: a prompt (text, a file, or standard input), or a seed."""

import sys
from collections.abc import Sequence
from pathlib import Path

from podium.errors import PodiumError
from podium.games.numbers import number

STANDARD_INPUT = "-"
SEED = "seed="  # begins the word that names the seed of a game


def prompt_text(arguments: Sequence[str]) -> str:
    """The text that arguments stand for: `-`, a file's name, or the lines themselves."""
    if list(arguments) == [STANDARD_INPUT]:
        return sys.stdin.read()
    if len(arguments) == 1 and "\n" not in arguments[0]:
        try:
            return Path(arguments[0]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise PodiumError(f"expected a prompt, a file that holds one, or -, but got {arguments[0]!r}") from None
    return "\n".join(arguments)


def seed_named(word: str) -> int:
    """The seed that a word such as `seed=7` names."""
    return number(word.removeprefix(SEED), SEED, -(2**63), 2**63 - 1)
