"""The text of Zuniq: prompts are `Start` or the other's wall; an answer is a wall, with `!` to claim the win."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from podium.games.game import IllegalError, MalformedError
from podium.games.zuniq.board import NAMES, NUMBERS
from podium.games.zuniq.rules import is_legal, zone_of
from podium.kernel.bits import popcount

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


def move_text(state: Any, move: int) -> str:
    """The name of a wall."""
    return NAMES[move]


def read_move(state: Any, text: str) -> int:
    """The legal wall that a text names; a claim with it is allowed, and says nothing."""
    wall, _ = read_answer(state, 0, text)
    if is_legal(state, wall):
        return wall
    bit = 1 << wall
    if int(state.drawn) & bit:
        reason = "is drawn already"
    elif not int(state.free) & bit:
        reason = "lies inside a zone"
    else:
        reason = f"would close a second zone of size {popcount(zone_of(state, wall))}"
    raise IllegalError(f"{NAMES[wall]} {reason}")


def answer_of(state: Any, seat: int, wall: int, claim: bool = False) -> str:
    """A wall as an answer. It is written the same way in every position."""
    return NAMES[wall] + CLAIM * claim
