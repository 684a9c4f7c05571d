"""Which choices are searched, and which steps of far enemies are predicted."""

import numpy as np
import pytest

from podium.games.code_of_kutulu.bots.context import CHOICE_MASK, NO_KEY, context_of, play_imagined
from podium.games.code_of_kutulu.bots.moves import kutulu_advance, kutulu_candidates, skip_predicted
from podium.games.code_of_kutulu.bots.prediction import FRACTION, penalty
from podium.games.code_of_kutulu.bots.searcher import drop_far_minions
from podium.games.code_of_kutulu.mazes import MAZES, NO_CELL, sees, walk
from podium.games.code_of_kutulu.position_text import read
from podium.games.code_of_kutulu.rules import kutulu_mover
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import (
    CHOICES,
    LIGHT,
    PLAN,
    RUSHING,
    STALKING,
    WAIT,
    WANDERING,
    YELL,
    living_seats,
)
from podium.kernel import JIT, copy_of
from tests.games.code_of_kutulu.prepared import LINES, SOME, prepared


def choices(state, context):
    """The choices that are searched; the state is the same afterwards."""
    out, before = np.zeros(CHOICES, np.int64), bytes(state)
    moves = out[: kutulu_candidates(state, context, out)]
    assert bytes(state) == before
    assert all(move >> 3 & 3 == state.mover and move >> 5 == state.cell[state.mover] for move in moves)
    return {int(move) & CHOICE_MASK for move in moves}


def test_only_i_may_yell_and_light():
    state, context = prepared(initial_state(42), 0)
    state.cell[1] = state.cell[0]
    assert {YELL, LIGHT} <= choices(state, context)
    assert PLAN not in choices(state, context)
    state.mover = 1
    assert not {YELL, LIGHT, PLAN} & choices(state, context)
    context.enemy_yell = context.enemy_light = True
    assert {YELL, LIGHT} <= choices(state, context)


def test_a_light_needs_a_far_enemy():
    state, context = prepared(initial_state(42), 0)
    state.cell[:] = state.cell[0]
    assert LIGHT not in choices(state, context)


def test_a_plan_is_searched_beside_a_wait_when_sanity_is_low():
    state, context = prepared(initial_state(42), 0, plan_searched=True)
    assert PLAN not in choices(state, context)
    state.sanity[0] = 150
    assert {WAIT, PLAN} <= choices(state, context)


def test_far_enemies_and_minions_can_be_ignored():
    state, context = prepared(initial_state(42), 0, ignore_explorers=3)
    state.mover = 1
    assert choices(state, context) == {WAIT}
    state, seat = read(LINES[0].split())
    near = [i for i in range(int(state.minions)) if walk(state.maze, state.where[i], state.cell[seat]) <= 9]
    numbers = state.number[near].tolist()
    drop_far_minions(state, seat, 9)
    assert state.number[: state.minions].tolist() == numbers


def plain_penalty(state, context, seat, cell):
    """What an enemy sees on a cell, one by one."""
    maze, others = state.maze, [s for s in living_seats(state) if s != seat]
    total = 0.0
    for i in range(int(state.minions)):
        where, mode = state.where[i], int(state.mode[i])
        distance = walk(maze, where, cell)
        if state.slasher[i] and sees(maze, where, cell):
            total += context.fear_rush * (mode == RUSHING) + context.fear_stalk * (mode in (STALKING, WANDERING))
        if not state.slasher[i] and mode == WANDERING:
            near = {2: 4, 3: 3, 4: 2, 5: 1}.get(distance, 0)
            total += context.fear_touch if distance <= 1 else context.fear_near * near
    ways = [min(15, walk(maze, cell, state.cell[other])) for other in others]
    total += context.herd * min(ways) + context.flock * sum(ways)
    total -= context.exits * sum(there != NO_CELL for there in MAZES[maze].neighbours(int(cell)))
    filled = [shelter for i, shelter in enumerate(MAZES[maze].shelters) if state.shelter[i]]
    if state.sanity[seat] < 240:
        total -= context.shelter * (cell in filled)
        total -= context.shelter_near * sum(max(0, 8 - walk(maze, cell, shelter)) for shelter in filled)
    return total


@pytest.mark.parametrize("line", SOME)
def test_few_choices_of_an_enemy_are_those_that_serve_it_best(line):
    known, seat = read(line.split())
    state, everything = prepared(known, seat)
    for enemy in living_seats(state):
        if enemy == seat:
            continue
        state.mover = enemy
        neighbours = [*MAZES[state.maze].neighbours(int(state.cell[enemy])), int(state.cell[enemy])]
        penalties = {
            choice: penalty(state, everything, enemy, neighbours[choice]) for choice in choices(state, everything)
        }
        for choice, value in penalties.items():
            assert value == pytest.approx(plain_penalty(state, everything, enemy, neighbours[choice]))
        for few in (1, 2):
            kept = choices(state, prepared(known, seat, active_enemies=0, far_choices=few)[1])
            assert len(kept) == min(few, len(penalties))
            rest = [penalties[choice] for choice in penalties.keys() - kept]
            assert max(penalties[choice] for choice in kept) <= min(rest, default=np.inf) + 1 / FRACTION


FORESEEING = {"active_enemies": 0, "far_choices": 1}


@pytest.mark.parametrize("start", ["me", "enemy"])
@pytest.mark.parametrize("line", LINES[::4] if JIT else LINES[::24])
def test_what_is_foreseen_is_what_would_be_predicted_anew(line, start):
    """Wander through the tree as no search does, with one search context; a new one at each position must agree."""
    known, seat = read(line.split())
    root, kept = prepared(known, seat, **FORESEEING, start=start)
    dice = np.random.default_rng(7)
    for _ in range(12 if JIT else 3):
        state = root.copy()
        for _ in range(14):
            _, fresh = prepared(known, seat, **FORESEEING, start=start)
            found = choices(state, kept)
            assert found == choices(state, fresh)
            if not found:
                break
            play_imagined(state, kept, dice.choice(sorted(found)))


def test_steps_are_foreseen_once_a_turn():
    state, context = prepared(initial_state(42), 0, **FORESEEING)
    play_imagined(state, context, WAIT)
    (predicted,) = choices(state, context)
    assert (context.foreseen_for != NO_KEY).sum() == 1
    context.foreseen += 1  # a second call in this turn returns what was noted, not a new prediction
    assert choices(state, context) == {predicted + 1}
    state = prepared(initial_state(42), 0, **FORESEEING)[0]
    play_imagined(state, context, LIGHT)
    assert choices(state, context) == {predicted + 1}
    while state.turn == 0:
        play_imagined(state, context, WAIT)
    play_imagined(state, context, WAIT)
    assert choices(state, context) == choices(state, context_of(context, state, 0)), "another turn, another look"


@pytest.mark.parametrize("first_mover", ["me", "enemy"])
@pytest.mark.parametrize("line", SOME[::4])
def test_predicted_choices_are_played_along(line, first_mover):
    """After each searched choice the next mover is one whose choices are searched; the same as choice by choice."""
    known, seat = read(line.split())
    changes = {"active_enemies": 1, "far_choices": 1, "first_mover": first_mover}
    state, context = prepared(known, seat, **changes)
    state = copy_of(state)
    slow = copy_of(state)
    skip_predicted(state, context)
    for _ in range(8):
        while kutulu_mover(slow) != kutulu_mover(state) or slow.turn != state.turn:
            (only,) = choices(slow, context)
            play_imagined(slow, context, only)
        assert bytes(slow) == bytes(state)
        found = choices(state, context)
        if not found:
            break
        kutulu_advance(state, context, max(found))
        play_imagined(slow, context, max(found))
