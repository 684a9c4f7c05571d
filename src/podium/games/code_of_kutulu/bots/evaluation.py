"""The evaluation of Agade's write-up; every term is a parameter."""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.context import Context, play_imagined
from podium.games.code_of_kutulu.mazes import SIGHT_SHIFT, UNREACHABLE, distance_at, distance_of, row_of, word_at
from podium.games.code_of_kutulu.rules import ALL_VICTIMS
from podium.games.code_of_kutulu.state import (
    COMPANY_RADIUS,
    MOST_SANITY,
    NOBODY,
    PLAN_HEAL,
    PLAN_RADIUS,
    RUSHING,
    SEATS,
    STALKING,
    WAIT,
    State,
)
from podium.kernel import kernel
from podium.kernel.bits import popcount
from podium.kernel.stack import on_stack
from podium.model.hooks import terminal_value
from podium.model.rules import evaluate

HUNTED_STEPS = 7  # from which on a wanderer after me does not count


@kernel
def is_decided(state: Any, seat: Any) -> bool:
    """Whether nothing that is still to come can change much: the seat is out, or is the only one left."""
    return not state.living >> seat & 1 or state.living == 1 << seat


@kernel
def decided_value(state: Any, context: Any, seat: Any) -> Any:
    """The value of a decided or ended game: a win is better sooner, a loss later.

    A seat that is out has lost to all who live, and to all who went out later.
    """
    depth = np.float64(np.int64(state.turn) - context.origin)
    if state.living == 1 << seat and not state.over:
        return context.win - depth * context.win_delay
    above, level = 0, 0
    for other in range(SEATS):
        if other == seat:
            continue
        if (state.living >> other & 1 and not state.over) or state.score[other] > state.score[seat]:
            above += 1
        elif state.score[other] == state.score[seat]:
            level += 1
    if above:
        return depth * context.win_delay - context.win
    if level:
        return depth * context.draw_delay
    return context.win - depth * context.win_delay


@terminal_value.register(State, Context)
@kernel
def kutulu_terminal_value(state: Any, context: Any, seat: Any) -> Any:
    """The value of an ended game."""
    return decided_value(state, context, seat)


@kernel
def company_value(state: Any, context: Any, seat: Any, row: Any) -> Any:
    """Sanities, and the distances to the other explorers."""
    total = context.my_sanity * state.sanity[seat]
    weight = context.enemy_sanity / max(1, context.rivals) if context.enemy_mean else context.enemy_sanity
    nearest = UNREACHABLE
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            distance = distance_at(row + state.cell[other])
            nearest = min(nearest, distance)
            total -= weight * state.sanity[other] + context.explorer_distance * distance
    dearer: Any = np.int64(state.lonely) - np.int64(state.group)  # what a turn alone costs
    if context.rivals == 1:
        dearer = 0  # if one of two is alone, so is the other
    return total - (context.lonely + context.lonely_loss * dearer) * max(0, nearest - COMPANY_RADIUS)


@kernel
def threat(state: Any, context: Any, index: Any, word: Any) -> Any:
    """What a minion may still do to the seat that it targets; `word` is of the way between them."""
    if not state.slasher[index]:
        return context.wanderer_target + context.hunted * max(0, HUNTED_STEPS - distance_of(word))
    total = context.slasher_target
    if word >> SIGHT_SHIFT:
        if state.mode[index] == RUSHING:
            total += context.rushed
        elif state.mode[index] == STALKING:
            total += context.stalked
    return total


@kernel
def minions_value(state: Any, context: Any, seat: Any, row: Any) -> float:
    """The distances to minions and their targets, and how many of them are after me."""
    total = 0.0
    nearest = UNREACHABLE
    for i in range(np.int64(state.minions)):
        word = word_at(row + state.where[i])
        distance = distance_of(word)
        nearest = min(nearest, distance)
        total += context.minion_distance * distance
        target = np.int64(state.target[i])
        if target == seat:
            total -= threat(state, context, i, word)
        elif target != NOBODY and state.living >> target & 1:
            total += context.target_distance * distance_at(row + state.cell[target])
    if state.minions:
        total += context.nearest_minion * nearest
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
def settled_value(state: Any, context: Any, seat: Any) -> Any:
    """The value of a position between two turns."""
    if state.over or is_decided(state, seat):
        return decided_value(state, context, seat)
    row = row_of(state.maze, state.cell[seat])
    yelled = popcount(state.yelled >> (SEATS * seat) & ALL_VICTIMS)
    stock = context.plan_stock * state.plans[seat]
    total = company_value(state, context, seat, row) + minions_value(state, context, seat, row)
    if state.plan_left[seat]:
        total += context.plan_turn * plan_gain(state, seat)
    return total + stock - context.yelled * yelled


@kernel
def completed(state: Any, context: Any, room: Any) -> Any:
    """The position after a turn in which all who have not chosen yet wait; `room` is for one state."""
    room[0] = state
    turn = state.turn
    while room[0].turn == turn and not room[0].over:
        play_imagined(room[0], context, np.int64(WAIT))
    return room[0]


@evaluate.register(State, Context)
@kernel
def kutulu_evaluate(state: Any, context: Any, seat: Any) -> Any:
    """The value of a position for a seat."""
    if context.complete and state.mover != state.first:
        return settled_value(completed(state, context, on_stack(1, State)), context, seat)
    return settled_value(state, context, seat)
