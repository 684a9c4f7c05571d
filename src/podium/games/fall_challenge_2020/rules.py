"""The rules of Fall Challenge 2020 as kernels.

A turn is two plies: seat 0's choice is kept in the record, seat 1's completes the turn, and both are carried out on the
rows as they stood.

Inventories are the referee's 32-bit numbers, with its wrap-around: absurd counts of a repeated cast are played exactly.
`legality` says which actions succeed.
"""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.cards import (
    CAPACITY,
    DELTAS,
    ORDER_DELTAS,
    PRICES,
    TIERS,
    TOME_SPELLS,
)
from podium.games.fall_challenge_2020.legality import bonus, inventory_sum, seat_moves
from podium.games.fall_challenge_2020.state import (
    BELOW,
    BREW,
    BREW_FACTORS,
    BYTE,
    CAST,
    CHOSEN_FACTOR,
    COUNTER_PLACES,
    EMPTY_ROW,
    GOAL,
    INVENTORY_FACTORS,
    LEARN,
    MOST_TURNS,
    NO_CARD,
    NO_MOVE,
    ORDERS_EVER_SEEN,
    PLACE_SHIFT,
    READY_SALTS,
    REST,
    SCORE_FACTORS,
    TAX,
    TOME_PLACES,
    TURN_FACTOR,
    State,
    card_at,
    card_of,
    counter_hash,
    full_hash,
    kind_of,
    place_of,
    spells_hash,
    taken_out,
    times_of,
    tome_hash,
    wrap,
)
from podium.kernel import kernel
from podium.kernel.bits import EMPTY, ONE
from podium.kernel.random import mix
from podium.model.rules import before_turn, final_score, is_over, key, legal_moves, mover, play


@mover.register(State)
@kernel
def fall_mover(state: Any) -> int:
    """Seat 0 chooses first; seat 1's choice completes the turn."""
    return 0 if state.chosen == NO_MOVE else 1


@before_turn.register(State)
@kernel
def fall_before_turn(state: Any) -> Any:
    """Whether seat 0 has not chosen yet."""
    return state.chosen == NO_MOVE


@legal_moves.register(State)
@kernel
def fall_legal_moves(state: Any, out: Any) -> int:
    """WAIT, REST if a spell is exhausted, brews, learnable spells in the tome's order, casts."""
    return seat_moves(state, fall_mover(state), out)


@kernel
def set_inventory(state: Any, seat: int, tier: int, count: Any) -> None:
    """Change one count of an inventory."""
    count = wrap(count)
    change = count - np.int64(state.inventory[seat, tier])
    state.inventory[seat, tier] = count
    state.hash += np.uint64(change) * INVENTORY_FACTORS[seat, tier]


@kernel
def cast(state: Any, seat: int, spell: int, times: int) -> None:
    """Cast a spell several times at once."""
    for tier in range(TIERS):
        set_inventory(state, seat, tier, np.int64(state.inventory[seat, tier]) + DELTAS[spell, tier] * times)
    state.hash -= mix(state.ready[seat] ^ READY_SALTS[seat])
    state.ready[seat] &= ~(ONE << np.uint64(spell))
    state.hash += mix(state.ready[seat] ^ READY_SALTS[seat])


@kernel
def learn(state: Any, seat: int, spell: int) -> int:
    """Pay the tax, take the spell and what fits of its stock; the rows stay. Returns its place in the tome."""
    place = place_of(state.tome, spell, TOME_PLACES)
    room = wrap(CAPACITY - (inventory_sum(state, seat) - place))
    stock = card_at(state.stocks, place)
    set_inventory(state, seat, 0, np.int64(state.inventory[seat, 0]) - place + min(room, stock))
    state.hash -= spells_hash(state, seat)
    state.owned[seat] |= ONE << np.uint64(spell)
    state.ready[seat] |= ONE << np.uint64(spell)
    state.hash += spells_hash(state, seat)
    return place


@kernel
def sell(state: Any, seat: int, order: int, price: Any) -> None:
    """Hand over the ingredients of an order, wherever it is, for a price."""
    for tier in range(TIERS):
        set_inventory(state, seat, tier, np.int64(state.inventory[seat, tier]) + ORDER_DELTAS[order, tier])
    state.score[seat] += price
    state.brews[seat] += 1
    state.hash += np.uint64(price) * SCORE_FACTORS[seat] + BREW_FACTORS[seat]


@kernel
def brew(state: Any, seat: int, order: int) -> int:
    """Sell an order for its price and the bonus; the rows stay. Returns its place on the counter."""
    place = place_of(state.counter, order, COUNTER_PLACES)
    sell(state, seat, order, PRICES[order] + bonus(state, place))
    return place


@kernel
def rest(state: Any, seat: int) -> None:
    """Renew all spells."""
    state.hash -= mix(state.ready[seat] ^ READY_SALTS[seat])
    state.ready[seat] = state.owned[seat]
    state.hash += mix(state.ready[seat] ^ READY_SALTS[seat])


@kernel
def act(state: Any, seat: Any, move: int) -> int:
    """Carry out one player's move; the rows stay as they are. Returns the place of the card taken, or -1."""
    kind = kind_of(move)
    if kind == CAST:
        cast(state, seat, card_of(move), times_of(move))
    elif kind == LEARN:
        return learn(state, seat, card_of(move))
    elif kind == BREW:
        return brew(state, seat, card_of(move))
    elif kind == REST:
        rest(state, seat)
    return -1


@kernel
def draw_spell(state: Any, place: int) -> None:
    """Take the spell at a place out of the tome and refill from the deck."""
    state.tome = taken_out(state.tome, place, EMPTY_ROW << PLACE_SHIFT[7])
    state.stocks = taken_out(state.stocks, place, EMPTY)
    last = state.tome_size - 1
    if state.spells_drawn >= TOME_SPELLS:
        state.tome_size -= 1
        return
    card = np.uint64(state.tome_deck[state.spells_drawn])
    state.tome = (state.tome & ~(BYTE << PLACE_SHIFT[last])) | (card << PLACE_SHIFT[last])
    state.spells_drawn += 1


@kernel
def update_tome(state: Any, first: int, second: int) -> None:
    """Take learnt spells (at two places, each -1 for none) away, refill, and lay the tax."""
    state.hash -= tome_hash(state)
    gain = EMPTY
    if first >= 0:
        gain += TAX[first]
    if second >= 0:
        gain += TAX[second]
    draw_spell(state, max(first, second))
    if min(first, second) >= 0 and first != second:
        draw_spell(state, min(first, second))
    state.stocks += gain & BELOW[state.tome_size]
    state.hash += tome_hash(state)


@kernel
def draw_order(state: Any, place: int) -> None:
    """Take the order at a place off the counter and refill from the deck."""
    row = taken_out(state.counter, place, EMPTY_ROW << PLACE_SHIFT[7])
    card = np.uint64(NO_CARD)
    if state.orders_drawn < ORDERS_EVER_SEEN:
        card = np.uint64(state.order_deck[state.orders_drawn])
        state.orders_drawn += 1
    last = COUNTER_PLACES - 1
    state.counter = (row & ~(BYTE << PLACE_SHIFT[last])) | (card << PLACE_SHIFT[last])


@kernel
def use_bonus(state: Any, place: int) -> None:
    """Count a paid bonus down."""
    if 0 <= place <= 1 and state.left[place] > 0:
        state.left[place] -= 1


@kernel
def update_counter(state: Any, first: int, second: int) -> None:
    """Use up bonuses, take brewed orders (at two places, each -1 for none) away, refill, slide the bonus."""
    state.hash -= counter_hash(state)
    use_bonus(state, first)
    use_bonus(state, second)
    draw_order(state, max(first, second))
    if min(first, second) >= 0 and first != second:
        draw_order(state, min(first, second))
    if state.left[0] == 0:
        state.left[0] = state.left[1]
        state.left[1] = 0
        state.slid = 1
    state.hash += counter_hash(state)


@kernel
def simulate(state: Any, first_move: int, second_move: int) -> None:
    """Carry out both players' moves and complete the turn."""
    # not literals: one compiled `act` serves both seats
    first = act(state, np.int64(0), first_move)
    second = act(state, np.int64(1), second_move)
    if first >= 0 or second >= 0:
        first_learns = kind_of(first_move) == LEARN
        second_learns = kind_of(second_move) == LEARN
        if first_learns or second_learns:
            update_tome(state, first if first_learns else -1, second if second_learns else -1)
        first_brews = kind_of(first_move) == BREW
        second_brews = kind_of(second_move) == BREW
        if first_brews or second_brews:
            update_counter(state, first if first_brews else -1, second if second_brews else -1)
    state.turn += 1
    state.hash += TURN_FACTOR
    state.chosen = NO_MOVE


@play.register(State)
@kernel
def fall_play(state: Any, move: int) -> None:
    """Keep seat 0's choice, or complete the turn with seat 1's."""
    if state.chosen == NO_MOVE:
        state.chosen = move
    else:
        simulate(state, state.chosen, move)


@kernel
def disqualify(state: Any, seat: int) -> None:
    """Put a player out: the turn in which it happens is the last."""
    state.active[seat] = 0
    state.score[seat] = -1
    state.hash = full_hash(state)


@is_over.register(State)
@kernel
def fall_is_over(state: Any) -> Any:
    """Six brews, a hundred turns or a disqualification; never in the middle of a turn."""
    if state.chosen != NO_MOVE:
        return False
    return (
        state.brews[0] >= GOAL
        or state.brews[1] >= GOAL
        or state.turn >= MOST_TURNS
        or state.active[0] == 0
        or state.active[1] == 0
    )


@kernel
def rupees(state: Any, seat: int) -> Any:
    """The score that a player would end with now: ingredients above tier 0 count one each."""
    if not state.active[seat]:
        return np.int64(state.score[seat])
    total = np.int64(state.score[seat])
    for tier in range(1, TIERS):
        total += np.int64(state.inventory[seat, tier])
    return wrap(total)


@final_score.register(State)
@kernel
def fall_final_score(state: Any, seat: int) -> Any:
    """By how many rupees a player is ahead."""
    return rupees(state, seat) - rupees(state, 1 - seat)


@key.register(State)
@kernel
def fall_key(state: Any) -> Any:
    """The hash of the position and of the choice that waits in it."""
    return mix(state.hash + np.uint64(state.chosen - NO_MOVE) * CHOSEN_FACTOR)
