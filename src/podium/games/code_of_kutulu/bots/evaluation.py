"""What a position is worth, and which choices are searched: the evaluation and the moves of Agade's write-up.

Moves of searches carry the place they are made from, so that the history heuristic counts them by player, position and
action as the write-up does: bits 0 .. 2 the choice, 3 .. 4 the seat, 5 .. 12 the explorer's cell. `play` looks
at the choice only.
"""

from typing import Any

import numpy as np
from numba.extending import overload

from podium.games.code_of_kutulu.bots.mind import Mind
from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL, distance_at, row_of
from podium.games.code_of_kutulu.rules import heard, is_stuck, kutulu_play, may_cast
from podium.games.code_of_kutulu.state import COMPANY_RADIUS, LIGHT, NOBODY, PLAN, SEATS, WAIT, YELL, State
from podium.kernel import JIT, allocate, kernel
from podium.kernel.bits import popcount
from podium.kernel.rules import candidates, evaluate
from podium.search.alphabeta import terminal_value

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
    above, level, below = 0, 0, 0
    for other in range(SEATS):
        if other == seat:
            continue
        if (state.living >> other & 1 and not state.over) or state.score[other] > state.score[seat]:
            above += 1
        elif state.score[other] == state.score[seat]:
            level += 1
        else:
            below += 1
    if above:
        return below * mind.place - mind.win + depth * mind.win_delay
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
    nearest = FARTHEST
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            distance = distance_at(row + state.cell[other])
            nearest = min(nearest, distance)
            total -= mind.enemy_sanity * state.sanity[other] + mind.explorer_distance * distance
    return total - mind.lonely * max(0, nearest - COMPANY_RADIUS)


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
def settled_value(state: Any, mind: Any, seat: Any) -> float:
    """The worth of a position between two turns."""
    if state.over or is_decided(state, seat):
        return decided_value(state, mind, seat)
    row = row_of(state.maze, state.cell[seat])
    yelled = popcount(state.yelled >> (SEATS * seat) & VICTIMS)
    stock = mind.plan_stock * state.plans[seat] + mind.light_stock * state.lights[seat]
    total = company_value(state, mind, seat, row) + minions_value(state, mind, seat, row)
    return total + stock - mind.yelled * yelled


@kernel
def completed_value(state: Any, mind: Any, seat: Any) -> float:
    """The worth of a position in mid-turn if all who have not chosen yet wait."""
    room = spare()
    room[0] = state
    rest = room[0]
    turn = state.turn
    while rest.turn == turn and not rest.over:
        kutulu_play(rest, WAIT)
    return settled_value(rest, mind, seat)


@evaluate.register(State, Mind)
@kernel
def kutulu_evaluate(state: Any, mind: Any, seat: Any) -> float:
    """The worth of a position for a seat."""
    if mind.complete and state.mover != state.first:
        return completed_value(state, mind, seat)
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
def only_waits(state: Any, mind: Any, seat: Any, me: Any) -> bool:
    """Whether a seat is held, or an enemy so far from me that the search ignores its choices."""
    if is_stuck(np.int64(state.yells), seat):
        return True
    if seat == me:
        return False
    row = row_of(state.maze, state.cell[me])
    distance = distance_at(row + state.cell[seat])
    nearer = 0
    for other in range(SEATS):
        if other != me and other != seat and state.living >> other & 1:
            far = distance_at(row + state.cell[other])
            nearer += far < distance or (far == distance and other < seat)
    return distance > mind.ignore_explorers or nearer >= mind.active_enemies


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
    wait = WAIT
    free_to_cast = not is_stuck(np.int64(state.yells), seat) and may_cast(state, seat)
    if mine and mind.plan_searched and free_to_cast and state.plans[seat] and state.sanity[seat] < mind.plan_below:
        wait = PLAN
    out[0] = move_of(state, seat, wait)
    count = 1
    if only_waits(state, mind, seat, me):
        return count
    for direction in range(4):
        if NEIGHBOUR[state.maze, state.cell[seat], direction] != NO_CELL:
            out[count] = move_of(state, seat, direction)
            count += 1
    if (mind.my_yell if mine else mind.enemy_yell) and heard(state, seat):
        out[count] = move_of(state, seat, YELL)
        count += 1
    lights = mind.my_light if mine else mind.enemy_light
    if lights and free_to_cast and state.lights[seat] and enemy_is_far(state, mind, seat):
        out[count] = move_of(state, seat, LIGHT)
        count += 1
    return count
