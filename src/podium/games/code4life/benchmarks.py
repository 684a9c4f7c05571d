"""How fast the rules and the searches are.

Rules: full rounds of both robots with random legal choices. Searches: the same positions of a game between greedy bots,
each with the same number of nodes; a node is one choice of one robot, and every second choice simulates a round.
"""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from podium.games.code4life.bots import champion, decoupled_bots, greedy
from podium.games.code4life.bots.params import WRITEUP_PARAMS
from podium.games.code4life.referee import Code4LifeReferee
from podium.games.code4life.rules import code4life_is_over, code4life_legal_moves, code4life_play
from podium.games.code4life.setup import initial_state
from podium.games.code4life.state import MOST_MOVES, SEATS, State
from podium.games.code4life.view import View
from podium.games.evaluation_share import evaluation_benchmark
from podium.games.game import Answer, Benchmark, BotKind, Budget, Request
from podium.games.loop import play_bots
from podium.games.toolkit import repeat
from podium.kernel import allocate, kernel
from podium.kernel.random import draw_below, generator
from podium.model.budget import NO_LIMIT

ROUNDS_A_CALL = 20_000
NODES_A_SEARCH = 50_000
SIMULTANEOUS_UNITS = {
    "duct": "a simulation of a game from the position on",
    "smitsimax": "a simulation of a game from the position on",
    "rolling": "a round simulated to value a plan",
    "matrix": "a choice of one robot below a matrix of the round",
}
POSITION_EVERY = 5  # positions of the game that leave a choice


def benchmarks() -> Sequence[Benchmark]:
    """The game's benchmarks."""
    rules = Benchmark("random rounds", "a round of both robots, legal moves listed and chosen at random", _rounds)
    searches = [
        Benchmark(f"search of {kind.name}", "a choice of one robot, played and searched or evaluated", _searches(kind))
        for kind in champion.KINDS
    ]
    rounds = [
        Benchmark(f"rounds searched by {kind.name}", "a round simulated in a search", _searches(kind, rounds=True))
        for kind in champion.KINDS
    ]
    simultaneous = [
        Benchmark(f"search of {kind.name}", SIMULTANEOUS_UNITS[kind.name], _searches(kind))
        for kind in decoupled_bots.KINDS
    ]
    return (rules, *searches, *rounds, evaluation_benchmark(_evaluated), *simultaneous)


@kernel
def random_rounds(states: Any, moves: Any, random: Any, rounds: int) -> int:
    """Play rounds of random legal moves, from the start in `states[0]` again after each game; return how many."""
    states[1] = states[0]
    for _ in range(rounds):
        state = states[1]
        for _ in range(SEATS):
            count = code4life_legal_moves(state, moves)
            code4life_play(state, moves[draw_below(random, count)])
        if code4life_is_over(state):
            states[1] = states[0]
    return rounds


def _rounds(seconds: float) -> tuple[int, float]:
    states = allocate(State, 2)
    states[0] = initial_state(1)
    moves, random = np.zeros(MOST_MOVES, np.int64), generator(1)
    rounds = ROUNDS_A_CALL if seconds else 1
    return repeat(seconds, lambda: int(random_rounds(states, moves, random, rounds)))


def positions(bot: champion.Champion) -> list[Any]:
    """Positions of player 0 in a game between greedy bots, where there is something to choose."""
    view, found = View(), []

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        view.read(requests[0].lines)
        if len(bot.candidates(view.state)) > 1:
            found.append(view.state)

    play_bots(Code4LifeReferee(1), [greedy.KINDS[0].bot() for _ in range(SEATS)], NO_LIMIT, watch)
    return found[::POSITION_EVERY]


def _evaluated(seconds: float) -> tuple[Any, Any]:
    bot = champion.Champion(WRITEUP_PARAMS.params(), 0)
    return np.array(positions(bot)).view(np.recarray), bot.params


def _searches(kind: BotKind, rounds: bool = False) -> Callable[[float], tuple[int, float]]:
    """Searches of a bot, position after position; counts nodes, or whole rounds."""

    def run(seconds: float) -> tuple[int, float]:
        bot = kind.bot()
        assert isinstance(bot, champion.Champion)
        states, budget = cycle(positions(bot)), Budget(nodes=NODES_A_SEARCH if seconds else 1)

        def step() -> int:
            nodes = bot.search(next(states), budget).nodes
            return simulated(bot) if rounds else nodes

        return repeat(seconds, step)

    return run


def simulated(bot: champion.Champion) -> int:
    """How many rounds the last search simulated: each second choice completes one."""
    return int(bot.searcher.work.visits[SEATS::SEATS].sum())
