"""The text of Wondev Woman: prompts written and read, answers read and written."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.games.game import IllegalError, MalformedError
from podium.games.parsing import read_int, read_ints
from podium.games.wondev_woman.board import (
    COMMANDS,
    DIRECTIONS,
    GIVE_UP,
    NOWHERE,
    PASS,
    PUSH,
    SIDE,
    STRIDE,
    action,
    cell_at,
    place_of,
    start_of,
)
from podium.games.wondev_woman.rules import LEGAL, REASONS, judge, sight, wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import FULL, MOST_MOVES, UNITS, State, own_units, rehash
from podium.kernel import blank

SMALLEST = 5  # side of a grid
DEFEAT = "ACCEPT-DEFEAT"
PASSING = "PASS"  # of a player whose units are all hidden, in a state as the other sees it
HIDDEN = (-1, -1)  # where a unit is said to be that is not seen
INVALID_COMMAND = "InvalidCommand"  # the official referee's word

# The official referee's forms. A message is of any characters but those that end a line (Java's idea of them).
# Quantifiers are possessive: what they took is never tried in another way, so that no line takes long.
SPACE = r"[ \t\v\f\r]"
TAIL = rf"(?:{SPACE}++[^\n\r\x85\u2028\u2029]*+)?"
DEFEAT_FORM = re.compile(rf"{DEFEAT}{TAIL}", re.ASCII | re.IGNORECASE)
ACTION_FORM = re.compile(
    rf"({'|'.join(COMMANDS)}){SPACE}++([0-9]){SPACE}++([NS]?[EW]|[NS]){SPACE}++([NS]?[EW]|[NS]){TAIL}",
    re.ASCII | re.IGNORECASE,
)
QUOTED = 80  # characters of a malformed answer that a verdict shows

# Prompts list up to a hundred actions: their texts are put together once. By unit, then command and directions.
_NAMES = [
    [f"{command} {unit} {first} {second}" for command in COMMANDS for first in DIRECTIONS for second in DIRECTIONS]
    for unit in range(UNITS)
]
_COMMAND_OF = {
    name: (index >> 6, unit, index >> 3 & 7, index & 7)
    for unit, names in enumerate(_NAMES)
    for index, name in enumerate(names)
}
# For a row of eight cells as bits: the number whose decimal digits are 1 for its cells, the first cell leading.
# Such numbers add up to the heights of a row, from the sets of cells that have reached each height.
_ROW_DIGITS = [int("".join(str(row >> x & 1) for x in range(STRIDE))) for row in range(1 << STRIDE)]


def opening_lines(size: int) -> list[str]:
    """What a player is sent once, before its first prompt."""
    return [str(size), str(UNITS)]


def prompt(state: Any, size: int) -> list[str]:
    """The prompt of the player to move: the grid, its units, the enemy units that it sees, its legal actions."""
    seat = int(state["mover"])
    seen = int(sight(state, seat))
    places = [place_of(cell) for cell in own_units(state, seat)]
    places += [place_of(cell) if seen >> cell & 1 else HIDDEN for cell in own_units(state, 1 - seat)]
    names = legal_answers(state)
    return [*grid_of(state, size), *(f"{x} {y}" for x, y in places), str(len(names)), *names]


def grid_of(state: Any, size: int) -> list[str]:
    """The rows of the grid: a height, or a dot for a hole, per cell."""
    floor, first, second, third, fourth = state["planes"].tolist()
    rows = []
    for shift in range(0, STRIDE * size, STRIDE):
        digits = (
            _ROW_DIGITS[first >> shift & 255]
            + _ROW_DIGITS[second >> shift & 255]
            + _ROW_DIGITS[third >> shift & 255]
            + _ROW_DIGITS[fourth >> shift & 255]
        )
        row = str(digits).zfill(STRIDE)[:size]
        there = floor >> shift & 255
        if there != (1 << size) - 1:
            row = "".join([height if there >> x & 1 else "." for x, height in enumerate(row)])
        rows.append(row)
    return rows


def legal_answers(state: Any) -> list[str]:
    """The legal actions of the player to move, sorted as strings; empty if there is none."""
    codes = np.zeros(MOST_MOVES, np.int64)
    count = wondev_legal_moves(state, codes)
    if codes[0] == GIVE_UP:
        return []
    first, second = own_units(state, int(state["mover"]))
    names = {second: _NAMES[1], first: _NAMES[0]}
    return sorted(names[code >> 6 & 63][code >> 12 << 6 | code & 63] for code in codes[:count].tolist())


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """Cut the stream of lines: the size and the number of units come once, before the first prompt."""
    head = [read(), read()]
    size = read_int(head[0], "the side of the grid", SMALLEST, SIDE)
    while True:
        lines = [*head, *(read() for _ in range(size + 2 * UNITS + 1))]
        head = []
        lines += [read() for _ in range(read_int(lines[-1], "the number of legal actions", 0, MOST_MOVES))]
        yield lines


@dataclass(frozen=True)
class WondevPrompt:
    """What a prompt tells its receiver."""

    size: int
    planes: tuple[int, ...]  # planes[h]: cells of height h or more
    own: tuple[int, int]  # cells of the player's units 0 and 1
    enemy: tuple[int, int]  # of the opponent's; NOWHERE if it is not seen
    actions: tuple[str, ...]  # the legal ones

    def move_of(self, name: str) -> int:
        """The move that one of the listed actions stands for."""
        kind, unit, first, second = _COMMAND_OF[name]
        return action(kind, self.own[unit], first, second)

    def state(self) -> Any:
        """A state in which the receiver has seat 0 and is to move; enemies that it does not see are NOWHERE."""
        state = blank(State)
        state["planes"] = self.planes
        state["unit"] = (*self.own, *self.enemy)
        state["zobrist"] = rehash(state)
        return state


def read_prompt(lines: Sequence[str], size: int = 0) -> WondevPrompt:
    """Read a prompt; its first two lines may be the size of the grid and the number of units, else `size` is given."""
    rows = [line.strip() for line in lines]
    if not size or rows[:2] == opening_lines(size):
        size = read_int(rows[0] if rows else "", "the side of the grid", SMALLEST, SIDE)
        rows = rows[2:]
    head = size + 2 * UNITS
    if len(rows) <= head:
        raise MalformedError(f"a prompt of size {size} has {head + 1} lines before the actions, not {len(rows)}")
    places = [_read_place(row, size) for row in rows[size:head]]
    count = read_int(rows[head], "the number of legal actions", 0, MOST_MOVES)
    actions = tuple(rows[head + 1 :][:count])
    if len(actions) != count:
        raise MalformedError(f"{count} legal actions were announced, but {len(actions)} lines follow")
    for name in actions:
        if name not in _COMMAND_OF:
            raise MalformedError(f"expected an action such as MOVE&BUILD 0 N SE, but got {name[:QUOTED]!r}")
    own, enemy = (places[0], places[1]), (places[2], places[3])
    if NOWHERE in own:
        raise MalformedError("a player always sees its own units")
    return WondevPrompt(size, _read_planes(rows[:size], size), own, enemy, actions)


def _read_place(row: str, size: int) -> int:
    x, y = read_ints(row, "the x y of a unit", 2, -1, size - 1)
    if (x, y) == HIDDEN:
        return NOWHERE
    if min(x, y) < 0:
        raise MalformedError(f"no cell of a grid of side {size}: {row!r}")
    return cell_at(x, y)


def _read_planes(rows: Sequence[str], size: int) -> tuple[int, ...]:
    planes = [0] * (FULL + 1)
    for y, row in enumerate(rows):
        if len(row) != size or set(row) - set(".01234"):
            raise MalformedError(f"expected a row of {size} heights 0 to 4 or dots, but got {row[:QUOTED]!r}")
        for x, letter in enumerate(row):
            if letter != ".":
                for level in range(int(letter) + 1):
                    planes[level] |= 1 << cell_at(x, y)
    return tuple(planes)


def answer_of(state: Any, seat: int, move: int) -> str:
    """The line that stands for a legal move of a seat."""
    if move in (GIVE_UP, PASS):
        return DEFEAT if move == GIVE_UP else PASSING
    return _NAMES[own_units(state, seat).index(start_of(move))][move >> 12 << 6 | move & 63]


def move_text(state: Any, move: int) -> str:
    """A legal move of the player to move, as the protocol writes it."""
    return answer_of(state, int(state["mover"]), move)


def read_move(state: Any, text: str) -> int:
    """The legal move of the player to move that a text stands for."""
    try:
        return PASS if text.strip() == PASSING else read_answer(state, int(state["mover"]), text.strip())
    except IllegalError as error:
        raise IllegalError(f"{text.strip()[:QUOTED]!r} is not legal: {error}") from None


def line_of(state: Any, moves: Sequence[int]) -> list[str]:
    """The texts of a sequence of moves, both players in turn."""
    state, line = state.copy(), []
    for move in moves:
        line.append(answer_of(state, int(state.mover), int(move)))
        wondev_play(state, move)
    return line


def read_command(line: str) -> tuple[int, int, int, int] | None:
    """MOVE or PUSH, the unit and both directions of an answer; None if it accepts defeat.

    Whether the action is legal is not asked.
    """
    if DEFEAT_FORM.fullmatch(line):
        return None
    match = ACTION_FORM.fullmatch(line)
    if not match:
        raise MalformedError(f"expected MOVE&BUILD or PUSH&BUILD, a unit and two directions, but got {line[:QUOTED]!r}")
    command, unit = match[1], int(match[2])
    if unit >= UNITS:
        raise MalformedError(f"a unit is 0 or 1, but got {line[:QUOTED]!r}")
    kind = COMMANDS.index(command.upper())
    if kind == PUSH and command != COMMANDS[PUSH]:
        raise IllegalError(INVALID_COMMAND)
    return kind, unit, DIRECTIONS.index(match[3].upper()), DIRECTIONS.index(match[4].upper())


def read_answer(state: Any, seat: int, line: str) -> int:
    """The legal move that an answer of the player to move stands for; GIVE_UP if it accepts defeat.

    The message of an IllegalError is the official referee's word for the reason.
    """
    command = read_command(line)
    if command is None:
        return GIVE_UP
    reason = judge(state, *command)
    if reason != LEGAL:
        raise IllegalError(REASONS[reason])
    kind, unit, first, second = command
    return action(kind, own_units(state, seat)[unit], first, second)
