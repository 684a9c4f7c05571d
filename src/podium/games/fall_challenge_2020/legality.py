"""Legality in Fall Challenge 2020: which actions succeed, and the list of all of them.

Inventories are the referee's 32-bit numbers, with its wrap-around: absurd counts of a repeated cast are judged exactly.
An inventory that can only come from those has no rank, and its legal moves are found one by one.
"""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.cards import (
    BINOMIAL_2,
    BINOMIAL_3,
    BINOMIAL_4,
    CAPACITY,
    CASTABLE,
    DELTA_SUMS,
    DELTAS,
    MOST_TIMES,
    ORDER_DELTAS,
    ORDERS,
    PAYABLE,
    REPEATABLE,
    SPELLS,
    TIERS,
    TOME_SPELLS,
)
from podium.games.fall_challenge_2020.state import (
    BONUSES,
    BREW,
    CAST,
    COUNTER_PLACES,
    LEARN,
    REST,
    TOME_PLACES,
    WAIT,
    card_at,
    card_of,
    encode,
    kind_of,
    place_of,
    times_of,
    wrap,
)
from podium.kernel import kernel
from podium.kernel.bits import ONE, lowest


@kernel
def rank(state: Any, seat: int) -> Any:
    """The rank of a player's inventory, or -1 if no sane casts lead to it."""
    a = np.int64(state.inventory[seat, 0])
    b = np.int64(state.inventory[seat, 1])
    c = np.int64(state.inventory[seat, 2])
    d = np.int64(state.inventory[seat, 3])
    if (a | b | c | d) & ~15 or a + b + c + d > CAPACITY:
        return -1
    return BINOMIAL_4[a + b + c + d] + BINOMIAL_3[a + b + c] + BINOMIAL_2[a + b] + a


@kernel
def bonus(state: Any, place: int) -> int:
    """The urgency bonus that a brew at a place of the counter earns now."""
    if place > 1 or state.left[place] <= 0:
        return 0
    if place == 1:
        return BONUSES[1]
    return BONUSES[1] if state.slid else BONUSES[0]


@kernel
def inventory_sum(state: Any, seat: int) -> Any:
    """How many ingredients a player has, as a 32-bit sum."""
    total = np.int64(0)
    for tier in range(TIERS):
        total += np.int64(state.inventory[seat, tier])
    return wrap(total)


@kernel
def can_cast(state: Any, seat: int, spell: int, times: int) -> Any:
    """Whether a player may cast a spell so often: the net result counts, in 32-bit numbers."""
    if times == 0 or (times > 1 and not REPEATABLE[spell]) or not (state.ready[seat] >> np.uint64(spell)) & ONE:
        return False
    for tier in range(TIERS):
        if wrap(np.int64(state.inventory[seat, tier]) + DELTAS[spell, tier] * times) < 0:
            return False
    return wrap(inventory_sum(state, seat) + DELTA_SUMS[spell] * times) <= CAPACITY


@kernel
def can_learn(state: Any, seat: int, spell: int) -> bool:
    """Whether a spell lies in the tome and the player can pay its tax."""
    place = place_of(state.tome, spell, TOME_PLACES)
    return place >= 0 and state.inventory[seat, 0] >= place


@kernel
def has_ingredients(state: Any, seat: int, order: int) -> bool:
    """Whether a player has the ingredients of an order."""
    missing = False
    for tier in range(TIERS):
        missing |= wrap(np.int64(state.inventory[seat, tier]) + ORDER_DELTAS[order, tier]) < 0
    return not missing


@kernel
def can_brew(state: Any, seat: int, order: int) -> bool:
    """Whether an order lies on the counter and the player has its ingredients."""
    return place_of(state.counter, order, COUNTER_PLACES) >= 0 and has_ingredients(state, seat, order)


@kernel
def is_legal(state: Any, seat: int, move: int) -> bool:
    """Whether a move would succeed. A REST with nothing to renew is a failure without consequence, so not legal."""
    kind = kind_of(move)
    card = card_of(move)
    if kind == CAST:
        return card < SPELLS and can_cast(state, seat, card, times_of(move))
    if kind == LEARN:
        return card < TOME_SPELLS and can_learn(state, seat, card)
    if kind == BREW:
        return card < ORDERS and can_brew(state, seat, card)
    return kind == WAIT or state.ready[seat] != state.owned[seat]


@kernel
def seat_moves(state: Any, seat: int, out: Any) -> int:
    """The legal moves of a seat, even if the other seat is to choose."""
    out[0] = WAIT
    count = 1
    if state.ready[seat] != state.owned[seat]:
        out[count] = REST
        count += 1
    index = rank(state, seat)
    if index < 0:
        return absurd_moves(state, seat, out, count)
    payable = PAYABLE[index]
    for place in range(COUNTER_PLACES):
        order = card_at(state.counter, place)
        if order < ORDERS and (payable >> np.uint64(order)) & ONE:
            out[count] = encode(BREW, order, 0)
            count += 1
    for place in range(min(TOME_PLACES, state.inventory[seat, 0] + 1)):
        spell = card_at(state.tome, place)
        if spell < TOME_SPELLS:
            out[count] = encode(LEARN, spell, 0)
            count += 1
    ready = state.ready[seat]
    for times in range(1, MOST_TIMES + 1):
        ready &= CASTABLE[index, times - 1]
        if not ready:
            break
        rest = ready
        while rest:
            out[count] = encode(CAST, lowest(rest), times)
            rest &= rest - ONE
            count += 1
    return count


@kernel
def absurd_moves(state: Any, seat: int, out: Any, count: int) -> int:
    """The legal moves (with sane repetitions) from an inventory without a rank, after the `count` already written."""
    for place in range(COUNTER_PLACES):
        order = card_at(state.counter, place)
        if order < ORDERS and can_brew(state, seat, order):
            out[count] = encode(BREW, order, 0)
            count += 1
    for place in range(TOME_PLACES):
        spell = card_at(state.tome, place)
        if spell < TOME_SPELLS and state.inventory[seat, 0] >= place:
            out[count] = encode(LEARN, spell, 0)
            count += 1
    for spell in range(SPELLS):
        for times in range(1, MOST_TIMES + 1):
            if count < out.size and can_cast(state, seat, spell, times):
                out[count] = encode(CAST, spell, times)
                count += 1
    return count
