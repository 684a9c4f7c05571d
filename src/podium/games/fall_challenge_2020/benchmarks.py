"""How fast the rules are (whole games of random legal moves), the beam search and the simultaneous searches."""

from collections.abc import Sequence
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np

from podium.games.evaluation_share import evaluation_benchmark
from podium.games.fall_challenge_2020 import GAME
from podium.games.fall_challenge_2020.bots import decoupled_bots, greedy
from podium.games.fall_challenge_2020.bots.context import context_of
from podium.games.fall_challenge_2020.bots.params import CHAMPION_PARAMS
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.setup import initial_state
from podium.games.fall_challenge_2020.state import MOST_MOVES, SEATS, State
from podium.games.fall_challenge_2020.view import ME, View
from podium.games.game import Answer, Benchmark, BotKind, Budget
from podium.games.toolkit import repeat
from podium.kernel import allocate, kernel
from podium.kernel.random import draw_below, generator
from podium.model.rules import is_over, legal_moves, play
from podium.search.beam import Beam

STARTS = 64  # games with different cards, in turn
MIDDLE_TURN = 16  # where the beam search is measured
BEAM_WIDTH = 350  # the write-up's
BEAM_DEPTH = 15
SIMULATIONS = 2000  # about what a turn's time allows
QUICK = Budget(nodes=500)
TURNS_A_CALL = 20_000


def benchmarks() -> Sequence[Benchmark]:
    """What `podium bench` measures."""
    return (
        Benchmark("beam search", "simulation: state copied, turn played, evaluated, hashed if it is good", _beam),
        evaluation_benchmark(_evaluated),
        Benchmark("random play", "turn: the legal moves of both players found, one of each chosen, simulated", _turns),
        *(
            Benchmark(
                f"search of {kind.name}", "a simulation of a game from the position on", partial(_simulated, kind)
            )
            for kind in decoupled_bots.KINDS
        ),
    )


@kernel
def random_turns(starts: Any, states: Any, moves: Any, random: Any, turns: int) -> int:
    """Play `turns` turns, beginning a new game whenever one ends; returns their number."""
    ended = 0
    state = states[0]
    for _ in range(turns):
        if is_over(state):
            ended += 1
            states[0] = starts[ended % starts.size]
        for _seat in range(SEATS):
            count = legal_moves(state, moves)
            play(state, moves[draw_below(random, count)])
    return turns


def _turns(seconds: float) -> tuple[int, float]:
    starts = allocate(State, STARTS)
    for seed in range(STARTS):
        starts[seed] = initial_state(seed)
    states = starts[:1].copy()
    moves, random = np.zeros(MOST_MOVES, np.int64), generator(1)
    turns = TURNS_A_CALL if seconds else 1
    return repeat(seconds, lambda: int(random_turns(starts, states, moves, random, turns)))


def _middle_games() -> list[Any]:
    """Positions some turns into games, as a bot knows them: the decks unseen."""
    states = []
    for seed in range(STARTS):
        referee = FallReferee(seed)
        bots = [greedy.KINDS[0].bot(seed=seed) for _ in range(SEATS)]
        view = View()
        for _ in range(MIDDLE_TURN):  # too early for six potions
            requests = referee.requests()
            view.read(requests[ME].lines)
            referee.answer([Answer(bots[r.seat].reply(r.lines, QUICK)) for r in requests])
        view.read(referee.requests()[ME].lines)
        states.append(view.state)
    return states


def _evaluated(seconds: float) -> tuple[Any, Any]:
    return np.array(_middle_games()).view(np.recarray), context_of(CHAMPION_PARAMS.params(), ME)


def _beam(seconds: float) -> tuple[int, float]:
    params = CHAMPION_PARAMS.params({"width": BEAM_WIDTH, "depth": BEAM_DEPTH, "stop_at_win": False})
    beam, context = Beam(GAME, params), context_of(params, ME)
    states = _middle_games() if seconds else _middle_games()[:1]
    return repeat(seconds, lambda: sum(beam.decide(state, ME, context=context).nodes for state in states))


def _simulated(kind: BotKind, seconds: float) -> tuple[int, float]:
    bot, states = kind.bot(), cycle(_middle_games() if seconds else _middle_games()[:1])
    assert isinstance(bot, decoupled_bots.Decoupled)
    budget = Budget(nodes=SIMULATIONS if seconds else 1)
    return repeat(seconds, lambda: bot.engine.decide(next(states), ME, budget, context=bot.context).nodes)
