"""The kernels against the slow plain twin, and against the recorded games of the official referee."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.arena.game.recordings import read, verify
from podium.games import load
from podium.games.code_of_kutulu.mazes import MAZES, walk
from podium.games.code_of_kutulu.referee import KutuluReferee
from podium.games.code_of_kutulu.rules import kutulu_legal_moves, kutulu_play, play_choice
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import LIGHT, LIGHT_BOUND, LIGHT_EXACT, NOBODY, PLAN, SEATS, WAIT, YELL, State
from podium.games.game import Answer
from podium.kernel import JIT, allocate
from tests.games.code_of_kutulu.twin import WORDS, Twin

RECORDINGS = Path(__file__).parents[2] / "recordings" / "code_of_kutulu.jsonl.gz"
ROWS = [maze.rows for maze in MAZES]
SEEDS = st.integers(-(2**63), 2**63 - 1)
# How often each word is tried: walkers live longest, casters and yellers meet the rare rules.
TEMPERS = {
    "walker": [5, 5, 5, 5, 1, 0.2, 0.2, 0.2],
    "caster": [2, 2, 2, 2, 1, 2, 4, 1],
    "yeller": [1, 1, 1, 1, 3, 0.5, 0.5, 6],
}


def compare(seed, maze, temper, most_turns, herd):
    """Play a game by both; every prompt must be the same. `herd` starts all explorers on one cell."""
    referee = KutuluReferee(seed, map=MAZES[maze].name)
    twin = Twin(seed, ROWS, maze)
    if herd:
        referee.state.cell[:] = referee.state.cell[0]
        for explorer in twin.explorers:
            explorer.at = twin.explorers[0].at
    dice = random.Random(seed)
    while not twin.over and twin.turn < most_turns:
        requests = referee.requests()
        assert [r.seat for r in requests] == [e.id for e in twin.living]
        for request in requests:
            prompt = list(request.lines)[-len(twin.prompt(request.seat)) :]
            assert prompt == twin.prompt(request.seat), f"turn {twin.turn}, seat {request.seat}"
        words = {r.seat: dice.choices(WORDS, TEMPERS[temper])[0] for r in requests}
        referee.answer([Answer(words[r.seat]) for r in requests])
        twin.step(words)
    assert int(referee.state.random[0]) == twin.random.state
    assert bool(referee.outcome) == twin.over
    if twin.over:
        assert list(referee.outcome.scores) == [e.score for e in twin.explorers]


@settings(max_examples=30 if JIT else 3, deadline=None)
@given(SEEDS, st.integers(0, 15), st.sampled_from(sorted(TEMPERS)), st.booleans())
def test_the_kernels_play_as_the_plain_twin(seed, maze, temper, herd):
    compare(seed, maze, temper, 120 if JIT else 15, herd)


@pytest.mark.slow
@pytest.mark.parametrize("maze", range(16))
@pytest.mark.compiled
def test_every_maze_is_played_as_by_the_plain_twin(maze):
    compare(maze + (7 << 50), maze, "walker", 201, True)


def test_the_settings_of_seed_42():
    state = initial_state(42)
    found = [int(state[name]) for name in ("lonely", "group", "spawn_time", "life_time", "maze")]
    assert found == [5, 1, 5, 35, 4]


RECORDED = list(read(RECORDINGS)) if JIT else list(read(RECORDINGS))[::12]


def test_the_recorded_games_are_all_there():
    assert len(list(read(RECORDINGS))) == 75


@pytest.mark.parametrize(("number", "recorded"), RECORDED, ids=[f"game{n}" for n, _ in RECORDED])
def test_a_recorded_game_is_replayed_line_by_line(number, recorded):
    comparison = verify(load("code_of_kutulu"), number, recorded)
    assert comparison.first is None


def choices_of(state):
    out = np.zeros(8, np.int64)
    return set(out[: kutulu_legal_moves(state, out)].tolist())


def turn(state, *choices):
    for choice in choices:
        kutulu_play(state, choice)


def test_legal_choices_are_those_that_do_something():
    state = initial_state(42)
    assert {WAIT, PLAN, LIGHT} <= choices_of(state)
    assert YELL not in choices_of(state), "nobody is near"
    state.cell[1] = state.cell[0]
    assert YELL in choices_of(state)
    turn(state, PLAN, YELL, WAIT, WAIT)
    assert choices_of(state) == {WAIT}, "held by a yell"
    state.mover = 1
    assert YELL not in choices_of(state), "it has yelled at its only neighbour"
    assert not {PLAN, LIGHT} & choices_of(state), "its own yell is in force"


def test_choosing_may_begin_with_any_seat():
    states = allocate(State, 2)
    states[0] = states[1] = initial_state(5)
    states[1].first = states[1].mover = 2
    turn(states[0], 0, 1, 2, 3)
    turn(states[1], 2, 3, 0, 1)
    for name in ("cell", "sanity", "turn", "where", "random", "minions"):
        assert np.array_equal(states[0][name], states[1][name])
    assert states[1].mover == 2


def test_keys_tell_choices_seats_and_turns_apart():
    states = allocate(State, 1)
    keys = set()
    for first in range(5):
        for second in range(5):
            states[0] = initial_state(1)
            kutulu_play(states[0], first)
            kutulu_play(states[0], second)
            keys.add(int(states[0].hash))
    assert len(keys) == 25


@pytest.mark.parametrize("unlucky", range(4))
def test_without_the_generator_every_draw_falls_on_the_unlucky_seat(unlucky):
    state = initial_state(42)
    before = int(state.random[0])
    state.cell[:] = state.cell[0]
    state.minions, state.turn = 1, 1
    state.where[0], state.mode[0], state.timer[0], state.target[0] = MAZES[4].spawns[0], 1, 30, NOBODY
    for _ in range(SEATS):
        play_choice(state, WAIT, unlucky, LIGHT_EXACT)
    assert state.target[0] == unlucky
    assert state.random[0] == before


def test_the_bound_of_light_turns_a_wanderer_to_an_explorer_in_the_dark():
    state = initial_state(42)
    state.living = 0b11
    maze = MAZES[4]
    far = max(range(len(maze.points)), key=lambda cell: walk(4, state.cell[0], cell))
    state.cell[1] = far
    between = min(range(len(maze.points)), key=lambda c: abs(walk(4, c, state.cell[0]) + 2 - walk(4, c, far)))
    state.minions, state.turn = 1, 1
    state.where[0], state.mode[0], state.timer[0], state.target[0] = between, 1, 30, NOBODY
    bright = allocate(State, 1)
    bright[0] = state
    for position, choice in ((state, WAIT), (bright[0], LIGHT)):
        play_choice(position, choice, 0, LIGHT_BOUND)
        play_choice(position, WAIT, 0, LIGHT_BOUND)
    assert state.target[0] == 0
    assert bright[0].target[0] == 1
