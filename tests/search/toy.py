"""A made-up game for three seats, for searches: who moves next, what may be played and how it ends all depend on a hash
of the ply and of the sum of the moves so far, so that sides change irregularly and positions transpose."""

import numpy as np

from podium.kernel import blank, kernel, record
from podium.kernel.random import mix
from podium.model.params import Parameter, ParamSpec
from podium.model.rules import candidates, evaluate, final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules
from podium.search import alphabeta

SEATS = 3
MOST_MOVES = 8

State = record("toy state", [("total", "u8"), ("plies", "i8"), ("last", "i8")])
PARAMS = ParamSpec("toy parameters", *alphabeta.PARAMETERS, Parameter("weight", 1.0, "of the evaluation"))
RULES = Rules("toy", State, SEATS, MOST_MOVES, 3 * MOST_MOVES, 64)
CONTEXTS = PARAMS.context("toy search context", [("liking", "f8")])  # of having the move

SALT = np.uint64(0x1234567)
HUNDRED = np.uint64(100)


def start(number, last):
    state = blank(State)
    state.total = number * 1000
    state.last = last
    return state


@key.register(State)
@kernel
def toy_key(state):
    return mix(state.total * np.uint64(64) + np.uint64(state.plies) + SALT)


@mover.register(State)
@kernel
def toy_mover(state):
    return np.int64((toy_key(state) >> np.uint64(8)) % np.uint64(SEATS))


@is_over.register(State)
@kernel
def toy_is_over(state):
    return state.plies >= state.last or toy_key(state) % HUNDRED < np.uint64(4)


@legal_moves.register(State)
@kernel
def toy_legal_moves(state, out):
    count = 2 + np.int64((toy_key(state) >> np.uint64(16)) % np.uint64(4))
    for i in range(count):
        out[i] = 3 * i
    return count


@play.register(State)
@kernel
def toy_play(state, move):
    state.total += np.uint64(move)
    state.plies += 1


@final_score.register(State)
@kernel
def toy_final_score(state, seat):
    return np.int64((toy_key(state) >> np.uint64(24 + 4 * seat)) % np.uint64(5)) - 2


@evaluate.register(State, PARAMS.dtype)
@kernel
def toy_evaluate(state, params, seat):
    return params.weight * (np.float64((toy_key(state) >> np.uint64(20 + seat)) % np.uint64(41)) * 0.1 - 2.0)


@evaluate.register(State, CONTEXTS.dtype)
@kernel
def liking_evaluate(state, context, seat):
    return toy_evaluate(state, context, seat) + (context.liking if toy_mover(state) == seat else 0.0)


@candidates.register(State, PARAMS.dtype)
@candidates.register(State, CONTEXTS.dtype)
@kernel
def toy_candidates(state, params, out):
    return toy_legal_moves(state, out)


@kernel
def opinion(state, seat):
    """An evaluation for each seat, drawn from the key."""
    return np.float64(np.int64((toy_key(state) >> np.uint64(20 + seat)) % np.uint64(41))) * 0.1
