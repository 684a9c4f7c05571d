"""The rules of Wondev Woman on bitboards.

A player without a legal action still has one move, GIVE_UP, which puts it out: so the game tree of a search is the
referee's game, eliminations included. Legality asks what the mover sees, as the referee does: an unseen enemy makes no
action illegal, but cancels the build or the push.
"""

from typing import Any

import numpy as np

from podium.games.wondev_woman.board import (
    DIRECTION,
    GIVE_UP,
    IS_ONWARD,
    NEIGHBOURS,
    NOWHERE,
    ONWARD,
    PASS,
    PUSH,
    PUSH_BIT,
    STEP,
    TARGET,
)
from podium.games.wondev_woman.state import (
    FULL,
    LATE,
    MOVER_HASH,
    OUT_HASH,
    POINT,
    ROUND_HASH,
    ROUNDS,
    SCORE_HASH,
    State,
    bit,
    height,
    put,
    raise_cell,
    units_of,
)
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE, lowest
from podium.model.rules import final_score, is_over, key, legal_moves, mover, play

# The reasons why an action is illegal, by the official referee's names, in the order of its checks.
REASONS = (
    "",
    "BadCoords",
    "InvalidMove",
    "MoveTooHigh",
    "MoveOnUnit",
    "InvalidPlace",
    "PlaceTooHigh",
    "PlaceOnUnit",
    "PushInvalid",
    "PushVoid",
    "FriendlyFire",
    "PushOnUnit",
)
LEGAL = 0
(
    BAD_COORDS,
    INVALID_MOVE,
    MOVE_TOO_HIGH,
    MOVE_ON_UNIT,
    INVALID_PLACE,
    PLACE_TOO_HIGH,
    PLACE_ON_UNIT,
    PUSH_INVALID,
    PUSH_VOID,
    FRIENDLY_FIRE,
    PUSH_ON_UNIT,
) = range(1, 12)


@kernel
def enterable(state: Any, level: Any) -> Any:
    """The cells that may be entered from a height, occupied or not."""
    return state.planes[0] & ~state.planes[min(level + 2, FULL)]


@kernel
def sight(state: Any, seat: Any) -> Any:
    """The cells within one step of a player's units, theirs included."""
    own = units_of(state, seat)
    return own | NEIGHBOURS[state.unit[2 * seat]] | NEIGHBOURS[state.unit[2 * seat + 1]]


@kernel
def access(state: Any, cell: Any, occupied: Any) -> Any:
    """The free cells that a unit on a cell may enter."""
    return NEIGHBOURS[cell] & enterable(state, height(state, cell)) & ~occupied


@kernel
def judge(state: Any, kind: Any, unit: Any, first: Any, second: Any) -> Any:
    """LEGAL, or the first reason why an action of the mover's unit 0 or 1 is illegal."""
    seat = np.int64(state.mover)
    start = np.int64(state.unit[2 * seat + unit])
    target = TARGET[first, start]
    place = TARGET[second, target]
    own, enemy = units_of(state, seat), units_of(state, 1 - seat)
    blocked = (own | (enemy & sight(state, seat))) & ~bit(NOWHERE)
    if kind == PUSH:
        return _judge_push(state, first, second, target, place, own, enemy, blocked)
    if not state.planes[0] & bit(target):
        return BAD_COORDS
    if height(state, target) > height(state, start) + 1:
        return INVALID_MOVE
    if height(state, target) >= FULL:
        return MOVE_TOO_HIGH
    if (own | enemy) & bit(target):
        return MOVE_ON_UNIT
    if not state.planes[0] & bit(place):
        return INVALID_PLACE
    if height(state, place) >= FULL:
        return PLACE_TOO_HIGH
    if blocked & ~bit(start) & bit(place):
        return PLACE_ON_UNIT
    return LEGAL


@kernel
def _judge_push(
    state: Any, first: Any, second: Any, target: Any, place: Any, own: Any, enemy: Any, blocked: Any
) -> Any:
    if not IS_ONWARD[first, second]:
        return PUSH_INVALID
    if not (own | enemy) & bit(target) & ~bit(NOWHERE):
        return PUSH_VOID
    if own & bit(target):
        return FRIENDLY_FIRE
    if not enterable(state, height(state, target)) & bit(place):
        return PUSH_INVALID
    if blocked & bit(place):
        return PUSH_ON_UNIT
    return LEGAL


@mover.register(State)
@kernel
def wondev_mover(state: Any) -> Any:
    """The player to move."""
    return np.int64(state.mover)


@legal_moves.register(State)
@kernel
def wondev_legal_moves(state: Any, out: Any) -> Any:
    """The legal actions of the player to move: moves before pushes."""
    seat = np.int64(state.mover)
    own, enemy = units_of(state, seat), units_of(state, 1 - seat)
    occupied = own | enemy
    seen = sight(state, seat)
    room = state.planes[0] & ~state.planes[FULL]
    count = 0
    for index in range(2):
        start = np.int64(state.unit[2 * seat + index])
        targets = access(state, start, occupied)
        open_cells = room & ~((occupied & seen) & ~bit(start))
        while targets:
            target = lowest(targets)
            targets &= targets - ONE
            code = (start << 6) + (DIRECTION[target - start + 9] << 3)
            places = NEIGHBOURS[target] & open_cells
            while places:
                out[count] = code + DIRECTION[lowest(places) - target + 9]
                places &= places - ONE
                count += 1
    for index in range(2):
        start = np.int64(state.unit[2 * seat + index])
        targets = NEIGHBOURS[start] & enemy
        while targets:
            target = lowest(targets)
            targets &= targets - ONE
            first = DIRECTION[target - start + 9]
            code = PUSH_BIT + (start << 6) + (first << 3)
            places = ONWARD[first, target] & enterable(state, height(state, target)) & ~(occupied & seen)
            while places:
                out[count] = code + DIRECTION[lowest(places) - target + 9]
                places &= places - ONE
                count += 1
    if count == 0:
        out[0] = PASS if own == bit(NOWHERE) else GIVE_UP
        count = 1
    return count


@kernel
def is_legal(state: Any, move: Any) -> Any:
    """Whether any code below ACTIONS is that of a legal action of the player to move; never for GIVE_UP and PASS."""
    seat = np.int64(state.mover)
    start = (move >> 6) & 63
    if start == NOWHERE or (state.unit[2 * seat] != start and state.unit[2 * seat + 1] != start):
        return False
    first = (move >> 3) & 7
    target = TARGET[first, start]
    place = TARGET[move & 7, target]
    own, enemy = units_of(state, seat), units_of(state, 1 - seat)
    blocked = (own | enemy) & sight(state, seat)
    if move & PUSH_BIT:
        onward = ONWARD[first, target] & enterable(state, height(state, target)) & ~blocked
        return (enemy & bit(target)) != EMPTY and (onward & bit(place)) != EMPTY
    room = state.planes[0] & ~state.planes[FULL] & ~(blocked & ~bit(start))
    return (access(state, start, own | enemy) & bit(target)) != EMPTY and (room & bit(place)) != EMPTY


@play.register(State)
@kernel
def wondev_play(state: Any, move: Any) -> None:
    """Carry out an action of the player to move, and pass the turn on."""
    seat = np.int64(state.mover)
    if move == GIVE_UP:
        state.out[seat] = 1
        state.zobrist ^= OUT_HASH[seat]
    elif move != PASS:
        start = (move >> 6) & 63
        target = start + STEP[(move >> 3) & 7]
        place = target + STEP[move & 7]
        taken = units_of(state, 0) | units_of(state, 1)
        if move & PUSH_BIT:
            if not taken & bit(place):
                foe = 2 * (1 - seat)
                put(state, foe if state.unit[foe] == target else foe + 1, place)
                raise_cell(state, target)
        else:
            index = 2 * seat if state.unit[2 * seat] == start else 2 * seat + 1
            put(state, index, target)
            state.score[seat] += np.int64((state.planes[POINT] >> np.uint64(target)) & ONE)
            if not taken & bit(place) & ~bit(start):
                raise_cell(state, place)
    pass_turn(state, seat, move == GIVE_UP)


@kernel
def decided(state: Any) -> Any:
    """Both players are out, or one is and the other has more points."""
    if state.out[0]:
        return state.out[1] != 0 or state.score[1] > state.score[0]
    return state.out[1] != 0 and state.score[0] > state.score[1]


@kernel
def pass_turn(state: Any, seat: Any, went_out: bool) -> None:
    """Find the seat that is asked next after a seat, or end the game.

    The end is looked for at once when somebody goes out, otherwise when the round is complete.
    """
    if went_out and decided(state):
        state.over = 1
        return
    following = 1
    if seat == 1 or state.out[1]:
        state.rounds += 1
        if state.rounds >= ROUNDS or decided(state):
            state.over = 1
        following = 1 if state.out[0] else 0
    if following != seat:
        state.mover = following
        state.zobrist ^= MOVER_HASH[0] ^ MOVER_HASH[1]


@is_over.register(State)
@kernel
def wondev_is_over(state: Any) -> Any:
    """Whether the game has ended."""
    return state.over != 0


@final_score.register(State)
@kernel
def wondev_final_score(state: Any, seat: Any) -> Any:
    """The difference of the points."""
    return np.int64(state.score[seat]) - np.int64(state.score[1 - seat])


@key.register(State)
@kernel
def wondev_key(state: Any) -> Any:
    """Hash of the position, of the difference of the points and, near the last round, of the round."""
    hashed = state.zobrist ^ SCORE_HASH[np.int64(state.score[0]) - np.int64(state.score[1]) + ROUNDS]
    if state.rounds >= LATE:
        hashed ^= ROUND_HASH[state.rounds]
    return hashed
