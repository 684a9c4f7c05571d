"""The choices that are searched: those of Agade's write-up, and few for enemies that are far.

Moves of searches carry the place they are made from (`context`), so that the history heuristic counts them by player,
position and action as the write-up does.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.context import (
    CHOICE_BITS,
    NOTED_TURNS,
    SEARCHED,
    SEAT_BITS,
    Context,
    play_imagined,
)
from podium.games.code_of_kutulu.bots.evaluation import is_decided
from podium.games.code_of_kutulu.bots.prediction import best_step, keep_plausible
from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL, distance_at, row_of
from podium.games.code_of_kutulu.rules import heard, is_stuck, key_before_turn, may_cast
from podium.games.code_of_kutulu.state import CHOICES, LIGHT, PLAN, SEATS, WAIT, YELL, State
from podium.kernel import kernel
from podium.model.hooks import advance
from podium.model.rules import candidates


@kernel
def move_of(state: Any, seat: Any, choice: Any) -> Any:
    """A choice with its seat and cell."""
    return choice | seat << CHOICE_BITS | np.int64(state.cell[seat]) << (CHOICE_BITS + SEAT_BITS)


@kernel
def enemy_is_far(state: Any, context: Any, seat: Any) -> bool:
    """Whether an enemy is so far that a light can send minions to it."""
    row = row_of(state.maze, state.cell[seat])
    for other in range(SEATS):
        far = distance_at(row + state.cell[other]) > context.light_distance
        if other != seat and state.living >> other & 1 and far:
            return True
    return False


@kernel
def is_active(state: Any, context: Any, seat: Any) -> Any:
    """Whether all choices of a seat are searched: those of the searching seat and of the enemies nearest to it."""
    me = context.seat
    if seat == me:
        return True
    row = row_of(state.maze, state.cell[me])
    distance = distance_at(row + state.cell[seat])
    nearer = 0
    for other in range(SEATS):
        if other != me and other != seat and state.living >> other & 1:
            far = distance_at(row + state.cell[other])
            nearer += far < distance or (far == distance and other < seat)
    return nearer < context.active_enemies


@kernel
def choices_of(state: Any, context: Any, seat: Any) -> Any:
    """How many choices a seat has in the search, besides waiting for want of any: few for far enemies."""
    me = context.seat
    if is_stuck(np.int64(state.yells), seat):
        return 0
    if seat == me:
        return CHOICES
    if distance_at(row_of(state.maze, state.cell[me]) + state.cell[seat]) > context.ignore_explorers:
        return 0
    return CHOICES if is_active(state, context, seat) else np.int64(context.far_choices)


@kernel
def steps_of(state: Any, seat: Any, out: Any) -> Any:
    """WAIT and the steps of a seat; how many."""
    out[0] = move_of(state, seat, np.int64(WAIT))
    count = 1
    for direction in range(4):
        if NEIGHBOUR[state.maze, state.cell[seat], direction] != NO_CELL:
            out[count] = move_of(state, seat, direction)
            count += 1
    return count


@kernel
def foresee(state: Any, context: Any, turn: Any) -> None:
    """Note the one choice of each enemy that is not active; it does not depend on what the others choose."""
    for seat in range(SEATS):
        if state.living >> seat & 1:
            choice = np.int64(SEARCHED)
            if not is_active(state, context, seat):
                choice = np.int64(WAIT)
                if choices_of(state, context, seat):
                    choice = best_step(state, context, seat)
            context.foreseen[turn, seat] = choice


@kernel
def foreseen(state: Any, context: Any) -> Any:
    """The mover's predicted choice; SEARCHED if it has more than one, or the game is decided."""
    seat = np.int64(state.mover)
    if seat == context.seat or context.far_choices > 1 or state.over or is_decided(state, context.seat):
        return np.int64(SEARCHED)
    turn = (np.int64(state.turn) - context.origin) & (NOTED_TURNS - 1)
    before = key_before_turn(state)
    if context.foreseen_for[turn] != before:
        foresee(state, context, turn)
        context.foreseen_for[turn] = before
    return np.int64(context.foreseen[turn, seat])


@kernel
def skip_predicted(state: Any, context: Any) -> None:
    """Play what is predicted, up to the next choice that is searched."""
    choice = foreseen(state, context)
    while choice != SEARCHED:
        play_imagined(state, context, choice)
        choice = foreseen(state, context)


@advance.register(State, Context)
@kernel
def kutulu_advance(state: Any, context: Any, move: Any) -> None:
    """Play a choice, and then those that are predicted, up to the next one that is searched."""
    play_imagined(state, context, move)
    skip_predicted(state, context)


@candidates.register(State, Context)
@kernel
def kutulu_candidates(state: Any, context: Any, out: Any) -> Any:
    """The choices that the search considers for the mover; none in a decided game."""
    me, seat = context.seat, np.int64(state.mover)
    if is_decided(state, me):
        return 0
    mine = seat == me
    most = choices_of(state, context, seat)
    if most == 0:
        out[0] = move_of(state, seat, np.int64(WAIT))
        return 1
    if most == 1:
        out[0] = move_of(state, seat, foreseen(state, context))
        return 1
    count = steps_of(state, seat, out)
    free_to_cast = may_cast(state, seat)
    if (context.my_yell if mine else context.enemy_yell) and heard(state, seat):
        out[count] = move_of(state, seat, np.int64(YELL))
        count += 1
    plans = mine and context.plan_searched and state.sanity[seat] < context.plan_below
    if plans and free_to_cast and state.plans[seat]:
        out[count] = move_of(state, seat, np.int64(PLAN))
        count += 1
    lights = context.my_light if mine else context.enemy_light
    if lights and free_to_cast and state.lights[seat] and enemy_is_far(state, context, seat):
        out[count] = move_of(state, seat, np.int64(LIGHT))
        count += 1
    if not mine and most < count:
        return keep_plausible(state, context, seat, out, count, most)
    return count
