"""Zuniq's bitboards against the plain twin, known games and perft counts."""

import numpy as np
import pytest

from podium.games.zuniq.board import NAMES, NUMBERS, SYMMETRIES, WALLS
from podium.games.zuniq.rules import is_legal, zone_of, zuniq_key, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.symmetry import canonical, orbits, turned
from podium.kernel import JIT
from podium.kernel.bits import popcount
from podium.kernel.random import draw_below, generator
from podium.search.perft import perft
from tests.games.zuniq.twin import PlainZuniq

SAMPLE_GAME = (
    "E5v A2h B3h C4v E5h C1v E3h F3h B5h A3h D5v D1v B5v C5h D4h C1h A4v F5h C4h A5h A5v B6v E3v D2h C2h A4h B2h "
    "C6v D2v C3v B4v D6v E4h E1v C3h B1v F1h F2h A1h A1v"
).split()
# A wall that is legal, then illegal, then legal again.
CHANGING_GAME = (
    "B6v D3v D6v A5v E6v C5v A3v C1h B2v C5h D1v F4h B5v B5h E2v B4h C2h E1v A2h D4v D4h E2h E4v A4h F1h A3h F5h E4h "
    "C1v D2v"
).split()


def state_after(moves):
    state = initial_state()
    for name in moves:
        zuniq_play(state, NUMBERS[name])
    return state


def legal_names(state):
    walls = np.zeros(WALLS, np.int64)
    return sorted(NAMES[wall] for wall in walls[: zuniq_legal_moves(state, walls)])


@pytest.mark.parametrize("seed", range(12 if JIT else 1))
def test_random_games_agree_with_the_plain_twin(seed):
    state, plain, random = state_after([]), PlainZuniq(), generator(seed)
    while legal := plain.legal():
        assert legal_names(state) == legal
        name = legal[draw_below(random, len(legal))]
        assert popcount(zone_of(state, NUMBERS[name])) == plain.closes(name)
        zuniq_play(state, NUMBERS[name])
        plain.play(name)
    assert legal_names(state) == []


@pytest.mark.parametrize(
    ("moves", "depth", "count"),
    [
        ([], 1, 60),
        ([], 2, 3540),
        ([], 3, 205320),
        (SAMPLE_GAME[:30], 3, 8998),
        (SAMPLE_GAME[:34], 4, 7182),
        (SAMPLE_GAME[:38], 2, 2),
        (CHANGING_GAME, 3, 11471),
    ],
)
def test_perft(moves, depth, count):
    if not JIT and count > 10000:
        pytest.skip("too many positions without the JIT")
    assert perft(state_after(moves), depth, WALLS) == count


@pytest.mark.parametrize(
    ("moves", "depth"), [([], 2), (SAMPLE_GAME[:30], 2), (SAMPLE_GAME[:34], 3), (CHANGING_GAME, 2)]
)
def test_perft_of_the_plain_twin(moves, depth):
    plain = PlainZuniq()
    for name in moves:
        plain.play(name)
    assert perft(state_after(moves), depth, WALLS) == plain.perft(depth)


def test_a_wall_can_become_illegal_and_legal_again():
    wall = NUMBERS["C3v"]
    assert is_legal(state_after(CHANGING_GAME), wall)
    assert not is_legal(state_after([*CHANGING_GAME, "C6v"]), wall)
    assert is_legal(state_after([*CHANGING_GAME, "C6v", "E3v", "C4h", "B1h", "D1h"]), wall)


def test_the_key_forgets_loose_walls_inside_zones_and_nothing_else():
    corner = ["A1h", "A2h", "A1v", "A3v", "B1h", "B2h"]  # a zone of two cells, with or without a wall inside
    assert zuniq_key(state_after(["A2v", *corner[:-1]])) != zuniq_key(state_after(corner))
    split = state_after([*corner[:2], "A2v", *corner[2:]])
    assert int(split.sizes) == 1 << 1  # the inner wall makes two cells of it, the second of which is forbidden
    assert zuniq_key(state_after(corner)) == zuniq_key(state_after(corner[::-1]))


def test_equal_keys_mean_equal_games():
    """Random games reach positions by different ways; the same key must mean the same legal walls."""
    known = {}
    walls = np.zeros(WALLS, np.int64)
    for seed in range(300 if JIT else 5):
        state, random = state_after([]), generator(seed)
        while count := zuniq_legal_moves(state, walls):
            if count <= 8:
                legal = tuple(walls[:count])
                assert known.setdefault(int(zuniq_key(state)), legal) == legal
            zuniq_play(state, walls[draw_below(random, count)])


def test_symmetries_keep_the_game():
    for symmetry in range(8):
        assert sorted(SYMMETRIES[symmetry]) == list(range(WALLS))
        moved = [NAMES[SYMMETRIES[symmetry][NUMBERS[name]]] for name in SAMPLE_GAME[:31]]
        state, image = state_after(SAMPLE_GAME[:31]), state_after(moved)
        assert image.sizes == state.sizes
        assert turned([NUMBERS[name] for name in legal_names(state)], symmetry) == sorted(
            NUMBERS[name] for name in legal_names(image)
        )


def test_canonical_positions_are_equal_for_all_images():
    walls = [NUMBERS[name] for name in SAMPLE_GAME[:5]]
    position, symmetry = canonical(walls)
    assert tuple(turned(walls, symmetry)) == position
    assert {canonical(turned(walls, s))[0] for s in range(8)} == {position}
    assert sorted(wall for orbit in orbits() for wall in orbit) == list(range(WALLS))
