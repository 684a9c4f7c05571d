"""Small games with simultaneous moves whose equilibria are known or can be computed: matrix games, Goofspiel with four
cards, Oshi-Zumo."""

import numpy as np

from podium.kernel import blank, kernel, record
from podium.kernel.random import GOLDEN, mix
from podium.model.hooks import priors, terminal_value, unit
from podium.model.params import Parameter, ParamSpec
from podium.model.rules import before_turn, final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules

NOBODY = -1
NO_OPINION = ParamSpec("simultaneous games parameters", Parameter("salt", 0, "nothing")).params()

# ---- Matrix games: one turn, and the payoff is the score of seat 0.

SIZE = 3
MatrixState = record(
    "matrix game state",
    [("payoff", "f8", (SIZE, SIZE)), ("choices", "i8", (2,)), ("options", "i8", (2,)), ("plies", "i8")],
)
MATRIX_RULES = Rules("matrix game", MatrixState, 2, SIZE, SIZE, 2, simultaneous=True)

PENNIES = [[1, -1], [-1, 1]]
BIASED = [[2, -1], [-1, 1]]  # optimal: 0.4, 0.6; value 0.2
SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def matrix_game(payoff):
    state, matrix = blank(MatrixState), np.array(payoff, float)
    state.options[:] = matrix.shape
    state.payoff[: matrix.shape[0], : matrix.shape[1]] = matrix
    return state


@mover.register(MatrixState)
@kernel
def matrix_mover(state):
    return state.plies & 1


@before_turn.register(MatrixState)
@kernel
def matrix_before_turn(state):
    return state.plies == 0


@legal_moves.register(MatrixState)
@kernel
def matrix_moves(state, out):
    for i in range(state.options[state.plies]):
        out[i] = i
    return state.options[state.plies]


@play.register(MatrixState)
@kernel
def matrix_play(state, move):
    state.choices[state.plies] = move
    state.plies += 1


@is_over.register(MatrixState)
@kernel
def matrix_is_over(state):
    return state.plies == 2


@final_score.register(MatrixState)
@kernel
def matrix_score(state, seat):
    value = state.payoff[state.choices[0], state.choices[1]]
    return value if seat == 0 else -value


@terminal_value.register(MatrixState)
@kernel
def matrix_value(state, params, seat):
    return np.float64(matrix_score(state, seat))


@key.register(MatrixState)
@kernel
def matrix_key(state):
    return mix(np.uint64(state.plies * 100 + state.choices[0] * 10 + state.choices[1]) + GOLDEN)


# ---- Goofspiel: prizes come in a known order; the higher card takes the prize, equal cards nobody.

CARDS = 4
GoofspielState = record(
    "goofspiel state",
    [("hands", "i8", (2,)), ("prizes", "i8", (CARDS,)), ("lead", "i8"), ("chosen", "i8"), ("turn", "i8")],
)
GOOFSPIEL_RULES = Rules("goofspiel", GoofspielState, 2, CARDS, CARDS, 2 * CARDS, simultaneous=True)


def goofspiel(prizes=(2, 4, 1, 3), turn=0):
    """A game with given prizes; turns before `turn` were ties with the lowest cards."""
    state = blank(GoofspielState)
    state.prizes[:] = prizes
    state.turn = turn
    state.hands[:] = ((1 << CARDS) - 1) >> turn << turn
    state.chosen = NOBODY
    return state


@mover.register(GoofspielState)
@kernel
def goofspiel_mover(state):
    return 0 if state.chosen == NOBODY else 1


@before_turn.register(GoofspielState)
@kernel
def goofspiel_before_turn(state):
    return state.chosen == NOBODY


@legal_moves.register(GoofspielState)
@kernel
def goofspiel_moves(state, out):
    count = 0
    for card in range(CARDS):
        if state.hands[goofspiel_mover(state)] >> card & 1:
            out[count] = card
            count += 1
    return count


@play.register(GoofspielState)
@kernel
def goofspiel_play(state, move):
    if state.chosen == NOBODY:
        state.chosen = move
        return
    state.hands[0] &= ~(1 << state.chosen)
    state.hands[1] &= ~(1 << move)
    if state.chosen > move:
        state.lead += state.prizes[state.turn]
    elif state.chosen < move:
        state.lead -= state.prizes[state.turn]
    state.chosen = NOBODY
    state.turn += 1


@is_over.register(GoofspielState)
@kernel
def goofspiel_is_over(state):
    return state.turn == CARDS


@final_score.register(GoofspielState)
@kernel
def goofspiel_score(state, seat):
    return state.lead if seat == 0 else -state.lead


@terminal_value.register(GoofspielState)
@kernel
def goofspiel_value(state, params, seat):
    return np.float64(goofspiel_score(state, seat))


@key.register(GoofspielState)
@kernel
def goofspiel_key(state):
    packed = ((state.lead + 64) * 8 + state.turn) * 16 + state.chosen + 1
    return mix(np.uint64((packed * 16 + state.hands[0]) * 16 + state.hands[1]) + GOLDEN)


# ---- Oshi-Zumo: both bid coins, the higher bid pushes the wrestler one place; off the board wins.

PLACES, COINS = 2, 5  # places on each side of the middle
OshiZumoState = record("oshi-zumo state", [("coins", "i8", (2,)), ("wrestler", "i8"), ("bid", "i8")])
OSHI_ZUMO_RULES = Rules("oshi-zumo", OshiZumoState, 2, COINS + 1, COINS + 1, 4 * COINS + 4, simultaneous=True)


def oshi_zumo(coins=(COINS, COINS), wrestler=0):
    state = blank(OshiZumoState)
    state.coins[:] = coins
    state.wrestler = wrestler
    state.bid = NOBODY
    return state


@mover.register(OshiZumoState)
@kernel
def oshi_zumo_mover(state):
    return 0 if state.bid == NOBODY else 1


@before_turn.register(OshiZumoState)
@kernel
def oshi_zumo_before_turn(state):
    return state.bid == NOBODY


@legal_moves.register(OshiZumoState)
@kernel
def oshi_zumo_moves(state, out):
    """At least one coin, as long as there is one."""
    coins = state.coins[oshi_zumo_mover(state)]
    if coins == 0:
        out[0] = 0
        return 1
    for bid in range(coins):
        out[bid] = bid + 1
    return coins


@play.register(OshiZumoState)
@kernel
def oshi_zumo_play(state, move):
    if state.bid == NOBODY:
        state.bid = move
        return
    state.coins[0] -= state.bid
    state.coins[1] -= move
    if state.bid > move:
        state.wrestler += 1
    elif state.bid < move:
        state.wrestler -= 1
    state.bid = NOBODY


@is_over.register(OshiZumoState)
@kernel
def oshi_zumo_is_over(state):
    if state.bid != NOBODY:
        return False
    return abs(state.wrestler) > PLACES or (state.coins[0] == 0 and state.coins[1] == 0)


@final_score.register(OshiZumoState)
@kernel
def oshi_zumo_score(state, seat):
    return state.wrestler if seat == 0 else -state.wrestler


@key.register(OshiZumoState)
@kernel
def oshi_zumo_key(state):
    packed = ((state.wrestler + 8) * 16 + state.coins[0]) * 16 + state.coins[1]
    return mix(np.uint64(packed * 16 + state.bid + 1) + GOLDEN)


@priors.register(OshiZumoState)
@kernel
def low_bids_are_likely(state, params, moves, count, out):
    for i in range(count):
        out[i] = 1.0 / moves[i] if moves[i] > 0 else 1.0


# ---- Two units for each seat: in each of some turns every unit takes a number; the lead grows by their weights.

UNITS, NUMBERS, UNIT_TURNS = 2, 3, 2
UnitsState = record("units state", [("lead", "i8"), ("plies", "i8")])
UNITS_RULES = Rules("units", UnitsState, 2, NUMBERS, NUMBERS, 2 * UNITS * UNIT_TURNS, simultaneous=True)


def units_game():
    return blank(UnitsState)


@unit.register(UnitsState)
@kernel
def units_unit(state):
    return state.plies & 1


@mover.register(UnitsState)
@kernel
def units_mover(state):
    return state.plies >> 1 & 1


@before_turn.register(UnitsState)
@kernel
def units_before_turn(state):
    return state.plies & 3 == 0


@legal_moves.register(UnitsState)
@kernel
def units_moves(state, out):
    for i in range(NUMBERS):
        out[i] = i
    return NUMBERS


@play.register(UnitsState)
@kernel
def units_play(state, move):
    """The first unit gains by high numbers, the second by low ones."""
    gain = 3 * move if units_unit(state) == 0 else -move
    state.lead += gain if units_mover(state) == 0 else -gain
    state.plies += 1


@is_over.register(UnitsState)
@kernel
def units_is_over(state):
    return state.plies == 2 * UNITS * UNIT_TURNS


@final_score.register(UnitsState)
@kernel
def units_score(state, seat):
    return state.lead if seat == 0 else -state.lead


@terminal_value.register(UnitsState)
@kernel
def units_value(state, params, seat):
    return np.float64(units_score(state, seat))


@key.register(UnitsState)
@kernel
def units_key(state):
    return mix(np.uint64(state.lead * 100 + state.plies) + GOLDEN)


@kernel
def coins_ahead(state, seat):
    """An evaluation of Oshi-Zumo: coins left and the wrestler's place."""
    return (state.coins[seat] - state.coins[1 - seat]) * 0.5 + (1 - 2 * seat) * state.wrestler
