"""The referee of Code of Kutulu: prompts of every seat, answers and their faults, scores."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from podium.errors import unknown
from podium.games.code_of_kutulu.mazes import MAZES, NAMES, UNREACHABLE, Maze, distance_at, row_of, word_at
from podium.games.code_of_kutulu.rules import kutulu_play, next_living, remove
from podium.games.code_of_kutulu.setup import DRAWN, new_state
from podium.games.code_of_kutulu.state import (
    FAULT_SCORE,
    LAST_TURN,
    PLAN_TURNS,
    SEATS,
    SHELTER_RHYTHM,
    SPAWNING,
    STALKING,
    STUNNED,
    WAIT,
    WORDS,
)
from podium.games.game import Answer, Ending, Fault, Limits, MalformedError, Outcome, Referee, Request, ranks_of

LIMITS = Limits(first=1000.0, later=50.0)

MESSAGE = r"(?:[ \t\n\v\f\r]+.*)?[ \t\n\v\f\r]*"
MOVE_FORM = re.compile(r"MOVE (-?[0-9]+) (-?[0-9]+)" + MESSAGE, re.ASCII | re.IGNORECASE | re.DOTALL)
WORD_FORM = re.compile(r"([A-Za-z0-9_]+)" + MESSAGE, re.ASCII | re.DOTALL)
CHOICE_OF_WORD = {word: choice for choice, word in enumerate(WORDS)}
DIGITS_OF_AN_INT = 10  # of the largest signed 32-bit integer


def read_int(digits: str) -> int:
    """A signed 32-bit integer."""
    if len(digits.lstrip("-").lstrip("0")) <= DIGITS_OF_AN_INT and -(2**31) <= int(digits) < 2**31:
        return int(digits)
    raise MalformedError(f"a coordinate must fit a signed 32-bit integer, but got {digits[:40]!r}")


def read_answer(line: str, maze: Maze, cell: int) -> int:
    """The choice that an answer stands for, given where its explorer stands. Impossible moves are a WAIT."""
    if move := MOVE_FORM.fullmatch(line):
        return first_step(maze, cell, (read_int(move[1]), read_int(move[2])))
    word = WORD_FORM.fullmatch(line)
    if not word or word[1].upper() not in CHOICE_OF_WORD:
        raise MalformedError(f"expected MOVE x y or one of {', '.join(WORDS)}, but got {line[:80]!r}")
    return CHOICE_OF_WORD[word[1].upper()]


def first_step(maze: Maze, cell: int, point: tuple[int, int]) -> int:
    """The direction in which MOVE to a point begins, or WAIT if it is no way off."""
    goal = maze.cells.get(point, cell)
    index = int(row_of(maze.index, cell)) + goal
    if goal == cell or distance_at(index) == UNREACHABLE:
        return WAIT
    return int(word_at(index)) & 3


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """The first prompt opens with the maze and the settings; each has a count and as many lines."""
    opening = [read(), read()]
    opening += [read() for _ in range(int(opening[1]) + 1)]
    while True:
        count = read()
        yield [*opening, count, *(read() for _ in range(int(count)))]
        opening = []


def opening_lines(state: Any) -> list[str]:
    """What every seat is sent once."""
    maze = MAZES[state.maze]
    settings = f"{state.lonely} {state.group} {state.spawn_time} {state.life_time}"
    return [str(maze.width), str(maze.height), *maze.shown, settings]


# A field of a record takes Python a microsecond to reach: what follows reads each one once.


def explorer_lines(state: Any) -> list[str]:
    """The explorers by seat; an empty line for one who is no longer in the game."""
    living, places = int(state.living), _places(state)
    stocks = zip(state.sanity.tolist(), state.plans.tolist(), state.lights.tolist(), strict=True)
    return [
        f"EXPLORER {seat} {places[cell]} {sanity} {plans} {lights}" if living >> seat & 1 else ""
        for seat, (cell, (sanity, plans, lights)) in enumerate(zip(state.cell.tolist(), stocks, strict=True))
    ]


def minion_lines(state: Any) -> list[str]:
    """The minions in the order of their creation."""
    count = int(state.minions)
    living, life_time, places = int(state.living), int(state.life_time), _places(state)
    columns = (state.slasher, state.number, state.where, state.timer, state.mode, state.target)
    lines = []
    for slasher, number, where, timer, mode, target in zip(*(c[:count].tolist() for c in columns), strict=True):
        seen = target if target >= 0 and living >> target & 1 else -1
        left = timer if not slasher or mode in (SPAWNING, STALKING, STUNNED) else life_time
        lines.append(f"{'SLASHER' if slasher else 'WANDERER'} {number} {places[where]} {left} {mode} {seen}")
    return lines


def effect_lines(state: Any) -> list[str]:
    """The effects in the order in which they were cast: by turn, yells before casts, shelters after all of a turn."""
    turn, yells, living, places = int(state.turn), int(state.yells), int(state.living), _places(state)
    # (turn of the cast, stage within the turn, text); sorting is stable
    lines = [
        (turn - 1, 0, f"EFFECT_YELL -1 -1 -1 1 {caster} {victim}")
        for caster in range(SEATS)
        for victim in range(SEATS)
        if yells >> (SEATS * caster + victim) & 1 and living >> victim & 1
    ]
    lights_on = int(state.lights_on)
    for seat, (cell, left) in enumerate(zip(state.cell.tolist(), state.plan_left.tolist(), strict=True)):
        place = places[cell]
        if left:
            lines.append((turn - (PLAN_TURNS - left), 1, f"EFFECT_PLAN -1 {place} {left} {seat} -1"))
        if lights_on >> seat & 1:
            lines.append((turn - 1, 1, f"EFFECT_LIGHT -1 {place} 1 {seat} -1"))
    refill = (turn - 1) // SHELTER_RHYTHM * SHELTER_RHYTHM
    for cell, energy in zip(MAZES[state.maze].shelters, state.shelter.tolist(), strict=False):
        if energy:
            lines.append((refill, 2, f"EFFECT_SHELTER -1 {places[cell]} {energy} -1 -1"))
    return [text for _, _, text in sorted(lines, key=lambda line: line[:2])]


def _places(state: Any) -> list[str]:
    """The place of every cell as text."""
    return _PLACES[state.maze]


_PLACES = [[f"{x} {y}" for x, y in maze.points] for maze in MAZES]


class KutuluReferee(Referee):
    """One game of Code of Kutulu."""

    def __init__(self, seed: int, map: str | None = None) -> None:
        if map and map not in NAMES:
            raise unknown("maze", map, NAMES)
        self.state = new_state(seed, NAMES[map] if map else DRAWN)
        self.turn = 0
        self.outcome: Outcome | None = None
        self.faults: list[Fault] = []
        self.answers: list[str | None] = [None] * SEATS  # of the last turn

    def requests(self) -> Sequence[Request]:
        """Everyone who is still in the game, in the order of the seats."""
        if self.outcome:
            return ()
        opening = [] if self.turn else opening_lines(self.state)
        common = minion_lines(self.state) + effect_lines(self.state)
        explorers = explorer_lines(self.state)
        limit = LIMITS.later if self.turn else LIMITS.first
        requests = []
        for seat in self._living():
            # the receiving seat comes first
            entities = [line for line in explorers[seat:] + explorers[:seat] if line] + common
            requests.append(Request(seat, (*opening, str(len(entities)), *entities), limit))
        return requests

    def answer(self, answers: Sequence[Answer]) -> None:
        """Put out whoever answered badly; simulate the turn of the others."""
        seats = self._living()
        maze = MAZES[self.state.maze]
        choices = {}
        self.answers = [None] * SEATS
        for seat, answer in zip(seats, answers, strict=True):
            self.answers[seat] = answer.line
            if answer.line is None:
                self._put_out(seat, Ending.NO_ANSWER, "gave no answer in time")
                continue
            try:
                choices[seat] = read_answer(answer.line, maze, int(self.state.cell[seat]))
            except MalformedError as error:
                self._put_out(seat, Ending.MALFORMED, str(error))
        self.turn += 1
        if choices:
            self.state.mover = next_living(self.state, 0)
            for choice in choices.values():
                kutulu_play(self.state, choice)
        else:
            self.state.over = 1
        if self.state.over:
            self._finish()

    def _living(self) -> list[int]:
        living = int(self.state.living)
        return [seat for seat in range(SEATS) if living >> seat & 1]

    def _put_out(self, seat: int, ending: Ending, reason: str) -> None:
        remove(self.state, seat, FAULT_SCORE)
        sentence = f"Explorer {seat} was put out on turn {self.turn}: {reason}"
        self.faults.append(Fault(seat, ending, self.turn, sentence))

    def _finish(self) -> None:
        scores = tuple(float(score) for score in self.state.score)
        ranks = ranks_of(scores)
        winners = [str(seat) for seat in range(SEATS) if ranks[seat] == 1]
        best = max(scores)
        who = f"Explorer{'s' * (len(winners) > 1)} {' and '.join(winners)}"
        if best > LAST_TURN or self._living():
            ending, how = (
                Ending.TURN_LIMIT,
                f"kept the most sanity ({best - LAST_TURN:g}) to the end of turn {LAST_TURN}",
            )
        elif best >= 0:
            ending, how = Ending.FINISHED, f"stayed sane the longest, to turn {best:g}"
        else:
            ending, how = self.faults[-1].ending, "were put out like everybody else"
        self.outcome = Outcome(scores, ranks, ending, f"{who} {how}", faults=tuple(self.faults))
