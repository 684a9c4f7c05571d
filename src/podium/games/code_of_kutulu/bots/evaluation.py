"""What a position is worth, and which choices are searched: the evaluation and the moves of Agade's write-up.

Moves of searches carry the place they are made from, so that the history heuristic counts them by player, position and
action as the write-up does: bits 0 .. 2 the choice, 3 .. 4 the seat, 5 .. 12 the explorer's cell. `play` looks
at the choice only.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from podium.games.code_of_kutulu.bots.mind import Mind
from podium.games.code_of_kutulu.bots.prediction import keep_plausible
from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL, distance_at, row_of
from podium.games.code_of_kutulu.rules import heard, is_stuck, kutulu_play, may_cast
from podium.games.code_of_kutulu.state import (
    CHOICES,
    COMPANY_RADIUS,
    LIGHT,
    MOST_SANITY,
    NOBODY,
    PLAN,
    PLAN_HEAL,
    PLAN_RADIUS,
    SEATS,
    WAIT,
    YELL,
    State,
)
from podium.kernel import JIT, allocate, kernel
from podium.kernel.bits import popcount
from podium.kernel.rules import candidates, evaluate
from podium.search.hooks import terminal_value

CHOICE_BITS, SEAT_BITS = 3, 2
CHOICE_MASK = (1 << CHOICE_BITS) - 1
VICTIMS = 0xF
FARTHEST = 63


def spare() -> Any:
    """Room for one more state."""
    return allocate(State, 1)


if JIT:

    @overload(spare)
    def _spare() -> Any:
        return lambda: np.empty(1, State)


@kernel
def is_decided(state: Any, seat: Any) -> bool:
    """Whether nothing that is still to come can change much: the seat is out, or is the only one left."""
    return not state.living >> seat & 1 or state.living == 1 << seat


@kernel
def decided_value(state: Any, mind: Any, seat: Any) -> float:
    """The worth of a decided or ended game: a win sooner and a loss later are better.

    A seat that is out has lost to all who live, and to all who went out later.
    """
    depth = np.float64(np.int64(state.turn) - np.int64(state.origin))
    if state.living == 1 << seat and not state.over:
        return mind.win - depth * mind.win_delay
    above, level = 0, 0
    for other in range(SEATS):
        if other == seat:
            continue
        if (state.living >> other & 1 and not state.over) or state.score[other] > state.score[seat]:
            above += 1
        elif state.score[other] == state.score[seat]:
            level += 1
    if above:
        return depth * mind.win_delay - mind.win
    if level:
        return depth * mind.draw_delay
    return mind.win - depth * mind.win_delay


@terminal_value.register(State, Mind)
@kernel
def kutulu_terminal_value(state: Any, mind: Any, seat: Any) -> float:
    """The worth of an ended game."""
    return decided_value(state, mind, seat)


@kernel
def company_value(state: Any, mind: Any, seat: Any, row: Any) -> float:
    """Sanities, and the distances to the other explorers."""
    total = mind.my_sanity * state.sanity[seat]
    weight = mind.enemy_sanity / max(1, state.rivals) if mind.enemy_mean else mind.enemy_sanity
    nearest = FARTHEST
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            distance = distance_at(row + state.cell[other])
            nearest = min(nearest, distance)
            total -= weight * state.sanity[other] + mind.explorer_distance * distance
    dearer: Any = np.int64(state.lonely) - np.int64(state.group)  # what a turn alone costs
    if state.rivals == 1:
        dearer = 0  # if one of two is alone, so is the other
    return total - (mind.lonely + mind.way_back * dearer) * max(0, nearest - COMPANY_RADIUS)


@kernel
def minions_value(state: Any, mind: Any, seat: Any, row: Any) -> float:
    """The distances to minions and their targets, and how many of them are after me."""
    total = 0.0
    nearest = FARTHEST
    for i in range(np.int64(state.minions)):
        distance = distance_at(row + state.where[i])
        nearest = min(nearest, distance)
        total += mind.minion_distance * distance
        target = np.int64(state.target[i])
        if target == seat:
            total -= mind.slasher_target if state.slasher[i] else mind.wanderer_target
        elif target != NOBODY and state.living >> target & 1:
            total += mind.target_distance * distance_at(row + state.cell[target])
    if state.minions:
        total += mind.nearest_minion * nearest
    return total


@kernel
def plan_gain(state: Any, seat: Any) -> Any:
    """What the turns left of a seat's PLAN would heal if all stayed where they are."""
    row = row_of(state.maze, state.cell[seat])
    company = 1
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            company += distance_at(row + state.cell[other]) <= PLAN_RADIUS
    gain = PLAN_HEAL * company * np.int64(state.plan_left[seat])
    return min(gain, MOST_SANITY - np.int64(state.sanity[seat]))


@kernel
def settled_value(state: Any, mind: Any, seat: Any) -> float:
    """The worth of a position between two turns."""
    if state.over or is_decided(state, seat):
        return decided_value(state, mind, seat)
    row = row_of(state.maze, state.cell[seat])
    yelled = popcount(state.yelled >> (SEATS * seat) & VICTIMS)
    stock = mind.plan_stock * state.plans[seat]
    total = company_value(state, mind, seat, row) + minions_value(state, mind, seat, row)
    if state.plan_left[seat]:
        total += mind.plan_turn * plan_gain(state, seat)
    return total + stock - mind.yelled * yelled


@kernel
def completed(state: Any, room: Any) -> Any:
    """The position after a turn in which all who have not chosen yet wait; `room` is for one state."""
    room[0] = state
    turn = state.turn
    while room[0].turn == turn and not room[0].over:
        kutulu_play(room[0], WAIT)
    return room[0]


@evaluate.register(State, Mind)
@kernel
def kutulu_evaluate(state: Any, mind: Any, seat: Any) -> float:
    """The worth of a position for a seat."""
    if mind.complete and state.mover != state.first:
        return settled_value(completed(state, spare()), mind, seat)
    return settled_value(state, mind, seat)


@kernel
def move_of(state: Any, seat: Any, choice: Any) -> Any:
    """A choice with its seat and cell."""
    return choice | seat << CHOICE_BITS | np.int64(state.cell[seat]) << (CHOICE_BITS + SEAT_BITS)


@kernel
def enemy_is_far(state: Any, mind: Any, seat: Any) -> bool:
    """Whether an enemy is so far that a light can send minions to it."""
    row = row_of(state.maze, state.cell[seat])
    for other in range(SEATS):
        far = distance_at(row + state.cell[other]) > mind.light_distance
        if other != seat and state.living >> other & 1 and far:
            return True
    return False


@kernel
def choices_of(state: Any, mind: Any, seat: Any, me: Any) -> Any:
    """How many choices a seat has in the search, besides waiting for want of any: few for far enemies."""
    if is_stuck(np.int64(state.yells), seat):
        return 0
    if seat == me:
        return CHOICES
    row = row_of(state.maze, state.cell[me])
    distance = distance_at(row + state.cell[seat])
    if distance > mind.ignore_explorers:
        return 0
    nearer = 0
    for other in range(SEATS):
        if other != me and other != seat and state.living >> other & 1:
            far = distance_at(row + state.cell[other])
            nearer += far < distance or (far == distance and other < seat)
    return np.int64(mind.far_choices if nearer >= mind.active_enemies else CHOICES)


@kernel
def foresee(state: Any, mind: Any, me: Any, out: Any) -> None:
    """Note the one choice of each far enemy: it is the same whatever the others choose in this turn."""
    for seat in range(SEATS):
        if seat != me and state.living >> seat & 1 and choices_of(state, mind, seat, me) == 1:
            count = steps_of(state, seat, out)
            keep_plausible(state, mind, seat, out, count, 1)
            state.foreseen[seat] = out[0] & CHOICE_MASK
    state.foreseen_for = state.turn + 1


@kernel
def steps_of(state: Any, seat: Any, out: Any) -> Any:
    """WAIT and the steps of a seat; how many."""
    out[0] = move_of(state, seat, WAIT)
    count = 1
    for direction in range(4):
        if NEIGHBOUR[state.maze, state.cell[seat], direction] != NO_CELL:
            out[count] = move_of(state, seat, direction)
            count += 1
    return count


@candidates.register(State, Mind)
@kernel
def kutulu_candidates(state: Any, mind: Any, out: Any) -> Any:
    """The choices that the search considers for the mover; none in a decided game.

    The seat for which the record was set up (`unlucky`) is the one that searches.
    """
    me, seat = np.int64(state.unlucky), np.int64(state.mover)
    if is_decided(state, me):
        return 0
    mine = seat == me
    most = choices_of(state, mind, seat, me)
    if most == 0:
        out[0] = move_of(state, seat, WAIT)
        return 1
    if most == 1 and state.foreseen_for == state.turn + 1:
        out[0] = move_of(state, seat, np.int64(state.foreseen[seat]))
        return 1
    if mine and mind.far_choices == 1:
        foresee(state, mind, me, out)
    count = steps_of(state, seat, out)
    free_to_cast = may_cast(state, seat)
    if (mind.my_yell if mine else mind.enemy_yell) and heard(state, seat):
        out[count] = move_of(state, seat, YELL)
        count += 1
    if mine and mind.plan_searched and free_to_cast and state.plans[seat] and state.sanity[seat] < mind.plan_below:
        out[count] = move_of(state, seat, PLAN)
        count += 1
    lights = mind.my_light if mine else mind.enemy_light
    if lights and free_to_cast and state.lights[seat] and enemy_is_far(state, mind, seat):
        out[count] = move_of(state, seat, LIGHT)
        count += 1
    if not mine and most < count:
        return keep_plausible(state, mind, seat, out, count, most)
    return count
