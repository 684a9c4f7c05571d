"""Decoupled UCT: Monte Carlo tree search for games in which all seats choose at the same time.

A node is a position before a turn. Every seat has its own statistics over its own moves there and chooses by them
alone; the joint choice leads to the next node. So nobody knows the others' choices of the same turn, which alpha-beta
assumes of the seat that chooses second. In a game in turns one seat chooses at each node: then it is UCT
(for more than two players, the max^n variant).

Sources: Tak, Lanctot and Winands, "Monte Carlo tree search variants for simultaneous move games" (2014), which found
decoupled UCT best over nine games; Lanctot, Lisý and Winands, "Monte Carlo tree search in simultaneous move games with
applications to Goofspiel" (2013). The rules by which a seat selects are in `decoupled_selection.py`.

UCB's average strategy is the share of visits; it need not approach an equilibrium, but often plays better. Values are
scaled by the range of evaluations seen so far.

One simulation:
 1. Selection: from the root, every seat chooses by its own statistics; the last choice plays the turn.
 2. Expansion: the first position that is not in the tree becomes a node. Its edges are added at its second visit.
 3. Evaluation: at once, or after some turns of a random playout.
 4. Backpropagation: statistics of each seat and of the joint choices. In a zero-sum game for two, the value of a node
    whose matrix is decided by ended games is exact, and is not searched again.

The tree is in `decoupled_tree.py`, the plain twin in `plain_decoupled.py`. What it asks of a game: `mover`,
`before_turn`, `play`, `is_over`, `key`, `final_score`; of a bot: `candidates` and `evaluate`, and optionally
`terminal_value`, `playout_move` and `priors`.
"""

from functools import cached_property
from typing import Any

import numpy as np

from podium.kernel import kernel
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.generic import implementation_of, redefinitions
from podium.kernel.random import GOLDEN, generator, mix
from podium.kernel.records import packed_bytes
from podium.kernel.table import ABSENT, lookup
from podium.model import rules as generic
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import advance, playout_move, priors
from podium.model.params import Parameter, Value
from podium.model.result import Proof, Result
from podium.model.rules import before_turn, candidates, is_over, key, legal_moves, mover
from podium.model.ruleset import rules_of
from podium.search.base import Search
from podium.search.custom_hooks import Hook
from podium.search.decoupled_result import chosen_row, result_of
from podium.search.decoupled_selection import EXP3, PUCT, REGRET, SELECTIONS, choose_turn
from podium.search.decoupled_trace import decoupled_trace
from podium.search.decoupled_tree import (
    EDGES,
    NODES,
    ROOT,
    DecoupledTree,
    add_edges,
    can_expand,
    cell_at,
    clear_tree,
    find_cell,
    new_decoupled_tree,
    node_at,
    settle,
)
from podium.search.leaf_values import LOGGED, SEAT, bounded, bounds_of, log_step, write_values
from podium.search.trace import current_recording

PARAMETERS = (
    Parameter("selection", "ucb1", "how a seat chooses in a simulation", choices=SELECTIONS),
    Parameter("exploration", 0.7, "exploration constant of ucb1 and puct; values are from 0 to 1", 0, 10),
    Parameter("exploring_share", 0.1, "regret and exp3: share of the choices that are uniformly random", 0.001, 1),
    Parameter(
        "playout_turns", 0, "turns of random play before a new node is evaluated; 0: evaluate at once", 0, 100_000
    ),
    Parameter("turns_deep", 0, "maximum depth in turns; 0: no limit", 0, 100_000),
    Parameter("zero_sum", True, "with two players: the other's value is minus mine; off: each has its own evaluation"),
    Parameter("mixed", False, "draw the move from the average strategy; off: its most probable move"),
    Parameter("decide_matrices", True, "with two players: prove nodes whose matrix is decided by ended games"),
    Parameter(
        "transpositions", True, "share nodes between positions with the same key, which must have the same moves, too"
    ),
    Parameter("reuse_tree", True, "keep the tree from turn to turn"),
    Parameter("memory", 32, "memory of the tree in megabytes", 1, 65536),
)

PYTHON_INTERVAL = 50 * MILLISECOND  # between two returns to Python, for Ctrl-C
CHECK_INTERVAL = 16  # simulations between two looks at the clock
TO_THE_END = 100_000  # turns


@kernel
def no_opinion(state: Any, params: Any, seat: Any) -> float:
    """The evaluation of a search without one: playouts to the end decide."""
    return 0.0


# ---- Step 1: selection (who chooses what: decoupled_selection.py)


@kernel
def play_turn(tree: Any, params: Any, node: Any, ply: Any) -> None:
    """Play the choices that the seats have made at a node, into `tree.states[0]`."""
    tree.states[0] = tree.positions[node]
    for place in range(tree.nodes[node].choosers):
        i = tree.path_choices[ply, place]
        advance(tree.states[0], params, tree.edges[tree.first[node, place] + i].move)


@kernel
def write_priors(tree: Any, params: Any, node: Any, place: Any) -> None:
    """Give the edges of the mover in `tree.states[0]`, whose moves are in `tree.moves`, their priors with the sum 1."""
    first, count = tree.first[node, place], tree.counts[node, place]
    priors(tree.states[0], params, tree.moves, count, tree.weights)
    total = 0.0
    for i in range(count):
        total += tree.weights[i]
    for i in range(count):
        tree.edges[first + i].prior = tree.weights[i] / total


@kernel
def expand(tree: Any, params: Any, node: Any) -> None:
    """Give a node its edges. Each seat's moves are listed when the seats before it have chosen their first ones: what
    a seat may do does not depend on what the others choose in the same turn."""
    tree.states[0] = tree.positions[node]
    state = tree.states[0]
    complete = True
    place = np.int64(0)
    while True:
        count = np.int64(candidates(state, params, tree.moves))
        if count == 0:
            count = np.int64(legal_moves(state, tree.moves))
        add_edges(tree, node, place, np.int64(mover(state)), count)
        if params.selection == PUCT and count > 1:
            write_priors(tree, params, node, place)
        if params.decide_matrices and tree.values.size == 2:
            complete = complete and count == legal_moves(state, tree.moves)
        advance(state, params, tree.edges[tree.first[node, place]].move)
        place += 1
        if is_over(state) or before_turn(state):
            break
    tree.nodes[node].choosers = place
    tree.nodes[node].complete = complete


# ---- Steps 2 and 3: expansion and evaluation


@kernel
def play_out(tree: Any, params: Any, random: Any) -> None:
    """Some turns of random play from `tree.states[0]`."""
    state = tree.states[0]
    turns = params.playout_turns
    while turns > 0 and not is_over(state):
        count = np.int64(candidates(state, params, tree.moves))
        if count == 0:
            count = np.int64(legal_moves(state, tree.moves))
        advance(state, params, np.int64(playout_move(state, params, tree.moves, count, random)))
        if before_turn(state):
            turns -= 1


@kernel
def child_of(tree: Any, params: Any, cell: Any) -> Any:
    """The node of the position in `tree.states[0]`, to which a cell leads from now on, and whether it is new; ABSENT
    if there is no room.

    An ended game becomes an exact node.
    """
    state = tree.states[0]
    if cell == ABSENT:
        return np.int64(ABSENT), True
    before = tree.counters[NODES]
    position = key(state) if params.transpositions else mix(np.uint64(cell + 1) * GOLDEN)
    child = np.int64(node_at(tree, position))
    if child == ABSENT:
        return child, True
    tree.cells[cell].child = child + 1
    is_new = tree.counters[NODES] > before
    if is_new:
        tree.positions[child] = state
    if is_new and is_over(state):
        write_values(tree, params, state)
        tree.nodes[child].exact = True
        for seat in range(tree.values.size):
            tree.exact_values[child, seat] = tree.values[seat]
    return child, is_new


# ---- Step 4: backpropagation


@kernel
def add_regrets(tree: Any, node: Any, place: Any, ply: Any, radix: Any) -> None:
    """Regret matching: what every other move of a seat would have gained against the others' choices."""
    seat, chosen = tree.seats[node, place], tree.path_choices[ply, place]
    low, high = bounds_of(tree, seat)
    scale = 1.0 / (high - low)
    for i in range(tree.counts[node, place]):
        if i == chosen:
            continue
        cell = find_cell(tree, node, tree.path_joints[ply] + (i - chosen) * radix)
        if cell != ABSENT and tree.cells[cell].visits > 0:
            mean = tree.cell_totals[cell, seat] / tree.cells[cell].visits
            tree.edges[tree.first[node, place] + i].regret += (mean - tree.values[seat]) * scale


@kernel
def update_seats(tree: Any, params: Any, node: Any, ply: Any) -> None:
    """Add the values of a simulation to the statistics of each seat that chose at a node."""
    radix = np.int64(1)
    for place in range(tree.nodes[node].choosers):
        seat = tree.seats[node, place]
        value = tree.values[seat]
        edge = tree.edges[tree.first[node, place] + tree.path_choices[ply, place]]
        edge.visits += 1
        edge.total += value
        edge.squares += value * value
        if tree.counts[node, place] > 1:
            if params.selection == REGRET:
                add_regrets(tree, node, place, ply, radix)
            elif params.selection == EXP3:
                low, high = bounds_of(tree, seat)
                edge.regret += (value - low) / (high - low) / tree.path_chances[ply, place]
        radix *= tree.counts[node, place]


@kernel
def backpropagate(tree: Any, params: Any, length: Any, is_exact: bool) -> None:
    """Update the nodes of a path with `tree.values`; `is_exact`: its last position is."""
    provable = params.decide_matrices and params.zero_sum and tree.values.size == 2
    became_exact = False
    for ply in range(length - 1, -1, -1):
        node, cell = tree.path_nodes[ply], tree.path_cells[ply]
        first_time = False
        if cell != ABSENT:
            for seat in range(tree.values.size):
                tree.cell_totals[cell, seat] += tree.values[seat]
            tree.cells[cell].visits += 1
            first_time = tree.cells[cell].visits == 1
            if tree.counters[LOGGED] < tree.log.size:
                log_step(tree, cell, tree.values[tree.counters[SEAT]])
        tree.nodes[node].visits += 1
        update_seats(tree, params, node, ply)
        is_exact = is_exact and (first_time or became_exact) and provable and tree.nodes[node].complete
        became_exact = is_exact and settle(tree, node)
        is_exact = became_exact
        if became_exact:
            for seat in range(tree.values.size):
                tree.values[seat] = bounded(tree, seat, tree.exact_values[node, seat])


@kernel
def simulate(tree: Any, params: Any, random: Any) -> None:
    """Run one simulation."""
    node, length, is_exact = tree.counters[ROOT], 0, False
    longest = tree.path_nodes.size
    if params.turns_deep > 0:
        longest = min(longest, params.turns_deep)
    while True:
        if length == longest or not can_expand(tree, node):
            write_values(tree, params, tree.positions[node])
            break
        if tree.nodes[node].choosers == 0:
            expand(tree, params, node)
        joint = choose_turn(tree, params, node, length, random)
        cell = cell_at(tree, node, joint)
        tree.path_nodes[length] = node
        tree.path_cells[length] = cell
        tree.path_joints[length] = joint
        length += 1
        is_new = False
        if cell != ABSENT and tree.cells[cell].child > 0:
            node = np.int64(tree.cells[cell].child - 1)
        else:
            play_turn(tree, params, node, length - 1)
            node, is_new = child_of(tree, params, cell)
        if node != ABSENT and tree.nodes[node].exact:
            is_exact = True
            for seat in range(tree.values.size):
                tree.values[seat] = tree.exact_values[node, seat]
            break
        if is_new:
            play_out(tree, params, random)
            write_values(tree, params, tree.states[0])
            break
    for seat in range(tree.values.size):
        tree.values[seat] = bounded(tree, seat, tree.values[seat])
    backpropagate(tree, params, length, is_exact)


@kernel
def simulate_until(tree: Any, params: Any, random: Any, limit: Any, deadline: Any) -> Any:
    """Simulate until a number of simulations, a deadline, or an exact root; returns how many were made."""
    done = np.int64(0)
    while done < limit and not tree.nodes[tree.counters[ROOT]].exact:
        simulate(tree, params, random)
        done += 1
        if done % CHECK_INTERVAL == 0 and now() >= deadline:
            break
    return done


@kernel
def begin_turn(tree: Any, params: Any, state: Any, seat: Any, keep: bool) -> Any:
    """Make a position the root; whether its node of an earlier search was kept."""
    node = ABSENT
    if keep and 2 * tree.counters[NODES] < tree.nodes.size and 2 * tree.counters[EDGES] < tree.edges.size:
        node = lookup(tree.table, key(state))
    known = node != ABSENT
    if not known:
        clear_tree(tree)
        node = node_at(tree, key(state))
    tree.positions[node] = state
    tree.counters[ROOT] = node
    tree.counters[SEAT] = seat
    tree.counters[LOGGED] = 0
    return known


class DecoupledUct(Search):
    """Decoupled UCT: every seat chooses by its own statistics; the result shows the mixed strategy.

    >>> import podium
    >>> game = podium.load("code4life")
    >>> @podium.kernel
    ... def lead(state, seat):
    ...     return state.score[seat] - state.score[1 - seat]
    >>> search = podium.DecoupledUct(game, evaluate=lead, selection="regret", playout_turns=4)
    >>> result = search.search(game.initial_state(seed=1), nodes=500)
    >>> result.nodes, round(sum(option.share for option in result.numbers.options), 6)
    (500, 1.0)
    """

    title = "decoupled UCT"
    parameters = PARAMETERS
    takes_depth = False

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        playout: Hook | None = None,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` values positions, `candidates` chooses the moves to consider, `playout` a move of a random playout:
        kernels, or plain Python functions (`custom_hooks.py`). Without an evaluation playouts go to the end of the
        game, and a won game counts 1, a lost one -1.
        """
        self._seed = seed
        if params is None and evaluate is None and implementation_of(generic.evaluate, rules_of(game).state) is None:
            evaluate = no_opinion
            parameters = {"playout_turns": TO_THE_END, **parameters}
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates, playout=playout)
        self.require_turns()
        self.random = generator(seed)
        # what the tree was built for: seat, parameters or search context, and the definitions in force
        self._tree_of: tuple[int, bytes, int] | None = None

    @cached_property
    def tree(self) -> DecoupledTree:
        """The workspace, allocated when it is first needed."""
        rules = self.rules
        return new_decoupled_tree(rules.state, int(self.params.memory), rules.seats, rules.most_moves, rules.most_plies)

    def decide(self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None) -> Result:
        """The move of a seat in a position before a turn, with the mixed strategies of all seats that choose.

        A search context takes the parameters' place. Nodes of the budget are simulations; with them the clock is
        ignored. The tree is kept for the next turn if seat, parameters and search context are still the same then.
        """
        self.refuse_within_turn(state)
        self.refuse_unlimited(budget)
        if self.custom.is_plain:
            return self._decide_plainly(state, seat, budget)
        params, records = self.params if context is None else context, current_recording()
        tree = self.tree if records is None else self.tree._replace(log=records.log())
        tree_of = seat, packed_bytes(params), redefinitions()
        begin_turn(tree, params, state, seat, bool(params.reuse_tree) and self._tree_of == tree_of)
        self._tree_of = tree_of
        deadline, limit = budget.limits
        nodes = 0
        while nodes < limit:
            slice_end = min(deadline, now() + PYTHON_INTERVAL)
            nodes += int(simulate_until(tree, params, self.random, limit - nodes, slice_end))
            if now() >= deadline or self._root.exact:
                break
        row = chosen_row(tree, params, seat, self.random)
        proof = Proof.EXACT if self._root.exact else Proof.NONE
        result = result_of(tree, params, seat, row, nodes, proof)
        if records is not None:
            records.append(decoupled_trace(self, tree, state, seat, params, result, records.most_rows))
        return result

    def _decide_plainly(self, state: Any, seat: int, budget: Budget) -> Result:
        """As `decide`, with functions in plain Python; nothing is kept from one search to the next."""
        from podium.search.plain_decoupled import PlainDecoupled

        return PlainDecoupled(self.rules, self.params, self.custom, self._seed).decoupled(state, seat, budget)

    @property
    def _root(self) -> Any:
        return self.tree.nodes[self.tree.counters[ROOT]]
