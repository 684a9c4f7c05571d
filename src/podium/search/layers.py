"""The kernels of beam search: layers of positions, the pool of their children, and the cut of the pool.

`beam.py` says what the search does and numbers its steps; they stand here where they are done.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, kernel, record
from podium.kernel.clock import now
from podium.kernel.rules import candidates, evaluate, final_score, is_over, key
from podium.kernel.table import ABSENT, WINDOW, clear, insert, lookup, new_table
from podium.search.hooks import advance, standing

EVERY_MOVE = -1
POOL_FACTOR = 4  # pool places per place of the beam; selection costs little from about 3 on
TABLE_FACTOR = 4  # table slots per pool place, so that windows of slots do not fill up

Node = record(
    "beam node",
    [
        ("value", "f8"),  # of the sequence so far
        ("gained", "f8"),  # the discounted part of it
        ("plain", "f8"),  # what `evaluate` said of the position
        ("node_key", "u8"),
        ("move", "i8"),
        ("first", "i8"),  # the first move of the sequence
        ("parent", "i8"),  # its index in the layer before
        ("order", "i8"),  # of discovery within its depth; among equal values the earlier one is better
    ],
)

Settings = record(
    "beam settings",
    [
        ("seat", "i8"),  # who searches
        ("width", "i8"),
        ("depth", "i8"),
        ("discount", "f8"),  # per depth
        ("stop_at_win", "?"),  # end the search with the first depth whose best sequence wins the game
        ("backtrack", "?"),  # beam stack search
        ("only", "i8"),  # index of the one first move to search, or EVERY_MOVE
        ("deadline", "i8"),  # on the clock of podium.kernel.clock
        ("most_nodes", "i8"),  # no position is opened after so many nodes
    ],
)

Found = record(
    "beam result",
    [
        ("nodes", "i8"),  # positions made: copied, advanced, valued
        ("depth", "i8"),  # the last finished one; 0: there was no time at all
        ("length", "i8"),  # of the best sequence
        ("best_value", "f8"),
        ("won", "?"),  # the best sequence ends the game with a win
        ("ended_length", "i8"),  # of the best sequence that ends the game; 0: none found
        ("ended_value", "f8"),
        ("ended_won", "?"),
        ("floor", "f8"),  # children must be better than this
        ("floor_order", "i8"),  # the last one kept among those just as good
        ("finished", "?"),  # beam stack search has reached its full depth once
    ],
)


class Space(NamedTuple):
    """The workspace of a search; allocated once, owned by the caller. The root is `states[0, 0]`."""

    states: Any  # [depth + 1, width] positions of each layer
    layers: Any  # [depth + 1, width] their nodes
    sizes: Any  # [depth + 1] how many there are
    ceilings: Any  # [depth + 1] beam stack search: only children worse than this value and order
    ceiling_orders: Any
    floors: Any  # [depth + 1] value and order of the worst child kept if any was dropped, else -inf
    floor_orders: Any
    bests: Any  # [depth + 1] the best node of each finished depth
    pool: Any  # children of the depth in work
    pool_size: Any  # [1] how many there are
    values: Any  # theirs, for quickselect
    table: Any  # key -> index in the pool
    moves: Any  # candidates of one position
    scratch: Any  # [1] the child in work
    fresh: Any  # [1] its node
    line: Any  # [depth + 1] the best sequence
    ended_line: Any  # [depth + 1] the best sequence that ends the game


def new_space(state: np.dtype, width: int, depth: int, most_moves: int) -> Space:
    """A workspace for beams up to this width and depth, in a game with at most so many candidates at once."""
    places = POOL_FACTOR * width
    return Space(
        states=allocate(state, depth + 1, width),
        layers=allocate(Node, depth + 1, width),
        sizes=np.zeros(depth + 1, np.int64),
        ceilings=np.zeros(depth + 1),
        ceiling_orders=np.zeros(depth + 1, np.int64),
        floors=np.zeros(depth + 1),
        floor_orders=np.zeros(depth + 1, np.int64),
        bests=allocate(Node, depth + 1),
        pool=allocate(Node, places),
        pool_size=np.zeros(1, np.int64),
        values=np.zeros(places),
        table=new_table(TABLE_FACTOR * places),
        moves=np.zeros(most_moves, np.int64),
        scratch=allocate(state, 1),
        fresh=allocate(Node, 1),
        line=np.zeros(depth + 1, np.int64),
        ended_line=np.zeros(depth + 1, np.int64),
    )


@kernel
def search_layers(space: Space, settings: Any, mind: Any, found: Any) -> None:
    """Search from `space.states[0, 0]`; the best sequence is left in `space.line`, the rest in `found`.

    The root must not be over. Without time for anything the sequence is the first candidate alone.
    """
    start(space, settings, mind, found)
    depth: Any = np.int64(1)  # not a literal, for which everything below would be compiled a second time
    while 0 < depth <= settings.depth:
        if not expand(space, settings, mind, found, depth):
            break
        # Step 7: rebuild the best sequence.
        conclude(space, settings, found, depth)
        if settings.stop_at_win and found.won:
            break
        if space.sizes[depth] and depth < settings.depth:
            # Step 6: make the survivors' states again.
            make_states(space, mind, depth)
            depth += 1
        elif settings.backtrack:
            found.finished = True
            depth = step_back(space, depth)
        else:
            break


@kernel
def start(space: Space, settings: Any, mind: Any, found: Any) -> None:
    """Lay the root into the first layer, and the first candidate into the answer."""
    root = space.layers[0, 0]
    root.gained = 0.0
    root.plain = evaluate(space.states[0, 0], mind, settings.seat)
    root.value = 0.0
    space.sizes[0] = 1
    for depth in range(settings.depth + 1):
        space.ceilings[depth] = math.inf
        space.ceiling_orders[depth] = 0
        space.floors[depth] = -math.inf
    found.nodes = 0
    found.depth = 0
    found.won = False
    found.finished = False
    found.ended_length = 0
    found.ended_value = -math.inf
    found.ended_won = False
    found.best_value = -math.inf
    count = candidates(space.states[0, 0], mind, space.moves)
    found.length = min(1, count)
    if count:
        space.line[0] = space.moves[max(0, settings.only)]


@kernel
def expand(space: Space, settings: Any, mind: Any, found: Any, depth: int) -> bool:
    """Fill the pool with the children of the layer before `depth`; False if time or nodes ran out."""
    states, layer, moves = space.states[depth - 1], space.layers[depth - 1], space.moves
    forget(space)
    space.pool_size[0] = 0
    found.floor = -math.inf
    space.bests[depth].value = -math.inf
    weight = settings.discount**depth
    order = 0
    for index in range(space.sizes[depth - 1]):
        # Step 1: open the positions of the layer, one after the other.
        if found.nodes >= settings.most_nodes or now() > settings.deadline:
            return False
        count = candidates(states[index], mind, moves)
        first, end = 0, count
        if depth == 1 and settings.only != EVERY_MOVE:
            first, end = settings.only, settings.only + 1
        found.nodes += end - first
        for i in range(first, end):
            space.scratch[0] = states[index]
            child, node = space.scratch[0], space.fresh[0]
            order += 1
            advance(child, mind, moves[i])
            node.plain = evaluate(child, mind, settings.seat)
            node.gained = layer[index].gained + weight * (node.plain - layer[index].plain)
            node.value = node.gained + standing(child, mind, settings.seat)
            # Step 2: drop what is not better than the worst of the best so far.
            if node.value <= found.floor:
                continue
            node.move = moves[i]
            node.first = moves[i] if depth == 1 else layer[index].first
            node.parent = index
            node.order = order
            if is_over(child):
                # Step 4: an end of the game competes for the answer only.
                if node.value > found.ended_value:
                    note_ended(space, settings, found, depth)
            elif node.value < space.ceilings[depth] or (
                node.value == space.ceilings[depth] and order > space.ceiling_orders[depth]
            ):
                node.node_key = key(child)
                if node.value > space.bests[depth].value:
                    space.bests[depth] = node
                # Step 3: of two children with the same key the better one stays.
                offer(space.pool, space.pool_size, space.table, node)
                # Step 5: cut the pool when it is full, and at the end of the depth.
                if space.pool_size[0] == POOL_FACTOR * settings.width:
                    cut_pool(space, found, settings.width)
    cut_pool(space, found, settings.width)
    space.floors[depth] = found.floor
    space.floor_orders[depth] = found.floor_order
    return True


@kernel
def forget(space: Space) -> None:
    """Empty the table: all of it, or if the pool is small only the windows of its keys."""
    size, table = space.pool_size[0], space.table
    if size * WINDOW >= table.size:
        clear(table)
        return
    mask = np.uint64(table.size - 1)
    for i in range(size):
        for step in range(WINDOW):
            table[np.int64((space.pool[i].node_key + np.uint64(step)) & mask)].stored = 0


@kernel
def offer(pool: Any, pool_size: Any, table: Any, node: Any) -> None:
    """Put a child into the pool, or in place of a worse one with the same key."""
    known = lookup(table, node.node_key)
    if known == ABSENT:
        insert(table, node.node_key, pool_size[0])
        pool[pool_size[0]] = node
        pool_size[0] += 1
    elif node.value > pool[known].value:
        pool[known] = node


@kernel
def cut_pool(space: Space, found: Any, width: int) -> None:
    """Keep the best `width` of the pool, in their order; among equals the earlier ones."""
    size, pool = space.pool_size[0], space.pool
    if size <= width:
        return
    for i in range(size):
        space.values[i] = pool[i].value
    floor = largest(space.values, size, width)
    equals = np.int64(width)
    for i in range(size):
        equals -= pool[i].value > floor
    kept = 0
    forget(space)
    for i in range(size):
        value = pool[i].value
        if value < floor or (value == floor and equals == 0):
            continue
        if value == floor:
            equals -= 1
            found.floor_order = pool[i].order
        pool[kept] = pool[i]
        insert(space.table, pool[kept].node_key, kept)
        kept += 1
    space.pool_size[0] = kept
    found.floor = floor


@kernel
def largest(values: Any, size: int, rank: int) -> float:
    """The `rank`-th largest of the first `size` values, which are reordered (Hoare's quickselect)."""
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
def note_ended(space: Space, settings: Any, found: Any, depth: int) -> None:
    """Remember the best sequence that ends the game: the one to the child in work."""
    node = space.fresh[0]
    found.ended_value = node.value
    found.ended_length = depth
    found.ended_won = final_score(space.scratch[0], settings.seat) > 0
    rebuild(space, depth, node.parent, node.move, space.ended_line)


@kernel
def rebuild(space: Space, depth: int, parent: int, move: int, line: Any) -> None:
    """Write the sequence that discovered a node at `depth`, given its parent and move."""
    line[depth - 1] = move
    for level in range(depth - 1, 0, -1):
        line[level - 1] = space.layers[level, parent].move
        parent = space.layers[level, parent].parent


@kernel
def conclude(space: Space, settings: Any, found: Any, depth: int) -> None:
    """Take the survivors of a finished depth into its layer, and its best sequence as the answer."""
    space.sizes[depth] = space.pool_size[0]
    for i in range(space.pool_size[0]):
        space.layers[depth, i] = space.pool[i]
    best = space.bests[depth]
    deepest = depth == settings.depth or space.pool_size[0] == 0
    if best.value > -math.inf and (not found.finished or (deepest and best.value > found.best_value)):
        found.depth = depth
        found.length = depth
        found.best_value = best.value
        found.won = False
        rebuild(space, depth, best.parent, best.move, space.line)
    if found.ended_length and (found.ended_value >= found.best_value or space.pool_size[0] == 0):
        found.depth = max(found.depth, depth)
        found.length = found.ended_length
        found.best_value = found.ended_value
        found.won = found.ended_won
        for i in range(found.length):
            space.line[i] = space.ended_line[i]


@kernel
def make_states(space: Space, mind: Any, depth: int) -> None:
    """Make the states of a layer from their parents."""
    for i in range(space.sizes[depth]):
        node = space.layers[depth, i]
        space.states[depth, i] = space.states[depth - 1, node.parent]
        advance(space.states[depth, i], mind, node.move)


@kernel
def step_back(space: Space, depth: int) -> int:
    """The deepest depth that dropped children, set to take the next ones; 0 if there is none."""
    while depth > 0:
        if space.floors[depth] > -math.inf:
            space.ceilings[depth] = space.floors[depth]
            space.ceiling_orders[depth] = space.floor_orders[depth]
            for deeper in range(depth + 1, space.ceilings.size):
                space.ceilings[deeper] = math.inf
            return depth
        depth -= 1
    return 0


@kernel
def most_started(space: Space, depth: int, top: int) -> int:
    """The first move of most of the `top` best sequences of a finished depth; among equals that of the best."""
    size = space.sizes[depth]
    for i in range(size):
        space.values[i] = space.layers[depth, i].value
    floor = largest(space.values, size, min(top, size))
    best_move, best_count, best_value = 0, 0, -math.inf
    for i in range(size):
        node = space.layers[depth, i]
        if node.value < floor:
            continue
        count, value = 0, -math.inf
        for j in range(size):
            other = space.layers[depth, j]
            if other.value >= floor and other.first == node.first:
                count += 1
                value = max(value, other.value)
        if count > best_count or (count == best_count and value > best_value):
            best_move, best_count, best_value = node.first, count, value
    return best_move
