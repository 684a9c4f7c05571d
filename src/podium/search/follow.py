"""A Monte Carlo search that follows a game: its tree, how long it thinks, and what it knows of the moves.

The kernels are in `mcts.py`; here is what a bot calls from Python.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.kernel.clock import NEVER, now
from podium.kernel.random import generator
from podium.kernel.table import ABSENT
from podium.search.mcts import count_refutations, run, solve_root, weigh
from podium.search.solve import LOSS, UNPROVEN, WIN
from podium.search.tree import (
    CHILD,
    ENDLESS,
    LINKS,
    MOVE,
    N1,
    NODES,
    PROOF,
    REFUSED,
    ROOT,
    STATISTICS,
    SUM1,
    forget,
    new_tree,
    set_root,
)

SLICE = 50_000_000  # nanoseconds between two looks at what else Python has to do, such as Ctrl-C
CHECK = 5_000_000  # nanoseconds between two looks whether the most visited move is the best by now
PROOF_NODES_PER_SIMULATION = 50  # what a simulation costs, in nodes of the solver; an estimate
RESISTANCE_TIME = 2_000_000_000  # nanoseconds at most, to look for the move that is hardest to refute


@dataclass(frozen=True)
class Choice:
    """What a search knows of one move at the root."""

    move: int
    visits: int  # playouts through it
    value: float  # mean result of those, in [-1, 1], for the side to move; 1, 0 or -1 if it is proven
    proof: int  # UNPROVEN, WIN, LOSS or DRAW
    worth: float  # what selection maximises
    resistance: float = 0.0  # in a lost position: the part of replies that do not refute it


class Search:
    """A search tree that follows a game."""

    def __init__(self, state: np.dtype, mind: Any, most_moves: int, most_plies: int, seed: int) -> None:
        self.mind = mind
        self.tree = new_tree(state, int(mind.memory), most_moves, most_plies)
        self.random = generator(seed)
        self.simulations = 0  # for the present position
        self.resistances: dict[int, float] = {}  # by move, in a lost position
        forget(self.tree)

    def begin(self, state: Any) -> None:
        """Think about a position from now on; the game must not be over."""
        self.simulations = 0
        self.resistances = {}
        set_root(self.tree, self.mind, state)

    def warm(self, state: Any) -> None:
        """Call every kernel once, so that nothing is compiled or loaded later."""
        self.begin(state)
        self._simulate(2, NEVER)
        solve_root(self.tree, 1, NEVER)
        count_refutations(self.tree, 0, 1, NEVER)
        self.begin(state)
        self.line()
        self.choices()

    def think(self, until: int, nodes: int = 0, at_most: int = 0) -> None:
        """Simulate until a time; if the most visited move is not the best then, until it is, or `at_most` is reached.

        With `nodes` positive, do so many simulations instead, and never look at the clock. Near the end of the game a
        part of either is first used to solve the position.
        """
        ending = self._root.whole and self._root.count <= self.mind.endgame
        if ending and not self.proven:
            self._solve(until, nodes)
        if nodes > 0:
            self._simulate(nodes, NEVER)
        else:
            while now() < until and not self.proven:
                self._simulate(ENDLESS, min(until, now() + SLICE))
            while now() < at_most and not self.proven and not self.settled:
                self._simulate(ENDLESS, min(at_most, now() + CHECK))
        if ending and self.proven == LOSS:
            self._resist(until, nodes)

    def _solve(self, until: int, nodes: int) -> None:
        part = float(self.mind.endgame_part)
        if nodes > 0:
            solve_root(self.tree, int(part * nodes * PROOF_NODES_PER_SIMULATION), NEVER)
        else:
            solve_root(self.tree, ENDLESS, now() + int(part * (until - now())))

    def _simulate(self, simulations: int, deadline: int) -> None:
        self.simulations += run(self.tree, self.mind, self.random, simulations, deadline)

    def _resist(self, until: int, nodes: int) -> None:
        """All moves lose: find out how many replies refute each, so that the opponent has to find few."""
        links, count = self._links(int(self.tree.counters[ROOT])), int(self._root.count)
        begun = now()
        for i in range(count):
            if nodes > 0:
                refutations = count_refutations(self.tree, i, nodes * PROOF_NODES_PER_SIMULATION // count, NEVER)
            else:
                deadline = begun + min(until - begun, RESISTANCE_TIME) * (i + 1) // count
                refutations = count_refutations(self.tree, i, ENDLESS, deadline)
            self.resistances[int(links[MOVE, i])] = 1.0 - refutations

    @property
    def _root(self) -> Any:
        return self.tree.nodes[self.tree.counters[ROOT]]

    def _links(self, node: int) -> Any:
        count, first = int(self.tree.nodes[node].count), int(self.tree.nodes[node].first)
        return self.tree.links[first * LINKS : (first + count) * LINKS].reshape(LINKS, count)

    @property
    def proven(self) -> int:
        """What the position is proven to be."""
        return int(self._root.proven)

    @property
    def settled(self) -> bool:
        """Whether the most visited move is also the worthiest."""
        choices = self.choices()
        return choices[0] is max(choices, key=lambda choice: choice.worth)

    @property
    def nodes(self) -> int:
        """How many positions the tree holds."""
        return int(self.tree.counters[NODES])

    @property
    def full(self) -> bool:
        """Whether a position found no room in the tree."""
        return bool(self.tree.counters[REFUSED])

    def choices(self, node: int | None = None) -> list[Choice]:
        """The moves of the root (or another node), best first: proven wins, then by visits; proven losses last."""
        tree, number = self.tree, int(self.tree.counters[ROOT]) if node is None else node
        count, first = int(tree.nodes[number].count), int(tree.nodes[number].first)
        weigh(tree, self.mind, number)
        links = self._links(number)
        rows = tree.statistics[first * STATISTICS : (first + count) * STATISTICS].reshape(STATISTICS, count)
        choices = []
        for i in range(count):
            move, proof, visits = int(links[MOVE, i]), int(links[PROOF, i]), int(rows[N1, i])
            value = float(rows[SUM1, i]) / visits if visits else 0.0
            if proof != UNPROVEN:
                value = {WIN: 1.0, LOSS: -1.0}.get(proof, 0.0)
            worth = -np.inf if proof == LOSS else float(tree.worths[i])
            resistance = self.resistances.get(move, 0.0) if node is None else 0.0
            choices.append(Choice(move, visits, value, proof, worth, resistance))
        return sorted(
            choices, key=lambda c: (c.proof == WIN, c.proof != LOSS, c.resistance, c.visits, c.worth), reverse=True
        )

    def line(self, move: int | None = None) -> list[int]:
        """The expected moves: the best one at each node, beginning with `move` if it is given."""
        tree, node = self.tree, int(self.tree.counters[ROOT])
        moves: list[int] = []
        while node != ABSENT and tree.nodes[node].first != ABSENT and tree.nodes[node].count:
            links = self._links(node)
            best = int(np.argmax(links[MOVE] == move)) if move is not None and not moves else self._best(node, links)
            moves.append(int(links[MOVE, best]))
            node = int(links[CHILD, best])
        return moves

    def _best(self, node: int, links: Any) -> int:
        """The index of the best move of a node, as `choices` orders them but for ties."""
        start = int(self.tree.nodes[node].first) * STATISTICS
        visits = self.tree.statistics[start : start + links.shape[1]].astype(np.float64)
        visits[links[PROOF] == WIN] += ENDLESS
        visits[links[PROOF] == LOSS] -= ENDLESS
        return int(np.argmax(visits))
