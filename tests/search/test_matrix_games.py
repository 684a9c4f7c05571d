"""Matrix games against known solutions, and small games with simultaneous moves by backward induction."""

import doctest
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.errors import LimitError, PodiumError
from podium.search import matrix_games
from podium.search.matrix_games import exploitability, match_regrets, solve_matrix, worst_part
from podium.search.plain import Plain
from tests.search.simultaneous_games import (
    BIASED,
    GOOFSPIEL_RULES,
    MATRIX_RULES,
    NO_OPINION,
    OSHI_ZUMO_RULES,
    PENNIES,
    SCISSORS,
    goofspiel,
    matrix_game,
    oshi_zumo,
)

MATRICES = st.integers(1, 5).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-9, 9), min_size=columns, max_size=columns), min_size=1, max_size=5)
)


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        (PENNIES, 0.0, [0.5, 0.5], [0.5, 0.5]),
        (BIASED, 0.2, [0.4, 0.6], [0.4, 0.6]),
        (SCISSORS, 0.0, [1 / 3] * 3, [1 / 3] * 3),
        ([[3, 5], [2, 9]], 3.0, [1, 0], [1, 0]),  # a saddle point
        ([[4]], 4.0, [1], [1]),
        ([[3, 0, 2], [0, 3, 2.5]], 1.5, [0.5, 0.5], [0.5, 0.5, 0]),  # the last column is never good
    ],
)
def test_known_equilibria(matrix, value, rows, columns):
    found = solve_matrix(matrix)
    assert found.value == pytest.approx(value)
    assert found.rows == pytest.approx(rows)
    assert found.columns == pytest.approx(columns)


@settings(max_examples=60, deadline=None)
@given(MATRICES)
def test_neither_side_can_do_better(matrix):
    values, found = np.array(matrix, float), solve_matrix(matrix)
    assert (found.rows @ values).min() == pytest.approx(found.value, abs=1e-7)
    assert (values @ found.columns).max() == pytest.approx(found.value, abs=1e-7)
    assert exploitability(matrix, found.rows) == pytest.approx(0.0, abs=1e-7)


@settings(max_examples=20, deadline=None)
@given(MATRICES)
def test_regret_matching_comes_near(matrix):
    few, many = (exploitability(matrix, match_regrets(matrix, rounds).rows) for rounds in (5, 2000))
    assert many <= max(few, 0.1)
    assert many < 0.3


def test_the_worst_part_lies_between_minimum_and_mean():
    matrix = [[4, 0, 2], [1, 1, 7]]
    assert worst_part(matrix, 0.0).tolist() == [0, 1]
    assert worst_part(matrix, 1.0) == pytest.approx([2, 3])
    assert worst_part(matrix, 0.5) == pytest.approx([2 / 3, 1])  # the worst one and a half of three
    assert worst_part(matrix, 0.1).tolist() == [0, 1]  # never less than one reply


def test_what_is_no_matrix_game_is_refused():
    for wrong in ([], [1, 2], [[np.nan]]):
        with pytest.raises(PodiumError):
            solve_matrix(wrong)
    with pytest.raises(LimitError):
        worst_part(PENNIES, 1.5)
    with pytest.raises(LimitError):
        match_regrets(PENNIES, 0)


def test_examples_in_docstrings_run():
    failed, tried = doctest.testmod(matrix_games)
    assert tried >= 4
    assert failed == 0


def test_backward_induction_of_one_turn_is_the_matrix():
    for seat, value in ((0, 0.2), (1, -0.2)):
        found, matrix, rows = Plain(MATRIX_RULES, NO_OPINION).equilibrium(matrix_game(BIASED), seat)
        assert found == pytest.approx(value)
        assert matrix.tolist() == (np.array(BIASED) if seat == 0 else -np.array(BIASED).T).tolist()
        assert rows == pytest.approx([0.4, 0.6])


def test_symmetric_games_are_worth_nothing():
    assert Plain(GOOFSPIEL_RULES, NO_OPINION).equilibrium(goofspiel(), 0)[0] == pytest.approx(0.0, abs=1e-7)
    assert Plain(OSHI_ZUMO_RULES, NO_OPINION).equilibrium(oshi_zumo((3, 3)), 1)[0] == pytest.approx(0.0, abs=1e-7)


def test_a_lead_in_goofspiel_is_worth_itself():
    state = goofspiel(turn=2)
    state.lead = 3
    assert Plain(GOOFSPIEL_RULES, NO_OPINION).equilibrium(state, 0)[0] == pytest.approx(3.0)
    assert Plain(GOOFSPIEL_RULES, NO_OPINION).equilibrium(state, 1)[0] == pytest.approx(-3.0)


def test_a_matrix_is_solved_where_a_bot_hides_scipy():
    script = (
        "import sys\n"
        "from podium.cli import NEEDLESS\n"
        "sys.modules.update(dict.fromkeys(NEEDLESS))\n"
        "from podium.search.matrix_games import solve_matrix\n"
        "print(*solve_matrix([[2, -1], [-1, 1]]).rows.round(6))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["0.4", "0.6"], "")
