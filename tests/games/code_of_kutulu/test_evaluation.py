"""What positions are worth."""

import numpy as np
import pytest

from podium.games.code_of_kutulu.bots.context import context_of, play_imagined
from podium.games.code_of_kutulu.bots.evaluation import decided_value, kutulu_evaluate, settled_value
from podium.games.code_of_kutulu.bots.maxn import PARAMS as MAXN_PARAMS
from podium.games.code_of_kutulu.bots.maxn import kutulu_shares
from podium.games.code_of_kutulu.mazes import sees, walk
from podium.games.code_of_kutulu.position_text import read
from podium.games.code_of_kutulu.rules import remove
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import RUSHING, SEATS, STALKING, WAIT, State, living_seats
from podium.kernel import allocate
from tests.games.code_of_kutulu.prepared import LINES, SOME, prepared


def plain_value(state, context, seat):
    """The write-up's list of terms, one by one."""
    maze = state.maze
    here = state.cell[seat]
    others = [s for s in living_seats(state) if s != seat]
    distances = [walk(maze, here, state.cell[other]) for other in others]
    minions = range(int(state.minions))
    total = context.my_sanity * int(state.sanity[seat])
    total -= sum(context.enemy_sanity * int(state.sanity[other]) for other in others)
    total -= context.lonely * max(0, min(distances) - 2)
    total -= context.explorer_distance * sum(distances)
    if minions:
        total += context.nearest_minion * min(walk(maze, here, state.where[i]) for i in minions)
    total += context.minion_distance * sum(walk(maze, here, state.where[i]) for i in minions)
    targets = [int(state.target[i]) for i in minions]
    total += context.target_distance * sum(walk(maze, here, state.cell[t]) for t in targets if t in living_seats(state))
    total -= context.yelled * (int(state.yelled) >> (4 * seat) & 15).bit_count()
    total -= context.slasher_target * sum(targets[i] == seat and bool(state.slasher[i]) for i in minions)
    return total - context.wanderer_target * sum(targets[i] == seat and not state.slasher[i] for i in minions)


@pytest.mark.parametrize("line", SOME)
def test_the_evaluation_is_the_write_ups_list_of_terms(line):
    state, context = prepared(*read(line.split()))
    for seat in living_seats(state):
        assert settled_value(state, context, seat) == pytest.approx(plain_value(state, context, seat))


def plain_threats(state, context, seat):
    """What the minions that target a seat may still do, one by one."""
    here, total = state.cell[seat], 0
    for i in range(int(state.minions)):
        if state.target[i] != seat:
            continue
        if not state.slasher[i]:
            total += context.hunted * max(0, 7 - walk(state.maze, here, state.where[i]))
        elif sees(state.maze, here, state.where[i]):
            total += {STALKING: context.stalked, RUSHING: context.rushed}.get(int(state.mode[i]), 0)
    return total


THREATS = {"hunted": 0.8, "stalked": 3.0, "rushed": 9.0}


@pytest.mark.parametrize("line", SOME)
def test_minions_after_me_count_by_what_they_may_still_do(line):
    known, seat = read(line.split())
    state, context = prepared(known, seat, **THREATS)
    expected = plain_value(state, context, seat) - plain_threats(state, context, seat)
    assert settled_value(state, context, seat) == pytest.approx(expected)


def test_every_threat_is_met_in_the_stored_positions():
    for name in THREATS:
        found = [prepared(*read(line.split()), **{name: 1.0}) for line in LINES]
        assert any(plain_threats(state, context, context.seat) for state, context in found), name


def test_a_hit_that_all_share_is_worth_nothing_by_the_mean():
    for out in ((), (3,), (2, 3)):
        known = initial_state(42)
        for seat in out:
            remove(known, seat, 1)
        state, context = prepared(known, 0, enemy_mean=True)
        before = settled_value(state, context, 0)
        state.sanity -= 20
        assert settled_value(state, context, 0) == pytest.approx(before)
        state.sanity[1] -= 20
        assert settled_value(state, context, 0) == pytest.approx(before + 20 / (3 - len(out)))


def test_the_way_back_matters_while_three_are_left():
    known = initial_state(42)
    remove(known, 3, 1)
    for left, matters in ((3, True), (2, False)):
        state, context = prepared(known, 0, lonely_loss=1.0)
        _, plain = prepared(known, 0)
        assert (settled_value(state, context, 0) < settled_value(state, plain, 0)) == matters, left
        remove(known, 2, 1)


def test_wins_losses_and_draws_by_depth():
    state, context = prepared(initial_state(1), 0)
    state.turn, context.origin, state.living = 12, 10, 0b0010
    state.score[:] = [11, 0, 11, 5]
    assert decided_value(state, context, 1) == 1e10 - 2e8
    assert decided_value(state, context, 0) == -1e10 + 2e8
    state.living, state.over, state.score[1] = 0, 1, 11
    assert decided_value(state, context, 0) == pytest.approx(0.2)
    assert decided_value(state, context, 3) == -1e10 + 2e8


def test_a_position_in_mid_turn_is_valued_as_if_the_others_wait():
    known, seat = read(LINES[0].split())
    state, context = prepared(known, seat, complete=True)
    states = allocate(State, 2)
    states[0] = states[1] = state
    play_imagined(states[0], context, WAIT)
    before = bytes(states[0])
    value = kutulu_evaluate(states[0], context, seat)
    assert bytes(states[0]) == before
    while states[1].turn == state.turn:
        play_imagined(states[1], context, WAIT)
    assert value == settled_value(states[1], context, seat)


@pytest.mark.parametrize("line", SOME)
def test_shares_add_up(line):
    state, seat = read(line.split())
    out = np.zeros(SEATS)
    kutulu_shares(state, context_of(MAXN_PARAMS.params(), state, seat), out)
    assert out.sum() == pytest.approx(1.0)
    assert out.min() >= 0.0
    assert all((out[seat] > 0) == bool(state.living >> seat & 1) for seat in range(SEATS))
