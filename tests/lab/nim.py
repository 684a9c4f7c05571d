"""Nim as a game for learners: three heaps, whoever takes the last piece wins; every position's true value is known."""

from types import SimpleNamespace

import numpy as np

from podium.games.game import Game, Learning, Limits
from podium.kernel import blank, kernel, record
from podium.kernel.random import GOLDEN, mix
from podium.kernel.rules import final_score, is_over, key, legal_moves, mover, play
from podium.search.hooks import features, omens

HEAPS, MOST = 3, 5
CODES = HEAPS * MOST
INPUTS = HEAPS * (MOST + 1)

State = record("learner's nim state", [("heaps", "u1", (HEAPS,)), ("turn", "i8")])


@mover.register(State)
@kernel
def nim_mover(state):
    return state.turn & 1


@legal_moves.register(State)
@kernel
def nim_legal_moves(state, out):
    count = 0
    for heap in range(HEAPS):
        for taken in range(np.int64(state.heaps[heap])):
            out[count] = heap * MOST + taken
            count += 1
    return count


@play.register(State)
@kernel
def nim_play(state, move):
    state.heaps[move // MOST] -= move % MOST + 1
    state.turn += 1


@is_over.register(State)
@kernel
def nim_is_over(state):
    return state.heaps[0] + state.heaps[1] + state.heaps[2] == 0


@final_score.register(State)
@kernel
def nim_final_score(state, seat):
    return 1 if state.turn & 1 != seat else -1


@key.register(State)
@kernel
def nim_key(state):
    bits = np.uint64(state.heaps[0]) | np.uint64(state.heaps[1]) << np.uint64(8)
    return mix((bits | np.uint64(state.heaps[2]) << np.uint64(16)) + GOLDEN)


@features.register(State)
@kernel
def nim_features(state, out):
    for heap in range(HEAPS):
        out[heap] = heap * (MOST + 1) + np.int64(state.heaps[heap])
    return HEAPS


@omens.register(State)
@kernel
def nim_omens(state, out):
    out[0] = np.float32(state.turn & 1)


def symmetries():
    """The heaps in any order."""
    orders = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
    moves = (orders[:, :, None] * MOST + np.arange(MOST)).reshape(6, CODES)
    inputs = (orders[:, :, None] * (MOST + 1) + np.arange(MOST + 1)).reshape(6, INPUTS)
    return moves, inputs, np.zeros((6, 1), np.int64)


def position(*heaps):
    state = blank(State)
    state.heaps[:] = heaps
    return state


def setting_out(seed, **_):
    random = np.random.default_rng(seed)
    return SimpleNamespace(state=position(*random.integers(1, MOST + 1, HEAPS)))


GAME = Game(
    name="nim",
    title="Nim",
    source="tests",
    seats=2,
    limits=Limits(1000, 100),
    state=State,
    referee=setting_out,
    settings=(),
    bots={},
    prompts=iter,
    scene=dict,
    picture=str,
    most_moves=CODES,
    codes=CODES,
    most_plies=CODES,
    learning=lambda: Learning(INPUTS, HEAPS, 1, symmetries),
)
