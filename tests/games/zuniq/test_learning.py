"""What a network sees of Zuniq: by a plain twin, under the symmetries, and what the key leaves out."""

from collections import Counter

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.bots.alphazero import AlphaZero
from podium.games.zuniq.bots.params import ALPHAZERO_PARAMS, CHAMPION_PARAMS
from podium.games.zuniq.learning import (
    CLOSABLE,
    CLOSING,
    DRAWN,
    FORBIDDEN,
    FREE,
    INPUTS,
    LEGAL,
    OPEN,
    PARITY,
    SIZES,
    ZONES,
    symmetries,
    zuniq_features,
    zuniq_value_sign,
)
from podium.games.zuniq.rules import zuniq_is_over, zuniq_key, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.model.budget import Budget
from podium.search.network import network_for, permute_network, predict, save_network, size_of
from podium.search.puct import Puct
from tests.games.zuniq.twin import PlainZuniq, cells_beside, fill


def games(count):
    """Random games: each position with its twin."""
    random, walls = np.random.default_rng(7), np.zeros(WALLS, np.int64)
    for _ in range(count):
        state, twin = initial_state(), PlainZuniq()
        while not zuniq_is_over(state):
            wall = int(walls[random.integers(zuniq_legal_moves(state, walls))])
            zuniq_play(state, wall)
            twin.play(NAMES[wall])
            yield state, twin


def seen(state):
    out = np.zeros(INPUTS, np.int64)
    return out[: zuniq_features(state, out)].tolist()


def plainly_seen(twin):
    on, ways, free, legal = set(), Counter(), 0, 0
    for wall, name in enumerate(NAMES):
        inner = next(cell for cell in cells_beside(name) if cell)
        if name in twin.drawn:
            if any(cell is None or not fill(cell, twin.drawn) for cell in cells_beside(name)):
                on.add(DRAWN + wall)
        elif not fill(inner, twin.drawn):
            size, odd = twin.closes(name), len(twin.buried(name)) % 2
            if twin.is_legal(name):
                legal += 1
                ways[size, odd] += 1
            kind = OPEN if not size else (FORBIDDEN if size in twin.sizes else CLOSING) + odd * WALLS
            on.add(kind + wall)
            free += 1
    on |= {SIZES + size for size in twin.sizes}
    for (size, odd), count in ways.items():
        if size:
            on.add(CLOSABLE + (min(count, 3) - 1) * ZONES + odd * ZONES // 2 + size)
    return on | {LEGAL + legal, FREE + free, PARITY + free % 2}


def test_inputs_are_those_of_a_plain_twin():
    for state, twin in games(2):
        found = seen(state)
        assert len(found) == len(set(found))
        assert set(found) == plainly_seen(twin)


def test_a_turned_position_is_seen_as_the_symmetry_says():
    moves, inputs, targets = symmetries()
    assert (moves[0] == np.arange(WALLS)).all()
    assert (targets == moves).all()
    walls = np.array([0, 31, 7, 44, 12, 5, 30])
    for turn in range(len(moves)):
        state, turned = initial_state(), initial_state()
        for wall in walls:
            zuniq_play(state, wall)
            zuniq_play(turned, moves[turn][wall])
        assert sorted(inputs[turn][seen(state)]) == sorted(seen(turned))


def test_positions_with_one_key_are_seen_alike():
    known = {}
    for state, _ in games(4):
        view = (sorted(seen(state)), int(zuniq_value_sign(state)))
        assert known.setdefault(int(zuniq_key(state)), view) == view


def test_a_wall_that_closes_nothing_leaves_what_the_network_is_asked_as_it_is():
    """The side to move and the parity of the free walls change together."""
    state = initial_state()
    before = int(zuniq_value_sign(state))
    zuniq_play(state, 0)
    assert int(zuniq_value_sign(state)) == -before


def test_a_network_of_another_game_is_refused(tmp_path):
    shape = (INPUTS + 1, 8, WALLS)
    save_network(tmp_path / "other.npz", shape, np.zeros(size_of(shape), np.float32), {})
    bot = AlphaZero(ALPHAZERO_PARAMS.params({"network": str(tmp_path / "other.npz")}), 1)
    with pytest.raises(PodiumError, match=f"{INPUTS + 1} inputs; the game has {INPUTS}"):
        bot.choose(Budget(nodes=1))


@pytest.mark.compiled
def test_a_turned_network_says_of_a_position_what_the_network_says_of_the_turned_position():
    network = network_for(ALPHAZERO_PARAMS.params(), "podium.games.zuniq", INPUTS)
    moves, inputs, _ = symmetries()
    for turn in range(len(moves)):
        state, image = initial_state(), initial_state()
        for wall in (0, 31, 7, 44, 12):
            zuniq_play(state, wall)
            zuniq_play(image, moves[turn][wall])
        other = permute_network(network, inputs[turn], moves[turn])
        assert predict(other, state) == pytest.approx(predict(network, image), abs=1e-5)
        assert other.logits == pytest.approx(network.logits[moves[turn]], abs=1e-4)


@pytest.mark.parametrize(("handover", "closing"), [(0, False), (58, False), (59, True)])
def test_the_champions_search_takes_over_when_few_walls_are_left(handover, closing):
    bot = AlphaZero(ALPHAZERO_PARAMS.params({"handover": handover, "memory": 1}), seed=1)
    bot.view.read(["A1h"])  # 59 walls are left
    chosen = bot.choose(Budget(nodes=4))
    assert chosen in range(WALLS)
    assert isinstance(bot.mcts, Puct) != closing
    assert int(bot.closer.memory) == 1, "parameters of both searches reach both"
    assert (bot.claim_exponent() == float(CHAMPION_PARAMS.params().claim_exponent)) == closing


def test_after_the_handover_the_reported_chance_is_that_of_the_game_and_not_of_a_playout():
    bot = AlphaZero(ALPHAZERO_PARAMS.params(), seed=1)
    assert bot.win_chance(0.2) == 0.6
    bot.closing = True
    assert bot.win_chance(0.2) == pytest.approx(1.5**3 / (1 + 1.5**3)), "odds of 3 to 2, to the power of 3"
    assert [bot.win_chance(value) for value in (-1.0, 0.0, 1.0)] == [0.0, 0.5, 1.0]
