"""What Monte Carlo tree search (`mcts.py`) and PUCT (`puct.py`) have in common: a tree that follows a game.

The two differ in three kernels (`TreeKernels`): the priors of the root's moves, what selection maximizes, and what a
simulation does. One search:
 1. Make the position the root; keep its subtree of the last search.
 2. Near the end of the game, use a part of the budget to solve the position exactly.
 3. Run simulations until the budget is used up or the root is proven; with `early_stop` and a budget of time, until the
    most visited move cannot be overtaken any more.
 4. With a budget of time, go on for a while if the most visited move does not have the highest score.
 5. In a proven loss, find the move that the fewest replies refute.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from podium.kernel.clock import MILLISECOND, NEVER, SECOND, now
from podium.kernel.generic import redefinitions
from podium.kernel.random import generator
from podium.kernel.records import packed_bytes
from podium.kernel.table import ABSENT
from podium.model.budget import NO_LIMIT, Budget
from podium.model.params import Parameter, Value
from podium.model.proofs import DRAW, LOSS, WIN, opposite
from podium.model.result import PROOFS, Result, RootMove
from podium.model.rules import mover
from podium.search.base import Search, refuse_ended
from podium.search.custom_hooks import Hook
from podium.search.endgame import UNKNOWN_SHARE, refuted_share, solve_root
from podium.search.trace import current_recording
from podium.search.tree import (
    ENDLESS,
    LOGGED,
    NODES,
    REFUSED,
    ROOT,
    Edges,
    Tree,
    edges_of,
    keep_root,
    new_root,
    new_tree,
)
from podium.search.tree_trace import tree_trace

# Shared by all searches that build a tree by simulations.
TREE_PARAMETERS = (
    Parameter("prove", True, "MCTS-Solver: propagate proven wins, losses and draws up the tree"),
    Parameter("solve", 5, "solve a new node exactly if it has at most this many moves (write-up: 5)", 0, 30),
    Parameter("solve_nodes", 2000, "node limit for solving a new node", 1, 1_000_000),
    Parameter(
        "endgame", 0, "first try to solve a root with at most this many moves; 0: never (not in the write-up)", 0, 1000
    ),
    Parameter(
        "endgame_share",
        0.4,
        "share of the time or simulations of a move for solving the root",
        0,
        1,
        aliases=("endgame_part",),
    ),
    Parameter("transpositions", True, "share nodes between positions with the same key"),
    Parameter("reuse_tree", True, "keep the subtree of the new root from move to move", aliases=("keep",)),
    Parameter("memory", 192, "memory of the tree and the solver in megabytes (contest: 256 for all)", 1, 65536),
)

PYTHON_INTERVAL = 50 * MILLISECOND  # between two returns to Python, for Ctrl-C
SETTLED_INTERVAL = 5 * MILLISECOND  # between two checks whether the most visited move has the highest score
SOLVER_NODES_PER_SIMULATION = 50  # what a simulation costs, in nodes of the solver; an estimate
SWINDLE_TIME = 2 * SECOND  # at most, for step 5
LINES = 3  # root moves whose principal variation a result contains

PROOF_VALUES = {WIN: 1.0, LOSS: -1.0, DRAW: 0.0}


class TreeKernels(NamedTuple):
    """What distinguishes one tree search from another."""

    write_root_priors: Callable[[Tree, Any], None]  # (tree, params): of the moves of the root
    score: Callable[[Tree, Any, int], None]  # (tree, params, node): write selection scores into tree.scores
    run: Callable[[Tree, Any, Any, int, int], int]  # (tree, params, random, simulations, deadline): simulations run


@dataclass(frozen=True)
class Pace:
    """When a search began, and the visits of the root's moves by then."""

    start: int
    visits: float

    def expected(self, visits: float, time: int, deadline: int) -> float:
        """The visits that are still to come until the deadline, as many in a second as so far; infinite at first."""
        if visits <= self.visits or time <= self.start:
            return math.inf
        return (visits - self.visits) * (deadline - time) / (time - self.start)


@dataclass(frozen=True)
class TreeMove:
    """What the tree knows of one move at a node."""

    move: int
    visits: int  # playouts through it
    value: float  # mean result of those, in [-1, 1], for the side to move; 1, 0 or -1 if it is proven
    proof: int  # UNPROVEN, WIN, LOSS or DRAW, for the side to move
    score: float  # what selection maximizes
    swindle_score: float = 0.0  # in a lost position: the share of replies that do not refute it


class TreeSearch(Search):
    """A search that builds a tree by simulations and keeps it from move to move."""

    takes_depth = False
    early_stop = False  # step 3 ends when the most visited move cannot be overtaken in the time left

    def __init__(
        self,
        game: Any,
        params: Any,
        seed: int,
        kernels: TreeKernels,
        changes: Mapping[str, Value],
        **functions: Hook | None,
    ) -> None:
        super().__init__(game, params, changes, **functions)
        self.require_two_players()
        self.random = generator(seed)
        self.simulations = 0  # for the present position
        self.swindle_scores: dict[int, float] = {}  # by move, in a lost position
        self._kernels = kernels
        self._context = self.params  # the parameters, or the search context in their place
        # what the tree was built with: that record's content, and the definitions that were in force
        self._tree_of: tuple[bytes, int] | None = None

    @cached_property
    def tree(self) -> Tree:
        """The workspace, allocated when it is first needed."""
        rules = self.rules
        return new_tree(rules.state, int(self.params.memory), rules.most_moves, rules.move_codes, rules.most_plies)

    def decide(
        self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None, extra_time: int = 0
    ) -> Result:
        """The best move of a state that is not over, and its value for a seat, in [-1, 1].

        A search context takes the parameters' place. Nodes of the budget are simulations; with them the clock is
        ignored. `extra_time` (ns) is for budgets of time: it is used while the most visited move does not have the
        highest score.

        The subtree of the next position is kept if parameters and search context are still the same then.
        """
        sign, records = 1 if int(mover(state)) == seat else -1, current_recording()
        if records is None:
            self.think(state, budget, context=context, extra_time=extra_time)
            return self._result(sign)
        untraced = self.tree
        self.tree = untraced._replace(log=records.log())
        try:
            self.think(state, budget, context=context, extra_time=extra_time)
            result = self._result(sign)
            records.append(tree_trace(self, state, seat, result, records.most_rows))
            return result
        finally:
            self.tree = untraced

    def think(self, state: Any, budget: Budget = NO_LIMIT, *, context: Any = None, extra_time: int = 0) -> None:
        """Search like `decide`, without making a result: `moves`, `line` and `proven` say what was found."""
        self.check(state, budget)
        self.begin(state, context)
        self._think(budget, extra_time)

    def check(self, state: Any, budget: Budget) -> None:
        """Refuse a game that is over, and a budget without limits."""
        refuse_ended(state)
        self.refuse_unlimited(budget)

    def begin(self, state: Any, context: Any = None) -> None:
        """Step 1: make a position the root, without any simulation."""
        refuse_ended(state)
        self._context = self.params if context is None else context
        tree_of = packed_bytes(self._context), redefinitions()
        self.simulations = 0
        self.swindle_scores = {}
        # In two kernels: a first search compiles only the second.
        if self._tree_of != tree_of or not keep_root(self.tree, self._context, state):
            new_root(self.tree, self._context, state)
        self._tree_of = tree_of
        self.tree.counters[LOGGED] = 0
        self._kernels.write_root_priors(self.tree, self._context)

    def simulate(self, simulations: int, deadline: int = NEVER) -> None:
        """Step 3: run a number of simulations, or until a deadline, or until the position is proven."""
        self.simulations += self._kernels.run(self.tree, self._context, self.random, simulations, deadline)

    def warm_up(self, state: Any, context: Any = None) -> None:
        """Call every kernel once, so that nothing is compiled or loaded later."""
        self.begin(state, context)
        self.simulate(2)
        solve_root(self.tree, 1, NEVER)
        refuted_share(self.tree, 0, 1, NEVER)
        self.begin(state, context)
        self._result(1)

    def _think(self, budget: Budget, extra_time: int) -> None:
        ending = self._root.complete and self._root.count <= self._context.endgame
        if ending and not self.proven:
            self._solve(budget)
        if budget.nodes:
            self.simulate(budget.nodes)
        else:
            pace = Pace(now(), float(self._visits().sum()))
            while now() < budget.deadline and not self.proven and not (self.early_stop and self._decided(pace, budget)):
                self.simulate(ENDLESS, min(budget.deadline, now() + PYTHON_INTERVAL))
            # Step 4: extra time while the moves are not settled.
            while now() < budget.deadline + extra_time and not self.proven and not self.settled:
                self.simulate(ENDLESS, min(budget.deadline + extra_time, now() + SETTLED_INTERVAL))
        if ending and self.proven == LOSS:
            self._find_swindles(budget)

    def _visits(self) -> np.ndarray:
        """The visits of the root's moves."""
        visits: np.ndarray = edges_of(self.tree, int(self.tree.counters[ROOT])).visits
        return visits

    def _decided(self, pace: "Pace", budget: Budget) -> bool:
        """Whether the visits until the deadline, at the pace so far, are fewer than the lead of the most visited."""
        visits = self._visits()
        if visits.size == 1:
            return True
        second, first = np.partition(visits, -2)[-2:]
        return bool(first - second > pace.expected(float(visits.sum()), now(), budget.deadline))

    def _solve(self, budget: Budget) -> None:
        """Step 2: try to solve the root with a share of the budget."""
        share = float(self._context.endgame_share)
        if budget.nodes:
            solve_root(self.tree, int(share * budget.nodes * SOLVER_NODES_PER_SIMULATION), NEVER)
        else:
            solve_root(self.tree, ENDLESS, now() + int(share * (budget.deadline - now())))

    def _find_swindles(self, budget: Budget) -> None:
        """Step 5: all moves lose; find the share of replies that refute each, so that the opponent must find few."""
        moves = edges_of(self.tree, int(self.tree.counters[ROOT])).moves.tolist()
        start = now()
        for i, move in enumerate(moves):
            if budget.nodes:
                nodes = max(1, budget.nodes * SOLVER_NODES_PER_SIMULATION // len(moves))
                refuted = refuted_share(self.tree, i, nodes, NEVER)
            else:
                deadline = start + min(budget.deadline - start, SWINDLE_TIME) * (i + 1) // len(moves)
                in_time = now() < deadline  # the solver itself looks at the clock only now and then
                refuted = refuted_share(self.tree, i, ENDLESS, deadline) if in_time else UNKNOWN_SHARE
            self.swindle_scores[move] = 1.0 - refuted

    def _result(self, sign: int) -> Result:
        """What is known by now; `sign` turns values of the side to move into values of the searching seat."""
        options = [
            RootMove(
                move.move,
                sign * move.value,
                move.visits,
                PROOFS[move.proof if sign > 0 else opposite(move.proof)],
                self.line(move.move) if rank < LINES else (),
            )
            for rank, move in enumerate(self.moves())
        ]
        line = self.line(options[0].move)
        proof = PROOFS[self.proven if sign > 0 else opposite(self.proven)]
        return Result(options[0].move, options[0].value, len(line), self.simulations, line, proof, options)

    @property
    def _root(self) -> Any:
        return self.tree.nodes[self.tree.counters[ROOT]]

    @property
    def proven(self) -> int:
        """The proof of the position for the side to move."""
        return int(self._root.proof)

    @property
    def settled(self) -> bool:
        """Whether the most visited move also has the highest score."""
        moves = self.moves()
        return moves[0] is max(moves, key=lambda move: move.score)

    @property
    def nodes(self) -> int:
        """The number of positions in the tree."""
        return int(self.tree.counters[NODES])

    @property
    def full(self) -> bool:
        """Whether a position found no room in the tree."""
        return bool(self.tree.counters[REFUSED])

    def moves(self, node: int | None = None) -> Sequence[TreeMove]:
        """The moves of the root (or another node), best first: proven wins, then by visits; proven losses last."""
        number = int(self.tree.counters[ROOT]) if node is None else node
        self.write_scores(number)
        swindles = self.swindle_scores if node is None else {}
        moves = []
        columns = edges_of(self.tree, number)
        for i, (move, proof) in enumerate(zip(columns.moves.tolist(), columns.proofs.tolist(), strict=True)):
            visits = int(columns.visits[i])
            mean = float(columns.value_sums[i]) / visits if visits else 0.0
            score = -np.inf if proof == LOSS else float(self.tree.scores[i])
            value = PROOF_VALUES.get(proof, mean)
            moves.append(TreeMove(move, visits, value, proof, score, swindles.get(move, 0.0)))
        return sorted(
            moves, key=lambda m: (m.proof == WIN, m.proof != LOSS, m.swindle_score, m.visits, m.score), reverse=True
        )

    def write_scores(self, node: int) -> None:
        """Write the selection scores of a node's moves into the tree's scores."""
        self._kernels.score(self.tree, self._context, node)

    def line(self, move: int | None = None) -> list[int]:
        """The principal variation: the best move at each node, beginning with `move` if it is given."""
        tree, node = self.tree, int(self.tree.counters[ROOT])
        moves: list[int] = []
        while node != ABSENT and tree.nodes[node].first != ABSENT and tree.nodes[node].count:
            edges = edges_of(tree, node)
            best = int(np.argmax(edges.moves == move)) if move is not None and not moves else best_edge(edges)
            moves.append(int(edges.moves[best]))
            node = int(edges.children[best])
        return moves


def best_edge(edges: Edges) -> int:
    """The index of the best move of a node, as `TreeSearch.moves` orders them except for ties."""
    visits = edges.visits.astype(np.float64)
    visits[edges.proofs == WIN] += ENDLESS
    visits[edges.proofs == LOSS] -= ENDLESS
    return int(np.argmax(visits))
