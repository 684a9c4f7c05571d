"""max^n: every player maximises his own share (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986).

A position's value is a vector with a share per seat; the mover picks the child whose vector gives him the most. With
shares that are not negative and always add up to the same total, *shallow pruning* is sound (Korf, "Multi-player
alpha-beta pruning", 1991): once the mover of a node has a share s, whoever chose to come here can get at most the total
minus s, so if he already has more elsewhere, the node's other moves cannot matter. Nothing deeper can be pruned
(Sturtevant and Korf, "On pruning techniques for multi-player games", 2000), which is why max^n sees less far than
Paranoid.

What it asks of a game: `mover`, `play`, `is_over`; of a bot: `candidates` and `shares`. One search:

1. Deepen by `stride` plies, until the time, the nodes or the depth are used up.
2. At a leaf the bot shares out the total.
3. At a node try first the move that was best at this ply last time, then the others as they come.
4. Keep the vector that gives the mover most; stop at a shallow cut. What a tie is worth to the others depends on how it
   is broken: by the smallest move, so that the order of trying changes nothing, and cuts are made only beyond a tie.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.errors import PodiumError
from podium.kernel import allocate, generic, kernel, record
from podium.kernel.clock import NEVER, now
from podium.kernel.rules import candidates, is_over, mover, play
from podium.search.alphabeta import Result

TOTAL = 1.0  # of all shares
MOST_PLIES = 60
MOST_SEATS = 8
LOOK = 64  # nodes between two looks at the clock
NO_MOVE = -1
OPEN = np.inf  # a limit that cuts nothing

Desk = record(
    "maxn desk",
    [
        ("nodes", "i8"),
        ("limit", "i8"),  # most nodes
        ("look", "i8"),  # nodes at the next look at the clock
        ("deadline", "i8"),
        ("stopped", "?"),
        ("horizon", "?"),  # a position was valued that is not the end of the game
        ("pruning", "?"),
    ],
)


class Work(NamedTuple):
    """The arrays of a search, allocated once."""

    desk: Any  # one record, in an array
    states: Any  # a state per ply
    moves: Any  # [ply, i]
    shares: Any  # [ply, seat]: the vector of the state at a ply
    favourites: Any  # [ply]: the move that was best there last
    lines: Any  # [ply, i]: the expected line from a ply on
    lengths: Any  # [ply]


@generic(by=2)
def shares(state: Any, mind: Any, out: Any) -> Any:
    """Write each seat's share of a position: not negative, and in sum TOTAL."""


@kernel
def out_of_budget(desk: Any) -> bool:
    """Whether the search has to stop; looks at the clock now and then."""
    if desk.nodes >= desk.look:
        desk.look = min(desk.nodes + LOOK, desk.limit)
        if desk.nodes >= desk.limit or now() >= desk.deadline:
            desk.stopped = True
    return desk.stopped


@kernel
def bring_forward(moves: Any, count: Any, move: Any) -> None:
    """Put a move first, if it is there."""
    for i in range(count):
        if moves[i] == move:
            moves[i] = moves[0]
            moves[0] = move
            return


@kernel
def keep(work: Any, ply: Any, move: Any) -> None:
    """The child's vector and line are the best so far."""
    for seat in range(work.shares.shape[1]):
        work.shares[ply, seat] = work.shares[ply + 1, seat]
    work.lines[ply, 0] = move
    for i in range(work.lengths[ply + 1]):
        work.lines[ply, i + 1] = work.lines[ply + 1, i]
    work.lengths[ply] = work.lengths[ply + 1] + 1
    work.favourites[ply] = move


@kernel
def descend(work: Any, mind: Any, ply: Any, depth: Any, count: Any, parent: Any, limit: Any) -> int:
    """Find the vector of the state at a ply, in `work.shares[ply]`.

    `count` of `work.moves[ply]` are its moves, and -1 stands for its candidates. A share of the mover beyond `limit`
    is a shallow cut, if the mover is not the parent's. Returns 0; the caller looks at `desk.stopped`.
    """
    desk, state = work.desk[0], work.states[ply]
    work.lengths[ply] = 0
    if is_over(state) or depth == 0:
        desk.horizon = desk.horizon or not is_over(state)
        shares(state, mind, work.shares[ply])
        return 0
    if count < 0:
        count = candidates(state, mind, work.moves[ply])
    if count == 0:
        shares(state, mind, work.shares[ply])
        return 0
    seat = np.int64(mover(state))
    bring_forward(work.moves[ply], count, work.favourites[ply])
    best = -1.0
    for i in range(count):
        if out_of_budget(desk):
            return 0
        move = work.moves[ply, i]
        work.states[ply + 1] = state
        play(work.states[ply + 1], move)
        desk.nodes += 1
        descend(work, mind, ply + 1, depth - 1, -1, seat, TOTAL - best if desk.pruning and best >= 0.0 else OPEN)
        if desk.stopped:
            return 0
        share = work.shares[ply + 1, seat]
        if share > best or (share == best and move < work.lines[ply, 0]):
            best = share
            keep(work, ply, move)
            if seat != parent and best > limit:
                return 0
    return 0


class MaxN:
    """A searcher for one bot."""

    def __init__(self, state: np.dtype, mind: Any, seats: int, most_moves: int, pruning: bool = True) -> None:
        plies = MOST_PLIES + 2
        self.mind = mind
        self.work = Work(
            desk=allocate(Desk, 1),
            states=allocate(state, plies),
            moves=np.zeros((plies, most_moves), np.int64),
            shares=np.zeros((plies, seats), np.float64),
            favourites=np.full(plies, NO_MOVE, np.int64),
            lines=np.zeros((plies, plies), np.int64),
            lengths=np.zeros(plies, np.int64),
        )
        self.work.desk[0].pruning = pruning
        self.vector = [0.0] * seats  # the last search's shares

    def search(
        self, state: Any, seat: int, deadline: int = NEVER, nodes: int = 0, depth: int = MOST_PLIES, stride: int = 1
    ) -> Result:
        """The best move of a state that is not over, and what it is worth to a seat.

        A depth that was not finished is not used. With a node budget the clock is not looked at.
        """
        work = self.work
        work.states[0] = state
        count = int(candidates(work.states[0], self.mind, work.moves[0]))
        if count == 0:
            raise PodiumError("there is no move to search")
        work.favourites[:] = NO_MOVE
        desk = work.desk[0]
        desk.nodes, desk.look, desk.stopped = 0, 0, False
        desk.limit, desk.deadline = nodes or NEVER, NEVER if nodes else deadline
        result = Result(int(work.moves[0, 0]), 0.0, 0, 0, [int(work.moves[0, 0])], False)
        reached = min(stride, depth)
        while True:
            desk.horizon = False
            descend(work, self.mind, 0, reached, count, -1, OPEN)
            if desk.stopped:
                break
            line = [int(move) for move in work.lines[0, : work.lengths[0]]]
            self.vector = [float(share) for share in work.shares[0]]
            proven = not desk.horizon
            result = Result(line[0], self.vector[seat], reached, 0, line, proven)
            if proven or reached >= depth:
                break
            reached = min(reached + stride, depth)
        return Result(result.move, result.value, result.depth, int(desk.nodes), result.line, result.proven)
