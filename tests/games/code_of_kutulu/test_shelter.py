"""The bot that rests on shelters."""

import pytest

from podium.games.code_of_kutulu.bots.greedy import PARAMS as GREEDY_PARAMS
from podium.games.code_of_kutulu.bots.greedy import best_step
from podium.games.code_of_kutulu.bots.shelter import PARAMS, restful_step, turns_to_filling
from podium.games.code_of_kutulu.mazes import MAZES, NAMES, NEIGHBOUR, walk
from podium.games.code_of_kutulu.rules import kutulu_play
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import SHELTER_ENERGY, WAIT

MAZE = MAZES[NAMES["Typhoon"]]
SHELTER = MAZE.shelters[0]
STEPS = 4  # from the shelter


def steps_of_both(turn, filled, sanity):
    """For each cell some steps from a shelter: where `greedy` steps without a liking for shelters, and `shelter`."""
    for cell in range(len(MAZE.points)):
        if walk(MAZE.index, cell, SHELTER) != STEPS:
            continue
        state = initial_state(1, {"map": MAZE.name})
        state.turn, state.cell[0], state.sanity[0] = turn, cell, sanity
        state.shelter[0] = SHELTER_ENERGY if filled else 0
        choices = best_step(state, GREEDY_PARAMS.params({"shelter": 0.0}), 0), restful_step(state, PARAMS.params(), 0)
        yield [cell if choice == WAIT else int(NEIGHBOUR[MAZE.index, cell, choice]) for choice in choices]


@pytest.mark.parametrize(("turn", "filled"), [(60, True), (45, False)])
def test_it_goes_to_a_shelter_that_is_filled_or_soon_will_be(turn, filled):
    for _, step in steps_of_both(turn, filled, sanity=150):
        assert walk(MAZE.index, step, SHELTER) == STEPS - 1


@pytest.mark.parametrize(("turn", "filled", "sanity"), [(60, False, 150), (60, True, 250)])
def test_without_a_gain_it_plays_like_greedy(turn, filled, sanity):
    for greedy, step in steps_of_both(turn, filled, sanity):
        assert step == greedy


def both_wait(state):
    """A turn of two explorers who do not lose their minds."""
    state.sanity = 250
    for _ in range(2):
        kutulu_play(state, WAIT)


@pytest.mark.parametrize("turn", [1, 49, 50, 51, 100, 101])
def test_the_turns_to_the_filling_are_those_of_the_rules(turn):
    state = initial_state(1, {"map": MAZE.name})
    state.turn, state.living, state.mover = turn, 0b0011, 0
    state.cell[:] = SHELTER
    for _ in range(turns_to_filling(state) - 1):
        assert not state.shelter.any()
        both_wait(state)
    assert state.shelter[0] == SHELTER_ENERGY
    both_wait(state)
    assert state.shelter[0] == SHELTER_ENERGY - 2  # both have rested
