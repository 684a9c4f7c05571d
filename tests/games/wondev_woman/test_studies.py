"""The studies of the write-up's claims: what they count is what they say."""

from collections.abc import Iterator

import numpy as np
import pytest

from podium.games.wondev_woman import studies
from podium.games.wondev_woman.rules import wondev_legal_moves, wondev_play
from podium.games.wondev_woman.stages import END, FRESH, MIDDLE, STAGES, positions
from podium.games.wondev_woman.state import MOST_MOVES, State
from podium.games.wondev_woman.tracker import ALIVE, Belief, add
from podium.kernel import JIT, allocate, blank
from podium.model.rules import key


def below(state, plies) -> Iterator:
    """All positions a number of plies below a state."""
    if plies == 0:
        yield state
        return
    moves = np.zeros(MOST_MOVES, np.int64)
    for move in moves[: wondev_legal_moves(state, moves)]:
        after = allocate(State, 1)
        after[0] = state
        wondev_play(after[0], move)
        if plies == 1 or not after[0].over:
            yield from below(after[0], plies - 1)


def test_keys_with_units_told_apart_are_those_of_the_ordered_units():
    (state,) = positions(STAGES[MIDDLE] if JIT else 0, 1)
    plies = 2 if JIT else 1
    states, moves = allocate(State, plies + 1), np.zeros((plies + 1, MOST_MOVES), np.int64)
    states[0] = state
    keys = np.zeros((2, 100_000), np.uint64)
    filled = int(studies.walk(states, moves, np.int64(0), plies, keys, np.int64(0)))
    all_below = list(below(state, plies))
    assert filled == len(all_below)
    assert len(np.unique(keys[0, :filled])) == len({int(key(each)) for each in all_below})
    ordered = {(int(key(each)), *(bool(each.unit[i] > each.unit[i + 1]) for i in (0, 2))) for each in all_below}
    assert len(np.unique(keys[1, :filled])) == len(ordered)


def test_a_walk_stops_where_its_rows_end():
    (state,) = positions(0, 1)
    states, moves = allocate(State, 2), np.zeros((2, MOST_MOVES), np.int64)
    states[0] = state
    assert studies.walk(states, moves, np.int64(0), 1, np.zeros((2, 3), np.uint64), np.int64(0)) == 3


def test_places_by_unit_are_all_combinations_of_different_cells():
    belief = blank(Belief)
    for one, two in ((1, 2), (3, 4), (2, 1)):
        add(belief, ALIVE, one, two, 0, 0)
    assert studies._by_unit(belief) == 3 * 3 - 2  # 1, 2 or 3 with 2, 4 or 1, but not both on 1 or on 2


@pytest.mark.compiled
def test_in_the_fog_deduction_only_takes_places_away(monkeypatch):
    monkeypatch.setattr(studies, "FEWEST", 2)
    rows = {row[0]: row for row in studies.fog(0.0).rows}
    assert rows["first turn of player 0"][1] == rows["first turn of player 1"][1] == 2
    for _, number, pairs, low, high, without, ratio, least, most, alone, rarely, often in rows.values():
        assert 0 <= alone <= 1
        assert rarely <= alone <= often
        assert number > 0
        assert low <= pairs <= high
        assert least <= ratio <= most
        assert pairs <= without
        assert ratio == pytest.approx(without / pairs)


@pytest.mark.compiled
def test_more_nodes_look_deeper_and_alpha_beta_deeper_than_minimax(monkeypatch):
    monkeypatch.setattr(studies, "FEWEST", 1)
    monkeypatch.setattr(studies, "BUDGETS", (100, 20_000))
    monkeypatch.setattr(studies, "PRUNED_DEPTH", 3)
    monkeypatch.setattr(studies, "PRUNED", 2)
    depths = {(row[0], row[1]): row[3] for row in studies.depths(0.0).rows}
    assert all(depths[stage, 20_000] > depths[stage, 100] for stage in STAGES)
    plain, champion = (row[5] for row in studies.pruning(0.0).rows)
    assert 1 < plain < champion
    assert [row[0] for row in studies.pruning(0.0).rows] == [FRESH, FRESH]


@pytest.mark.compiled
def test_the_worst_deduction_takes_no_less_than_the_mean(monkeypatch):
    monkeypatch.setattr(studies, "DEDUCED_GAMES", 3)
    (row,) = studies.deduction(0.0).rows
    assert row[:2] == [2, 3]
    assert 0 < row[3] <= row[2]


@pytest.mark.compiled
def test_the_last_depth_takes_most_of_the_nodes(monkeypatch):
    monkeypatch.setattr(studies, "FEWEST", 2)
    monkeypatch.setattr(studies, "ORDERED_DEPTHS", {FRESH: 3, MIDDLE: 3, END: 3})
    for stage, depth, number, _, share, low, high in studies.deepening(0.0).rows:
        assert (number, depth) == (2, 3)
        assert low <= share <= high
        assert 0 < share < 0.5, stage
