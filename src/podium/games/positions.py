"""Reading a position that a user gives to `podium analyze`: a prompt as text, in a file or on standard input."""

import sys
from collections.abc import Sequence
from pathlib import Path

from podium.errors import PodiumError

STANDARD_INPUT = "-"


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
