"""The text protocol of Code of Kutulu: prompts out, answers in. `view.py` reads prompts into a state."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import MAZES, NO_CELL, UNREACHABLE, Maze, distance_at, row_of, word_at
from podium.games.code_of_kutulu.rules import kutulu_legal_moves
from podium.games.code_of_kutulu.state import (
    CHOICES,
    PLAN_TURNS,
    SEATS,
    SHELTER_RHYTHM,
    SPAWNING,
    STALKING,
    STUNNED,
    WAIT,
    WORDS,
)
from podium.games.game import IllegalError, MalformedError
from podium.games.parsing import SHOWN, parse_int, read_int

MESSAGE = r"(?:[ \t\n\v\f\r]+.*)?[ \t\n\v\f\r]*"
MOVE_FORM = re.compile(r"MOVE (-?[0-9]+) (-?[0-9]+)" + MESSAGE, re.ASCII | re.IGNORECASE | re.DOTALL)
WORD_FORM = re.compile(r"([A-Za-z0-9_]+)" + MESSAGE, re.ASCII | re.DOTALL)
CHOICE_OF_WORD = {word: choice for choice, word in enumerate(WORDS)}
PLACES = [[f"{x} {y}" for x, y in maze.points] for maze in MAZES]  # of each cell, as text
MOST_LINES = 1000  # of a maze or a list of entities; real ones stay far below


def prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """The first prompt opens with the maze and the settings; each has a count and as many lines."""
    opening = [read(), read()]
    opening += [read() for _ in range(read_int(opening[1], "the height of the maze", 1, MOST_LINES) + 1)]
    while True:
        count = read()
        yield [*opening, count, *(read() for _ in range(read_int(count, "the number of entities", 0, MOST_LINES)))]
        opening = []


def opening_lines(state: Any) -> list[str]:
    """What every seat is sent once."""
    maze = MAZES[state.maze]
    settings = f"{state.lonely} {state.group} {state.spawn_time} {state.life_time}"
    return [str(maze.width), str(maze.height), *maze.shown, settings]


# A field of a record takes Python a microsecond to reach: what follows reads each one once.


def explorer_lines(state: Any) -> list[str]:
    """The explorers by seat; an empty line for one that is out of the game."""
    living, places = int(state.living), PLACES[state.maze]
    stocks = zip(state.sanity.tolist(), state.plans.tolist(), state.lights.tolist(), strict=True)
    return [
        f"EXPLORER {seat} {places[cell]} {sanity} {plans} {lights}" if living >> seat & 1 else ""
        for seat, (cell, (sanity, plans, lights)) in enumerate(zip(state.cell.tolist(), stocks, strict=True))
    ]


def minion_lines(state: Any) -> list[str]:
    """The minions in the order of their creation."""
    count = int(state.minions)
    living, life_time, places = int(state.living), int(state.life_time), PLACES[state.maze]
    columns = (state.slasher, state.number, state.where, state.timer, state.mode, state.target)
    lines = []
    for slasher, name, where, timer, mode, target in zip(*(c[:count].tolist() for c in columns), strict=True):
        seen = target if target >= 0 and living >> target & 1 else -1
        left = timer if not slasher or mode in (SPAWNING, STALKING, STUNNED) else life_time
        lines.append(f"{'SLASHER' if slasher else 'WANDERER'} {name} {places[where]} {left} {mode} {seen}")
    return lines


def effect_lines(state: Any) -> list[str]:
    """The effects in the order in which they were cast: by turn, yells before casts, shelters after all of a turn."""
    turn, yells, living, places = int(state.turn), int(state.yells), int(state.living), PLACES[state.maze]
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


def read_answer(state: Any, seat: int, line: str) -> int:
    """The choice that an answer of a seat stands for; impossible moves are a WAIT."""
    if move := MOVE_FORM.fullmatch(line):
        return first_step(MAZES[state.maze], int(state.cell[seat]), (coordinate(move[1]), coordinate(move[2])))
    word = WORD_FORM.fullmatch(line)
    if not word or word[1].upper() not in CHOICE_OF_WORD:
        raise MalformedError(f"expected MOVE x y or one of {', '.join(WORDS)}, but got {line[:80]!r}")
    return CHOICE_OF_WORD[word[1].upper()]


def move_text(state: Any, move: int) -> str:
    """A legal choice of the seat that chooses next, as the protocol writes it; what bots add to a move is left out."""
    return answer_of(state, int(state.mover), move % CHOICES)


def read_move(state: Any, text: str) -> int:
    """The legal choice of the seat that chooses next that a text stands for; unlike a WAIT by mistake, as in a game."""
    line = text.strip()
    move = read_answer(state, int(state.mover), line)
    choices = np.zeros(CHOICES, np.int64)
    if move not in choices[: kutulu_legal_moves(state, choices)] or (move == WAIT and MOVE_FORM.fullmatch(line)):
        raise IllegalError(f"{line[:SHOWN]!r} does nothing for explorer {int(state.mover)} here")
    return move


def coordinate(digits: str) -> int:
    """A coordinate, which must fit a signed 32-bit integer; a MalformedError otherwise."""
    found = parse_int(digits)
    if found is None:
        raise MalformedError(f"a coordinate must fit a signed 32-bit integer, but got {digits[:SHOWN]!r}")
    return found


def first_step(maze: Maze, cell: int, point: tuple[int, int]) -> int:
    """The direction in which MOVE to a point begins, or WAIT if it is no way off."""
    goal = maze.cells.get(point, cell)
    index = int(row_of(maze.index, cell)) + goal
    if goal == cell or distance_at(index) == UNREACHABLE:
        return WAIT
    return int(word_at(index)) & 3


def answer_of(state: Any, seat: int, choice: int) -> str:
    """A choice as the line that the contest's statement asks for; a step into a wall is a WAIT."""
    if choice >= WAIT:
        return WORDS[choice]
    maze = MAZES[state.maze]
    there = maze.neighbours(int(state.cell[seat]))[choice]
    if there == NO_CELL:
        return WORDS[WAIT]
    x, y = maze.points[there]
    return f"MOVE {x} {y}"
