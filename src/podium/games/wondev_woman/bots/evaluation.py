"""The champion's evaluation: territory, points and freedom of movement.

Territory is the write-up's Voronoi count: cells that a side reaches before the other, found by widening both sides'
fronts step by step on bitboards, the side to move first. A front climbs at most one level a step, so it is widened by
height: cells of height 0 and 1 are entered from anywhere, those of height 2 only from height 1 or more, those of height
3 only from height 2 or more. The first step gives the accessible neighbours of the units without further work.
"""

from typing import Any

import numpy as np

from podium.games.wondev_woman.board import STEP
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS, GREEDY_PARAMS
from podium.games.wondev_woman.rules import access, is_legal, wondev_legal_moves
from podium.games.wondev_woman.state import FULL, State, height, units_of
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, popcount
from podium.model.hooks import NO, YES, playable, terminal_value, tie_break
from podium.model.rules import candidates, evaluate

Params, GreedyParams = CHAMPION_PARAMS.dtype, GREEDY_PARAMS.dtype

ROW = np.uint64(8)


@kernel
def widen(cells: Any) -> Any:
    """The cells and all their neighbours; the empty eighth column keeps rows apart."""
    cells |= (cells << ONE) | (cells >> ONE)
    return cells | (cells << ROW) | (cells >> ROW)


@kernel
def step(state: Any, front: Any, free: Any) -> Any:
    """The free cells that are entered from a front in one step."""
    planes = state.planes
    low = widen(front) & ~planes[2]
    raised = front & planes[1]
    if raised:
        low |= widen(raised) & planes[2] & ~planes[3]
        high = raised & planes[2]
        if high:
            low |= widen(high) & planes[3]
    return low & free


@kernel
def domains(state: Any, first: Any, second: Any, free: Any) -> Any:
    """The free cells that the first side reaches before the second, and the others that the second reaches.

    `first` and `second` are the cells that each side enters with its first step; the first side moves first.
    """
    second &= ~first
    free &= ~(first | second)
    own, other = first, second
    while first | second:
        first = step(state, first, free)
        free &= ~first
        second = step(state, second, free)
        free &= ~second
        own |= first
        other |= second
    return own, other


@kernel
def cells_value(state: Any, params: Any, cells: Any) -> Any:
    """The value of a side's cells, by their heights."""
    return (
        params.territory * popcount(cells)
        + params.first_level * popcount(cells & state.planes[1])
        + params.second_level * popcount(cells & state.planes[2])
        + params.third_level * popcount(cells & state.planes[3])
    )


@evaluate.register(State, GreedyParams)
@evaluate.register(State, Params)
@kernel
def wondev_evaluate(state: Any, params: Any, seat: Any) -> Any:
    """Territory, points, freedom and height of a seat, less those of the other; only points if it is out."""
    occupied = units_of(state, 0) | units_of(state, 1)
    mover = np.int64(state.mover)
    reach = EMPTY
    reach_other = EMPTY
    freedom = 0
    levels = 0
    if state.out[mover] == 0:
        first, second = np.int64(state.unit[2 * mover]), np.int64(state.unit[2 * mover + 1])
        one, two = access(state, first, occupied), access(state, second, occupied)
        reach = one | two
        freedom += popcount(one) + popcount(two)
        levels += height(state, first) + height(state, second)
    if state.out[1 - mover] == 0:
        first, second = np.int64(state.unit[2 - 2 * mover]), np.int64(state.unit[3 - 2 * mover])
        one, two = access(state, first, occupied), access(state, second, occupied)
        reach_other = one | two
        freedom -= popcount(one) + popcount(two)
        levels -= height(state, first) + height(state, second)
    free = state.planes[0] & ~state.planes[FULL] & ~occupied
    own, other = domains(state, reach, reach_other, free)
    if params.flood_fill:
        own, _ = domains(state, reach, EMPTY, free)
        other, _ = domains(state, reach_other, EMPTY, free)
    points = np.int64(state.score[mover]) - np.int64(state.score[1 - mover])
    value = cells_value(state, params, own) - cells_value(state, params, other)
    value += params.points * points + params.freedom * freedom + params.height * levels
    return value if seat == mover else -value


@candidates.register(State, Params)
@kernel
def wondev_candidates(state: Any, params: Any, out: Any) -> Any:
    """All legal actions."""
    return wondev_legal_moves(state, out)


@playable.register(State, Params)
@kernel
def wondev_playable(state: Any, params: Any, move: Any) -> Any:
    """Whether there is a legal action, from a few bits: about ten times as fast as listing them."""
    return YES if move >= 0 and is_legal(state, move) else NO


@tie_break.register(State, Params)
@kernel
def wondev_tie_break(state: Any, params: Any, move: Any) -> Any:
    """The height of the cell that is entered, or from which the enemy is pushed (write-up)."""
    return height(state, ((move >> 6) & 63) + STEP[(move >> 3) & 7])


@terminal_value.register(State, GreedyParams)
@terminal_value.register(State, Params)
@kernel
def wondev_terminal_value(state: Any, params: Any, seat: Any) -> Any:
    """The points, and the win; without a value for a win, the evaluation.

    A search that counts points from its root cannot tell who has won where the rules end the game.
    """
    if params.win == 0.0:
        return np.float64(evaluate(state, params, seat))
    points = np.int64(state.score[seat]) - np.int64(state.score[1 - seat])
    value = params.points * points
    if points > 0:
        return value + params.win
    if points < 0:
        return value - params.win
    return value
