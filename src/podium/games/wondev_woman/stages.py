"""Positions of the stages of a game, for benchmarks and studies."""

from typing import Any

import numpy as np

from podium.games.game import Budget
from podium.games.wondev_woman import GAME
from podium.games.wondev_woman.board import GIVE_UP
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers the evaluation
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS
from podium.games.wondev_woman.rules import wondev_legal_moves, wondev_play
from podium.games.wondev_woman.setup import initial_state
from podium.games.wondev_woman.state import MOST_MOVES, State
from podium.kernel import allocate
from podium.kernel.random import draw_below, generator
from podium.search.alphabeta import AlphaBeta

SHALLOW = Budget(nodes=300)  # per action in the games that positions are taken from
ONE_IN = 8  # actions of these games that are random

FRESH, MIDDLE, END = "fresh map", "middle game", "end game"
STAGES = {FRESH: 0, MIDDLE: 24, END: 52}  # plies played


def positions(plies: int, count: int) -> Any:
    """Positions after `plies` plies of games between shallow searches that now and then play at random."""
    found = allocate(State, count)
    moves = np.zeros(MOST_MOVES, np.int64)
    searcher = AlphaBeta(GAME, CHAMPION_PARAMS.params(), table_bits=10, cache_bits=1)
    seed = filled = 0
    while filled < count:
        seed += 1
        state = found[filled]
        found[filled] = initial_state(seed)
        random = generator(seed)
        for _ in range(plies):
            legal = wondev_legal_moves(state, moves)
            if moves[0] == GIVE_UP or state.over:
                break
            move = moves[draw_below(random, legal)]
            if plies and draw_below(random, ONE_IN):
                searcher.forget()
                move = searcher.decide(state, int(state.mover), SHALLOW).move
            wondev_play(state, move)
        wondev_legal_moves(state, moves)
        filled += not state.over and moves[0] != GIVE_UP
    return found
