"""Where the enemy can be: the exact set of possible pairs of cells of its units, from all that was seen so far.

The write-up's deduction: every pair that was possible before is replayed with my last action, then with every action
that the enemy could have taken, and kept if the result is what I see now. Pairs are ordered, since the referee says
which of the two units is seen. Instead of trying all its actions, only those are listed that end in the heights I see:
at most one cell has risen, and it is next to the unit that moved, or is the cell from which my unit was pushed; if none
has, its build or its push was cancelled by a unit of mine that it does not see.

In a pair without a legal action the enemy is out, and stays where it is. With each pair the least and the most points
that the enemy can have are kept. An enemy that is out has at least as many as I have, or the game would be over.

If nothing is possible, the enemy must have given up at a turn with actions left. Then the sets of all turns are
searched for those at which it could have stopped.
"""

from typing import Any

import numpy as np

from podium.games.wondev_woman.board import CELLS, DIRECTION, GIVE_UP, NEIGHBOURS, NOWHERE, ONWARD, cell_at
from podium.games.wondev_woman.rules import access, enterable, sight, wondev_legal_moves, wondev_play
from podium.games.wondev_woman.state import FULL, MOST_MOVES, POINT, State, bit, height, put, units_of
from podium.kernel import allocate, blank, kernel, record
from podium.kernel.bits import EMPTY, ONE, lowest, popcount

ALIVE, OUT = 0, 1

Belief = record(
    "wondev woman belief",
    [
        ("sets", "u8", (2, CELLS)),  # [ALIVE or OUT, cell of unit 0]: possible cells of unit 1
        ("low", "i2", (2, CELLS, CELLS)),  # the least points that the enemy can have in each pair
        ("high", "i2", (2, CELLS, CELLS)),  # the most
    ],
)

NOTHING, IMPOSSIBLE = -1, -2  # what has risen, if not one cell


@kernel
def size_of(belief: Any) -> Any:
    """How many pairs are possible."""
    count = 0
    for status in range(2):
        for cell in range(CELLS):
            count += popcount(belief.sets[status, cell])
    return count


@kernel
def add(belief: Any, status: Any, one: Any, two: Any, low: Any, high: Any) -> None:
    """Make a pair possible, with a range of points."""
    if belief.sets[status, one] & bit(two):
        low = min(low, np.int64(belief.low[status, one, two]))
        high = max(high, np.int64(belief.high[status, one, two]))
    belief.sets[status, one] |= bit(two)
    belief.low[status, one, two] = low
    belief.high[status, one, two] = high


@kernel
def seen_as(cell: Any, shown: Any, seen: Any) -> Any:
    """Whether an enemy unit on a cell would be shown as it is."""
    if bit(cell) & seen:
        return shown == cell
    return shown == NOWHERE


@kernel
def risen(before: Any, now: Any) -> Any:
    """The one cell that is one level higher now, NOTHING, or IMPOSSIBLE."""
    cell = NOTHING
    for level in range(1, FULL + 1):
        change = before.planes[level] ^ now.planes[level]
        if change:
            if cell != NOTHING or change & before.planes[level] or change & (change - ONE):
                return IMPOSSIBLE
            cell = lowest(change)
    return cell


@kernel
def note(belief: Any, status: Any, one: Any, two: Any, low: Any, high: Any, now: Any, seen: Any, mine: Any) -> None:
    """Make a pair possible if the enemy's units are shown as I see them.

    Who is out has at least my points.
    """
    if not seen_as(one, now.unit[2], seen) or not seen_as(two, now.unit[3], seen):
        return
    if status == OUT:
        if high < mine:
            return
        low = max(low, mine)
    add(belief, status, one, two, low, high)


@kernel
def note_moves(before: Any, now: Any, raised: Any, belief: Any, low: Any, high: Any, seen: Any, mine: Any) -> None:
    """Its moves: a unit stepped next to the build, which rose or was cancelled by a unit that it does not see."""
    occupied = units_of(before, 0) | units_of(before, 1)
    if raised == NOTHING:
        built = units_of(before, 0) & ~sight(before, 1)
    else:
        built = bit(raised)
    for index in range(2, 4):
        start = np.int64(before.unit[index])
        if raised != NOTHING and occupied & ~bit(start) & built:
            continue
        beside = EMPTY
        rest = built
        while rest:
            beside |= NEIGHBOURS[lowest(rest)]
            rest &= rest - ONE
        targets = access(before, start, occupied) & beside
        while targets:
            target = lowest(targets)
            targets &= targets - ONE
            point = np.int64((before.planes[POINT] >> np.uint64(target)) & ONE)
            one = target if index == 2 else np.int64(before.unit[2])
            two = target if index == 3 else np.int64(before.unit[3])
            note(belief, ALIVE, one, two, low + point, high + point, now, seen, mine)


@kernel
def could_push(before: Any, from_cell: Any, to_cell: Any) -> bool:
    """Whether an enemy unit could have pushed my unit from a cell to another, or tried to in vain."""
    if not enterable(before, height(before, from_cell)) & bit(to_cell):
        return False
    for index in range(2, 4):
        start = np.int64(before.unit[index])
        if NEIGHBOURS[start] & bit(from_cell):
            direction = DIRECTION[from_cell - start + 9]
            if ONWARD[direction, from_cell] & bit(to_cell):
                return True
    return False


@kernel
def is_pushed(before: Any, now: Any, raised: Any) -> bool:
    """Whether a push by the enemy explains what I see: one of my units left the cell that rose, the other stands still;
    or nothing changed, since my other unit, which the enemy does not see, was in the way."""
    for index in range(2):
        from_cell, to_cell = np.int64(before.unit[index]), np.int64(now.unit[index])
        other_before, other = np.int64(before.unit[1 - index]), np.int64(now.unit[1 - index])
        if other != other_before:
            continue
        if raised == NOTHING:
            hidden = bit(other) & ~sight(before, 1)
            if to_cell == from_cell and hidden and could_push(before, from_cell, other):
                return True
        elif raised == from_cell:
            taken = units_of(before, 0) | units_of(before, 1)
            if not taken & bit(to_cell) and could_push(before, from_cell, to_cell):
                return True
    return False


@kernel
def is_stuck(state: Any, moves: Any) -> Any:
    """Whether the player to move has no legal action. A unit that can move can also build where it came from."""
    seat = np.int64(state.mover)
    occupied = units_of(state, 0) | units_of(state, 1)
    if access(state, np.int64(state.unit[2 * seat]), occupied):
        return False
    if access(state, np.int64(state.unit[2 * seat + 1]), occupied):
        return False
    wondev_legal_moves(state, moves)
    return moves[0] == GIVE_UP


@kernel
def note_replies(before: Any, now: Any, belief: Any, low: Any, high: Any, mine: Any, moves: Any) -> None:
    """All that the enemy, to move in `before`, can have done to make me see `now`."""
    raised = risen(before, now)
    if raised == IMPOSSIBLE:
        return
    seen = sight(now, 0)
    still = before.unit[0] == now.unit[0] and before.unit[1] == now.unit[1]
    one, two = np.int64(before.unit[2]), np.int64(before.unit[3])
    if is_stuck(before, moves):
        if still and raised == NOTHING:
            note(belief, OUT, one, two, low, high, now, seen, mine)
        return
    if still:
        note_moves(before, now, raised, belief, low, high, seen, mine)
    if is_pushed(before, now, raised):
        note(belief, ALIVE, one, two, low, high, now, seen, mine)


@kernel
def note_stillness(before: Any, now: Any, belief: Any, low: Any, high: Any, mine: Any) -> None:
    """The enemy is out and did nothing."""
    still = before.unit[0] == now.unit[0] and before.unit[1] == now.unit[1]
    if still and risen(before, now) == NOTHING:
        note(belief, OUT, np.int64(before.unit[2]), np.int64(before.unit[3]), low, high, now, sight(now, 0), mine)


@kernel
def deduce(
    former: Any, action: Any, now: Any, old: Any, new: Any, mine: Any, work: Any, moves: Any, stopped: bool
) -> None:
    """Turn what was possible before my action into what is possible now.

    `former` and `now` are what I saw, with seat 0 mine. `stopped`: the enemy gave up at this turn, whatever it could
    do.
    """
    state = work[0]
    for status in range(2):
        for one in range(CELLS):
            new.sets[status, one] = EMPTY
    for status in range(2):
        for one in range(CELLS):
            rest = old.sets[status, one]
            while rest:
                two = lowest(rest)
                rest &= rest - ONE
                work[0] = former
                put(state, 2, one)
                put(state, 3, two)
                state.out[1] = status
                low, high = np.int64(old.low[status, one, two]), np.int64(old.high[status, one, two])
                wondev_play(state, action)
                if status == OUT or stopped:
                    note_stillness(state, now, new, low, high, mine)
                else:
                    note_replies(state, now, new, low, high, mine, moves)


@kernel
def guess(now: Any, belief: Any, first: bool, work: Any, moves: Any) -> None:
    """What is possible when nothing is known of the turns before.

    On a first turn a single cell of height 1 proves that the enemy moved first: then all its starting places are tried,
    and mine, since it may have pushed me.
    """
    for status in range(2):
        for one in range(CELLS):
            belief.sets[status, one] = EMPTY
    built = now.planes[1]
    if first and built and not built & (built - ONE) and not now.planes[2]:
        raised = lowest(built)
        for pushed in range(-1, 2):
            guess_spawns(now, belief, raised, pushed, work, moves)
        return
    seen = sight(now, 0)
    for one in range(CELLS):
        for two in range(CELLS):
            if can_stand(now, one, two):
                note(belief, ALIVE, one, two, 0, 0, now, seen, 0)


@kernel
def can_stand(state: Any, one: Any, two: Any) -> Any:
    """Whether enemy units may stand on two cells."""
    ground = state.planes[0] & ~state.planes[FULL] & ~units_of(state, 0)
    return one != two and (ground & bit(one)) != EMPTY and (ground & bit(two)) != EMPTY


@kernel
def guess_spawns(now: Any, belief: Any, raised: Any, pushed: Any, work: Any, moves: Any) -> None:
    """All starting places of the enemy; `pushed` is the unit of mine that it pushed from the cell that rose, or -1."""
    start = work[1]
    work[1] = now
    for level in range(1, FULL + 1):
        start.planes[level] = EMPTY
    if pushed >= 0:
        if now.unit[1 - pushed] == raised:
            return
        put(start, pushed, raised)
    start.mover = 1
    for one in range(CELLS):
        for two in range(CELLS):
            if can_stand(start, one, two):
                work[0] = start
                put(work[0], 2, one)
                put(work[0], 3, two)
                note_replies(work[0], now, belief, 0, 0, 0, moves)


class Tracker:
    """Follows a game through what one player saw and did. Deduction waits until somebody asks for its result."""

    def __init__(self, first_move: bool = True) -> None:
        self.first_move = first_move  # whether the enemy's first move is deduced from the first prompt
        self.seen: list[Any] = []  # each prompt as a state, the player as seat 0, the enemy's unseen units NOWHERE
        self.actions: list[int] = []  # the player's answer to each
        self.points = [0]  # the player's at each prompt
        self._beliefs: list[Any] = []  # after each prompt, as far as they were asked for
        self._work = allocate(State, 2)
        self._moves = np.zeros(MOST_MOVES, np.int64)

    @property
    def belief(self) -> Any:
        """What is possible now."""
        while len(self._beliefs) < len(self.seen):
            self._beliefs.append(self._next_belief())
        return self._beliefs[-1]

    def observe(self, seen: Any) -> None:
        """Take a prompt into account."""
        self.seen.append(seen)

    def act(self, action: int) -> None:
        """Take the player's answer to the last prompt into account."""
        self._work[0] = self.seen[-1]
        state = self._work[0]
        before = int(state["score"][0])
        wondev_play(state, action)
        self.points.append(self.points[-1] + int(state["score"][0]) - before)
        self.actions.append(action)

    def pairs(self, status: int) -> list[tuple[int, int]]:
        """The possible pairs in which the enemy is ALIVE or OUT."""
        rows = self.belief.sets[status]
        return [(one, two) for one in range(CELLS) for two in range(CELLS) if int(rows[one]) >> two & 1]

    def heat(self, size: int) -> list[list[float]]:
        """The share of the possible pairs in which an enemy unit stands on each cell, by the rows of the grid."""
        bits = (np.bitwise_or(*self.belief.sets)[:, None] >> np.arange(CELLS, dtype=np.uint64)) & ONE
        counts = bits.sum(axis=0) + bits.sum(axis=1)
        total = max(1, int(bits.sum()))
        return [[float(counts[cell_at(x, y)]) / total for x in range(size)] for y in range(size)]

    def _next_belief(self) -> Any:
        """What is possible at the first turn that has no belief yet."""
        turn, belief = len(self._beliefs), blank(Belief)
        if turn == 0:
            guess(self.seen[0], belief, self.first_move, self._work, self._moves)
            return belief
        self._deduce(turn - 1, self._beliefs[-1], belief, False)
        return belief if size_of(belief) else self._given_up(turn)

    def _deduce(self, turn: int, old: Any, new: Any, stopped: bool) -> None:
        """From the belief at a turn to that at the next one."""
        deduce(
            self.seen[turn],
            self.actions[turn],
            self.seen[turn + 1],
            old,
            new,
            self.points[turn + 1],
            self._work,
            self._moves,
            stopped,
        )

    def _given_up(self, last: int) -> Any:
        """The enemy stopped at some turn, though it could have gone on: all that is possible then at the last one.

        One pass over the turns: what is possible if it has stopped by a turn is what follows from that of the turn
        before, and from stopping there. If even that explains nothing, the prompts are not of one game; then all that
        fits the last one is possible.
        """
        stopped = blank(Belief)
        for turn in range(last):
            merge(stopped, self._beliefs[turn], False)
            following = blank(Belief)
            self._deduce(turn, stopped, following, True)
            stopped = following
        if not size_of(stopped):
            guess(self.seen[last], stopped, False, self._work, self._moves)
        return stopped


@kernel
def merge(belief: Any, other: Any, swapped: bool) -> None:
    """Add all pairs of another belief; `swapped`: with each unit where the other one is."""
    for status in range(2):
        for one in range(CELLS):
            rest = other.sets[status, one]
            while rest:
                two = lowest(rest)
                rest &= rest - ONE
                low, high = np.int64(other.low[status, one, two]), np.int64(other.high[status, one, two])
                add(belief, status, two if swapped else one, one if swapped else two, low, high)
