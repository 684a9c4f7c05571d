"""What a seat knows of the game: its prompts read into a state.

Everything but the state of the referee's generator follows from the prompts, if all of them have been read:

* which slashers have appeared: those of explorers that an earlier prompt showed with a sanity below 200;
* which YELLs were used: every YELL is shown once, on the turn after it;
* a slasher's remembered cell: where its target stood when it last had one in sight (`_remembered`). What an
  explorer did in the turn in which it went out is not shown, so this can be wrong just after that.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from podium.games import view
from podium.games.code_of_kutulu.mazes import BY_SHOWN_ROWS, MAZES, NO_CELL, sees, walk
from podium.games.code_of_kutulu.protocol import answer_of, read_answer
from podium.games.code_of_kutulu.rules import kutulu_legal_moves
from podium.games.code_of_kutulu.setup import empty_state, set_hash
from podium.games.code_of_kutulu.state import (
    CHOICES,
    FIRST_MINION_ID,
    MOST_MINIONS,
    NOBODY,
    RUSHING,
    SEATS,
    SLASHER_BELOW,
    SPAWNING,
    STALKING,
    WAIT,
    WANDERING,
)
from podium.games.game import MalformedError
from podium.kernel import copy_of

FIELDS = 7  # of an entity's line
EXPLORER, WANDERER, SLASHER = "EXPLORER", "WANDERER", "SLASHER"


def legal_choices(state: Any) -> list[int]:
    """The mover's WAIT and the choices that do something."""
    choices = np.zeros(CHOICES, np.int64)
    listed: list[int] = choices[: kutulu_legal_moves(state, choices)].tolist()
    return listed


def seen(state: Any, seat: int) -> Any:
    """The state without the referee's generator, the patience of slashers, and the choices of this turn.

    The seat chooses first in it. Everything else follows from the prompts of the game so far.
    """
    known = copy_of(state)
    known.random = 0
    known.choice = 0
    known.first = known.mover = seat
    patient = (known.slasher == 1) & ((known.mode == WANDERING) | (known.mode == RUSHING))
    known.timer[patient] = 0
    set_hash(known)
    return known


class View(view.View):
    """Reads the prompts of one seat, in their order."""

    def __init__(self) -> None:
        self.turn = NOBODY  # of the last prompt; none was read
        self.seat = NOBODY
        self._slashers: dict[int, tuple[int, int, int]] = {}  # by id, as of the last prompt: mode, target, remembered

    @classmethod
    def of(cls, state: Any, seat: int) -> Self:
        """The view of a seat that has read all prompts up to a state."""
        view = super().of(state, seat)
        view.turn = int(state.turn)
        return view

    def read(self, lines: Sequence[str]) -> None:
        """Bring the state to what it is before this turn's choices."""
        self.turn += 1
        try:
            self._read(list(lines))
        except MalformedError:
            raise
        except (OverflowError, IndexError, ValueError):  # of a field of the state, or a seat
            entities = [line for line in lines if line.startswith((EXPLORER, WANDERER, SLASHER, "EFFECT"))]
            raise MalformedError(f"turn {self.turn}: a number is out of range in {entities or list(lines)}") from None

    def _read(self, lines: list[str]) -> None:
        if self.turn == 0:
            lines = self._open(lines)
        entities = [self._entity(line) for line in lines[1:]]
        state = self.state
        state.turn = self.turn
        self._explorers([numbers for kind, numbers in entities if kind == EXPLORER])
        self._minions([(kind == SLASHER, numbers) for kind, numbers in entities if kind in (SLASHER, WANDERER)])
        self._effects([(kind, numbers) for kind, numbers in entities if kind.startswith("EFFECT")])
        state.first = state.mover = self.seat
        set_hash(state)

    def answer_of(self, choice: int) -> str:
        """A choice of this seat as the protocol writes it."""
        return answer_of(self.state, self.seat, choice)

    def move_of(self, line: str) -> int | None:
        """The choice; one that does nothing is a WAIT."""
        try:
            choice = read_answer(self.state, self.seat, line)
        except MalformedError:
            return None
        return choice if choice in legal_choices(self.state) else WAIT

    def _open(self, lines: list[str]) -> list[str]:
        """Read the maze and the settings; return the rest."""
        try:
            height = int(lines[1])
            rows = tuple(lines[2 : 2 + height])
            settings = [int(word) for word in lines[2 + height].split()]
            lonely, group, spawn_time, life_time = settings
        except (ValueError, IndexError):
            raise MalformedError(
                "the first prompt must open with width, height, the maze's rows and four settings, but it opens with"
                f" {lines[:2]}"
            ) from None
        if rows not in BY_SHOWN_ROWS:
            raise MalformedError("the maze of the first prompt is none of the sixteen mazes of the game")
        self.state = empty_state(BY_SHOWN_ROWS[rows], lonely, group, spawn_time, life_time)
        self._cells = MAZES[self.state.maze].cells
        return lines[3 + height :]

    def _entity(self, line: str) -> tuple[str, list[int]]:
        kind, *words = line.split()
        try:
            numbers = [int(word) for word in words]
        except ValueError:
            numbers = []
        if len(numbers) != FIELDS - 1:
            raise MalformedError(f"turn {self.turn}: expected an entity of {FIELDS} fields, but got {line!r}")
        return kind, numbers

    def _cell(self, x: int, y: int) -> int:
        cell = self._cells.get((x, y))
        if cell is None:
            raise MalformedError(f"turn {self.turn}: nothing can stand at {x} {y}, which is no walkable cell")
        return int(cell)

    def _explorers(self, entities: list[list[int]]) -> None:
        state = self.state
        if not entities:
            raise MalformedError(f"turn {self.turn}: there is no EXPLORER in the prompt")
        if any(seat not in range(SEATS) for seat, *_ in entities):
            raise IndexError
        self.seat = entities[0][0]
        was_living, state.living = int(state.living), 0
        for seat in range(SEATS):
            if self.turn and was_living >> seat & 1 and state.sanity[seat] < SLASHER_BELOW:
                state.slashed |= 1 << seat
        for seat, x, y, sanity, plans, lights in entities:
            state.living |= 1 << seat
            state.cell[seat], state.sanity[seat] = self._cell(x, y), sanity
            state.plans[seat], state.lights[seat] = plans, lights
        for seat in range(SEATS):
            if was_living & ~int(state.living) >> seat & 1:
                state.sanity[seat], state.score[seat] = 0, self.turn - 1

    def _minions(self, entities: list[tuple[bool, list[int]]]) -> None:
        state, count = self.state, len(entities)
        if count > MOST_MINIONS:
            raise MalformedError(f"turn {self.turn}: {count} minions; there are never more than {MOST_MINIONS}")
        state.minions = count
        where = [self._cell(x, y) for _, (_, x, y, _, _, _) in entities]
        # a slasher that wanders or rushes counts nothing down, and is shown with a constant
        timers = [0 if s and mode in (WANDERING, RUSHING) else t for s, (_, _, _, t, mode, _) in entities]
        remembered = [NO_CELL] * count
        slashers = {}
        for i, (slasher, (number, _, _, _, mode, target)) in enumerate(entities):
            if slasher:
                remembered[i] = self._remembered(number, where[i], mode, target)
                slashers[number] = (mode, target, remembered[i])
        self._slashers = slashers
        if count:
            state.where[:count], state.timer[:count], state.remembered[:count] = where, timers, remembered
            state.slasher[:count] = [slasher for slasher, _ in entities]
            state.number[:count] = [fields[0] for _, fields in entities]
            state.mode[:count] = [fields[4] for _, fields in entities]
            state.target[:count] = [fields[5] for _, fields in entities]
        state.next_id = max([FIRST_MINION_ID - 1, int(state.next_id) - 1, *(e[0] for _, e in entities)]) + 1

    def _remembered(self, number: int, where: int, mode: int, target: int) -> int:
        """The remembered cell of a slasher."""
        state = self.state
        if mode == SPAWNING:
            return where
        if mode not in (STALKING, RUSHING):
            return NO_CELL
        old_mode, old_target, old = self._slashers.get(number, (SPAWNING, NOBODY, where))
        if mode == RUSHING and old_mode == SPAWNING:
            return old
        if target != NOBODY:
            return int(state.cell[target])
        if old_target != NOBODY and not state.living >> old_target & 1:
            return NO_CELL
        return NO_CELL if self._confused(where) else old

    def _confused(self, where: int) -> bool:
        """Whether two or more explorers are the nearest in sight."""
        state = self.state
        distances = sorted(
            walk(state.maze, where, state.cell[seat])
            for seat in range(SEATS)
            if state.living >> seat & 1 and sees(state.maze, where, state.cell[seat])
        )
        return len(distances) > 1 and distances[0] == distances[1]

    def _effects(self, entities: list[tuple[str, list[int]]]) -> None:
        state = self.state
        state.yells = state.lights_on = 0
        state.plan_left = 0
        state.shelter = 0
        shelters = MAZES[state.maze].shelters
        for kind, (_, x, y, left, caster, victim) in entities:
            if kind == "EFFECT_YELL":
                state.yells |= 1 << (SEATS * caster + victim)
            elif kind == "EFFECT_PLAN":
                state.plan_left[caster] = left
            elif kind == "EFFECT_LIGHT":
                state.lights_on |= 1 << caster
            elif kind == "EFFECT_SHELTER":
                state.shelter[shelters.index(self._cell(x, y))] = left
            else:
                raise MalformedError(f"turn {self.turn}: unknown effect {kind!r}")
        state.yelled |= state.yells
