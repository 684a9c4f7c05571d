"""Monte Carlo tree search with RAVE for two-player games without hidden information.

Everything follows the write-up of the winner of CodeCup 2021 (Abdessamad El Kasimi, "zuniq-ai"), each part as a
switch or number of the bot's mind:

* UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006), for scale.
* RAVE (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011) with three
  statistics per move: its own (1); all-moves-as-first, the playouts in which the same side played it later (2); and
  generalised, those in which either side did (3), which suits impartial games.
* RAVE-MAX (Tom, "Investigating UCT and RAVE", 2010): statistics 2 and 3 are never taken for worse than 1.
* An exploration bonus from a move's impact: how many moves it takes away.
* MCTS-Solver (Winands, Björnsson and Saito, 2008): proven wins and losses go up the tree; positions with few moves left
  are solved exhaustively.
* Nodes shared between transpositions and kept from move to move, in bounded memory.
* Several playouts per new node; random choices at the opponent's nodes, so that lines with pitfalls are preferred.

One simulation:
 1. Select: from the root, follow the move with the highest
    (n1 v1 + n2 max(v2, v1) + n3 max(v3, v1) + impact sqrt(visits)) / (n1 + n2 + n3), values in [-1, 1].
 2. Expand: the first position that is not in the table becomes a node; if its moves are few it is solved instead. Its
    edges, which take most of the memory, are grown at its second visit.
 3. Play out: random games from there, tallying who played what.
 4. Back up: statistics along the path, proofs as far as they carry.

The numbers stand at the code too, in `simulation.py`; the tree is in `tree.py`, the solver in `solve.py`, what it finds
out about the root in `root.py`.

Values in the tree are always those of the side to move at a node, never of a seat, so positions whose keys do not tell
the mover are shared between the sides. What it asks of a game: `mover`, `is_over`, `legal_moves`, `play`, `final_score`
and `key`, and if it likes faster `playouts` and its own `impact`; of a bot fewer `candidates`, if it likes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel.budget import NO_LIMIT, Budget
from podium.kernel.clock import MILLISECOND, NEVER, SECOND, now
from podium.kernel.minds import Parameter
from podium.kernel.random import generator
from podium.kernel.rules import is_over, mover
from podium.kernel.table import ABSENT
from podium.search.result import Proof, Result, RootMove
from podium.search.root import count_refutations, solve_root
from podium.search.simulation import begin, run, weigh
from podium.search.solve import DRAW, LOSS, UNPROVEN, WIN, turned
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
)

# Of every search that grows a tree of simulations.
TREE_PARAMETERS = (
    Parameter("prove", True, "propagate proven wins and losses (MCTS-Solver)"),
    Parameter("solve", 5, "solve a new node exhaustively if it has at most so many moves (write-up: 5)", 0, 30),
    Parameter("solve_nodes", 2000, "give up solving a new node after so many positions", 1, 1_000_000),
    Parameter(
        "endgame", 0, "first try to solve a position with at most so many moves (the write-up does not)", 0, 1000
    ),
    Parameter("endgame_part", 0.4, "part of a move's time, or of its simulations' cost, for that try", 0, 1),
    Parameter("transpositions", True, "share nodes between positions with the same key"),
    Parameter("keep", True, "keep the tree from move to move"),
    Parameter("memory", 192, "megabytes for the tree (contest: 256 for all)", 1, 65536),
)
PARAMETERS = (
    Parameter("playouts", 10, "random games per new node (write-up: 10)", 1, 1000),
    Parameter("rave", True, "use the all-moves-as-first statistics"),
    Parameter("generalised", True, "RAVE: also credit a move that the opponent played"),
    Parameter("rave_max", True, "RAVE: take the borrowed statistics for at least the move's own value"),
    Parameter("impact", 1.0, "weight of the exploration bonus from a move's impact (write-up: 1)", 0, 100),
    Parameter("exploration", 0.0, "weight of UCT's exploration term (the write-up has none)", 0, 10),
    Parameter("pitfalls", 0.1, "part of random choices at the opponent's nodes (write-up: 0.1)", 0, 1),
    *TREE_PARAMETERS,
)

SLICE = 50 * MILLISECOND  # between two looks at what else Python has to do, such as Ctrl-C
CHECK = 5 * MILLISECOND  # between two looks whether the most visited move is the best by now
PROOF_NODES_PER_SIMULATION = 50  # what a simulation costs, in nodes of the solver; an estimate
UNKNOWN = 0.5  # part of the replies that refute a move that there was no time for
RESISTANCE_TIME = 2 * SECOND  # at most, to look for the move that is hardest to refute
LINES = 3  # moves whose expected lines a result tells

PROOFS = {UNPROVEN: Proof.NONE, WIN: Proof.WIN, LOSS: Proof.LOSS, DRAW: Proof.DRAW}
WORTH_OF_A_PROOF = {WIN: 1.0, LOSS: -1.0, DRAW: 0.0}


@dataclass(frozen=True)
class TreeMove:
    """What the tree knows of one move at a node."""

    move: int
    visits: int  # playouts through it
    value: float  # mean result of those, in [-1, 1], for the side to move; 1, 0 or -1 if it is proven
    proof: int  # UNPROVEN, WIN, LOSS or DRAW, for the side to move
    worth: float  # what selection maximises
    resistance: float = 0.0  # in a lost position: the part of replies that do not refute it


class Mcts:
    """A searcher for one bot: a tree that follows a game."""

    def __init__(
        self, state: np.dtype, mind: Any, most_moves: int, move_codes: int, most_plies: int, seed: int = 0
    ) -> None:
        """For a game with at most so many legal moves at once, moves below `move_codes`, and so many plies."""
        self.mind = mind
        self.tree = new_tree(state, int(mind.memory), most_moves, move_codes, most_plies)
        self.random = generator(seed)
        self.simulations = 0  # for the present position
        self.resistances: dict[int, float] = {}  # by move, in a lost position
        self._asked = mind  # the mind, or the outlook in its place
        self._opinion_of = b""  # whose tree it is: that record's content
        forget(self.tree)

    def search(
        self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, outlook: Any = None, patience: int = 0
    ) -> Result:
        """The best move of a state that is not over, and what it is worth to a seat, in [-1, 1].

        The outlook takes the mind's place. Nodes of the budget are simulations; with them the clock is not looked at.
        `patience` is for budgets of time: so many nanoseconds more while the most visited move is not the worthiest.
        Near the end of the game a part of the budget is first used to solve the position.

        What is known of the positions below is kept for the next search, if mind and outlook are still the same then.
        """
        if budget.limits == (NEVER, NEVER):
            raise PodiumError("Monte Carlo search needs a limit: it never ends by itself")
        self.begin(state, outlook)
        self._think(budget, patience)
        return self._result(1 if int(mover(state)) == seat else -1)

    def begin(self, state: Any, outlook: Any = None) -> None:
        """Think about a position from now on, without a simulation yet."""
        if is_over(state):
            raise PodiumError("the game is over: there is nothing to search")
        self._asked = self.mind if outlook is None else outlook
        if self._opinion_of != self._asked.tobytes():
            forget(self.tree)
            self._opinion_of = self._asked.tobytes()
        self.simulations = 0
        self.resistances = {}
        self._set_root(state)

    def _set_root(self, state: Any) -> None:
        begin(self.tree, self._asked, state)

    def _weigh(self, node: int) -> None:
        weigh(self.tree, self._asked, node)

    def warm_up(self, state: Any, outlook: Any = None) -> None:
        """Call every kernel once, so that nothing is compiled or loaded later."""
        self.begin(state, outlook)
        self.simulate(2)
        solve_root(self.tree, 1, NEVER)
        count_refutations(self.tree, 0, 1, NEVER)
        self.begin(state, outlook)
        self._result(1)

    def _think(self, budget: Budget, patience: int) -> None:
        ending = self._root.whole and self._root.count <= self._asked.endgame
        if ending and not self.proven:
            self._solve(budget)
        if budget.nodes:
            self.simulate(budget.nodes)
        else:
            while now() < budget.deadline and not self.proven:
                self.simulate(ENDLESS, min(budget.deadline, now() + SLICE))
            while now() < budget.deadline + patience and not self.proven and not self.settled:
                self.simulate(ENDLESS, min(budget.deadline + patience, now() + CHECK))
        if ending and self.proven == LOSS:
            self._resist(budget)

    def _solve(self, budget: Budget) -> None:
        part = float(self._asked.endgame_part)
        if budget.nodes:
            solve_root(self.tree, int(part * budget.nodes * PROOF_NODES_PER_SIMULATION), NEVER)
        else:
            solve_root(self.tree, ENDLESS, now() + int(part * (budget.deadline - now())))

    def simulate(self, simulations: int, deadline: int = NEVER) -> None:
        """Simulate so many times more, or until a time, or until the position is proven."""
        self.simulations += run(self.tree, self._asked, self.random, simulations, deadline)

    def _resist(self, budget: Budget) -> None:
        """All moves lose: find out how many replies refute each, so that the opponent has to find few."""
        links, count = self._links(int(self.tree.counters[ROOT])), int(self._root.count)
        start = now()
        for i in range(count):
            if budget.nodes:
                nodes = max(1, budget.nodes * PROOF_NODES_PER_SIMULATION // count)
                refutations = count_refutations(self.tree, i, nodes, NEVER)
            else:
                deadline = start + min(budget.deadline - start, RESISTANCE_TIME) * (i + 1) // count
                in_time = now() < deadline  # the solver itself looks at the clock only now and then
                refutations = count_refutations(self.tree, i, ENDLESS, deadline) if in_time else UNKNOWN
            self.resistances[int(links[MOVE, i])] = 1.0 - refutations

    def _result(self, sign: int) -> Result:
        """What is known by now; `sign` turns what the side to move thinks into what the searching seat thinks."""
        moves = self.moves()
        options = [
            RootMove(
                move.move,
                sign * move.value,
                move.visits,
                PROOFS[move.proof if sign > 0 else turned(move.proof)],
                self.line(move.move) if rank < LINES else (),
            )
            for rank, move in enumerate(moves)
        ]
        line = self.line(options[0].move)
        proof = PROOFS[self.proven if sign > 0 else turned(self.proven)]
        return Result(options[0].move, options[0].value, len(line), self.simulations, line, proof, options)

    @property
    def _root(self) -> Any:
        return self.tree.nodes[self.tree.counters[ROOT]]

    def _links(self, node: int) -> Any:
        count, first = int(self.tree.nodes[node].count), int(self.tree.nodes[node].first)
        return self.tree.links[first * LINKS : (first + count) * LINKS].reshape(LINKS, count)

    @property
    def proven(self) -> int:
        """What the position is proven to be for the side to move."""
        return int(self._root.proven)

    @property
    def settled(self) -> bool:
        """Whether the most visited move is also the worthiest."""
        moves = self.moves()
        return moves[0] is max(moves, key=lambda move: move.worth)

    @property
    def nodes(self) -> int:
        """How many positions the tree holds."""
        return int(self.tree.counters[NODES])

    @property
    def full(self) -> bool:
        """Whether a position found no room in the tree."""
        return bool(self.tree.counters[REFUSED])

    def moves(self, node: int | None = None) -> Sequence[TreeMove]:
        """The moves of the root (or another node), best first: proven wins, then by visits; proven losses last."""
        tree, number = self.tree, int(self.tree.counters[ROOT]) if node is None else node
        count, first = int(tree.nodes[number].count), int(tree.nodes[number].first)
        self._weigh(number)
        links = self._links(number)
        rows = tree.statistics[first * STATISTICS : (first + count) * STATISTICS].reshape(STATISTICS, count)
        moves = []
        for i in range(count):
            move, proof, visits = int(links[MOVE, i]), int(links[PROOF, i]), int(rows[N1, i])
            mean = float(rows[SUM1, i]) / visits if visits else 0.0
            worth = -np.inf if proof == LOSS else float(tree.worths[i])
            resistance = self.resistances.get(move, 0.0) if node is None else 0.0
            moves.append(TreeMove(move, visits, WORTH_OF_A_PROOF.get(proof, mean), proof, worth, resistance))
        return sorted(
            moves, key=lambda m: (m.proof == WIN, m.proof != LOSS, m.resistance, m.visits, m.worth), reverse=True
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
        """The index of the best move of a node, as `moves` orders them but for ties."""
        start = int(self.tree.nodes[node].first) * STATISTICS
        visits = self.tree.statistics[start : start + links.shape[1]].astype(np.float64)
        visits[links[PROOF] == WIN] += ENDLESS
        visits[links[PROOF] == LOSS] -= ENDLESS
        return int(np.argmax(visits))
