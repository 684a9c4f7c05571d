"""What a network sees of Connect Four, and whether its moves are measured truly."""

import numpy as np
import pytest
from test_connect_four import EMPTY_CELLS, KNOWN, plain_score, position, random_columns

from connect_four import studies
from connect_four.bots import ALPHAZERO_PARAMS, alphazero_search, bot_around
from connect_four.learning import (
    BITS,
    FIRST,
    INPUTS,
    OTHER,
    OTHER_LINE,
    OWN,
    OWN_LINE,
    connect_four_features,
    learning,
    symmetries,
)
from connect_four.rules import CELLS, COLUMNS, ROWS
from connect_four.solver import new_table, value
from connect_four.studies import value_after
from podium.games.toolkit import moves_of
from podium.model.budget import Budget


def seen(state):
    out = np.zeros(INPUTS, np.int64)
    return out[: connect_four_features(state, out)].tolist()


def plainly_seen(columns):
    on, heights = {FIRST + len(columns) % 2}, [0] * COLUMNS
    for ply, column in enumerate(columns):
        cell = column * (ROWS + 1) + heights[column]
        on.add((OWN if ply % 2 == len(columns) % 2 else OTHER) + cell)
        heights[column] += 1
    for column in range(COLUMNS):
        for row in range(heights[column], ROWS):
            for first, mine in ((OWN_LINE, True), (OTHER_LINE, False)):
                if completes(columns, column, row, mine):
                    on.add(first + column * (ROWS + 1) + row)
    return on


def completes(columns, column, row, mine):
    """Whether a stone in an empty cell, even one in the air, would make a line of its owner."""
    heights, stones = [0] * COLUMNS, {(column, row)}
    for ply, played in enumerate(columns):
        if (ply % 2 == len(columns) % 2) == mine:
            stones.add((played, heights[played]))
        heights[played] += 1
    return any(
        (column, row) in line and line <= stones
        for x in range(COLUMNS)
        for y in range(ROWS)
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        for line in [{(x + step * right, y + step * up) for step in range(4)}]
    )


@pytest.mark.parametrize("seed", range(3))
def test_inputs_are_those_of_a_plain_twin(seed):
    state, columns = random_columns(seed, 18, peaceful=True)
    found = seen(state)
    assert len(found) == len(set(found))
    assert set(found) == plainly_seen(columns)


def test_a_mirrored_position_is_seen_as_the_symmetry_says():
    moves, inputs, targets = symmetries()
    assert learning().inputs == inputs.shape[1]
    assert targets.shape == (2, BITS)
    for turn in range(2):
        state = position("4453521")
        turned = position("".join(str(moves[turn][int(column) - 1] + 1) for column in "4453521"))
        assert sorted(inputs[turn][seen(state)]) == sorted(seen(turned))


@pytest.mark.compiled
@pytest.mark.parametrize(("columns", "score"), KNOWN)
def test_the_solver_finds_known_values(columns, score):
    assert value(position(columns), new_table()) == np.sign(score)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(12))
def test_moves_are_worth_what_going_through_all_games_says(seed):
    state, columns = random_columns(seed, CELLS - EMPTY_CELLS, peaceful=True)
    table = new_table()
    for move in moves_of(state):
        assert value_after(state, move, table) == -np.sign(plain_score([*columns, move]))


@pytest.mark.compiled
def test_the_study_counts_positions_and_kept_values(monkeypatch):
    monkeypatch.setattr(studies, "POSITIONS", 12)
    monkeypatch.setattr(studies, "PLIES", range(26, 30))
    found = studies.network(0.0)
    assert found.rows[0][:2] == ["all", 12]
    assert found.rows[1][1] <= 12
    assert 0.5 <= found.rows[0][2] <= 1.0


@pytest.mark.compiled
def test_the_bot_makes_a_line_and_stops_one():
    bot = bot_around(alphazero_search)(ALPHAZERO_PARAMS.params({"memory": 2}), 1)
    for columns, answer in (("112233", "4"), ("1122335", "4")):
        assert bot.reply([f"moves {columns}"], Budget(nodes=200)) == answer
