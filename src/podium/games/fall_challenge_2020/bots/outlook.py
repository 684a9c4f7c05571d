"""How a beam search sees Fall Challenge 2020: one player's moves, the other's plan, and what positions are worth.

The evaluation and the use of the opponent's plan are Agade's (2nd place): score, ingredients and spells; the changes of
all that are discounted, but most of the ingredients' worth stands outside the discount, because casting can
wait while learning and brewing are contested. The single spells' values are pb4's (1st place).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.bots.mind import WRITEUP_MINDS
from podium.games.fall_challenge_2020.cards import REPEATABLE_BITS, SPELL_VALUES, SPELLS, TIERS
from podium.games.fall_challenge_2020.legality import is_legal, seat_moves
from podium.games.fall_challenge_2020.rules import fall_is_over, rupees, simulate
from podium.games.fall_challenge_2020.state import MOST_TURNS, REST, State
from podium.kernel import kernel
from podium.kernel.bits import ONE, lowest, popcount
from podium.kernel.rules import candidates, evaluate
from podium.search.hooks import advance, standing

OUTLOOKS = WRITEUP_MINDS.outlook(
    "fall challenge 2020 outlook",
    [
        ("seat", "i8"),  # who searches
        ("begin", "i8"),  # the turn that the plan begins with
        ("length", "i8"),
        ("plan", "i8", (MOST_TURNS + 1,)),  # the other player's moves
        ("tiers", "f8", (TIERS,)),  # what an ingredient of each tier is worth
        ("worth", "f8", (SPELLS,)),  # of each spell, as a multiple of `spell`
    ],
)
Outlook = OUTLOOKS.dtype


def outlook_of(mind: Any, seat: int) -> Any:
    """The outlook of a search for a seat while the other player rests."""
    # The same mean as with the plain weights, so that the other coefficients keep their meaning.
    repeatable = popcount(REPEATABLE_BITS)
    mean = (mind.repeatable * repeatable + SPELLS - repeatable) / SPELLS
    return OUTLOOKS.of(
        mind,
        seat=seat,
        tiers=[mind[f"tier_{tier}"] for tier in range(TIERS)],
        worth=SPELL_VALUES * mean / SPELL_VALUES.mean(),
    )


def expecting(outlook: Any, turn: int, plan: Sequence[int]) -> Any:
    """A new outlook like another one, in which the other player does what is planned from a turn on."""
    outlook, length = outlook.copy(), min(len(plan), MOST_TURNS + 1)
    outlook["begin"] = turn
    outlook["length"] = length
    outlook["plan"][:length] = plan[:length]
    return outlook


@candidates.register(State, Outlook)
@kernel
def fall_candidates(state: Any, outlook: Any, out: Any) -> int:
    """All that succeeds; WAIT only if there is nothing else."""
    count = seat_moves(state, outlook.seat, out)
    if count == 1:
        return 1
    out[0] = out[count - 1]
    return count - 1


@kernel
def planned(state: Any, outlook: Any) -> Any:
    """The other player's planned move; what is impossible by now becomes a REST, and so does all after its end."""
    step = state.turn - outlook.begin
    if 0 <= step < outlook.length and is_legal(state, 1 - outlook.seat, outlook.plan[step]):
        return outlook.plan[step]
    return np.int64(REST)


@advance.register(State, Outlook)
@kernel
def fall_advance(state: Any, outlook: Any, move: int) -> None:
    """The move, and the other's planned one."""
    if outlook.seat == 0:
        simulate(state, move, planned(state, outlook))
    else:
        simulate(state, planned(state, outlook), move)


@kernel
def ingredients(state: Any, outlook: Any, seat: int) -> float:
    """What an inventory is worth."""
    total = 0.0
    for tier in range(TIERS):
        total += outlook.tiers[tier] * state.inventory[seat, tier]
    return total


@kernel
def spells(state: Any, outlook: Any, seat: int) -> float:
    """What a player's spells are worth."""
    owned = state.owned[seat]
    count = popcount(owned)
    if outlook.spell_values:
        total = 0.0
        rest = owned
        while rest:
            total += outlook.worth[lowest(rest)]
            rest &= rest - ONE
        full = min(count, outlook.spell_limit)
        return outlook.spell * total * (full + outlook.surplus * (count - full)) / count
    repeatable = popcount(owned & REPEATABLE_BITS)
    plain = count - repeatable
    full_repeatable = min(repeatable, outlook.spell_limit)
    full_plain = min(plain, outlook.spell_limit - full_repeatable)
    full = outlook.repeatable * full_repeatable + full_plain
    surplus = outlook.repeatable * (repeatable - full_repeatable) + (plain - full_plain)
    return outlook.spell * (full + outlook.surplus * surplus)


@evaluate.register(State, Outlook)
@kernel
def fall_evaluate(state: Any, outlook: Any, seat: int) -> float:
    """The part of a position's worth whose changes are discounted."""
    if fall_is_over(state):
        final = np.float64(rupees(state, seat))
        lead = final - rupees(state, 1 - seat)
        if lead > 0:
            return final + outlook.win
        if lead < 0:
            return final - outlook.win
        return final
    return state.score[seat] + outlook.inside * ingredients(state, outlook, seat) + spells(state, outlook, seat)


@standing.register(State, Outlook)
@kernel
def fall_standing(state: Any, outlook: Any, seat: int) -> float:
    """The part that is not discounted."""
    if fall_is_over(state):
        return 0.0
    return outlook.outside * ingredients(state, outlook, seat)
