"""Benchmarks: full turns with four explorers and a dozen minions on the board, played at random and searched."""

from collections.abc import Sequence
from functools import cache, partial
from itertools import cycle
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots import champion, decoupled_bots
from podium.games.code_of_kutulu.bots.champion import Paranoid
from podium.games.code_of_kutulu.bots.context import context_of
from podium.games.code_of_kutulu.bots.params import WRITEUP_PARAMS
from podium.games.code_of_kutulu.rules import kutulu_legal_moves, play_choice
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import CHOICES, EVERYBODY, LIGHT_BOUND, LIGHT_EXACT, NOBODY, State
from podium.games.evaluation_share import evaluation_benchmark
from podium.games.game import Benchmark, BotKind, Budget
from podium.games.toolkit import repeat
from podium.kernel import allocate, kernel
from podium.kernel.random import draw, draw_below, generator

DOZEN = 12
POSITIONS = 512
NODES = 50_000  # about what a turn's time allows
SIMULTANEOUS_UNITS = {  # what a node is, and how many a search has
    "duct": ("a simulation of a game from the position on", 2000),
    "smitsimax": ("a simulation of a game from the position on", 2000),
    "matrix": ("a choice of one explorer below a matrix of the first turn", NODES),
}
SEED = 2018


def benchmarks() -> Sequence[Benchmark]:
    """Full turns as the referee plays them, and as searches do."""
    counted = "a turn of 4 explorers and 12 minions, random legal choices, with a copy of the state"
    searched = f"a turn simulated in a search of {NODES:,} nodes; average positions as above"
    return (
        Benchmark("turns, light exact", counted, partial(_turns, LIGHT_EXACT)),
        Benchmark("turns, light by its lower bound", counted, partial(_turns, LIGHT_BOUND)),
        *(Benchmark(f"turns searched by {kind.name}", searched, partial(_searches, kind)) for kind in champion.KINDS),
        evaluation_benchmark(_evaluated),
        *(
            Benchmark(f"search of {kind.name}", SIMULTANEOUS_UNITS[kind.name][0], partial(_simulated, kind))
            for kind in decoupled_bots.KINDS
        ),
    )


@kernel
def random_turn(state: Any, choices: Any, random: Any, light: Any) -> None:
    """One turn in which every living seat chooses at random among its legal choices."""
    turn = state.turn
    while state.turn == turn and not state.over:
        count = kutulu_legal_moves(state, choices)
        play_choice(state, choices[draw_below(random, count)], np.int64(NOBODY), light)


@kernel
def collect(state: Any, choices: Any, random: Any, out: Any, stored: Any) -> Any:
    """Play a random game; keep its first position with four explorers and a dozen minions. How many are kept now."""
    while not state.over and state.living == EVERYBODY:
        if state.minions == DOZEN:
            out[stored] = state
            return stored + 1
        random_turn(state, choices, random, np.int64(LIGHT_EXACT))
    return stored


@cache
def positions() -> Any:
    """Positions with four explorers and a dozen minions, from games of random choices in all mazes."""
    stock = allocate(State, POSITIONS)
    choices = np.zeros(CHOICES, np.int64)
    random = generator(SEED)
    stored = 0
    while stored < POSITIONS:
        seed = int(draw(random)) - 2**63  # seeds close to each other give nearly the same settings
        stored = collect(initial_state(seed), choices, random, stock, stored)
    return stock


@kernel
def play_turns(stock: Any, states: Any, choices: Any, random: Any, light: Any) -> Any:
    """Play a random turn from each position; how many were played. `states` is room for one."""
    for index in range(stock.size):
        states[0] = stock[index]
        random_turn(states[0], choices, random, light)
    return stock.size


def _turns(light: int, seconds: float) -> tuple[int, float]:
    stock, room = positions(), allocate(State, 1)
    choices, random = np.zeros(CHOICES, np.int64), generator(SEED)
    return repeat(seconds, lambda: play_turns(stock, room, choices, random, light))


def simulated_turns(bot: Paranoid, position: Any, nodes: int) -> int:
    """How many turns a search for seat 0 simulates, whatever was searched before."""
    bot.engine.forget()  # the delta hash tells nothing apart between positions that were set up apart
    bot.think(position, 0, Budget(nodes=nodes))
    plies = bot.plies(position)
    return int(bot.engine.work.visits[plies::plies].sum())  # the last choice of a turn simulates it


def _evaluated(seconds: float) -> tuple[Any, Any]:
    stock = positions()
    return stock, context_of(WRITEUP_PARAMS.params(), stock[0], 0)


def _searches(kind: BotKind, seconds: float) -> tuple[int, float]:
    bot = kind.bot()
    assert isinstance(bot, Paranoid)
    stock = cycle(positions())
    return repeat(seconds, lambda: simulated_turns(bot, next(stock), NODES))


def _simulated(kind: BotKind, seconds: float) -> tuple[int, float]:
    bot = kind.bot()
    assert isinstance(bot, decoupled_bots.Decoupled)
    stock, nodes = cycle(positions()), SIMULTANEOUS_UNITS[kind.name][1] if seconds else 1
    return repeat(seconds, lambda: bot.think(next(stock), 0, Budget(nodes=nodes))[1].nodes)
