"""The search context of the beam search: one player's moves, the other player's plan, and the evaluation.

The evaluation and the use of the opponent's plan are Agade's (2nd place): score, ingredients and spells; the changes of
all that are discounted, but most of the ingredients' value is not, because casting can wait while learning and brewing
are contested. The single spells' values are pb4's (1st place).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.bots.params import WRITEUP_PARAMS
from podium.games.fall_challenge_2020.cards import PRICES, REPEATABLE_BITS, SPELL_VALUES, SPELLS, TIERS
from podium.games.fall_challenge_2020.legality import has_ingredients, is_legal, seat_moves
from podium.games.fall_challenge_2020.rules import fall_is_over, rupees, sell, simulate
from podium.games.fall_challenge_2020.state import (
    BREW,
    COUNTER_PLACES,
    MOST_TURNS,
    REST,
    WAIT,
    State,
    card_of,
    kind_of,
    place_of,
)
from podium.kernel import kernel
from podium.kernel.bits import ONE, lowest, popcount
from podium.model.hooks import advance, undiscounted_value
from podium.model.rules import candidates, evaluate

CONTEXTS = WRITEUP_PARAMS.context(
    "fall challenge 2020 search context",
    [
        ("seat", "i8"),  # the searching seat
        ("begin", "i8"),  # the turn that the plan begins with
        ("length", "i8"),
        ("plan", "i8", (MOST_TURNS + 1,)),  # the other player's moves
        ("tiers", "f8", (TIERS,)),  # value of an ingredient of each tier
        ("spell_value", "f8", (SPELLS,)),  # of each spell, as a multiple of `spell`
    ],
)
Context = CONTEXTS.dtype


def spell_values_of(params: Any) -> np.ndarray:
    """The value of each spell as a multiple of `spell`, with the same mean as the plain weights have: so the other
    coefficients keep their meaning."""
    repeatable = popcount(REPEATABLE_BITS)
    mean = (params.repeatable * repeatable + SPELLS - repeatable) / SPELLS
    return SPELL_VALUES * mean / SPELL_VALUES.mean()


def context_of(params: Any, seat: int) -> Any:
    """The search context of a search for a seat while the other player rests."""
    return CONTEXTS.of(
        params,
        seat=seat,
        tiers=[params[f"tier_{tier}"] for tier in range(TIERS)],
        spell_value=spell_values_of(params),
    )


def expecting(context: Any, turn: int, plan: Sequence[int]) -> Any:
    """A new search context like another one, in which the other player does what is planned from a turn on."""
    context, length = context.copy(), min(len(plan), MOST_TURNS + 1)
    context["begin"] = turn
    context["length"] = length
    context["plan"][:length] = plan[:length]
    return context


@candidates.register(State, Context)
@kernel
def fall_candidates(state: Any, context: Any, out: Any) -> int:
    """All that succeeds; WAIT only if there is nothing else."""
    count = seat_moves(state, context.seat, out)
    if count == 1:
        return 1
    out[0] = out[count - 1]
    return count - 1


@kernel
def planned(state: Any, context: Any) -> Any:
    """The other player's planned move; what is impossible by now becomes a REST, and so does all after its end."""
    step = state.turn - context.begin
    if 0 <= step < context.length and is_legal(state, 1 - context.seat, context.plan[step]):
        return context.plan[step]
    return np.int64(REST)


@kernel
def sells_elsewhere(state: Any, context: Any) -> Any:
    """Whether the other player's step is an order that it has the ingredients for, but that is gone."""
    step = state.turn - context.begin
    if context.substitute == 0.0 or not 0 <= step < context.length or kind_of(context.plan[step]) != BREW:
        return False
    order = card_of(context.plan[step])
    return place_of(state.counter, order, COUNTER_PLACES) < 0 and has_ingredients(state, 1 - context.seat, order)


@advance.register(State, Context)
@kernel
def fall_advance(state: Any, context: Any, move: int) -> None:
    """The move, and the other's planned one; for an order that is gone it may find another one, that nobody knows."""
    theirs = planned(state, context)
    if sells_elsewhere(state, context):
        order = card_of(context.plan[state.turn - context.begin])
        sell(state, 1 - context.seat, order, np.int64(context.substitute * PRICES[order]))
        theirs = np.int64(WAIT)
    if context.seat == 0:
        simulate(state, move, theirs)
    else:
        simulate(state, theirs, move)


@kernel
def ingredients(state: Any, context: Any, seat: int) -> float:
    """The value of an inventory."""
    total = 0.0
    for tier in range(TIERS):
        total += context.tiers[tier] * state.inventory[seat, tier]
    return total


@kernel
def spells(state: Any, context: Any, seat: int) -> Any:
    """The value of a player's spells."""
    owned = state.owned[seat]
    count = popcount(owned)
    if context.spell_values:
        total = 0.0
        rest = owned
        while rest:
            total += context.spell_value[lowest(rest)]
            rest &= rest - ONE
        full = min(count, context.spell_limit)
        return context.spell * total * (full + context.surplus * (count - full)) / count
    repeatable = popcount(owned & REPEATABLE_BITS)
    plain = count - repeatable
    full_repeatable = min(repeatable, context.spell_limit)
    full_plain = min(plain, context.spell_limit - full_repeatable)
    full = context.repeatable * full_repeatable + full_plain
    surplus = context.repeatable * (repeatable - full_repeatable) + (plain - full_plain)
    return context.spell * (full + context.surplus * surplus)


@evaluate.register(State, Context)
@kernel
def fall_evaluate(state: Any, context: Any, seat: int) -> Any:
    """The part of a position's value whose changes are discounted."""
    if fall_is_over(state):
        final = np.float64(rupees(state, seat))
        lead = final - rupees(state, 1 - seat)
        if lead > 0:
            return final + context.win
        if lead < 0:
            return final - context.win
        return final
    return (
        state.score[seat]
        + context.potion * state.brews[seat]
        + context.discounted_share * ingredients(state, context, seat)
        + spells(state, context, seat)
    )


@undiscounted_value.register(State, Context)
@kernel
def fall_undiscounted_value(state: Any, context: Any, seat: int) -> Any:
    """The part that is not discounted."""
    if fall_is_over(state):
        return 0.0
    return context.undiscounted_share * ingredients(state, context, seat)
