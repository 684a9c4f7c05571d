"""How fast the rules are: full rounds of both robots with random legal choices."""

from typing import Any

import numpy as np

from podium.games.code4life.rules import (
    MOST_MOVES,
    State,
    code4life_is_over,
    code4life_legal_moves,
    code4life_play,
)
from podium.games.code4life.setup import initial_state
from podium.games.game import Benchmark
from podium.kernel import allocate, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_below, generator

ROUNDS_A_CALL = 20_000


@kernel
def random_rounds(states: Any, moves: Any, random: Any, rounds: int) -> int:
    """Play rounds of random legal moves, from the start in `states[0]` again after each game; return how many."""
    states[1] = states[0]
    for _ in range(rounds):
        state = states[1]
        for _ in range(2):
            count = code4life_legal_moves(state, moves)
            code4life_play(state, moves[draw_below(random, count)])
        if code4life_is_over(state):
            states[1] = states[0]
    return rounds


def benchmarks() -> list[Benchmark]:
    """The game's benchmarks."""

    def run(seconds: float) -> tuple[int, float]:
        states = allocate(State, 2)
        states[0] = initial_state(1)
        moves, random = np.zeros(MOST_MOVES, np.int64), generator(1)
        begin, count = now(), 0
        while True:
            count += int(random_rounds(states, moves, random, ROUNDS_A_CALL if seconds else 1))
            elapsed = (now() - begin) / 1e9
            if elapsed >= seconds:
                return count, elapsed

    return [Benchmark("random rounds", "a round of both robots, legal moves listed and chosen at random", run)]
