"""Newgame: on a board of 6 x 6 cells the first player with four stones in a row wins.

Try it:

    podium match newgame.py alphabeta mcts --nodes 1000 --games 20
    podium train newgame.py --hours 0.1
    python -m podium.testing newgame.py
"""

from typing import Any

import numpy as np

from podium import make_game
from podium.games.game import Learning
from podium.kernel import kernel, record
from podium.kernel.random import mix
from podium.model.hooks import features
from podium.model.rules import evaluate, final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules

SIZE, LENGTH = 6, 4
CELLS = SIZE * SIZE
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
NAMES = [f"{'abcdef'[column]}{SIZE - row}" for row in range(SIZE) for column in range(SIZE)]
LINES = np.array(
    [
        [(row + i * down) * SIZE + column + i * right for i in range(LENGTH)]
        for row in range(SIZE)
        for column in range(SIZE)
        for down, right in STEPS
        if row + (LENGTH - 1) * down < SIZE and 0 <= column + (LENGTH - 1) * right < SIZE
    ]
)
EMPTY = 0  # a stone of seat 0 is 1, one of seat 1 is 2; a record of zeros is the empty board

State = record("newgame state", [("newgame_cells", "i1", (CELLS,)), ("plies", "i8"), ("hash", "u8"), ("won", "?")])


@mover.register(State)
@kernel
def newgame_mover(state: Any) -> int:
    """The two players alternate."""
    return state.plies & 1


@legal_moves.register(State)
@kernel
def newgame_legal_moves(state: Any, out: Any) -> int:
    """The empty cells."""
    count = 0
    for cell in range(CELLS):
        if state.newgame_cells[cell] == EMPTY:
            out[count] = cell
            count += 1
    return count


@kernel
def count_line(state: Any, line: int, stone: int) -> int:
    """The number of stones of one kind in a line."""
    count = 0
    for i in range(LENGTH):
        count += state.newgame_cells[LINES[line, i]] == stone
    return count


@play.register(State)
@kernel
def newgame_play(state: Any, move: int) -> None:
    """Put a stone into a cell."""
    stone = 1 + (state.plies & 1)
    state.newgame_cells[move] = stone
    state.hash ^= mix(np.uint64(2 * move + stone))
    state.plies += 1
    for line in range(len(LINES)):
        if count_line(state, line, stone) == LENGTH:
            state.won = True


@is_over.register(State)
@kernel
def newgame_is_over(state: Any) -> bool:
    """A line was made, or the board is full."""
    return state.won or state.plies == CELLS


@final_score.register(State)
@kernel
def newgame_final_score(state: Any, seat: int) -> int:
    """The player who moved last has made the line, if there is one."""
    if not state.won:
        return 0
    return 1 if (state.plies & 1) != seat else -1


@key.register(State)
@kernel
def newgame_key(state: Any) -> Any:
    """The hash that `play` keeps up to date."""
    return state.hash


# What alpha-beta thinks of a position: lines that can still be made are worth the more, the more stones they have.
@evaluate.register(State)
@kernel
def newgame_evaluate(state: Any, params: Any, seat: int) -> float:
    """The open lines of a seat less those of the other."""
    total = 0
    for line in range(len(LINES)):
        own, other = count_line(state, line, 1 + seat), count_line(state, line, 2 - seat)
        if other == 0:
            total += own * own
        elif own == 0:
            total -= other * other
    return float(total)


# What a network sees, from the side of the player to move: own stones, the other's stones.
@features.register(State)
@kernel
def newgame_features(state: Any, out: Any) -> int:
    """The indices of the inputs that are on."""
    count, own = 0, 1 + (state.plies & 1)
    for cell in range(CELLS):
        if state.newgame_cells[cell] != EMPTY:
            out[count] = cell if state.newgame_cells[cell] == own else CELLS + cell
            count += 1
    return count


def symmetries() -> tuple[Any, Any, Any]:
    """The board turned and mirrored in eight ways: where each move and each input goes."""
    board = np.arange(CELLS).reshape(SIZE, SIZE)
    cells = np.array([np.rot90(flipped, turns).ravel() for flipped in (board, board.T) for turns in range(4)])
    return cells, np.concatenate([cells, CELLS + cells], 1), np.zeros((8, 0), np.int64)


def grid(state: Any) -> list[list[int]]:
    """The cells of the picture from top to bottom: the seat of a stone, or -1."""
    rows: list[list[int]] = (state.newgame_cells.reshape(SIZE, SIZE) - 1).tolist()
    return rows


RULES = Rules(
    "newgame",
    State,
    seats=2,
    most_moves=CELLS,
    move_codes=CELLS,
    most_plies=CELLS,
    move_text=lambda state, move: NAMES[move],
)
LEARNING = Learning(inputs=2 * CELLS, usually_on=12, symmetries=symmetries, opponents=("random", "mcts"))
GAME = make_game(RULES, opening=2, grid=grid, learning=LEARNING)
