"""The hooks: what a search asks of a game or a bot besides the rules.

Each hook is a generic function with a default, so a game or a bot implements only those that it needs. Hooks that are
chosen by two record types receive the bot's parameters, or the search context in their place; an implementation that is
registered for the state alone serves all parameters. docs/algorithms/hooks.md lists all of them in a table.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, generic, kernel
from podium.kernel.random import draw_below
from podium.model.proofs import sign
from podium.model.rules import evaluate, final_score, is_over, mover, moves_unless_over, play

WIN_VALUE = 1e6  # of a won game in `terminal_value`; larger than any evaluation

NO, YES, UNKNOWN = 0, 1, -1  # results of `playable`

TOTAL = 1.0  # sum of the shares of a position

# Rows of an all-moves-as-first (AMAF) table, by move: in how many playouts the side to move played it, and that side's
# wins minus losses in them; then the same for moves of the other side (results still those of the side to move).
OWN, OWN_SUM, OTHER, OTHER_SUM = range(4)
AMAF_ROWS = 4

SCRATCH_BYTES, SCRATCH_WORDS = 4096, 512


@generic(by=1)
def side(state: Any, seat: Any, root_seat: Any) -> Any:
    """0 if `seat` is on the side of the searching seat, 1 if it is an opponent."""


@side.otherwise
@kernel
def against_the_rest(state: Any, seat: Any, root_seat: Any) -> Any:
    """Every other seat is an opponent."""
    return 0 if seat == root_seat else 1


@generic(by=1)
def unit(state: Any) -> Any:
    """Which of the mover's units the next choice is for, from 0; for games in which a seat has several."""


@unit.otherwise
@kernel
def one_unit(state: Any) -> int:
    """A seat chooses once in a turn."""
    return 0


@generic(by=2)
def terminal_value(state: Any, params: Any, seat: Any) -> Any:
    """The value of an ended game for a seat, on the scale of `evaluate`."""


@terminal_value.otherwise
@kernel
def win_value_and_score(state: Any, params: Any, seat: Any) -> Any:
    """The final score, plus WIN_VALUE for a win and minus WIN_VALUE for a loss."""
    score = np.float64(final_score(state, seat))
    if score > 0.0:
        return score + WIN_VALUE
    if score < 0.0:
        return score - WIN_VALUE
    return score


@generic(by=2)
def tie_break(state: Any, params: Any, move: Any) -> Any:
    """A move-ordering heuristic for moves with equal history: an integer from 0 to 4095, high is tried first."""


@tie_break.otherwise
@kernel
def no_tie_break(state: Any, params: Any, move: Any) -> Any:
    """All moves are equal."""
    return 0


@generic(by=2)
def playable(state: Any, params: Any, move: Any) -> Any:
    """YES or NO: whether a move is a candidate, found without listing all of them; or UNKNOWN for every move.

    A bot that implements it guarantees at least one candidate in every position that is not over.
    """


@playable.otherwise
@kernel
def playable_unknown(state: Any, params: Any, move: Any) -> Any:
    """Only the list of candidates tells."""
    return UNKNOWN


@generic(by=2)
def shares(state: Any, params: Any, out: Any) -> Any:
    """Write each seat's share of a position: not negative, with the sum TOTAL."""


@shares.otherwise
@kernel
def evaluations_as_shares(state: Any, params: Any, out: Any) -> None:
    """Each seat's evaluation (0 if it is negative) as a share of their sum; at the end the highest scores share all."""
    over, best = is_over(state), -np.inf
    for seat in range(out.size):
        if over:
            out[seat] = np.float64(final_score(state, seat))
            best = max(best, out[seat])
        else:
            out[seat] = max(0.0, np.float64(evaluate(state, params, seat)))
    total = 0.0
    for seat in range(out.size):
        if over:
            out[seat] = 1.0 if out[seat] == best else 0.0
        total += out[seat]
    for seat in range(out.size):
        out[seat] = TOTAL * out[seat] / total if total > 0.0 else TOTAL / out.size


@generic(by=2)
def advance(state: Any, params: Any, move: Any) -> Any:
    """Play a move within a search, in place, and the moves of all seats that the search does not choose for.

    A bot implements it where the others follow a plan, or where the search simulates the game in its own way: cheaper
    than the rules, or without random numbers that only the referee knows.
    """


@advance.otherwise
@kernel
def play_only(state: Any, params: Any, move: int) -> None:
    """As the rules say; nobody else moves."""
    play(state, move)


@generic(by=2)
def undiscounted_value(state: Any, params: Any, seat: Any) -> Any:
    """The part of a position's value that a beam search does not discount."""


@undiscounted_value.otherwise
@kernel
def all_discounted(state: Any, params: Any, seat: int) -> float:
    """The whole value is discounted."""
    return 0.0


class PlayoutBuffers(NamedTuple):
    """Arrays that playouts work in; allocated once, owned by the caller."""

    states: Any  # [1] the position of the playout
    moves: Any  # int64 [most moves]
    played: Any  # int64 [2, most plies]: moves and movers of the playout so far
    bytes: Any  # uint8, scratch space for a game's own playouts
    words: Any  # uint64, scratch space for a game's own playouts


def new_playout_buffers(state: np.dtype, most_moves: int, most_plies: int) -> PlayoutBuffers:
    """Buffers for games with at most `most_moves` legal moves in a position and `most_plies` plies."""
    return PlayoutBuffers(
        states=allocate(state, 1),
        moves=np.zeros(most_moves, np.int64),
        played=np.zeros((2, most_plies), np.int64),
        bytes=np.zeros(SCRATCH_BYTES, np.uint8),
        words=np.zeros(SCRATCH_WORDS, np.uint64),
    )


@generic(by=2)
def playouts(state: Any, params: Any, buffers: Any, random: Any, number: int, amaf: Any) -> Any:
    """Run playouts from a position and add them to the AMAF table; return wins minus losses of the side to move."""


@playouts.otherwise
@kernel
def plain_playouts(state: Any, params: Any, buffers: Any, random: Any, number: int, amaf: Any) -> int:
    """Moves chosen by `playout_move` until the game is over."""
    balance = 0
    side = mover(state)
    moves, seats = buffers.played[0], buffers.played[1]
    for _ in range(number):
        plies = 0
        buffers.states[0] = state
        game = buffers.states[0]
        while True:
            count = moves_unless_over(game, buffers.moves)
            if count == 0:
                break
            moves[plies] = playout_move(game, params, buffers.moves, count, random)
            seats[plies] = mover(game)
            play(game, moves[plies])
            plies += 1
        result = sign(final_score(game, side))
        balance += result
        for ply in range(plies):
            row = OWN if seats[ply] == side else OTHER
            amaf[row, moves[ply]] += 1
            amaf[row + 1, moves[ply]] += result
    return balance


@generic(by=2)
def playout_move(state: Any, params: Any, moves: Any, count: int, random: Any) -> Any:
    """The move of a playout, one of the first `count` of `moves`: the playout policy."""


@playout_move.otherwise
@kernel
def uniform_move(state: Any, params: Any, moves: Any, count: int, random: Any) -> Any:
    """All legal moves are equally likely."""
    return moves[draw_below(random, count)]


@generic(by=2)
def priors(state: Any, params: Any, moves: Any, count: int, out: Any) -> Any:
    """Write how likely the mover is to choose each of the first `count` of `moves`: positive, with any sum."""


@priors.otherwise
@kernel
def equal_priors(state: Any, params: Any, moves: Any, count: int, out: Any) -> None:
    """All moves are equally likely."""
    for i in range(count):
        out[i] = 1.0


@generic(by=1)
def impact(state: Any, move: Any) -> Any:
    """The number of legal moves that a move removes, including itself."""


@impact.otherwise
@kernel
def no_impact(state: Any, move: Any) -> int:
    """A move removes only itself."""
    return 1


@generic(by=1)
def features(state: Any, out: Any) -> Any:
    """Write the indices of the active inputs of a network, seen by the side to move; return their number."""


@generic(by=1)
def value_sign(state: Any) -> Any:
    """1 or -1: the sign applied to a network's value; it must depend on the position key alone."""


@value_sign.otherwise
@kernel
def value_for_mover(state: Any) -> Any:
    """The network's value is that of the side to move."""
    return 1


@generic(by=1)
def auxiliary_targets(state: Any, out: Any) -> Any:
    """Write the auxiliary training targets of an ended game, 0 or 1 each, as ownership in KataGo."""


@auxiliary_targets.otherwise
@kernel
def no_auxiliary_targets(state: Any, out: Any) -> None:
    """The game has no auxiliary targets."""
