"""The regression of who outlives whom on positions."""

import numpy as np
import pytest

from podium.games.code_of_kutulu.bots import greedy, random
from podium.games.code_of_kutulu.mazes import MAZES, NAMES, sees, walk
from podium.games.code_of_kutulu.outcome_study import THINGS, measure, numbers, sanity_values
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import NOBODY, RUSHING, SPAWNING, STALKING, WANDERING

MAZE = MAZES[NAMES["Typhoon"]]
HERE = MAZE.starts[0]


def cell_at(steps, seen=True):
    """A cell at a number of steps from here, in sight or not."""
    return next(
        cell
        for cell in range(len(MAZE.points))
        if walk(MAZE.index, HERE, cell) == steps and (sees(MAZE.index, HERE, cell) != 0) == seen
    )


def test_a_position_in_numbers():
    state = initial_state(1, {"map": MAZE.name})
    state.cell[:] = HERE, cell_at(1), cell_at(2), cell_at(25, seen=False)
    state.sanity[0], state.plans[0], state.lights[0] = 120, 2, 1
    state.yelled = 1 << (4 * 0 + 1) | 1 << (4 * 2 + 0)
    state.yells = 1 << (4 * 2 + 0)
    minions = [  # slasher, steps away, mode, target
        (0, 3, WANDERING, 0),
        (0, 2, WANDERING, 1),
        (0, 1, SPAWNING, NOBODY),
        (1, 1, STALKING, 0),
        (1, 1, STALKING, 1),
        (1, 2, RUSHING, 0),
    ]
    for i, (slasher, steps, mode, target) in enumerate(minions):
        state.slasher[i], state.where[i], state.mode[i], state.target[i] = slasher, cell_at(steps), mode, target
    state.minions = len(minions)
    assert dict(zip(THINGS, numbers(state, 0), strict=True)) == {
        "sanity": 120,
        "PLAN in stock": 2,
        "PLAN in stock, for each explorer in its radius": 4,
        "LIGHT in stock": 1,
        "step to each explorer": 1 + 2 + 20,
        "explorer not yet yelled at": 2,
        "explorer that may YELL at me": 2,
        "the same next to me": 1,
        "held by a YELL": True,
        "step that a wanderer after me is nearer than 7": 4,
        "step that another wanderer is nearer than 7": 5,
        "slasher that stalks me in sight": 1,
        "slasher about to rush at me in sight": 1,
    }


def test_the_fit_finds_the_weights_that_outcomes_were_drawn_with():
    draws = np.random.default_rng(7)
    weights = np.array([0.05, 0.5, 0.2, 0.0, -0.1, 0.1, -0.3, -0.2, -0.5, -0.04, 0.0, -0.1, -0.4])
    differences = draws.integers(-3, 4, (20_000, len(THINGS))) * np.array([20.0, *[1.0] * (len(THINGS) - 1)])
    outcomes = draws.random(20_000) < 1 / (1 + np.exp(-differences @ weights))
    assert sanity_values(differences, outcomes) == pytest.approx(weights / weights[0], abs=0.5)


@pytest.mark.compiled
def test_sanity_is_worth_itself():
    findings = measure([*greedy.KINDS, *random.KINDS], 0.0)
    assert [row[0] for row in findings.rows] == list(THINGS)
    assert findings.rows[0][1:] == pytest.approx((1.0, 1.0, 1.0))
    assert all(low <= value <= high for _, value, low, high in findings.rows)
