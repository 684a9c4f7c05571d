"""A game with simultaneous moves in one file: both bid one to three; the higher bid scores a point, up to four."""

from typing import Any

import numpy as np

from podium.games.rules_game import make_game
from podium.kernel import copy_of, kernel, record
from podium.kernel.random import mix
from podium.model.rules import before_turn, final_score, is_over, key, legal_moves, mover, play
from podium.model.ruleset import Rules

State = record("race state", [("race_points", "i1", (2,)), ("first", "i1"), ("chosen", "i1"), ("turn", "i1")])
TURNS = 6


@mover.register(State)
@kernel
def race_mover(state: Any) -> int:
    """The seat that chooses first, then the other."""
    return state.first if state.chosen == 0 else 1 - state.first


@before_turn.register(State)
@kernel
def race_before_turn(state: Any) -> bool:
    """Whether neither has chosen yet."""
    return state.chosen == 0


@legal_moves.register(State)
@kernel
def race_legal_moves(state: Any, out: Any) -> int:
    """Any bid."""
    for i in range(3):
        out[i] = i + 1
    return 3


@play.register(State)
@kernel
def race_play(state: Any, move: int) -> None:
    """The first choice is kept; the second one ends the turn."""
    if state.chosen == 0:
        state.chosen = move
        return
    own = state.first
    if state.chosen != move:
        state.race_points[own if state.chosen > move else 1 - own] += 1
    state.chosen = 0
    state.turn += 1


@is_over.register(State)
@kernel
def race_is_over(state: Any) -> bool:
    """After six turns."""
    return state.turn == TURNS


@final_score.register(State)
@kernel
def race_final_score(state: Any, seat: int) -> int:
    """The difference of points."""
    return state.race_points[seat] - state.race_points[1 - seat]


@key.register(State)
@kernel
def race_key(state: Any) -> Any:
    """All fields, one after the other."""
    points = state.race_points[0] * 8 + state.race_points[1]
    return mix(np.uint64(((points * 8 + state.turn) * 4 + state.chosen) * 2 + state.first))


def seen(state: Any, seat: int) -> Any:
    """Everything before a turn; the seat itself chooses first."""
    view = copy_of(state)
    view.first = seat
    return view


RULES = Rules(
    "race", State, seats=2, most_moves=3, move_codes=4, most_plies=2 * TURNS, simultaneous=True, hidden=True, seen=seen
)
GAME = make_game(RULES, title="Race of bids")
