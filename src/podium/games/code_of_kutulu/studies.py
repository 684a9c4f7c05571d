"""Studies of Code of Kutulu: how much alpha-beta prunes, how deep it looks, how often an enemy's step is predicted.

The measure of pruning is the write-up's: the exponent e for which the searched tree has (full tree)^e nodes. It found
about 0.80 with four players; 0.75 is the best possible for Paranoid with four.
"""

import math
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.code_of_kutulu import prediction_study
from podium.games.code_of_kutulu.bots import annealing, champion, greedy, maxn
from podium.games.code_of_kutulu.bots.champion import Paranoid
from podium.games.code_of_kutulu.bots.context import context_of
from podium.games.code_of_kutulu.bots.params import WRITEUP_PARAMS
from podium.games.code_of_kutulu.bots.searcher import searched_state
from podium.games.code_of_kutulu.position_text import read, stored_positions
from podium.games.code_of_kutulu.state import CHOICES, State, living_seats
from podium.games.game import Budget, Findings, Study
from podium.games.sample_mean import sample_mean
from podium.kernel import allocate, kernel
from podium.model.rules import candidates, is_over, play

MOST_NODES = 3_000_000  # of a full tree that is counted
MOST_DEPTH = 16
AUTHORS_TURNS = 40_000  # simulated by the author's program in 50 ms, commonly


@dataclass(frozen=True)
class TreeSize:
    """How much a search pruned at one position."""

    players: int
    depth: int  # in plies
    full: int  # nodes without pruning
    searched: int  # nodes of the last depth

    @property
    def exponent(self) -> float:
        """The e for which the searched tree has full^e nodes."""
        return math.log(self.searched) / math.log(self.full)


@kernel
def count_tree(states: Any, moves: Any, counts: Any, context: Any, depth: Any, most: Any) -> Any:
    """The nodes below `states[0]` to a depth, without pruning; it stops counting beyond `most`."""
    ply = 0
    counts[0] = candidates(states[0], context, moves[0])
    total = np.int64(counts[0])
    while total <= most:
        if counts[ply] == 0 or ply == depth - 1:
            if ply == 0:
                break
            ply -= 1
            continue
        counts[ply] -= 1
        states[ply + 1] = states[ply]
        play(states[ply + 1], moves[ply, counts[ply]])
        ply += 1
        counts[ply] = 0
        if not is_over(states[ply]):
            counts[ply] = candidates(states[ply], context, moves[ply])
            total += counts[ply]
    return total


def tree_sizes() -> list[TreeSize]:
    """Full and searched trees of the stored positions, each to the greatest depth that can be counted."""
    params = WRITEUP_PARAMS.params()  # all enemies choose, and the depth grows by whole turns
    plies = MOST_DEPTH + 1
    states, moves, counts = allocate(State, plies), np.zeros((plies, CHOICES), np.int64), np.zeros(plies, np.int64)
    rows = []
    for line in stored_positions():
        known, seat = read(line.split())
        state = searched_state(known, params, seat)
        context = context_of(params, state, seat)
        players = len(living_seats(state))
        depth, full = 0, 0
        while depth + players <= MOST_DEPTH:
            states[0] = state
            wider = int(count_tree(states, moves, counts, context, depth + players, MOST_NODES))
            if wider > MOST_NODES:
                break
            depth, full = depth + players, wider
        if depth <= players:
            continue  # one turn tells nothing about ordering
        searched = _searched(params, state, seat, depth) - _searched(params, state, seat, depth - players)
        if searched > 0:  # else the game was found to be decided before
            rows.append(TreeSize(players, depth, full, searched))
    return rows


def _searched(params: Any, state: Any, seat: int, depth: int) -> int:
    bot, context = Paranoid(params, 0), context_of(params, state, seat)
    return bot.engine.decide(state, seat, context=context, depth=depth, stride=bot.stride(state)).nodes


def pruning(seconds: float) -> Findings:
    """The mean exponents by the number of players; all positions are always counted."""
    sizes = tree_sizes()
    rows = []
    for players in sorted({size.players for size in sizes}, reverse=True):
        group = [size for size in sizes if size.players == players]
        turns, full, searched = (
            fmean(values) for values in zip(*((s.depth / players, s.full, s.searched) for s in group), strict=True)
        )
        exponent = sample_mean([size.exponent for size in group])
        rows.append((players, len(group), turns, round(full), round(searched), *exponent))
    columns = ("players", "positions", "turns", "full tree, nodes", "searched, nodes", "exponent", "low", "high")
    return Findings(columns, rows, f"All positions: exponent {fmean(size.exponent for size in sizes):.3f}")


def depths(seconds: float) -> Findings:
    """How many whole turns `writeup` looks ahead where it simulates as many as the author's; always all positions."""
    params = WRITEUP_PARAMS.params({"partial": False})
    found: dict[int, list[float]] = {}
    for line in stored_positions():
        known, seat = read(line.split())
        state = searched_state(known, params, seat)
        players = len(living_seats(state))
        nodes = AUTHORS_TURNS
        for _ in range(2):  # the second search simulates about as many turns as it should
            bot = Paranoid(params, 0)
            depth = bot.search(state, context_of(params, state, seat), Budget(nodes=nodes)).depth
            turns = int(bot.engine.work.visits[players::players].sum())
            nodes = nodes * AUTHORS_TURNS // max(1, turns)
        found.setdefault(players, []).append(depth / players)
    rows = [
        (players, len(values), *sample_mean(values), min(values), max(values))
        for players, values in sorted(found.items(), reverse=True)
    ]
    columns = ("players", "positions", "turns", "low", "high", "least", "greatest")
    return Findings(columns, rows, "Turns that were finished. Low and high: the 95 % interval of the mean.")


WATCHED = (*greedy.KINDS, *champion.KINDS, *maxn.KINDS, *annealing.KINDS)
STUDIES = {
    "pruning": Study("how much of the full tree Paranoid search visits: means over stored positions", pruning),
    "depth": Study(f"how deep `writeup` looks with {AUTHORS_TURNS:,} simulated turns", depths),
    "prediction": Study("how often one look tells an enemy's next step", partial(prediction_study.measure, WATCHED)),
}
