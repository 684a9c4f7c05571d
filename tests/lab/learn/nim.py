"""Nim as a game for learners: three heaps, taking the last piece wins; every position's true value is known."""

import numpy as np

from podium.games import view
from podium.games.game import BotKind, Contest, Game, Learning, Limits, Pictures
from podium.games.toolkit import RandomBot, TurnReferee
from podium.kernel import blank, kernel, record
from podium.kernel.random import GOLDEN, mix
from podium.model.hooks import auxiliary_targets, features
from podium.model.params import ParamSpec
from podium.model.rules import final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules

LIMITS = Limits(1000, 100)
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


@auxiliary_targets.register(State)
@kernel
def nim_auxiliary_targets(state, out):
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


class NimReferee(TurnReferee):
    """The seed draws the heaps; a prompt is what they are, an answer the number of a move."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        super().__init__(position(*random.integers(1, MOST + 1, HEAPS)), LIMITS)

    def prompt(self):
        return (" ".join(map(str, [*self.state.heaps, self.state.turn])),)

    def read(self, line):
        return int(line)


class View(view.View):
    def read(self, lines):
        *heaps, turn = map(int, lines[0].split())
        self.state, self.seat = position(*heaps), turn % 2
        self.state.turn = turn

    def answer_of(self, move):
        return str(move)


RANDOM = BotKind(
    "random", "any move", ParamSpec("learner's nim random parameters"), lambda _, seed: RandomBot(View(), seed)
)


GAME = Game(
    "nim",
    Contest("Nim", "tests", 2, LIMITS, NimReferee, iter),
    Pictures(scene=dict, picture=str),
    Rules("nim", State, 2, CODES, CODES, CODES, lambda seed=0: position(*[MOST] * HEAPS)),
    bots={"random": RANDOM},
    view=View,
    learning=lambda: Learning(INPUTS, HEAPS, 1, symmetries),
)
