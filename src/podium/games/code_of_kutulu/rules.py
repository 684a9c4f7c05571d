"""The rules of Code of Kutulu: choices, the simulation of a turn, the end.

Four explorers choose at the same time. `play` keeps each living seat's choice in the record; the last one simulates the
turn, in the official referee's sequence: slashers and wanderers appear, yells, moves and casts, effects, minions, loss
of sanity, removal, shelters.

The key is the delta hash of the runner-up's write-up (an idea of Neumann's there): a random number for each choice,
seat and turn, all choices since the record was set up combined. Its limits: positions that are equal but were reached
by different choices have different keys, and keys of records that were set up apart from each other say nothing about
each other. Hashing the position itself would cost as much as simulating it.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.lit_paths import SCRATCH, shine
from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL, SHELTER_CELL, SHELTERS, crow, walk
from podium.games.code_of_kutulu.minions import spawn_slasher, spawn_wanderers, update_minions
from podium.games.code_of_kutulu.state import (
    CHOICES,
    COMPANY_RADIUS,
    EVERYBODY,
    LAST_ONE_LOSS,
    LAST_TURN,
    LIGHT,
    LIGHT_EXACT,
    LIGHT_IGNORED,
    MOST_SANITY,
    NOBODY,
    PLAN,
    PLAN_HEAL,
    PLAN_RADIUS,
    PLAN_TURNS,
    SEATS,
    SHELTER_ENERGY,
    SHELTER_HEAL,
    SHELTER_RHYTHM,
    SLASHER_BELOW,
    WAIT,
    WANDERER_RHYTHM,
    YELL,
    YELL_RADIUS,
    State,
)
from podium.kernel import kernel
from podium.kernel.random import GOLDEN, mix
from podium.kernel.stack import on_stack
from podium.model.rules import before_turn, final_score, is_over, key, legal_moves, mover, play

FIRST_SEAT_VICTIM = 0x1111  # in a set of yells: seat 0 is the victim
ALL_VICTIMS = 0xF  # in a set of yells: seat 0 is the caster


@kernel
def is_stuck(yells: Any, seat: Any) -> Any:
    """Whether a seat is the victim of one of the yells."""
    return yells >> seat & FIRST_SEAT_VICTIM != 0


@kernel
def may_cast(state: Any, seat: Any) -> bool:
    """Whether no effect of the seat is active, so that it may use a PLAN or LIGHT if any is left."""
    own_yells = state.yells >> (SEATS * seat) & ALL_VICTIMS
    return state.plan_left[seat] == 0 and not state.lights_on >> seat & 1 and own_yells == 0


@kernel
def heard(state: Any, seat: Any) -> Any:
    """The explorers that a YELL of the seat would stop now, as a set of yells."""
    yells = 0
    for other in range(SEATS):
        if other == seat or not state.living >> other & 1:
            continue
        bit = 1 << (SEATS * seat + other)
        if not state.yelled & bit and crow(state.maze, state.cell[seat], state.cell[other]) <= YELL_RADIUS:
            yells |= bit
    return yells


@mover.register(State)
@kernel
def kutulu_mover(state: Any) -> Any:
    """Seats choose in cyclic order, beginning with `first`; those that are out are passed over."""
    return np.int64(state.mover)


@legal_moves.register(State)
@kernel
def kutulu_legal_moves(state: Any, out: Any) -> Any:
    """The choices that do something, and WAIT. Others are allowed by the referee but are the same as WAIT."""
    seat = np.int64(state.mover)
    out[0] = WAIT
    count = 1
    if is_stuck(np.int64(state.yells), seat):
        return count
    for direction in range(4):
        if NEIGHBOUR[state.maze, state.cell[seat], direction] != NO_CELL:
            out[count] = direction
            count += 1
    if may_cast(state, seat):
        if state.plans[seat]:
            out[count] = PLAN
            count += 1
        if state.lights[seat]:
            out[count] = LIGHT
            count += 1
    if heard(state, seat):
        out[count] = YELL
        count += 1
    return count


@kernel
def next_living(state: Any, seat: Any) -> Any:
    """The next seat in the order of choosing that is still living, beginning with `seat`; SEATS if there is none."""
    first = np.int64(state.first)
    for place in range((seat - first) & 3, SEATS):
        candidate = (first + place) & 3
        if state.living >> candidate & 1:
            return candidate
    return SEATS


@before_turn.register(State)
@kernel
def kutulu_before_turn(state: Any) -> Any:
    """Whether the first living seat in the order of choosing is to choose."""
    return state.mover == next_living(state, np.int64(state.first)) & 3


@kernel
def choice_key(state: Any, seat: Any, choice: Any) -> Any:
    """The random number of a choice of a seat in this turn."""
    number = (np.int64(state.turn) * SEATS + seat) * CHOICES + choice
    return mix(np.uint64(number + 1) * GOLDEN)


@kernel
def key_before_turn(state: Any) -> Any:
    """The key that the position had before anybody chose in this turn."""
    found = state.hash
    seat = np.int64(state.first)
    while seat != state.mover:
        if state.living >> seat & 1:
            found ^= choice_key(state, seat, np.int64(state.choice[seat]))
        seat = (seat + 1) & 3
    return found


@play.register(State)
@kernel
def kutulu_play(state: Any, choice: Any) -> None:
    """Play a choice exactly as the referee does, with the generator in the record."""
    play_choice(state, choice, np.int64(NOBODY), np.int64(LIGHT_EXACT))


@kernel
def play_choice(state: Any, choice: Any, unlucky: Any, light: Any) -> None:
    """Keep the mover's choice; the last living seat's choice simulates the turn.

    Only the lowest three bits of the choice count, so a bot may put what it likes above them. If `unlucky` is a seat,
    no random numbers are drawn: a minion with several equally near explorers chases that seat if it is among them.
    `light` is how chases see light: LIGHT_EXACT, LIGHT_BOUND or LIGHT_IGNORED.
    """
    seat = np.int64(state.mover)
    choice &= CHOICES - 1
    state.choice[seat] = choice
    state.hash ^= choice_key(state, seat, choice)
    following = SEATS
    if (seat + 1) & 3 != state.first:
        following = next_living(state, (seat + 1) & 3)
    if following == SEATS:
        simulate(state, unlucky, light)
        following = next_living(state, np.int64(state.first))
    state.mover = following & 3


@kernel
def simulate(state: Any, unlucky: Any, light: Any) -> None:
    """One turn with the choices in the record; see `play_choice`."""
    turn = np.int64(state.turn)
    for seat in range(SEATS):
        if state.living >> seat & 1 and not state.slashed >> seat & 1 and state.sanity[seat] < SLASHER_BELOW:
            spawn_slasher(state, seat, unlucky)
    if turn % WANDERER_RHYTHM == 0:
        spawn_wanderers(state, unlucky)
    apply_choices(state)
    casters = (state.lights_on | state.lights_on >> SEATS) & EVERYBODY
    if light == LIGHT_IGNORED:
        casters = 0
    apply_effects(state)
    searched = casters != 0 and light == LIGHT_EXACT
    scratch = on_stack(SCRATCH, np.uint8)
    if searched:
        shine(state, casters, scratch)
    update_minions(state, casters, scratch, unlucky, light)
    lose_sanity(state)
    for seat in range(SEATS):
        if state.living >> seat & 1 and state.sanity[seat] == 0:
            remove(state, seat, turn)
    if turn > 0 and turn % SHELTER_RHYTHM == 0:
        for index in range(SHELTERS[state.maze]):
            state.shelter[index] = SHELTER_ENERGY
    if turn == LAST_TURN:
        for seat in range(SEATS):
            if state.living >> seat & 1:
                state.score[seat] = LAST_TURN + np.int64(state.sanity[seat])
    if turn == LAST_TURN or state.living == 0:
        state.over = 1
    state.turn += 1


@kernel
def apply_choices(state: Any) -> None:
    """Yells, then moves and casts of all who are not held by a yell.

    Afterwards `lights_on` has everyone whose light shines in this turn, from the last turn or from this one.
    """
    before = np.int64(state.yells)
    yells = 0
    for seat in range(SEATS):
        if state.living >> seat & 1 and state.choice[seat] == YELL and not is_stuck(before, seat):
            yells |= heard(state, seat)
    state.yelled |= yells
    lights_on = np.int64(state.lights_on)
    for seat in range(SEATS):
        if not state.living >> seat & 1 or is_stuck(before | yells, seat):
            continue
        choice = np.int64(state.choice[seat])
        if choice < WAIT:
            there = NEIGHBOUR[state.maze, state.cell[seat], choice]
            if there != NO_CELL:
                state.cell[seat] = there
        elif choice == PLAN:
            if may_cast(state, seat) and state.plans[seat]:
                state.plans[seat] -= 1
                state.plan_left[seat] = PLAN_TURNS
        elif choice == LIGHT and may_cast(state, seat) and state.lights[seat]:
            state.lights[seat] -= 1
            lights_on |= 1 << (seat + SEATS)  # the upper bits: cast in this turn
    state.yells = yells
    state.lights_on = lights_on


@kernel
def heal(state: Any, seat: Any, gain: Any) -> None:
    """Sanity never rises above 250."""
    state.sanity[seat] = min(MOST_SANITY, np.int64(state.sanity[seat]) + gain)


@kernel
def apply_effects(state: Any) -> None:
    """Plans and shelters heal; what has no turn or energy left ends. All gains add up, so their order is irrelevant."""
    for seat in range(SEATS):
        if state.plan_left[seat] == 0:
            continue
        gain = np.int64(PLAN_HEAL)
        for other in range(SEATS):
            if other == seat or not state.living >> other & 1:
                continue
            if walk(state.maze, state.cell[seat], state.cell[other]) <= PLAN_RADIUS:
                heal(state, other, np.int64(PLAN_HEAL))
                gain += PLAN_HEAL
        heal(state, seat, gain)
        state.plan_left[seat] -= 1
    state.lights_on >>= SEATS
    for index in range(SHELTERS[state.maze]):
        if state.shelter[index] == 0:
            continue
        healed = 0
        for seat in range(SEATS):
            if state.living >> seat & 1 and state.cell[seat] == SHELTER_CELL[state.maze, index]:
                heal(state, seat, np.int64(SHELTER_HEAL))
                healed += 1
        state.shelter[index] = max(0, np.int64(state.shelter[index]) - healed)


@kernel
def has_company(state: Any, seat: Any) -> bool:
    """Whether another living explorer is within Manhattan distance 2."""
    for other in range(SEATS):
        if other == seat or not state.living >> other & 1:
            continue
        if crow(state.maze, state.cell[seat], state.cell[other]) <= COMPANY_RADIUS:
            return True
    return False


@kernel
def lose_sanity(state: Any) -> None:
    """What every turn costs: less in company, much for the last one living."""
    last_one = state.living & (np.int64(state.living) - 1) == 0
    for seat in range(SEATS):
        if state.living >> seat & 1:
            loss: Any = np.int64(state.lonely)
            if last_one:
                loss = LAST_ONE_LOSS
            elif has_company(state, seat):
                loss = np.int64(state.group)
            state.sanity[seat] = max(0, np.int64(state.sanity[seat]) - loss)


@kernel
def remove(state: Any, seat: Any, score: Any) -> None:
    """Take an explorer out of the game with a score. Its PLAN and LIGHT end; yells by and at it stay."""
    state.living &= EVERYBODY ^ 1 << seat
    state.sanity[seat] = 0
    state.score[seat] = score
    state.plan_left[seat] = 0
    state.lights_on &= EVERYBODY ^ 1 << seat


@is_over.register(State)
@kernel
def kutulu_is_over(state: Any) -> Any:
    """After turn 200, or when nobody is left."""
    return state.over != 0


@final_score.register(State)
@kernel
def kutulu_final_score(state: Any, seat: Any) -> Any:
    """How many seats it beat less how many beat it."""
    total = 0
    for other in range(SEATS):
        if state.score[seat] > state.score[other]:
            total += 1
        elif state.score[seat] < state.score[other]:
            total -= 1
    return total


@key.register(State)
@kernel
def kutulu_key(state: Any) -> Any:
    """The delta hash that `play` keeps up to date."""
    return state.hash
