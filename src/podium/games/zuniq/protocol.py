"""The text of Zuniq: prompts are `Start` or the other's wall; an answer is a wall, with `!` to claim the win."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from podium.games.game import MalformedError
from podium.games.zuniq.board import NAMES, NUMBERS

START, QUIT, CLAIM = "Start", "Quit", "!"

ANSWER = re.compile(r"([A-F][1-5]h|[A-E][1-6]v)(!?)")
WHITE_SPACE = " \t\r\n\v\f"


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """A prompt is one line; `Quit` ends the game."""
    while (line := read()).strip() != QUIT:
        yield [line]


def read_answer(state: Any, seat: int, line: str) -> tuple[int, bool]:
    """The wall that an answer names, legal or not, and whether it claims the win."""
    match = ANSWER.fullmatch(line.strip(WHITE_SPACE))
    if not match:
        raise MalformedError(f"expected a wall such as A1h or E6v, with or without '!', but got {line!r}")
    return NUMBERS[match[1]], bool(match[2])


def answer_of(state: Any, seat: int, wall: int, claim: bool = False) -> str:
    """A wall as an answer. It is written the same way in every position."""
    return NAMES[wall] + CLAIM * claim
