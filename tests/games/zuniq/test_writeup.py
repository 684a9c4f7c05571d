"""`writeup`: the winner's rules for time and impact."""

import pytest

from podium.games.zuniq.board import NAMES
from podium.games.zuniq.bots.champion import Champion
from podium.games.zuniq.bots.params import WRITEUP_PARAMS
from podium.kernel.clock import MILLISECOND, SECOND
from podium.model.budget import Budget
from podium.search.tree import ROOT, edge_count, edge_move, edge_prior
from tests.games.zuniq.twin import PlainZuniq
from tests.search.test_mcts import opening, search_of


@pytest.mark.parametrize(
    ("plies", "left", "normally", "at_most"),
    [(0, 30.0, 2.0, 2.25), (17, 10.0, 2.0, 2.25), (18, 10.0, 2.75, 3.0), (25, 3.0, 1.5, 1.75), (10, 1.0, 1.0, 1.0)],
)
def test_time_is_spent_as_the_author_spent_it(plies, left, normally, at_most):
    bot = Champion(WRITEUP_PARAMS.params({"margin": 0.0}), 0)
    bot.state.plies = plies
    start = 5 * SECOND
    times = bot._times(Budget(start + int(left * SECOND), bank=True), start)
    assert times == (start + int(normally * SECOND), start + int(at_most * 1000) * MILLISECOND)


@pytest.mark.parametrize("plies", [0, 20, 26])
def test_impact_is_the_number_of_moves_before_less_those_after(plies):
    state = opening(plies)
    tree = search_of(state, 2, counted_impact=True).tree
    plain = PlainZuniq()
    for wall in range(len(NAMES)):
        if int(state.drawn) >> wall & 1:
            plain.play(NAMES[wall])
    root, before = int(tree.counters[ROOT]), len(plain.legal())
    for i in range(edge_count(tree, root)):
        after = plain.copy()
        after.play(NAMES[int(edge_move(tree, root, i))])
        assert edge_prior(tree, root, i) == before - len(after.legal())
