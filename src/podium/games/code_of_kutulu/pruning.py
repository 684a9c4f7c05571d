"""How much alpha-beta prunes, over stored positions from real games.

The measure of the write-up: the exponent e for which the searched tree has (full tree)^e nodes. It found about 0.80
with four players; 0.75 is the best possible for Paranoid with four.
"""

import math
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.champion import Paranoid
from podium.games.code_of_kutulu.bots.mind import WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.outlook import outlook_of
from podium.games.code_of_kutulu.bots.searcher import searched_state
from podium.games.code_of_kutulu.positions import read, stored_positions
from podium.games.code_of_kutulu.state import CHOICES, State, living_seats
from podium.games.game import Findings
from podium.kernel import allocate, kernel
from podium.kernel.rules import candidates, is_over, play

MOST_NODES = 3_000_000  # of a full tree that is counted
MOST_DEPTH = 16


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
def count_tree(states: Any, moves: Any, counts: Any, outlook: Any, depth: Any, most: Any) -> Any:
    """The nodes below `states[0]` to a depth, without pruning; it stops counting beyond `most`."""
    ply = 0
    counts[0] = candidates(states[0], outlook, moves[0])
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
            counts[ply] = candidates(states[ply], outlook, moves[ply])
            total += counts[ply]
    return total


def tree_sizes() -> list[TreeSize]:
    """Full and searched trees of the stored positions, each to the greatest depth that can be counted."""
    mind = WRITEUP_MINDS.mind()  # all enemies choose, and the depth grows by whole turns
    plies = MOST_DEPTH + 1
    states, moves, counts = allocate(State, plies), np.zeros((plies, CHOICES), np.int64), np.zeros(plies, np.int64)
    rows = []
    for line in stored_positions():
        known, seat = read(line.split())
        state = searched_state(known, mind, seat)
        outlook = outlook_of(mind, state, seat)
        players = len(living_seats(state))
        depth, full = 0, 0
        while depth + players <= MOST_DEPTH:
            states[0] = state
            wider = int(count_tree(states, moves, counts, outlook, depth + players, MOST_NODES))
            if wider > MOST_NODES:
                break
            depth, full = depth + players, wider
        if depth <= players:
            continue  # one turn tells nothing about ordering
        searched = _searched(mind, state, seat, depth) - _searched(mind, state, seat, depth - players)
        if searched > 0:  # else the game was found to be decided before
            rows.append(TreeSize(players, depth, full, searched))
    return rows


def _searched(mind: Any, state: Any, seat: int, depth: int) -> int:
    bot, outlook = Paranoid(mind, 0), outlook_of(mind, state, seat)
    return bot.engine.search(state, seat, outlook=outlook, depth=depth, stride=bot.stride(state)).nodes


def measure(seconds: float) -> Findings:
    """The mean exponents by the number of players; all positions are always counted."""
    sizes = tree_sizes()
    rows = []
    for players in sorted({size.players for size in sizes}, reverse=True):
        group = [size for size in sizes if size.players == players]
        means = [
            fmean(values) for values in zip(*((s.depth, s.full, s.searched, s.exponent) for s in group), strict=True)
        ]
        rows.append((players, len(group), means[0] / players, round(means[1]), round(means[2]), means[3]))
    columns = ("players", "positions", "turns", "full tree, nodes", "searched, nodes", "exponent")
    return Findings(columns, rows, f"All positions: exponent {fmean(size.exponent for size in sizes):.3f}")
