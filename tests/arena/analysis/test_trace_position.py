"""Bots with every kind of search can be traced: their nodes lead to positions, and the file holds all of it."""

import numpy as np
import pytest

from podium.arena.analysis.trace_position import load_trace, trace_position
from podium.errors import PodiumError
from podium.games import load

pytestmark = [pytest.mark.compiled, pytest.mark.slow]
BOTS = [
    ("zuniq", "champion"),
    ("zuniq", "alphazero"),
    ("wondev_woman", "champion"),
    ("fall_challenge_2020", "champion"),
    ("code_of_kutulu", "champion"),
    ("code_of_kutulu", "maxn"),
]


@pytest.mark.parametrize(("game", "bot"), BOTS)
def test_every_row_is_a_position_and_the_file_holds_all(game, bot, tmp_path):
    trace = trace_position(game, bot=bot, nodes=400)
    result = trace.facts["result"]
    assert result["nodes"] <= 400
    path = tmp_path / "trace.npz"
    trace.save(path)
    again = load_trace(path)
    assert again.facts == trace.facts
    rows = np.flatnonzero(trace.columns["ply"] <= len(result["line"]))
    for row in rows[:: max(1, len(rows) // 12)].tolist():
        assert again.line(row) == trace.line(row)
        assert load(game).scene(again.state(row)) == load(game).scene(trace.state(row))
    assert result["value"] in trace.columns["value"] or trace.columns["visits"][0] > 0


def test_a_bot_without_a_search_says_so():
    with pytest.raises(PodiumError, match="without a search"):
        trace_position("zuniq", ["E5v"], bot="random", nodes=10)


def test_a_game_that_is_over_has_nothing_to_search():
    game = load("zuniq")
    state, moves = game.initial_state(), []
    while not game.is_over(state):
        moves.append(game.legal_moves(state)[0])
        game.play(state, moves[-1])
    with pytest.raises(PodiumError, match="is over"):
        trace_position("zuniq", moves, nodes=10)
