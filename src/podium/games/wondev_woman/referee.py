"""The referee of Wondev Woman: prompts as each player may see them, reading and judging answers, the end.

Points are all that counts: a player who went out keeps his, and the other goes on alone until he is ahead.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from podium.games.game import (
    Answer,
    Ending,
    Fault,
    IllegalError,
    Limits,
    MalformedError,
    Outcome,
    Referee,
    Request,
    ranks_of,
)
from podium.games.wondev_woman.board import (
    COMMANDS,
    DIRECTIONS,
    GIVE_UP,
    MOST_ACTIONS,
    PUSH,
    ROW_DIGITS,
    STRIDE,
    action,
    cell_at,
    names_of,
    place_of,
)
from podium.games.wondev_woman.rules import (
    LEGAL,
    REASONS,
    ROUNDS,
    State,
    judge,
    rehash,
    sight,
    wondev_legal_moves,
    wondev_play,
)
from podium.games.wondev_woman.setup import draw
from podium.kernel import blank

LIMITS = Limits(first=1000.0, later=50.0)
UNITS = 2

SPACE = r"[ \t\v\f\r]"
# A message is of any characters but those that end a line (Java's idea of them).
TAIL = rf"(?:{SPACE}+[^\n\r\x85\u2028\u2029]*)?"
DEFEAT = re.compile(rf"ACCEPT-DEFEAT{TAIL}", re.ASCII | re.IGNORECASE)
ACTION = re.compile(
    rf"({'|'.join(COMMANDS)}){SPACE}+([0-9]){SPACE}+([NS]?[EW]|[NS]){SPACE}+([NS]?[EW]|[NS]){TAIL}",
    re.ASCII | re.IGNORECASE,
)

# The official referee's words for what puts a player out, other than the reasons of the rules.
INVALID_INPUT, INVALID_COMMAND, TIMEOUT, DEFEATED = "InvalidInput", "InvalidCommand", "Timeout", "selfDestruct"


class DefeatAccepted(Exception):  # noqa: N818 - nothing went wrong
    """The answer was ACCEPT-DEFEAT."""


def read_answer(line: str) -> tuple[int, int, int, int]:
    """Command, unit, first and second direction of an answer."""
    if DEFEAT.fullmatch(line):
        raise DefeatAccepted
    match = ACTION.fullmatch(line)
    if not match:
        raise MalformedError(f"expected MOVE&BUILD or PUSH&BUILD, a unit and two directions, but got {line!r}")
    command, unit = match[1], int(match[2])
    if unit >= UNITS:
        raise MalformedError(f"a unit is 0 or 1, but got {line!r}")
    kind = COMMANDS.index(command.upper())
    if kind == PUSH and command != COMMANDS[PUSH]:
        raise IllegalError(INVALID_COMMAND)
    return kind, unit, DIRECTIONS.index(match[3].upper()), DIRECTIONS.index(match[4].upper())


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """Cut the stream of lines: the size and the number of units come once, before the first prompt."""
    head = [read(), read()]
    size = int(head[0])
    while True:
        lines = [*head, *(read() for _ in range(size + 2 * UNITS + 1))]
        head = []
        lines += [read() for _ in range(int(lines[-1]))]
        yield lines


def own_units(state: Any, seat: int) -> tuple[int, int]:
    """The cells of a player's units 0 and 1."""
    first, second = state["unit"][2 * seat : 2 * seat + 2].tolist()
    return first, second


def action_names(state: Any) -> list[str]:
    """The legal actions of the player to move, sorted as strings; none if he has none."""
    codes = np.zeros(MOST_ACTIONS, np.int64)
    count = wondev_legal_moves(state, codes)
    if codes[0] == GIVE_UP:
        return []
    own = own_units(state, int(state["mover"]))
    return sorted(names_of(codes[:count].tolist(), own))


def grid_of(state: Any, size: int) -> list[str]:
    """The rows of the grid: a height, or a dot for a hole, per cell."""
    floor, first, second, third, fourth = state["planes"].tolist()
    rows = []
    for shift in range(0, STRIDE * size, STRIDE):
        digits = (
            ROW_DIGITS[first >> shift & 255]
            + ROW_DIGITS[second >> shift & 255]
            + ROW_DIGITS[third >> shift & 255]
            + ROW_DIGITS[fourth >> shift & 255]
        )
        row = str(digits).zfill(STRIDE)[:size]
        there = floor >> shift & 255
        if there != (1 << size) - 1:
            row = "".join([height if there >> x & 1 else "." for x, height in enumerate(row)])
        rows.append(row)
    return rows


def prompt(state: Any, size: int) -> list[str]:
    """What the player to move is sent."""
    seat = int(state["mover"])
    seen = int(sight(state, seat))
    theirs = [cell if seen >> cell & 1 else None for cell in own_units(state, 1 - seat)]
    names = action_names(state)
    places = [place_of(cell) for cell in own_units(state, seat)]
    places += [(-1, -1) if cell is None else place_of(cell) for cell in theirs]
    return [*grid_of(state, size), *(f"{x} {y}" for x, y in places), str(len(names)), *names]


def initial_state(floor: set[tuple[int, int]], units: Sequence[int]) -> Any:
    """The state at the start of a game."""
    state = blank(State)
    state.planes[0] = np.uint64(sum(1 << cell_at(x, y) for x, y in floor))
    for index, cell in enumerate(units):
        state.unit[index] = cell
    state.zobrist = rehash(state)
    return state


class WondevReferee(Referee):
    """One game of Wondev Woman."""

    def __init__(self, seed: int, mapIndex: int = -1, symmetric: bool = False) -> None:  # noqa: N803 - recordings' word
        self.map_index, self.size, floor, units = draw(seed, mapIndex, symmetric)
        self.state = initial_state(floor, units)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.asked = [0, 0]
        self.actions: list[str] = []  # what was carried out, or why somebody went out
        self.eliminations: list[tuple[int, int, str]] = []  # player, round, official word
        self.faults: list[Fault] = []
        self._request: Request | None = None

    def requests(self) -> Sequence[Request]:
        """The player to move, told what he may see."""
        if self.outcome:
            return ()
        if self._request is None:
            seat = int(self.state["mover"])
            head = [] if self.asked[seat] else [str(self.size), str(UNITS)]
            limit = LIMITS.later if self.asked[seat] else LIMITS.first
            self._request = Request(seat, (*head, *prompt(self.state, self.size)), limit)
        return (self._request,)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Carry out the action, or put the player out."""
        (answer,) = answers
        seat = int(self.state["mover"])
        self.turn += 1
        self.asked[seat] += 1
        self._request = None
        try:
            if answer.line is None:
                self._eliminate(seat, TIMEOUT, Ending.NO_ANSWER, "gave no answer in time")
            else:
                self._carry_out(seat, *read_answer(answer.line))
        except DefeatAccepted:
            had_a_choice = action_names(self.state)
            self._eliminate(seat, DEFEATED, Ending.SURRENDER if had_a_choice else None, "accepted defeat")
        except MalformedError as error:
            self._eliminate(seat, INVALID_INPUT, Ending.MALFORMED, str(error))
        except IllegalError as error:
            self._eliminate(seat, str(error), Ending.ILLEGAL, f"answered {answer.line!r}: {error}")
        if self.state["over"]:
            self._finish()

    def _carry_out(self, seat: int, kind: int, unit: int, first: int, second: int) -> None:
        reason = judge(self.state, kind, unit, first, second)
        if reason != LEGAL:
            raise IllegalError(REASONS[reason])
        self.actions.append(f"{COMMANDS[kind]} {unit} {DIRECTIONS[first]} {DIRECTIONS[second]}")
        wondev_play(self.state, action(kind, own_units(self.state, seat)[unit], first, second))

    def _eliminate(self, seat: int, word: str, ending: Ending | None, reason: str) -> None:
        """Put a player out; `ending` is None if he had no choice, which is no fault."""
        self.eliminations.append((seat, int(self.state.rounds), word))
        self.actions.append(f"player {seat} out: {word}")
        if ending:
            sentence = f"player {seat} went out in round {int(self.state.rounds)}: {reason}"
            self.faults.append(Fault(seat, ending, self.turn, sentence))
        wondev_play(self.state, GIVE_UP)

    def _finish(self) -> None:
        scores = (int(self.state.score[0]), int(self.state.score[1]))
        both_or_ahead = int(self.state.rounds) < ROUNDS or self._settled(scores)
        why = "no further play needed" if both_or_ahead else f"{ROUNDS} rounds played"
        outs = [f"player {seat} out in round {number} ({word})" for seat, number, word in self.eliminations]
        ending = self.faults[-1].ending if self.faults else Ending.FINISHED
        if not both_or_ahead:
            ending = Ending.TURN_LIMIT
        sentence = f"{scores[0]} to {scores[1]} points after {int(self.state.rounds)} rounds: {why}"
        if outs:
            sentence += f"; {'; '.join(outs)}"
        note = f"{why}; {'; '.join(outs)}"
        self.outcome = Outcome(scores, ranks_of(scores), ending, sentence, note, tuple(self.faults))

    def _settled(self, scores: tuple[int, int]) -> bool:
        out = [bool(self.state.out[seat]) for seat in (0, 1)]
        return all(out) or any(out[seat] and scores[1 - seat] > scores[seat] for seat in (0, 1))
