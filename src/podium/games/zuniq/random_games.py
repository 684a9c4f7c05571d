"""Random games of Zuniq: which walls each side draws if every wall is drawn uniformly at random.

A random game draws the free walls in a random order, except that a wall inside a zone drops out, and that one which
would close a zone of a size already used has to wait. Which walls close something at all is known from the order
alone. Take the open cells and the outside as the nodes of a graph and the free walls as its edges: a wall closes
something if nothing that comes later in the order connects its two cells any more. So the walls that close form the
graph's spanning tree of latest edges, and a wall cuts off the cells that lie behind it in that tree, less those that
were closed before. All other walls are legal whenever their turn comes.

 1. Deal: the free walls in a random order. The rank of a wall is how many come after it.
 2. Grow the tree from the outside, always across the latest wall (Prim's algorithm). Walls are sets of bits by rank, so
    the walls between the tree and the rest are those around each new cell, combined by exclusive or.
 3. Hang: from the leaves up, the cells and the walls behind each wall of the tree.
 4. Play: wall by wall of the tree; of the others, who draws which is the parity of a set. After a zone is closed, the
    waiting walls that have become legal are drawn among those left, each with the same chance.

Steps 1 and 2 wait for memory and for their own last result, so they go on in two games at a time.
"""

from typing import Any

import numpy as np

from podium.games.zuniq.board import CELL_A, CELL_B, CELLS, OUTSIDE
from podium.games.zuniq.rules import list_walls
from podium.kernel import inlined, kernel
from podium.kernel.bits import EMPTY, ONE, highest, lowest, popcount
from podium.kernel.random import GOLDEN, draw_below, mix

# Where things lie in the bytes of a game: the walls by rank, then for each cell of the tree, in the order in which it
# grows, the cell, the one before it on the way to the outside, and the rank of the wall between them.
ORDER_AT, CELL_AT, PARENT_AT, RANK_AT = 0, 64, 96, 128
GAME_BYTES = 160
# In its words: by cell the ranks of the walls around it (step 3: also of those behind it) and the cells behind it; by
# rank, for walls of the tree, the cells and the walls behind them.
AROUND_AT, BEHIND_AT, REGIONS_AT, BURIED_AT = 0, 48, 96, 160
GAME_WORDS = 224
CELL_NUMBERS = 48  # all numbers of cells are below
MOST_CELLS = 32
FREE_AT = 2 * GAME_BYTES  # in the bytes of both games: the free walls

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ALL = ~EMPTY
PREFIX_SHIFTS = tuple(np.uint64(1 << step) for step in range(6))


@kernel
def list_free(state: Any, scratch: Any) -> int:
    """Write the free walls of the position that two games begin in; return how many there are."""
    return list_walls(state.free, scratch[FREE_AT:])


@kernel
def open_cells(state: Any) -> Any:
    """How many cells belong to no zone yet."""
    return CELLS * CELLS - popcount(state.closed)


@kernel
def deal_two(random: Any, scratch: Any, words: Any, count: int) -> None:
    """Step 1 for two games; `count` walls are free."""
    order, other_order = scratch[ORDER_AT:], scratch[GAME_BYTES + ORDER_AT :]
    around, other_around = words[AROUND_AT:], words[GAME_WORDS + AROUND_AT :]
    for i in range(64):
        order[i] = scratch[FREE_AT + i]
        other_order[i] = scratch[FREE_AT + i]
    for cell in range(CELL_NUMBERS):
        around[cell] = EMPTY
        other_around[cell] = EMPTY
    bits = random[0]
    left = np.uint64(count)
    while left:
        bits += GOLDEN
        drawn = mix(bits)  # half of it for each game
        index, other_index = ((drawn & LOW) * left) >> HALF, ((drawn >> HALF) * left) >> HALF
        left -= ONE
        bit = ONE << left
        wall, other_wall = order[index], other_order[other_index]
        order[index], other_order[other_index] = order[left], other_order[left]
        order[left], other_order[left] = wall, other_wall
        around[CELL_A[wall]] |= bit
        around[CELL_B[wall]] |= bit
        other_around[CELL_A[other_wall]] |= bit
        other_around[CELL_B[other_wall]] |= bit
    random[0] = bits


@inlined
def grow(scratch: Any, words: Any, i: int, border: Any, reached: Any) -> Any:
    """Add cell i to the tree of a game; returns the walls around the tree, by rank, and its cells."""
    rank = lowest(border)
    wall = scratch[ORDER_AT + rank]
    one, two = np.uint64(CELL_A[wall]), np.uint64(CELL_B[wall])
    cell = two if (reached >> one) & ONE else one
    scratch[CELL_AT + i], scratch[PARENT_AT + i], scratch[RANK_AT + i] = cell, one + two - cell, rank
    return border ^ words[AROUND_AT + cell], reached | ONE << cell


@kernel
def grow_two(scratch: Any, words: Any, cells: int) -> None:
    """Step 2 for two games from a position with this number of open cells."""
    other_scratch, other_words = scratch[GAME_BYTES:], words[GAME_WORDS:]
    border, reached = words[AROUND_AT + OUTSIDE], ONE << np.uint64(OUTSIDE)
    other_border, other_reached = other_words[AROUND_AT + OUTSIDE], reached
    for i in range(cells):
        border, reached = grow(scratch, words, i, border, reached)
        other_border, other_reached = grow(other_scratch, other_words, i, other_border, other_reached)


@kernel
def hang(scratch: Any, words: Any, cells: int) -> Any:
    """Step 3: write regions and buried walls; returns the walls of the tree, by rank."""
    around, behind = words[AROUND_AT:], words[BEHIND_AT:]
    tree = EMPTY
    for cell in range(CELL_NUMBERS):
        behind[cell] = ONE << np.uint64(cell)
    for i in range(cells - 1, -1, -1):
        cell, parent, rank = scratch[CELL_AT + i], scratch[PARENT_AT + i], np.uint64(scratch[RANK_AT + i])
        tree |= ONE << rank
        words[REGIONS_AT + rank], words[BURIED_AT + rank] = behind[cell], around[cell]
        behind[parent] |= behind[cell]
        around[parent] |= around[cell]
    return tree


@inlined
def share(walls: Any, mine: Any, theirs: Any) -> Any:
    """Give the walls of a set, by rank, to the side to move and the other in turn: the side to move after that, and
    the other."""
    turns = walls
    for shift in PREFIX_SHIFTS:
        turns ^= turns >> shift  # in the end: how many walls of the set come no later, modulo 2
    mine |= walls & turns
    theirs |= walls & ~turns
    swap = (mine ^ theirs) & (EMPTY - np.uint64(popcount(walls) & 1))
    return mine ^ swap, theirs ^ swap


@kernel
def draw_waiting(random: Any, legal: Any, pending: Any, left: Any) -> Any:
    """Draw walls until it is one of the `legal` ones, which have waited, or the next one of the tree, in `pending`.

    Returns how many of the order are left then, and the waiting wall or none of them.
    """
    number = np.uint64(popcount(legal))
    stop = np.uint64(highest(pending)) + ONE if pending else EMPTY
    while left >= stop:
        drawn = np.uint64(draw_below(random, int(left + number)))
        if drawn >= left:
            for _ in range(drawn - left):
                legal &= legal - ONE
            return left, legal & (EMPTY - legal)
        left -= ONE
    return left, EMPTY


@inlined
def sort_waiting(regions: Any, walls: Any, closed: Any, sizes: Any) -> Any:
    """Those walls of a set, by rank, whose zone has a size that is used, and those whose zone may be closed."""
    legal, rest = EMPTY, walls
    while rest:
        rank = np.uint64(lowest(rest))
        rest &= rest - ONE
        size = np.uint64(popcount(regions[rank] & ~closed))
        legal |= (((sizes >> size) & ONE) ^ ONE) << rank
    return walls ^ legal, legal


@kernel
def walls_of(order: Any, count: int, first: Any, second: Any) -> Any:
    """Two sets by rank as sets of walls."""
    ones, twos = EMPTY, EMPTY
    for rank in range(count):
        wall = ONE << np.uint64(order[rank])
        ones |= wall & (EMPTY - ((first >> np.uint64(rank)) & ONE))
        twos |= wall & (EMPTY - ((second >> np.uint64(rank)) & ONE))
    return ones, twos


@kernel
def finish(state: Any, random: Any, scratch: Any, words: Any, count: int, cells: int) -> Any:
    """Steps 3 and 4 for one game, whose bytes and words are the first ones.

    Returns the walls drawn by the side to move, those drawn by the other side, and whether the side to move won.
    """
    tree = hang(scratch, words, cells)
    regions = words[REGIONS_AT:]
    closed, sizes = state.closed, state.sizes
    pending, joining = tree, ((ONE << np.uint64(count)) - ONE) ^ tree
    waiting, legal, buried = EMPTY, EMPTY, EMPTY
    mine, theirs = EMPTY, EMPTY  # by rank, of the side to move next and of the other
    left = np.uint64(count)  # the walls of lower ranks have not had their turn
    while pending or legal:
        wall = EMPTY
        if legal:
            left, wall = draw_waiting(random, legal, pending, left)
        if wall:
            legal ^= wall
            rank = np.uint64(lowest(wall))
        else:
            rank = np.uint64(highest(pending))
            wall, left = ONE << rank, rank
            pending ^= wall
        zone = regions[rank] & ~closed
        size = ONE << np.uint64(popcount(zone))
        if sizes & size:
            waiting |= wall
            continue
        passed = joining >> left << left
        joining ^= passed
        theirs, mine = share(passed & ~buried, mine, theirs)
        theirs |= wall
        closed, sizes, buried = closed | zone, sizes | size, buried | words[BURIED_AT + rank]
        pending &= ~buried
        waiting, legal = sort_waiting(regions, (waiting | legal) & ~buried, closed, sizes)
    mine, theirs = share(joining & ~buried, mine, theirs)
    mine, theirs = walls_of(scratch, count, mine, theirs)
    # An even number of walls: who was to move is to move again, and has lost.
    if popcount(mine) == popcount(theirs):
        return mine, theirs, False
    return theirs, mine, True
