"""The start of a game from its seed, as the official referee draws it: two shuffles with one Java generator."""

from collections.abc import Mapping
from typing import Any

from podium.games.fall_challenge_2020.cards import ORDERS, TOME_SPELLS
from podium.games.fall_challenge_2020.state import (
    COUNTER_PLACES,
    ORDERS_EVER_SEEN,
    TOME_PLACES,
    State,
    full_hash,
    reset,
)
from podium.kernel import blank
from podium.kernel.random import JavaRandom
from podium.model.params import Parameter, Value

SETTINGS = (Parameter("league", 4, "the contest's league level; 3 and above are the same rules", low=3, high=100),)


def decks(seed: int) -> tuple[list[int], list[int]]:
    """The spells and the orders in the order in which they are dealt."""
    random = JavaRandom(seed)
    spells, orders = list(range(TOME_SPELLS)), list(range(ORDERS))
    random.shuffle(spells)
    random.shuffle(orders)
    return spells, orders


def packed(cards: list[int]) -> int:
    """A row of cards as one word, with NO_CARD in the places behind them."""
    return int.from_bytes(bytes(cards).ljust(8, b"\xff"), "little")


def initial_state(seed: int, settings: Mapping[str, Value] | None = None) -> Any:
    """The state before the first turn. The league changes nothing: from 3 on there is one set of rules."""
    spells, orders = decks(seed)
    state = blank(State)
    reset(state)
    state.tome_deck[:] = spells
    state.order_deck[:] = orders[:ORDERS_EVER_SEEN]
    state.tome = packed(spells[:TOME_PLACES])
    state.counter = packed(orders[:COUNTER_PLACES])
    state.tome_size = state.spells_drawn = TOME_PLACES
    state.orders_drawn = COUNTER_PLACES
    state.hash = full_hash(state)
    return state
