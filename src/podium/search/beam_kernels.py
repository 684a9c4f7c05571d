"""The kernels of beam search: layers of positions, the pool of their children, and the cut to the beam width.

`beam.py` describes the search and numbers its steps; the same numbers stand here at the code.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, inlined, kernel, record
from podium.kernel.clock import now
from podium.kernel.random import mix
from podium.kernel.table import ABSENT, WINDOW, clear, insert, lookup, new_table
from podium.model.hooks import advance, undiscounted_value
from podium.model.rules import candidates, evaluate, final_score, is_over, key
from podium.search.trace_room import EARLIER, ENDED, KEPT, NO_BEAM_TRACE, NO_ROW, TOO_LOW, WORSE_TWIN

EVERY_MOVE = -1
POOL_FACTOR = 4  # pool entries per entry of the beam; selection costs little from about 3 on
TABLE_FACTOR = 4  # table slots per pool entry, so that windows of slots do not fill up

BeamNode = record(
    "beam node",
    [
        ("value", "f8"),  # of the sequence so far
        ("discounted", "f8"),  # the discounted part of the value
        ("evaluation", "f8"),  # of the position
        ("position", "u8"),  # the key
        ("move", "i8"),
        ("first", "i8"),  # first move of the sequence
        ("parent", "i4"),  # index in the layer before
        ("row", "i4"),  # of the trace, or NO_ROW
        ("order", "i8"),  # of discovery within its depth; among equal values the earlier one is better
    ],
)

BeamSettings = record(
    "beam settings",
    [
        ("seat", "i8"),  # that searches
        ("width", "i8"),
        ("depth", "i8"),
        ("discount", "f8"),  # per depth
        ("stop_at_win", "?"),  # stop at the first depth whose best sequence wins the game
        ("backtrack", "?"),  # beam stack search
        ("transpositions", "?"),  # of two children with the same key only the better one stays
        ("only", "i8"),  # index of the only first move to search, or EVERY_MOVE
        ("deadline", "i8"),  # on the clock of podium.kernel.clock
        ("most_nodes", "i8"),  # no position is expanded after this many nodes
    ],
)

BeamResult = record(
    "beam result",
    [
        ("nodes", "i8"),  # positions made: copied, advanced, evaluated
        ("depth", "i8"),  # the last finished one; 0: not even the first
        ("length", "i8"),  # of the best sequence
        ("best_value", "f8"),
        ("won", "?"),  # the best sequence ends the game with a win
        ("ended_length", "i8"),  # of the best sequence that ends the game; 0: none found
        ("ended_value", "f8"),
        ("ended_won", "?"),
        ("threshold", "f8"),  # children must have a higher value
        ("threshold_order", "i8"),  # order of the last child kept with exactly this value
        ("rows", "i8"),  # of the trace
        ("lost_rows", "i8"),  # that did not fit
        ("finished", "?"),  # beam stack search has reached its full depth once
    ],
)


class BeamWorkspace(NamedTuple):
    """The workspace of a search; allocated once, owned by the caller. The root is `states[0, 0]`."""

    states: Any  # [depth + 1, width] positions of each layer
    layers: Any  # [depth + 1, width] their nodes
    sizes: Any  # [depth + 1] number of positions in each layer
    ceilings: Any  # [depth + 1] beam stack search: only children below this value and order
    ceiling_orders: Any
    thresholds: Any  # [depth + 1] value and order of the worst child kept; -inf if none was dropped
    threshold_orders: Any
    bests: Any  # [depth + 1] best node of each finished depth
    pool: Any  # children of the present depth
    pool_size: Any  # [1] number of children in the pool
    values: Any  # of the pool, for quickselect
    table: Any  # key -> index in the pool
    moves: Any  # candidates of one position
    child_state: Any  # [1] position of the present child
    child_node: Any  # [1] node of the present child
    line: Any  # [depth + 1] best sequence
    ended_line: Any  # [depth + 1] best sequence that ends the game
    trace: Any  # BeamTraceRow: what the search did, if there is room for it


def new_workspace(state: np.dtype, width: int, depth: int, most_moves: int) -> BeamWorkspace:
    """A workspace for beams up to a width and depth, in a game with at most `most_moves` candidates in a position."""
    places = POOL_FACTOR * width
    return BeamWorkspace(
        states=allocate(state, depth + 1, width),
        layers=allocate(BeamNode, depth + 1, width),
        sizes=np.zeros(depth + 1, np.int64),
        ceilings=np.zeros(depth + 1),
        ceiling_orders=np.zeros(depth + 1, np.int64),
        thresholds=np.zeros(depth + 1),
        threshold_orders=np.zeros(depth + 1, np.int64),
        bests=allocate(BeamNode, depth + 1),
        pool=allocate(BeamNode, places),
        pool_size=np.zeros(1, np.int64),
        values=np.zeros(places),
        table=new_table(TABLE_FACTOR * places),
        moves=np.zeros(most_moves, np.int64),
        child_state=allocate(state, 1),
        child_node=allocate(BeamNode, 1),
        line=np.zeros(depth + 1, np.int64),
        ended_line=np.zeros(depth + 1, np.int64),
        trace=NO_BEAM_TRACE,
    )


@kernel
def search_layers(work: BeamWorkspace, settings: Any, params: Any, result: Any) -> None:
    """Search from `work.states[0, 0]`, which must not be over; writes the best sequence to `work.line`, the rest to
    `result`. If not even depth 1 is finished, the sequence is the first candidate."""
    start_search(work, settings, params, result)
    depth: Any = np.int64(1)  # not a literal, for which everything below would be compiled a second time
    while 0 < depth <= settings.depth:
        if not expand(work, settings, params, result, depth):
            break
        # Step 7: rebuild the best sequence.
        finish_depth(work, settings, result, depth)
        if settings.stop_at_win and result.won:
            break
        if work.sizes[depth] and depth < settings.depth:
            # Step 6: rebuild the states of the layer.
            rebuild_states(work, params, depth)
            depth += 1
        elif settings.backtrack:
            result.finished = True
            depth = backtrack(work, depth)
        else:
            break


@kernel
def start_search(work: BeamWorkspace, settings: Any, params: Any, result: Any) -> None:
    """Make the root the first layer, and the first candidate the result."""
    root = work.layers[0, 0]
    root.discounted = 0.0
    root.evaluation = evaluate(work.states[0, 0], params, settings.seat)
    root.value = 0.0
    root.row = NO_ROW
    result.rows = 0
    result.lost_rows = 0
    if work.trace.size > 0:
        result.rows = 0
        trace_child(work.trace, result, root, NO_ROW, NO_ROW, 0)
        work.trace[0].value = root.evaluation
        work.trace[0].source = KEPT
    work.sizes[0] = 1
    for depth in range(settings.depth + 1):
        work.ceilings[depth] = math.inf
        work.ceiling_orders[depth] = 0
        work.thresholds[depth] = -math.inf
    result.nodes = 0
    result.depth = 0
    result.won = False
    result.finished = False
    result.ended_length = 0
    result.ended_value = -math.inf
    result.ended_won = False
    result.best_value = -math.inf
    count = candidates(work.states[0, 0], params, work.moves)
    result.length = min(1, count)
    if count:
        work.line[0] = work.moves[max(0, settings.only)]


@kernel
def expand(work: BeamWorkspace, settings: Any, params: Any, result: Any, depth: int) -> bool:
    """Fill the pool with the children of the layer before `depth`; False if time or nodes ran out."""
    states, layer, moves = work.states[depth - 1], work.layers[depth - 1], work.moves
    clear_table(work)
    work.pool_size[0] = 0
    result.threshold = -math.inf
    work.bests[depth].value = -math.inf
    weight = settings.discount**depth
    order = 0
    for index in range(work.sizes[depth - 1]):
        # Step 1: expand the positions of the layer, one after the other.
        if result.nodes >= settings.most_nodes or now() > settings.deadline:
            return False
        count = candidates(states[index], params, moves)
        first, end = 0, count
        if depth == 1 and settings.only != EVERY_MOVE:
            first, end = settings.only, settings.only + 1
        result.nodes += end - first
        for i in range(first, end):
            work.child_state[0] = states[index]
            child, node = work.child_state[0], work.child_node[0]
            order += 1
            advance(child, params, moves[i])
            node.evaluation = evaluate(child, params, settings.seat)
            node.discounted = layer[index].discounted + weight * (node.evaluation - layer[index].evaluation)
            node.value = node.discounted + undiscounted_value(child, params, settings.seat)
            node.row = NO_ROW
            if layer[index].row != NO_ROW:
                if result.rows < work.trace.size:
                    trace_child(work.trace, result, node, layer[index].row, moves[i], depth)
                else:
                    result.lost_rows += 1
            # Step 2: drop what is not better than the worst of the best so far.
            if node.value <= result.threshold:
                continue
            node.move = moves[i]
            node.first = moves[i] if depth == 1 else layer[index].first
            node.parent = index
            node.order = order
            if is_over(child):
                # Step 4: an ended game competes for the result only.
                if node.row != NO_ROW:
                    work.trace[node.row].source = ENDED
                if node.value > result.ended_value:
                    note_ended_game(work, settings, result, depth)
            elif node.value < work.ceilings[depth] or (
                node.value == work.ceilings[depth] and order > work.ceiling_orders[depth]
            ):
                node.position = key(child) if settings.transpositions else mix(np.uint64(order))
                if node.value > work.bests[depth].value:
                    work.bests[depth] = node
                # Step 3: of two children with the same key the better one stays; without transpositions no two have.
                add_to_pool(work.pool, work.pool_size, work.table, node, work.trace)
                # Step 5: cut the pool when it is full, and at the end of the depth.
                if work.pool_size[0] == POOL_FACTOR * settings.width:
                    cut_pool(work, result, settings.width)
            elif node.row != NO_ROW:
                work.trace[node.row].source = EARLIER
    cut_pool(work, result, settings.width)
    work.thresholds[depth] = result.threshold
    work.threshold_orders[depth] = result.threshold_order
    return True


@inlined
def trace_child(rows: Any, result: Any, node: Any, parent: int, move: int, depth: int) -> None:
    """Write the row of a child, as if it were dropped at once; its value must be known, and there must be room."""
    node.row = result.rows
    row = rows[result.rows]
    result.rows += 1
    row.value = node.value
    row.low = result.threshold
    row.parent = parent
    row.move = move
    row.twin = NO_ROW
    row.ply = depth
    row.source = TOO_LOW


@inlined
def trace_twin(rows: Any, worse: int, better: int) -> None:
    """Note that a child does not stay, since a better one leads to the same position."""
    if worse != NO_ROW:
        rows[worse].source = WORSE_TWIN
        rows[worse].twin = better


@kernel
def clear_table(work: BeamWorkspace) -> None:
    """Clear the table: all of it, or with a small pool only the slots of its keys."""
    size, table = work.pool_size[0], work.table
    if size * WINDOW >= table.size:
        clear(table)
        return
    mask = np.uint64(table.size - 1)
    for i in range(size):
        for step in range(WINDOW):
            table[np.int64((work.pool[i].position + np.uint64(step)) & mask)].stored = 0


@kernel
def add_to_pool(pool: Any, pool_size: Any, table: Any, node: Any, rows: Any) -> None:
    """Step 3: add a child to the pool, or replace a worse one with the same key."""
    known = lookup(table, node.position)
    if known != ABSENT and node.value <= pool[known].value:
        trace_twin(rows, node.row, pool[known].row)
        return
    if node.row != NO_ROW:
        rows[node.row].source = KEPT
    if known == ABSENT:
        insert(table, node.position, pool_size[0])
        pool[pool_size[0]] = node
        pool_size[0] += 1
    else:
        trace_twin(rows, pool[known].row, node.row)
        pool[known] = node


@kernel
def cut_pool(work: BeamWorkspace, result: Any, width: int) -> None:
    """Step 5: keep the best `width` of the pool, in their order; among equals the earlier ones."""
    size, pool = work.pool_size[0], work.pool
    if size <= width:
        return
    for i in range(size):
        work.values[i] = pool[i].value
    threshold = kth_largest(work.values, size, width)
    equals = np.int64(width)
    for i in range(size):
        equals -= pool[i].value > threshold
    kept = 0
    clear_table(work)
    for i in range(size):
        value = pool[i].value
        if value < threshold or (value == threshold and equals == 0):
            if pool[i].row != NO_ROW:
                work.trace[pool[i].row].source = TOO_LOW
                work.trace[pool[i].row].low = threshold
            continue
        if value == threshold:
            equals -= 1
            result.threshold_order = pool[i].order
        pool[kept] = pool[i]
        insert(work.table, pool[kept].position, kept)
        kept += 1
    work.pool_size[0] = kept
    result.threshold = threshold


@kernel
def kth_largest(values: Any, size: int, rank: int) -> Any:
    """The `rank`-th largest of the first `size` values, which are reordered (quickselect, Hoare 1961)."""
    low, high, target = 0, size - 1, rank - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if target <= j:
            high = j
        elif target >= i:
            low = i
        else:
            break
    return values[target]


@kernel
def note_ended_game(work: BeamWorkspace, settings: Any, result: Any, depth: int) -> None:
    """Step 4: the sequence to the present child is the best that ends the game."""
    node = work.child_node[0]
    result.ended_value = node.value
    result.ended_length = depth
    result.ended_won = final_score(work.child_state[0], settings.seat) > 0
    write_line(work, depth, node.parent, node.move, work.ended_line)


@kernel
def write_line(work: BeamWorkspace, depth: int, parent: int, move: int, line: Any) -> None:
    """Step 7: write the sequence to a node at `depth`, given its parent and move."""
    line[depth - 1] = move
    for level in range(depth - 1, 0, -1):
        line[level - 1] = work.layers[level, parent].move
        parent = work.layers[level, parent].parent


@kernel
def finish_depth(work: BeamWorkspace, settings: Any, result: Any, depth: int) -> None:
    """Copy the pool of a finished depth to its layer, and make its best sequence the result."""
    work.sizes[depth] = work.pool_size[0]
    for i in range(work.pool_size[0]):
        work.layers[depth, i] = work.pool[i]
    best = work.bests[depth]
    deepest = depth == settings.depth or work.pool_size[0] == 0
    if best.value > -math.inf and (not result.finished or (deepest and best.value > result.best_value)):
        result.depth = depth
        result.length = depth
        result.best_value = best.value
        result.won = False
        write_line(work, depth, best.parent, best.move, work.line)
    if result.ended_length and (result.ended_value >= result.best_value or work.pool_size[0] == 0):
        result.depth = max(result.depth, depth)
        result.length = result.ended_length
        result.best_value = result.ended_value
        result.won = result.ended_won
        for i in range(result.length):
            work.line[i] = work.ended_line[i]


@kernel
def rebuild_states(work: BeamWorkspace, params: Any, depth: int) -> None:
    """Step 6: make the states of a layer from their parents."""
    for i in range(work.sizes[depth]):
        node = work.layers[depth, i]
        work.states[depth, i] = work.states[depth - 1, node.parent]
        advance(work.states[depth, i], params, node.move)


@kernel
def backtrack(work: BeamWorkspace, depth: int) -> int:
    """Beam stack search: the deepest depth that dropped children, set to take the next ones; 0 if there is none."""
    while depth > 0:
        if work.thresholds[depth] > -math.inf:
            work.ceilings[depth] = work.thresholds[depth]
            work.ceiling_orders[depth] = work.threshold_orders[depth]
            for deeper in range(depth + 1, work.ceilings.size):
                work.ceilings[deeper] = math.inf
            return depth
        depth -= 1
    return 0


@kernel
def most_frequent_first(work: BeamWorkspace, depth: int, top: int) -> int:
    """The most frequent first move of the `top` best sequences of a finished depth; among equals that of the best."""
    size = work.sizes[depth]
    for i in range(size):
        work.values[i] = work.layers[depth, i].value
    threshold = kth_largest(work.values, size, min(top, size))
    best_move, best_count, best_value = 0, 0, -math.inf
    for i in range(size):
        node = work.layers[depth, i]
        if node.value < threshold:
            continue
        count, value = 0, -math.inf
        for j in range(size):
            other = work.layers[depth, j]
            if other.value >= threshold and other.first == node.first:
                count += 1
                value = max(value, other.value)
        if count > best_count or (count == best_count and value > best_value):
            best_move, best_count, best_value = node.first, count, value
    return best_move
