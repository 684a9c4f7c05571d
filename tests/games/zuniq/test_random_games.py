"""Random games against a twin that goes through the same order of walls by the rules, one wall at a time."""

import numpy as np
import pytest

from podium.games.zuniq.board import WALLS
from podium.games.zuniq.random_games import GAME_BYTES, GAME_WORDS, deal_two, finish, grow_two, list_free, open_cells
from podium.games.zuniq.rules import is_legal, zuniq_is_over, zuniq_legal_moves, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import MOST_PLIES, State
from podium.kernel import JIT
from podium.kernel.random import draw_below, generator
from podium.model.hooks import new_playout_buffers

PAIRS = 150 if JIT else 3


def position(plies, seed):
    """A position after this number of random walls, fewer if the game ends before."""
    state, walls, random = initial_state(), np.zeros(WALLS, np.int64), generator(seed)
    for _ in range(plies):
        if not zuniq_is_over(state):
            zuniq_play(state, walls[draw_below(random, zuniq_legal_moves(state, walls))])
    return state


def played(state, order, random):
    """The walls that both sides draw, who wins, and how many walls had to wait before they were drawn."""
    game, left, waiting, sides, waited = state.copy(), list(order), [], [0, 0], 0

    def draw(wall):
        sides[(int(game.plies) - int(state.plies)) & 1] |= 1 << wall
        zuniq_play(game, wall)

    while True:
        legal = sorted((wall for wall in waiting if is_legal(game, wall)), key=order.index, reverse=True)
        number = int(draw_below(random, len(left) + len(legal))) if legal else 0
        if legal and number >= len(left):
            waited += 1
            waiting.remove(legal[number - len(left)])
            draw(legal[number - len(left)])
        elif left:
            wall = left.pop(0)
            if is_legal(game, wall):
                draw(wall)
            else:
                waiting.append(wall)
        else:
            assert zuniq_is_over(game)
            return *sides, bool((int(game.plies) - int(state.plies)) & 1), waited


@pytest.mark.parametrize("plies", [0, 12, 20, 27, 33])
def test_games_are_those_of_the_rules(plies):
    waited = 0
    buffers, random = new_playout_buffers(State, WALLS, MOST_PLIES), generator(plies)
    for seed in range(PAIRS):
        state = position(plies, seed)
        count, cells = list_free(state, buffers.bytes), open_cells(state)
        deal_two(random, buffers.bytes, buffers.words, count)
        grow_two(buffers.bytes, buffers.words, cells)
        orders = []
        for game in range(2):
            scratch, words = buffers.bytes[game * GAME_BYTES :], buffers.words[game * GAME_WORDS :]
            orders.append(scratch[:count].tolist()[::-1])
            assert sum(1 << wall for wall in orders[game]) == int(state.free)
            same = random.copy()
            *expected, late = played(state, orders[game], same)
            assert list(finish(state, random, scratch, words, count, cells)) == expected
            assert random == same
            waited += late
        assert count < 4 or orders[0] != orders[1]
    assert waited or not JIT or plies > 27  # late in a game no waiting wall becomes legal again


def test_nothing_is_drawn_after_the_end():
    state, buffers, random = position(WALLS, 1), new_playout_buffers(State, WALLS, MOST_PLIES), generator(1)
    count, cells = list_free(state, buffers.bytes), open_cells(state)
    deal_two(random, buffers.bytes, buffers.words, count)
    grow_two(buffers.bytes, buffers.words, cells)
    assert tuple(finish(state, random, buffers.bytes, buffers.words, count, cells)) == (0, 0, False)
