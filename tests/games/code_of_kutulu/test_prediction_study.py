"""The prediction of enemies' steps: observing, fitting, measuring."""

import numpy as np
import pytest

from podium.games.code_of_kutulu.bots import greedy, random
from podium.games.code_of_kutulu.bots.prediction import SIGHTS
from podium.games.code_of_kutulu.mazes import MAZES, NO_CELL
from podium.games.code_of_kutulu.prediction_study import BLOCKED, Steps, fitted, measure, observe, step_of
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import WAIT


def made_up_steps(weights, count):
    """Steps drawn from the model itself."""
    random = np.random.default_rng(7)
    seen = random.integers(0, 3, (count, WAIT + 1, len(SIGHTS))).astype(float)
    closed = np.where(random.random((count, WAIT + 1)) < 0.3, BLOCKED, 0.0)
    closed[:, WAIT] = 0.0
    luck = random.gumbel(size=closed.shape)
    return Steps(np.full(count, "model"), seen, closed, (closed - seen @ weights + luck).argmax(1))


def test_the_fit_finds_the_weights_that_steps_were_drawn_with():
    weights = np.array([2.0, 0.5, 1.0, 0.3, 0.4, 0.0, -0.3, -1.0, -0.1])
    steps = made_up_steps(weights, 8000)
    assert fitted(steps) == pytest.approx(weights, abs=0.12)
    assert steps.right(weights) > steps.right(weights[::-1])


def test_steps_are_seen_as_they_are():
    state = initial_state(3)
    here = int(state.cell[0])
    maze = MAZES[state.maze]
    around = maze.neighbours(here)
    _, closed, taken = step_of(state, 0, "WAIT")
    assert taken == WAIT
    assert [value == BLOCKED for value in closed[:WAIT]] == [there == NO_CELL for there in around]
    for direction, there in enumerate(around):
        if there != NO_CELL:
            x, y = maze.points[there]
            assert step_of(state, 0, f"MOVE {x} {y}")[2] == direction
    assert step_of(state, 0, "YELL")[2] == WAIT


@pytest.mark.compiled
def test_who_never_steps_is_observed_as_waiting():
    steps = observe(random.KINDS[1:], 0.0)
    assert len(steps.taken) > 500
    assert set(steps.taken) == {WAIT}


@pytest.mark.compiled
def test_fitted_weights_predict_steps_better_than_chance():
    findings = measure([*greedy.KINDS, *random.KINDS[1:]], 0.0)
    by_name = {row[0]: row for row in findings.rows}
    assert set(by_name) == {"greedy", "wait", "all"}
    assert by_name["greedy"][3] > 0.5
    assert all(name in findings.sentence for name, _ in SIGHTS)
