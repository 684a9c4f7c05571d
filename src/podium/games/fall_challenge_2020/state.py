"""The state of Fall Challenge 2020, the encoding of moves, and the hash.

Everything small is packed: a player's spells are sets of bits, the tome, its stocks and the counter are rows of bytes
in one word each, so that learning shifts a word and tax is one addition.

What is not known is a card like the others: a deck of UNKNOWN cards puts UNKNOWN cards into the rows, which nobody can
learn or brew but which take their places and their tax. So a bot that knows a part and the referee that knows
everything use the same kernels.
"""

from random import Random
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.cards import STARTING_BITS, TIERS, TOME_SPELLS
from podium.kernel import kernel, record
from podium.kernel.bits import EMPTY
from podium.kernel.random import mix

SEATS = 2
TOME_PLACES = 6
COUNTER_PLACES = 5
GOAL = 6  # brews that end the game
MOST_TURNS = 100
ORDERS_EVER_SEEN = COUNTER_PLACES + 2 * GOAL  # no more are drawn before the sixth brew of both players
BONUS_LEFT = 4  # how often each urgency bonus is paid
BONUSES = (3, 1)

UNKNOWN = 0xFE  # a card that nobody has seen
NO_CARD = 0xFF

# A move is its kind, its card and how often a spell is cast, in one integer.
WAIT, REST, CAST, LEARN, BREW = range(5)
KIND_BITS, CARD_BITS, TIMES_BITS = 3, 8, 4
CODES = 1 << (KIND_BITS + CARD_BITS + TIMES_BITS)  # moves are below this
NO_MOVE = -1
MOST_MOVES = 256  # more than can ever be legal

State = record(
    "fall challenge 2020 state",
    [
        ("hash", "u8"),
        ("owned", "u8", (SEATS,)),  # the spells of each player, as bits
        ("ready", "u8", (SEATS,)),  # those of them that are not exhausted
        ("tome", "u8"),  # a byte to a place: its spell, UNKNOWN or NO_CARD
        ("stocks", "u8"),  # a byte to a place of the tome: the tier-0 ingredients lying there
        ("counter", "u8"),  # a byte to a place: its order, UNKNOWN or NO_CARD
        ("chosen", "i8"),  # seat 0's choice while seat 1's is awaited, else NO_MOVE
        ("inventory", "i4", (SEATS, TIERS)),
        ("score", "i4", (SEATS,)),
        ("brews", "i1", (SEATS,)),
        ("active", "i1", (SEATS,)),  # 0: disqualified
        ("left", "i1", (2,)),  # how often the bonus of counter places 0 and 1 can still be paid
        ("slid", "i1"),  # 1: the bonus of 1 has moved to place 0
        ("turn", "i1"),  # turns completed
        ("tome_size", "i1"),
        ("spells_drawn", "i1"),
        ("orders_drawn", "i1"),
        ("tome_deck", "u1", (TOME_SPELLS,)),  # the places before `spells_drawn` are history
        ("order_deck", "u1", (ORDERS_EVER_SEEN,)),
    ],
)

BYTE = np.uint64(0xFF)
EIGHT = np.uint64(8)
EMPTY_ROW = np.uint64(2**64 - 1)
PLACE_SHIFT = np.array([8 * place for place in range(8)], dtype=np.uint64)
BELOW = np.array([(1 << 8 * place) - 1 for place in range(8)], dtype=np.uint64)  # the bytes before a place
TAX = np.array([sum(1 << 8 * i for i in range(place)) for place in range(8)], dtype=np.uint64)  # one on each of them


# Factors of the hash, one for each small number, and salts for the words.
# Python's own generator, because calling a kernel while importing would load half of Numba.
_random = Random(2020)
FACTORS = np.array([_random.getrandbits(64) for _ in range(32)], dtype=np.uint64)
INVENTORY_FACTORS = FACTORS[:8].reshape(SEATS, TIERS)
SCORE_FACTORS = FACTORS[8:10]
BREW_FACTORS = FACTORS[10:12]
ACTIVE_FACTORS = FACTORS[12:14]
LEFT_FACTORS = FACTORS[14:16]
SLID_FACTOR = FACTORS[16]
TURN_FACTOR = FACTORS[17]
CHOSEN_FACTOR = FACTORS[18]
OWNED_SALTS = FACTORS[20:22]
READY_SALTS = FACTORS[22:24]
TOME_SALT = FACTORS[24]
STOCKS_SALT = FACTORS[25]
COUNTER_SALT = FACTORS[26]


@kernel
def encode(kind: int, card: int, times: int) -> int:
    """A move as one integer. WAIT is 0 and REST is 1; `times` counts for CAST only."""
    return kind | (card << KIND_BITS) | (times << (KIND_BITS + CARD_BITS))


@kernel
def kind_of(move: int) -> int:
    """WAIT, REST, CAST, LEARN or BREW."""
    return move & ((1 << KIND_BITS) - 1)


@kernel
def card_of(move: int) -> int:
    """The spell or the order of a move."""
    return (move >> KIND_BITS) & ((1 << CARD_BITS) - 1)


@kernel
def times_of(move: int) -> int:
    """How often a spell is cast."""
    return move >> (KIND_BITS + CARD_BITS)


@kernel
def wrap(number: Any) -> Any:
    """The value that a signed 32-bit integer would hold."""
    return ((number + (1 << 31)) & ((1 << 32) - 1)) - (1 << 31)


@kernel
def card_at(row: Any, place: int) -> Any:
    """The card at a place of a row."""
    return np.int64((row >> PLACE_SHIFT[place]) & BYTE)


@kernel
def place_of(row: Any, card: int, places: int) -> int:
    """The place of a card in a row, or -1."""
    for place in range(places):
        if card_at(row, place) == card:
            return place
    return -1


@kernel
def taken_out(row: Any, place: int, filler: Any) -> Any:
    """A row without the byte at a place; the others close up, and `filler` comes in at the far end."""
    before = row & BELOW[place]
    after = ((row >> EIGHT) | filler) & ~BELOW[place]
    return before | after


@kernel
def spells_hash(state: Any, seat: int) -> Any:
    """The part of the hash that a player's spells make."""
    return mix(state.owned[seat] ^ OWNED_SALTS[seat]) + mix(state.ready[seat] ^ READY_SALTS[seat])


@kernel
def tome_hash(state: Any) -> Any:
    """The part of the hash that the tome and its stocks make."""
    return mix(state.tome ^ TOME_SALT) + mix(state.stocks ^ STOCKS_SALT)


@kernel
def counter_hash(state: Any) -> Any:
    """The part of the hash that the counter and the bonuses make."""
    bonuses = np.uint64(state.left[0]) * LEFT_FACTORS[0] + np.uint64(state.left[1]) * LEFT_FACTORS[1]
    return mix(state.counter ^ COUNTER_SALT) + bonuses + np.uint64(state.slid) * SLID_FACTOR


@kernel
def full_hash(state: Any) -> Any:
    """The hash, computed anew."""
    total = tome_hash(state) + counter_hash(state) + np.uint64(state.turn) * TURN_FACTOR
    for seat in range(SEATS):
        total += spells_hash(state, seat)
        total += np.uint64(np.int64(state.score[seat])) * SCORE_FACTORS[seat]
        total += np.uint64(state.brews[seat]) * BREW_FACTORS[seat]
        total += np.uint64(state.active[seat]) * ACTIVE_FACTORS[seat]
        for tier in range(TIERS):
            total += np.uint64(np.int64(state.inventory[seat, tier])) * INVENTORY_FACTORS[seat, tier]
    return total


@kernel
def reset(state: Any) -> None:
    """The start, before any card is dealt: unknown decks, empty rows."""
    state.tome = EMPTY_ROW
    state.stocks = EMPTY
    state.counter = EMPTY_ROW
    state.chosen = NO_MOVE
    state.slid = 0
    state.turn = 0
    state.tome_size = 0
    state.spells_drawn = 0
    state.orders_drawn = 0
    for seat in range(SEATS):
        state.owned[seat] = STARTING_BITS
        state.ready[seat] = STARTING_BITS
        state.inventory[seat, 0] = 3
        for tier in range(1, TIERS):
            state.inventory[seat, tier] = 0
        state.score[seat] = 0
        state.brews[seat] = 0
        state.active[seat] = 1
        state.left[seat] = BONUS_LEFT
    for place in range(TOME_SPELLS):
        state.tome_deck[place] = UNKNOWN
    for place in range(ORDERS_EVER_SEEN):
        state.order_deck[place] = UNKNOWN
    state.hash = full_hash(state)
