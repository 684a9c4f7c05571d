"""Benchmarks: full turns with four explorers and a dozen minions on the board, played at random and searched.

Two studies tell how much Paranoid search prunes, and how often an enemy's step is predicted.
"""

from collections.abc import Sequence
from functools import cache, partial
from itertools import cycle
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.code_of_kutulu import manners, pruning
from podium.games.code_of_kutulu.bots import annealing, champion, greedy, maxn
from podium.games.code_of_kutulu.bots.champion import Paranoid
from podium.games.code_of_kutulu.bots.mind import WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.outlook import outlook_of
from podium.games.code_of_kutulu.bots.searcher import searched_state
from podium.games.code_of_kutulu.positions import read, stored_positions
from podium.games.code_of_kutulu.rules import kutulu_legal_moves, kutulu_play
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import CHOICES, EVERYBODY, LIGHT_BOUND, LIGHT_EXACT, SEATS, State, living_seats
from podium.games.game import Benchmark, BotKind, Budget, Findings, Study
from podium.games.kit import repeat
from podium.kernel import allocate, kernel
from podium.kernel.random import draw, draw_below, generator

DOZEN = 12
POSITIONS = 512
NODES = 50_000  # about what a turn's time allows
AUTHORS_TURNS = 40_000  # that the author's program simulated in 50 ms, commonly
SEED = 2018


def benchmarks() -> Sequence[Benchmark]:
    """Full turns as the referee plays them, and as searches do."""
    counted = "a turn of 4 explorers and 12 minions, random legal choices, with a copy of the state"
    searched = f"a turn simulated in a search of {NODES:,} nodes; average positions as above"
    return (
        Benchmark("turns, light exact", counted, partial(_turns, LIGHT_EXACT)),
        Benchmark("turns, light by its lower bound", counted, partial(_turns, LIGHT_BOUND)),
        *(Benchmark(f"turns searched by {kind.name}", searched, partial(_searches, kind)) for kind in champion.KINDS),
    )


@kernel
def random_turn(state: Any, choices: Any, random: Any) -> None:
    """One turn in which every living seat chooses at random among its legal choices."""
    turn = state.turn
    while state.turn == turn and not state.over:
        count = kutulu_legal_moves(state, choices)
        kutulu_play(state, choices[draw_below(random, count)])


@kernel
def collect(state: Any, choices: Any, random: Any, out: Any, stored: Any) -> Any:
    """Play a random game; keep its first position with four explorers and a dozen minions. How many are kept now."""
    while not state.over and state.living == EVERYBODY:
        if state.minions == DOZEN:
            out[stored] = state
            return stored + 1
        random_turn(state, choices, random)
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
def play_turns(stock: Any, states: Any, choices: Any, random: Any) -> int:
    """Play a random turn from each position; how many were played. `states` is room for one."""
    for index in range(stock.size):
        states[0] = stock[index]
        random_turn(states[0], choices, random)
    return stock.size


def _turns(light_mode: int, seconds: float) -> tuple[int, float]:
    stock = positions().copy()
    stock.light_mode = light_mode
    room, choices, random = allocate(State, 1), np.zeros(CHOICES, np.int64), generator(SEED)
    return repeat(seconds, lambda: play_turns(stock, room, choices, random))


def simulated_turns(bot: Paranoid, position: Any, nodes: int) -> int:
    """How many turns a search for seat 0 simulates, whatever was searched before."""
    bot.engine.forget()  # the delta hash tells nothing apart between positions that were set up apart
    bot.think(position, 0, Budget(nodes=nodes))
    return int(bot.engine.work.visits[SEATS::SEATS].sum())  # the last of four choices simulates the turn


def _searches(kind: BotKind, seconds: float) -> tuple[int, float]:
    bot = kind.bot()
    assert isinstance(bot, Paranoid)
    stock = cycle(positions())
    return repeat(seconds, lambda: simulated_turns(bot, next(stock), NODES))


def depths(seconds: float) -> Findings:
    """How many whole turns `writeup` looks ahead where it simulates as many as the author's; always all positions."""
    mind = WRITEUP_MINDS.mind({"partial": False})
    found: dict[int, list[float]] = {}
    for line in stored_positions():
        known, seat = read(line.split())
        state = searched_state(known, mind, seat)
        players = len(living_seats(state))
        nodes = AUTHORS_TURNS
        for _ in range(2):  # the second search simulates about as many turns as it should
            bot = Paranoid(mind, 0)
            depth = bot.search(state, outlook_of(mind, state, seat), Budget(nodes=nodes)).depth
            turns = int(bot.engine.work.visits[players::players].sum())
            nodes = nodes * AUTHORS_TURNS // max(1, turns)
        found.setdefault(players, []).append(depth / players)
    rows = [
        (players, len(values), fmean(values), min(values), max(values))
        for players, values in sorted(found.items(), reverse=True)
    ]
    return Findings(("players", "positions", "turns", "low", "high"), rows, "Turns that were finished.")


WATCHED = (*greedy.KINDS, *champion.KINDS, *maxn.KINDS, *annealing.KINDS)
STUDIES = {
    "pruning": Study("how much of the full tree Paranoid search visits: means over stored positions", pruning.measure),
    "depth": Study(f"how deep `writeup` looks with {AUTHORS_TURNS:,} simulated turns", depths),
    "prediction": Study("how often one look tells an enemy's next step", partial(manners.measure, WATCHED)),
}
