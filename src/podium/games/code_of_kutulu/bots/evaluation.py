"""What a position is worth: the evaluation of Agade's write-up, every term of it a parameter."""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.outlook import Outlook
from podium.games.code_of_kutulu.mazes import UNREACHABLE, distance_at, row_of
from podium.games.code_of_kutulu.rules import ALL_VICTIMS, kutulu_play
from podium.games.code_of_kutulu.state import (
    COMPANY_RADIUS,
    MOST_SANITY,
    NOBODY,
    PLAN_HEAL,
    PLAN_RADIUS,
    SEATS,
    WAIT,
    State,
)
from podium.kernel import kernel
from podium.kernel.bits import popcount
from podium.kernel.rules import evaluate
from podium.kernel.stack import on_stack
from podium.search.hooks import terminal_value


@kernel
def is_decided(state: Any, seat: Any) -> bool:
    """Whether nothing that is still to come can change much: the seat is out, or is the only one left."""
    return not state.living >> seat & 1 or state.living == 1 << seat


@kernel
def decided_value(state: Any, outlook: Any, seat: Any) -> float:
    """The worth of a decided or ended game: a win sooner and a loss later are better.

    A seat that is out has lost to all who live, and to all who went out later.
    """
    depth = np.float64(np.int64(state.turn) - outlook.origin)
    if state.living == 1 << seat and not state.over:
        return outlook.win - depth * outlook.win_delay
    above, level = 0, 0
    for other in range(SEATS):
        if other == seat:
            continue
        if (state.living >> other & 1 and not state.over) or state.score[other] > state.score[seat]:
            above += 1
        elif state.score[other] == state.score[seat]:
            level += 1
    if above:
        return depth * outlook.win_delay - outlook.win
    if level:
        return depth * outlook.draw_delay
    return outlook.win - depth * outlook.win_delay


@terminal_value.register(State, Outlook)
@kernel
def kutulu_terminal_value(state: Any, outlook: Any, seat: Any) -> float:
    """The worth of an ended game."""
    return decided_value(state, outlook, seat)


@kernel
def company_value(state: Any, outlook: Any, seat: Any, row: Any) -> float:
    """Sanities, and the distances to the other explorers."""
    total = outlook.my_sanity * state.sanity[seat]
    weight = outlook.enemy_sanity / max(1, outlook.rivals) if outlook.enemy_mean else outlook.enemy_sanity
    nearest = UNREACHABLE
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            distance = distance_at(row + state.cell[other])
            nearest = min(nearest, distance)
            total -= weight * state.sanity[other] + outlook.explorer_distance * distance
    dearer: Any = np.int64(state.lonely) - np.int64(state.group)  # what a turn alone costs
    if outlook.rivals == 1:
        dearer = 0  # if one of two is alone, so is the other
    return total - (outlook.lonely + outlook.way_back * dearer) * max(0, nearest - COMPANY_RADIUS)


@kernel
def minions_value(state: Any, outlook: Any, seat: Any, row: Any) -> float:
    """The distances to minions and their targets, and how many of them are after me."""
    total = 0.0
    nearest = UNREACHABLE
    for i in range(np.int64(state.minions)):
        distance = distance_at(row + state.where[i])
        nearest = min(nearest, distance)
        total += outlook.minion_distance * distance
        target = np.int64(state.target[i])
        if target == seat:
            total -= outlook.slasher_target if state.slasher[i] else outlook.wanderer_target
        elif target != NOBODY and state.living >> target & 1:
            total += outlook.target_distance * distance_at(row + state.cell[target])
    if state.minions:
        total += outlook.nearest_minion * nearest
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
def settled_value(state: Any, outlook: Any, seat: Any) -> float:
    """The worth of a position between two turns."""
    if state.over or is_decided(state, seat):
        return decided_value(state, outlook, seat)
    row = row_of(state.maze, state.cell[seat])
    yelled = popcount(state.yelled >> (SEATS * seat) & ALL_VICTIMS)
    stock = outlook.plan_stock * state.plans[seat]
    total = company_value(state, outlook, seat, row) + minions_value(state, outlook, seat, row)
    if state.plan_left[seat]:
        total += outlook.plan_turn * plan_gain(state, seat)
    return total + stock - outlook.yelled * yelled


@kernel
def completed(state: Any, room: Any) -> Any:
    """The position after a turn in which all who have not chosen yet wait; `room` is for one state."""
    room[0] = state
    turn = state.turn
    while room[0].turn == turn and not room[0].over:
        kutulu_play(room[0], np.int64(WAIT))
    return room[0]


@evaluate.register(State, Outlook)
@kernel
def kutulu_evaluate(state: Any, outlook: Any, seat: Any) -> float:
    """The worth of a position for a seat."""
    if outlook.complete and state.mover != state.first:
        return settled_value(completed(state, on_stack(1, State)), outlook, seat)
    return settled_value(state, outlook, seat)
