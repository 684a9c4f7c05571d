"""The studies of whole games: what they count is what they say."""

import pytest

from podium.games.game import Answer, Budget
from podium.games.wondev_woman import game_studies
from podium.games.wondev_woman.bots.evaluation import wondev_evaluate
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.stages import STAGES, positions
from podium.games.wondev_woman.tracker import ALIVE, OUT, Belief, add, merge
from podium.games.wondev_woman.view import View
from podium.kernel import JIT, blank
from podium.kernel.random import draw_below, generator

FEW_NODES = Budget(nodes=20)


def test_pairs_of_cells_are_counted_once_whichever_unit_is_where():
    belief, swapped = blank(Belief), blank(Belief)
    for one, two in ((1, 2), (2, 1), (3, 4)):
        add(belief, ALIVE, one, two, 2, 5)
    assert game_studies.places(belief) == 2
    merge(swapped, belief, True)
    pairs = {(one, two) for one in range(9) for two in range(9) if int(swapped.sets[ALIVE, one]) >> two & 1}
    assert pairs == {(1, 2), (2, 1), (4, 3)}
    assert (swapped.low[ALIVE, 4, 3], swapped.high[ALIVE, 4, 3]) == (2, 5)


def with_enemies_swapped(lines, first):
    """A prompt that shows the enemy's units the other way round."""
    lines = list(lines)
    head = 2 if first else 0  # the size and the number of units
    enemy = head + next(i for i, line in enumerate(lines[head:]) if " " in line) + 2  # after the grid and my units
    lines[enemy], lines[enemy + 1] = lines[enemy + 1], lines[enemy]
    return lines


def possible(view):
    """The pairs of cells that may hold the enemy's units."""
    return {frozenset(pair) for status in (ALIVE, OUT) for pair in view.tracker.pairs(status)}


@pytest.mark.compiled
def test_without_ids_it_does_not_matter_which_unit_is_shown_where():
    fewer = prompts = 0
    for seed in range(12):
        referee, random = WondevReferee(seed), generator(seed)
        knowing, forgetful, swapped = views = View(), View(), View()
        forgetful.tracker, swapped.tracker = game_studies.ForgetfulTracker(), game_studies.ForgetfulTracker()
        while requests := referee.requests():
            (request,) = requests
            view = View.of(referee.state, request.seat)
            if request.seat == 0:
                prompts += 1
                knowing.read(request.lines)
                forgetful.read(request.lines)
                lines = request.lines
                swapped.read(with_enemies_swapped(lines, prompts == 1) if draw_below(random, 2) else lines)
                assert possible(knowing) <= possible(forgetful) == possible(swapped)
                assert frozenset(int(cell) for cell in referee.state.unit[2:]) in possible(knowing)
                assert len(possible(knowing)) == game_studies.places(knowing.tracker.belief)
                fewer += len(possible(knowing)) < len(possible(forgetful))
            actions = view.prompt.actions
            line = actions[draw_below(random, len(actions))] if actions else "ACCEPT-DEFEAT"
            if request.seat == 0:
                for view in views:
                    view.answered(line)
            referee.answer([Answer(line)])
        prompts = 0
    assert fewer > 0


@pytest.mark.compiled
def test_ids_only_take_pairs_away(monkeypatch):
    monkeypatch.setattr(game_studies, "IDS_GAMES", 4)
    monkeypatch.setattr(game_studies, "IDS_BUDGET", FEW_NODES)
    ((name, games, pairs, others, ratio, least, most, share, low, high),) = game_studies.ids(0.0).rows
    assert (name, games) == ("later turns", 4)
    assert 1 <= pairs <= others
    assert ratio == pytest.approx(others / pairs)
    assert least <= ratio <= most
    assert 0 <= share <= 1
    assert low <= share <= high


def test_areas_are_the_evaluations_territory():
    params = CHAMPION_PARAMS.params({"territory": 1.0, "points": 0.0, "freedom": 0.0})
    for plies in STAGES.values() if JIT else (0,):
        for state in positions(plies, 4):
            mine, theirs = game_studies.areas(state)
            assert mine - theirs == wondev_evaluate(state, params, 0)
            assert mine > 0
            state.out[1] = 1
            alone, nothing = game_studies.areas(state)
            assert nothing == 0
            assert alone >= mine


@pytest.mark.compiled
def test_endings_go_by_the_points_between_and_the_cells_reached(monkeypatch):
    monkeypatch.setattr(game_studies, "ENDED_GAMES", 4)
    monkeypatch.setattr(game_studies, "ENDED_BUDGET", FEW_NODES)

    def shares(tight, much):
        monkeypatch.setattr(game_studies, "TIGHT", tight)
        monkeypatch.setattr(game_studies, "MUCH", much)
        (_, games, close, *_), (_, won, roomy, low, high) = game_studies.endings(0.0).rows
        assert games == 4 >= won
        assert low <= roomy <= high
        return close, roomy

    assert shares(1000, 0) == (1.0, 1.0)
    assert shares(-1, 1000) == (0.0, 0.0)
