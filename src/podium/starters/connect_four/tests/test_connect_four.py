"""Connect Four: the conformance suite, perft counts, positions with known values, and a plain twin of the rules."""

import numpy as np
import pytest

from connect_four.bots import ALPHABETA_PARAMS, MCTS_PARAMS, alphabeta_search, mcts_search
from connect_four.referee import ConnectFourReferee, View
from connect_four.rules import CELLS, COLUMNS, ROWS, State, completing
from podium.games.game import Answer, Ending
from podium.games.toolkit import moves_of
from podium.kernel import JIT, blank
from podium.kernel.random import draw_below, generator
from podium.model.budget import Budget
from podium.model.hooks import WIN_VALUE
from podium.model.result import Proof
from podium.model.rules import is_over, play
from podium.search.perft import perft
from podium.testing import conformance

TestConformance = conformance("connect_four")

PERFT = (7, 49, 343, 2401, 16807, 117649, 823536, 5673234)

# Positions as columns played, and their score for the player to move under best play: 0 for a draw, otherwise 1 and
# another for each stone that the winner has left. The first four are from Pascal Pons' test set of late positions; in
# the last one the other player has two ways to complete a line.
KNOWN = (
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
    ("65214673556155731566316327373221417", -1),
    ("44455554221", -15),
)
EMPTY_CELLS = 9  # of the positions that the plain twin solves


def position(columns):
    state = blank(State)
    for column in columns:
        play(state, int(column) - 1)
    return state


@pytest.mark.parametrize("depth", range(1, 9 if JIT else 4))
def test_perft(depth):
    assert perft(blank(State), depth, COLUMNS) == PERFT[depth - 1]


@pytest.mark.parametrize(("columns", "score"), KNOWN if JIT else KNOWN[:3])
def test_alphabeta_finds_known_values(columns, score):
    result = alphabeta_search(ALPHABETA_PARAMS.params()).decide(position(columns), len(columns) % 2)
    assert result.proof is Proof.EXACT
    assert result.value == (WIN_VALUE + abs(score)) * np.sign(score)


@pytest.mark.parametrize(("columns", "score"), KNOWN if JIT else KNOWN[:3])
def test_monte_carlo_proves_known_results(columns, score):
    result = mcts_search(MCTS_PARAMS.params({"memory": 8})).decide(
        position(columns), len(columns) % 2, Budget(nodes=20_000)
    )
    assert result.proof == {-1: Proof.LOSS, 0: Proof.DRAW, 1: Proof.WIN}[int(np.sign(score))]


def plain_line(columns):
    """Whether the last of some columns completed a line: by looking at all cells, one by one."""
    heights, stones = [0] * COLUMNS, {}
    for ply, column in enumerate(columns):
        stones[column, heights[column]] = ply % 2
        heights[column] += 1
    own = {cell for cell, seat in stones.items() if seat == (len(columns) - 1) % 2}
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(
        all((x + step * right, y + step * up) in own for step in range(4)) for x, y in own for right, up in directions
    )


def plain_score(columns):
    """The score of a position for the player to move, by going through all games."""
    if columns and plain_line(columns):
        return -(CELLS // 2 + 1 - (len(columns) + 1) // 2)
    if len(columns) == CELLS:
        return 0
    return max(-plain_score([*columns, column]) for column in range(COLUMNS) if columns.count(column) < ROWS)


def random_columns(seed, most, peaceful=False):
    """At most `most` random moves of a game; with `peaceful`, none of them makes a line if another move does not."""
    state, random, columns = blank(State), generator(seed), []
    while len(columns) < most and not is_over(state):
        legal = moves_of(state)
        if peaceful:
            legal = [column for column in legal if not plain_line([*columns, column])] or legal
        columns.append(legal[draw_below(random, len(legal))])
        play(state, columns[-1])
    return state, columns


@pytest.mark.parametrize("seed", range(20 if JIT else 4))
def test_lines_are_found_as_a_plain_twin_finds_them(seed):
    state, columns = random_columns(seed, CELLS)
    assert state.connect_four == plain_line(columns)
    assert not any(plain_line(columns[:plies]) for plies in range(1, len(columns)))


@pytest.mark.parametrize("seed", range(20 if JIT else 4))
def test_completing_cells_are_those_where_a_stone_would_win(seed):
    state, columns = random_columns(seed, 20, peaceful=True)
    cells = int(completing(state.own, state.taken))
    for column in moves_of(state):
        cell = column * (ROWS + 1) + columns.count(column)
        assert bool(cells >> cell & 1) == plain_line([*columns, column])


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(8))
def test_alphabeta_agrees_with_going_through_all_games(seed):
    state, columns = random_columns(seed, CELLS - EMPTY_CELLS, peaceful=True)
    result = alphabeta_search(ALPHABETA_PARAMS.params()).decide(state, len(columns) % 2)
    score = plain_score(columns)
    assert result.value == (WIN_VALUE + abs(score)) * np.sign(score)


def test_the_text():
    referee = ConnectFourReferee(1, opening=0)
    assert referee.requests()[0].lines == ("moves",)
    referee.answer([Answer(" 4 ")])
    assert referee.requests()[0].lines == ("moves 4",)
    view = View()
    view.read(["moves 4"])
    assert (view.seat, view.answer_of(3)) == (1, "4")


@pytest.mark.parametrize(
    ("line", "ending"),
    [("8", Ending.MALFORMED), ("four", Ending.MALFORMED), ("1", Ending.ILLEGAL), (None, Ending.NO_ANSWER)],
)
def test_faults_lose_the_game(line, ending):
    referee = ConnectFourReferee(1, opening=0)
    for _ in range(ROWS):
        referee.answer([Answer("1")])
    referee.answer([Answer(line)])
    assert referee.outcome.ending is ending
    assert referee.outcome.ranks == (2, 1)


def test_the_opening_is_drawn_by_the_seed():
    games = {ConnectFourReferee(seed).requests()[0].lines for seed in range(20)}
    assert len(games) > 10
    assert all(len(lines[0].split()[1]) == 2 for lines in games)
