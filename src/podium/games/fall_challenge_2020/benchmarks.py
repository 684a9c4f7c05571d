"""How fast the rules are: whole games of random legal moves."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.setup import deal
from podium.games.fall_challenge_2020.state import MOST_MOVES, State
from podium.games.game import Benchmark
from podium.kernel import allocate, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import is_over, legal_moves, play

STARTS = 64  # games with different cards, in turn
BATCH = 20_000  # turns between two looks at the clock


@kernel
def random_turns(starts: Any, states: Any, moves: Any, random: Any, turns: int) -> int:
    """Play so many turns, beginning a new game whenever one ends; returns how many games ended."""
    ended = 0
    state = states[0]
    for _ in range(turns):
        if is_over(state):
            ended += 1
            states[0] = starts[ended % starts.size]
        for _seat in range(2):
            count = legal_moves(state, moves)
            play(state, moves[draw_below(random, count)])
    return ended


def _run(seconds: float) -> tuple[int, float]:
    starts = allocate(State, STARTS)
    for seed in range(STARTS):
        starts[seed] = deal(seed)
    states = starts[:1].copy()
    moves, random = np.zeros(MOST_MOVES, np.int64), generator(1)
    random_turns(starts, states, moves, random, 1)
    turns, begin = 0, now()
    while turns == 0 or now() - begin < seconds * 1e9:
        random_turns(starts, states, moves, random, BATCH)
        turns += BATCH
    return turns, (now() - begin) / 1e9


def benchmarks() -> Sequence[Benchmark]:
    """What `podium bench` measures."""
    return (
        Benchmark("random play", "turn: the legal moves of both players found, one of each chosen, simulated", _run),
    )
