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
from podium.kernel import allocate, kernel, record
from podium.kernel.budget import NO_LIMIT, Budget
from podium.kernel.clock import now
from podium.kernel.rules import candidates, is_over, mover, play
from podium.search.hooks import TOTAL, shares
from podium.search.result import Proof, Result, RootMove

MOST_PLIES = 60
LOOK = 64  # nodes between two looks at the clock
NO_MOVE = -1

Desk = record(
    "maxn desk",
    [
        ("nodes", "i8"),
        ("limit", "i8"),  # most nodes
        ("look", "i8"),  # nodes at the next look at the clock
        ("deadline", "i8"),
        ("horizon", "?"),  # a position was valued that is not the end of the game
        ("pruning", "?"),
    ],
)

Frame = record(
    "maxn frame",
    [
        ("mover", "i8"),
        ("count", "i8"),  # of moves
        ("index", "i8"),  # of the next one
        ("move", "i8"),  # being searched
        ("best", "f8"),  # share of the mover; below 0: none yet
        ("length", "i8"),  # of the expected line from here
    ],
)


class Work(NamedTuple):
    """The arrays of a search, allocated once."""

    desk: Any  # one record, in an array
    states: Any  # a state per ply
    frames: Any  # a frame per ply
    moves: Any  # [ply, i]
    shares: Any  # [ply, seat]: the vector of the state at a ply
    favourites: Any  # [ply]: the move that was best there last
    lines: Any  # [ply, i]: the expected line from a ply on


@kernel
def out_of_budget(desk: Any) -> bool:
    """Whether the search has to stop; looks at the clock now and then."""
    if desk.nodes < desk.look:
        return False
    desk.look = min(desk.nodes + LOOK, desk.limit)
    return desk.nodes >= desk.limit or now() >= desk.deadline


@kernel
def open_frame(work: Any, ply: Any, count: Any) -> None:
    """Begin a node with the first `count` of its moves, the favourite in front."""
    frame, moves = work.frames[ply], work.moves[ply]
    frame.mover = np.int64(mover(work.states[ply]))
    frame.count = count
    frame.index = 0
    frame.best = -1.0
    frame.length = 0
    # Step 3: first the move that was best at this ply last time.
    for i in range(count):
        if moves[i] == work.favourites[ply]:
            moves[i] = moves[0]
            moves[0] = work.favourites[ply]


@kernel
def accept(work: Any, ply: Any) -> None:
    """A vector has come back for the node's present move: keep it if the mover likes it best."""
    frame, above = work.frames[ply], work.frames[ply + 1]
    share = work.shares[ply + 1, frame.mover]
    if share < frame.best or (share == frame.best and frame.move > work.lines[ply, 0]):
        return
    frame.best = share
    for seat in range(work.shares.shape[1]):
        work.shares[ply, seat] = work.shares[ply + 1, seat]
    work.lines[ply, 0] = frame.move
    for i in range(above.length):
        work.lines[ply, i + 1] = work.lines[ply + 1, i]
    frame.length = above.length + 1
    work.favourites[ply] = frame.move


@kernel
def is_cut(work: Any, ply: Any) -> bool:
    """Whether whoever chose to come to a node has more elsewhere than its mover leaves him."""
    if ply == 0 or not work.desk[0].pruning:
        return False
    frame, parent = work.frames[ply], work.frames[ply - 1]
    return frame.mover != parent.mover and parent.best >= 0.0 and frame.best > TOTAL - parent.best


@kernel
def value_leaf(work: Any, mind: Any, ply: Any, depth: Any) -> bool:
    """Open the node at a ply (False), or share out if it is a leaf."""
    state = work.states[ply]
    work.frames[ply].length = 0
    over = is_over(state)
    if not over and depth > ply:
        count = np.int64(candidates(state, mind, work.moves[ply]))
        if count > 0:
            open_frame(work, ply, count)
            return False
    # Step 2: share out the total.
    work.desk[0].horizon = work.desk[0].horizon or not over
    shares(state, mind, work.shares[ply])
    return True


@kernel
def deepen(work: Any, mind: Any, depth: Any, count: Any) -> bool:
    """Search `work.states[0]` to a depth, with the first `count` of its moves; whether the budget sufficed."""
    desk = work.desk[0]
    desk.horizon = False
    open_frame(work, 0, count)
    ply = 0
    while True:
        frame = work.frames[ply]
        # Step 4: keep the best vector; stop at a shallow cut.
        if frame.index == frame.count or is_cut(work, ply):
            if ply == 0:
                return True
            ply -= 1
            accept(work, ply)
            continue
        if out_of_budget(desk):
            return False
        frame.move = work.moves[ply, frame.index]
        frame.index += 1
        work.states[ply + 1] = work.states[ply]
        play(work.states[ply + 1], frame.move)
        desk.nodes += 1
        if value_leaf(work, mind, ply + 1, depth):
            accept(work, ply)
        else:
            ply += 1


class MaxN:
    """A searcher for one bot."""

    def __init__(self, state: np.dtype, mind: Any, seats: int, most_moves: int, pruning: bool = True) -> None:
        plies = MOST_PLIES + 2
        self.mind = mind
        self.work = Work(
            desk=allocate(Desk, 1),
            states=allocate(state, plies),
            frames=allocate(Frame, plies),
            moves=np.zeros((plies, most_moves), np.int64),
            shares=np.zeros((plies, seats), np.float64),
            favourites=np.full(plies, NO_MOVE, np.int64),
            lines=np.zeros((plies, plies), np.int64),
        )
        self.work.desk[0].pruning = pruning
        self.vector = [0.0] * seats  # the last search's shares

    def search(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        outlook: Any = None,
        depth: int = MOST_PLIES,
        stride: int = 1,
    ) -> Result:
        """The best move of a state that is not over, and what it is worth to a seat, within a budget or a depth.

        A depth that was not finished is not used. With a node budget the clock is not looked at. The mover of the state
        chooses the move; if that is another seat, the move is his.
        """
        work, mind = self.work, self.mind if outlook is None else outlook
        if is_over(state):
            raise PodiumError("the game is over: there is nothing to search")
        work.states[0] = state
        count = int(candidates(work.states[0], mind, work.moves[0]))
        if count == 0:
            raise PodiumError("there is no move to search")
        work.favourites[:] = NO_MOVE
        desk = work.desk[0]
        desk.nodes = desk.look = 0
        desk.deadline, desk.limit = budget.limits
        value, proof, finished, line = 0.0, Proof.NONE, 0, [int(work.moves[0, 0])]
        reached = min(stride, depth)
        while deepen(work, mind, reached, count):  # Step 1: deepen by the stride.
            line = [int(move) for move in work.lines[0, : work.frames[0].length]]
            self.vector = [float(share) for share in work.shares[0]]
            value, finished = self.vector[seat], reached
            proof = Proof.NONE if desk.horizon else Proof.EXACT
            if proof or reached >= depth:
                break
            reached = min(reached + stride, depth)
        return Result(
            line[0], value, finished, int(desk.nodes), line, proof, (RootMove(line[0], value, 0, proof, line),)
        )
