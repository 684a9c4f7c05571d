"""Smitsimax: a tree for each seat or unit, all searched together; for games in which all seats choose at the same time.

A node of a seat's tree is a sequence of its own moves, whatever the others did. So the trees stay as narrow as a seat's
own choices, also with many seats, where joint choices are too many. A simulation plays one game: every seat goes down
its own tree, and each tree gets its own value of the position at the end. A node stands for many positions, and its
value is a mean over what the others are likely to do. Where a seat chooses for several
units in a turn (`units`), each of them has a tree of its own, with the seat's value.

Source: MSmits, "Smitsimax" (a playground of CodinGame), who invented it for Code of Kutulu, where he was 4th. From
there: random moves at the first visits of a node, so that bad replies to bad moves do not settle; values divided by the
range seen so far; a fixed depth.

One simulation:
 1. Selection: in each turn every seat chooses a child of its own node: at random at the node's first visits, later the
    one with the highest upper confidence bound (UCB1). A move that is not possible in this position is passed over.
 2. Expansion: a move that was never tried from a node gets a child. All trees grow to the full depth at once.
 3. Evaluation of the position after the last turn, for each seat.
 4. Backpropagation of each seat's value in its own tree.

What it asks of a game: `mover`, `before_turn`, `play`, `is_over`, `final_score`; of a bot: `candidates` and `evaluate`,
and optionally `terminal_value`.
"""

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, kernel, record
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.random import GOLDEN, draw_below, generator, mix
from podium.kernel.table import ABSENT, clear, insert, lookup, new_table
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import advance, unit
from podium.model.params import Parameter, Value
from podium.model.result import Result, RootMove
from podium.model.rules import before_turn, candidates, is_over, legal_moves, mover
from podium.search.base import Search
from podium.search.custom_hooks import Hook
from podium.search.joint_choices import TurnChoices, expected_value, most_probable, turn_of
from podium.search.leaf_values import COUNTERS, LOGGED, SEAT, bounded, bounds_of, forget_range, log_step, write_values
from podium.search.smitsimax_trace import smitsimax_trace
from podium.search.trace import current_recording
from podium.search.trace_room import NO_LOG

PARAMETERS = (
    Parameter("turns_deep", 6, "depth of all trees in turns", 1, 1000),
    Parameter("exploration", 0.7, "exploration constant of UCB1; values are from 0 to 1", 0, 10),
    Parameter("random_visits", 10, "first visits of a node at which its move is random (article: 10)", 0, 1000),
    Parameter(
        "units", 1, "trees of a seat, one for each of its units (hook `unit`); 1: one for all its choices", 1, 64
    ),
    Parameter("zero_sum", True, "with two players: the other's value is minus mine; off: each has its own evaluation"),
    Parameter("memory", 32, "memory of the trees in megabytes", 1, 65536),
)

PYTHON_INTERVAL = 50 * MILLISECOND  # between two returns to Python, for Ctrl-C
CHECK_INTERVAL = 16  # simulations between two looks at the clock
MEGABYTE = 1 << 20
BYTES_PER_NODE = 72  # with its entry in the hash table
NODES = 0  # place of `counters`, beside SEAT

SmitsimaxNode = record(
    "smitsimax node",
    [
        ("total", "f8"),
        ("visits", "i8"),
        ("move", "i4"),  # that leads here
        ("parent", "i4"),
    ],
)


class SmitsimaxTrees(NamedTuple):
    """All trees in one array, allocated once. S is the number of seats, T of trees (that of a seat's unit is
    seat + S x unit), P the depth in choices."""

    counters: Any  # int64 [COUNTERS]
    table: Any  # nodes by their parent and the move that leads to them
    nodes: Any  # the first T are the roots of the trees
    low: Any  # float64 [S]: the range of evaluations seen so far, without won and lost games
    high: Any
    states: Any  # [2]: the root, and the position of the simulation
    moves: Any  # int64 [most moves]
    path: Any  # int64 [T, P + 1]: the nodes of a simulation, by tree
    lengths: Any  # int64 [T]: how many they are
    values: Any  # float64 [S]: of the simulation, for each seat
    log: Any  # SimulationStep: which nodes the simulations went through, if a trace has room for it


@kernel
def clear_trees(trees: Any) -> None:
    """Leave nothing but the roots."""
    clear(trees.table)
    trees.counters[NODES] = trees.lengths.size
    for root in range(trees.lengths.size):
        trees.nodes[root].visits = 0
        trees.nodes[root].total = 0.0
        trees.nodes[root].move = -1
        trees.nodes[root].parent = ABSENT
    trees.counters[LOGGED] = 0
    forget_range(trees)


@kernel
def child_key(node: Any, move: Any) -> Any:
    """The hash of a move from a node."""
    return mix(np.uint64(node) * GOLDEN + np.uint64(move))


@kernel
def find_child(trees: Any, node: Any, move: Any) -> Any:
    """The child of a node by a move, or ABSENT."""
    return lookup(trees.table, child_key(node, move))


@kernel
def own_child(trees: Any, node: Any, move: Any) -> Any:
    """Step 2: the child of a node by a move, a new one if there is none yet; ABSENT if there is no room."""
    key = child_key(node, move)
    child = lookup(trees.table, key)
    if child != ABSENT:
        return child
    child = trees.counters[NODES]
    if child == trees.nodes.size or not insert(trees.table, key, child):
        return ABSENT
    trees.counters[NODES] += 1
    trees.nodes[child].visits = 0
    trees.nodes[child].total = 0.0
    trees.nodes[child].move = move
    trees.nodes[child].parent = node
    return child


@kernel
def choose_move(trees: Any, params: Any, node: Any, seat: Any, count: Any, random: Any) -> Any:
    """Step 1: one of the first `count` of `trees.moves` for a seat at its own node."""
    start = draw_below(random, count)
    parent_visits = trees.nodes[node].visits
    if count == 1 or parent_visits < params.random_visits:
        return start
    low, high = bounds_of(trees, seat)
    scale, log_visits = 1.0 / (high - low), math.log(np.float64(parent_visits))
    best, highest = start, -np.inf
    i = start
    for _ in range(count):
        child = find_child(trees, node, trees.moves[i])
        if child == ABSENT or trees.nodes[child].visits == 0:
            return i
        visits = np.float64(trees.nodes[child].visits)
        mean = (trees.nodes[child].total / visits - low) * scale
        score = mean + params.exploration * math.sqrt(log_visits / visits)
        if score > highest:
            best, highest = i, score
        i = i + 1 if i + 1 < count else 0
    return best


@kernel
def unit_of(state: Any, params: Any) -> Any:
    """The unit whose tree the next choice is in."""
    return min(np.int64(unit(state)), params.units - 1)


@kernel
def simulate_together(trees: Any, params: Any, random: Any) -> None:
    """Run one simulation of all trees."""
    trees.states[1] = trees.states[0]
    state = trees.states[1]
    for root in range(trees.lengths.size):
        trees.path[root, 0] = root
        trees.lengths[root] = 1
    turns: Any = np.int64(0)
    while turns < params.turns_deep and not is_over(state):
        chooser = np.int64(mover(state))
        own = chooser + trees.values.size * unit_of(state, params)
        count: Any = np.int64(candidates(state, params, trees.moves))
        if count == 0:
            count = np.int64(legal_moves(state, trees.moves))
        node = trees.path[own, trees.lengths[own] - 1]
        if node == ABSENT:
            move = trees.moves[draw_below(random, count)]
        else:
            move = trees.moves[choose_move(trees, params, node, chooser, count, random)]
            node = own_child(trees, node, move)
        trees.path[own, trees.lengths[own]] = node
        trees.lengths[own] += 1
        advance(state, params, move)
        if before_turn(state):
            turns += 1
    # Step 3: the value for each seat.
    write_values(trees, params, state)
    # Step 4: each seat's value in its own trees.
    for tree in range(trees.lengths.size):
        seat = tree % trees.values.size
        value = bounded(trees, seat, trees.values[seat])
        for i in range(trees.lengths[tree] - 1, -1, -1):
            if trees.path[tree, i] != ABSENT:
                trees.nodes[trees.path[tree, i]].visits += 1
                trees.nodes[trees.path[tree, i]].total += value
                if trees.counters[LOGGED] < trees.log.size:
                    log_step(trees, trees.path[tree, i], value)


@kernel
def simulate_trees(trees: Any, params: Any, random: Any, limit: Any, deadline: Any) -> Any:
    """Simulate until a number of simulations or a deadline; returns how many were made."""
    done = np.int64(0)
    while done < limit:
        simulate_together(trees, params, random)
        done += 1
        if done % CHECK_INTERVAL == 0 and now() >= deadline:
            break
    return done


class Smitsimax(Search):
    """Smitsimax: a tree for each seat (or for each of its units), all simulated together.

    >>> import podium
    >>> game = podium.load("code_of_kutulu")
    >>> @podium.kernel
    ... def sanity(state, seat):
    ...     return state.sanity[seat]
    >>> search = podium.Smitsimax(game, evaluate=sanity, turns_deep=5)
    >>> result = search.search(game.initial_state(seed=1), nodes=400)
    >>> result.nodes, result.depth, sum(row["visits"] for row in result.rows())
    (400, 20, 400)
    """

    title = "Smitsimax"
    parameters = PARAMETERS
    takes_depth = False
    has_plain_twin = False

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` values positions for each seat, `candidates` chooses the moves to consider: kernels.
        """
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates)
        self.require_evaluation()
        self.require_turns()
        self.random = generator(seed)

    @cached_property
    def trees(self) -> SmitsimaxTrees:
        """The workspace, allocated when it is first needed."""
        rules, nodes = self.rules, max(1024, int(self.params.memory) * MEGABYTE // BYTES_PER_NODE)
        trees = rules.seats * int(self.params.units)
        return SmitsimaxTrees(
            counters=np.zeros(COUNTERS, np.int64),
            table=new_table(2 * nodes),
            nodes=allocate(SmitsimaxNode, nodes),
            low=np.zeros(rules.seats),
            high=np.zeros(rules.seats),
            states=allocate(rules.state, 2),
            moves=np.zeros(rules.most_moves, np.int64),
            path=np.zeros((trees, rules.most_plies + 1), np.int64),
            lengths=np.zeros(trees, np.int64),
            values=np.zeros(rules.seats),
            log=NO_LOG,
        )

    def decide(self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None) -> Result:
        """The most visited move of a seat in a position before a turn; with several units the first one's, and the
        others' in the line.

        A search context takes the parameters' place. Nodes of the budget are simulations; with them the clock is
        ignored. The trees are made anew for each turn: what the others really did changes what their nodes stand for.
        """
        self.refuse_within_turn(state)
        self.refuse_unlimited(budget)
        params, records = self.params if context is None else context, current_recording()
        trees = self.trees if records is None else self.trees._replace(log=records.log())
        clear_trees(trees)
        trees.states[0] = state
        trees.counters[SEAT] = seat
        deadline, limit = budget.limits
        nodes = 0
        while nodes < limit:
            slice_end = min(deadline, now() + PYTHON_INTERVAL)
            nodes += int(simulate_trees(trees, params, self.random, limit - nodes, slice_end))
            if now() >= deadline:
                break
        turn = turn_of(state, params, trees.moves)
        result = self._result(turn, params, seat, nodes)
        if records is not None:
            records.append(smitsimax_trace(self, trees, state, seat, params, turn, result, records.most_rows))
        return result

    def _result(self, turn: TurnChoices, params: Any, seat: int, nodes: int) -> Result:
        place = turn.place_of(seat)
        roots, own = self.roots_of(turn), turn.seats[place]
        children = [self._child(roots[place], move) for move in turn.moves[place]]
        visits = np.array([float(self.trees.nodes[child].visits) if child != ABSENT else 0.0 for child in children])
        totals = np.array([float(self.trees.nodes[child].total) if child != ABSENT else 0.0 for child in children])
        means, shares = totals / np.maximum(visits, 1), visits / max(1.0, visits.sum())
        row = most_probable(shares, means)
        order = sorted(range(len(children)), key=lambda i: (i == row, visits[i], means[i]), reverse=True)
        options = [
            RootMove(turn.moves[place][i], float(means[i]), int(visits[i]), share=float(shares[i])) for i in order
        ]
        line = [self._favourite(each, moves) for each, moves in zip(roots, turn.moves, strict=True)]
        depth = int(params.turns_deep) * len(turn.seats)
        value = expected_value(shares, means)
        if own != seat and self.rules.seats == 2:
            value = -value
        return Result(turn.moves[place][row], value, depth, nodes, line, options=options)

    def roots_of(self, turn: TurnChoices) -> list[int]:
        """The roots of the trees that the choices of a turn are in."""
        last = int(self.params.units) - 1
        return [each + self.rules.seats * min(unit, last) for each, unit in zip(turn.seats, turn.units, strict=True)]

    def _child(self, node: int, move: int) -> int:
        return int(find_child(self.trees, node, move))

    def _favourite(self, root: int, moves: list[int]) -> int:
        """The most visited move at a root; of equals that with the highest value."""
        children = {move: self._child(root, move) for move in moves}
        nodes = {move: self.trees.nodes[child] for move, child in children.items() if child != ABSENT}
        return max(nodes, key=lambda move: (nodes[move].visits, nodes[move].total), default=moves[0])
