"""How a beam search sees Fall Challenge 2020: one player's moves, the other's plan, and what positions are worth.

The evaluation and the use of the opponent's plan are Agade's (2nd place): score, ingredients and spells; the changes of
all that are discounted, but most of the ingredients' worth stands outside the discount, because casting can
wait while learning and brewing are contested. The single spells' values are pb4's (1st place).
"""

from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.cards import REPEATABLE_BITS, SPELL_VALUES, SPELLS, TIERS
from podium.games.fall_challenge_2020.rules import fall_is_over, is_legal, rupees, seat_moves, simulate
from podium.games.fall_challenge_2020.state import MOST_TURNS, REST, State
from podium.kernel import blank, kernel, record
from podium.kernel.bits import ONE, lowest, popcount
from podium.kernel.minds import Parameter
from podium.kernel.rules import candidates, evaluate
from podium.search.hooks import advance, standing

PARAMETERS = (
    Parameter("win", 20_000.0, "rupees that a won game is worth, a lost one costs (write-up: 20,000)", 0.0, 1e9),
    Parameter("tier_0", 0.8, "rupees per ingredient of tier 0 (write-up: 0.8 x 1)", 0.0, 20.0),
    Parameter("tier_1", 1.6, "rupees per ingredient of tier 1 (write-up: 0.8 x 2)", 0.0, 20.0),
    Parameter("tier_2", 2.4, "rupees per ingredient of tier 2 (write-up: 0.8 x 3)", 0.0, 20.0),
    Parameter("tier_3", 3.2, "rupees per ingredient of tier 3 (write-up: 0.8 x 4)", 0.0, 20.0),
    Parameter("inside", 0.1, "share of the ingredients' worth that is discounted (write-up: 0.1)", 0.0, 1.0),
    Parameter("outside", 0.9, "share of the ingredients' worth that is not (write-up: 0.9)", 0.0, 1.0),
    Parameter("spell", 0.8, "rupees per spell that cannot be repeated (write-up: 0.8)", 0.0, 20.0),
    Parameter("repeatable", 1.25, "how many times that a repeatable spell is worth (write-up: 1.25)", 0.0, 20.0),
    Parameter("spell_limit", 11, "spells that count in full, the repeatable ones first (write-up: 11)", 0, SPELLS),
    Parameter("surplus", 0.25, "share that a spell beyond the limit counts (write-up: 0.2 / 0.8)", 0.0, 1.0),
    Parameter(
        "spell_values", False, "weigh each spell by pb4's measured value instead (write-up: about 3 % more wins)"
    ),
)

Outlook = record(
    "fall challenge 2020 outlook",
    [
        ("seat", "i8"),  # who searches
        ("begin", "i8"),  # the turn that the plan begins with
        ("length", "i8"),
        ("plan", "i8", (MOST_TURNS + 1,)),  # the other player's moves
        ("win", "f8"),
        ("tiers", "f8", (TIERS,)),
        ("inside", "f8"),
        ("outside", "f8"),
        ("spell", "f8"),
        ("repeatable", "f8"),
        ("spell_limit", "i8"),
        ("surplus", "f8"),
        ("spell_values", "?"),
        ("worth", "f8", (SPELLS,)),  # of each spell, as a multiple of `spell`
    ],
)

COPIED = [p.name for p in PARAMETERS if p.name in (Outlook.names or ())]


def outlook_of(mind: Any) -> Any:
    """The outlook of a mind that has this module's parameters, with an empty plan."""
    outlook = blank(Outlook)
    for name in COPIED:
        outlook[name] = mind[name]
    outlook.tiers[:] = [mind[f"tier_{tier}"] for tier in range(TIERS)]
    # The same mean as with the plain weights, so that the other coefficients keep their meaning.
    repeatable = popcount(REPEATABLE_BITS)
    mean = (mind.repeatable * repeatable + SPELLS - repeatable) / SPELLS
    outlook.worth[:] = SPELL_VALUES * mean / SPELL_VALUES.mean()
    return outlook


def set_plan(outlook: Any, turn: int, moves: Any) -> None:
    """What the other player is expected to do from a turn on; then he rests."""
    count = min(len(moves), len(outlook.plan))
    outlook.begin = turn
    outlook.length = count
    outlook.plan[:count] = moves[:count]


@candidates.register(State, Outlook)
@kernel
def outlook_candidates(state: Any, outlook: Any, out: Any) -> int:
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
def outlook_advance(state: Any, outlook: Any, move: int) -> None:
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
def outlook_evaluate(state: Any, outlook: Any, seat: int) -> float:
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
def outlook_standing(state: Any, outlook: Any, seat: int) -> float:
    """The part that is not discounted."""
    if fall_is_over(state):
        return 0.0
    return outlook.outside * ingredients(state, outlook, seat)
