"""A made-up game of few moves and many plies: seven columns of six, filled one stone at a time by two players.

Taking the last place of a column of one's own parity wins the column, and more columns win the game. Every game has 42
plies and never more than 7 moves: as wide and long as Connect Four, without its early ends.
"""

import numpy as np

from podium.kernel import blank, kernel, record
from podium.kernel.random import mix
from podium.model.rules import final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules

WIDTH, HEIGHT = 7, 6
PLIES = WIDTH * HEIGHT

State = record("columns state", [("heights", "u1", (WIDTH,)), ("won", "i1"), ("stones", "i8")])
RULES = Rules("columns", State, 2, WIDTH, WIDTH, PLIES)


def start(filled=0):
    """The empty board, or one whose first columns are filled in turn."""
    state = blank(State)
    for stone in range(filled):
        columns_play(state, stone // HEIGHT)
    return state


@mover.register(State)
@kernel
def columns_mover(state):
    return state.stones & 1


@is_over.register(State)
@kernel
def columns_is_over(state):
    return state.stones == PLIES


@legal_moves.register(State)
@kernel
def columns_legal_moves(state, out):
    if state.stones == PLIES:  # asking here is a mistake of the search: give it moves that betray it
        for column in range(WIDTH):
            out[column] = column
        return WIDTH
    count = 0
    for column in range(WIDTH):
        if state.heights[column] < HEIGHT:
            out[count] = column
            count += 1
    return count


@play.register(State)
@kernel
def columns_play(state, column):
    state.heights[column] += 1
    seat = state.stones & 1
    if state.heights[column] == HEIGHT and (column & 1) == seat:
        state.won += 1 if seat == 0 else -1
    state.stones += 1


@final_score.register(State)
@kernel
def columns_final_score(state, seat):
    return np.int64(state.won) if seat == 0 else -np.int64(state.won)


@key.register(State)
@kernel
def columns_key(state):
    packed = np.uint64(np.int64(state.won) + 8)
    for column in range(WIDTH):
        packed = packed * np.uint64(8) + np.uint64(state.heights[column])
    return mix(packed * np.uint64(2) + np.uint64(state.stones & 1))
