"""max^n: every player maximizes its own share (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986).

The value of a position is a vector with a share for each seat; the mover chooses the child whose vector gives it the
largest share. If shares are not negative and always have the same sum, *shallow pruning* is sound (Korf, "Multi-player
alpha-beta pruning", 1991): once the mover of a node has a share s, the player that moved here gets at most the sum
minus s. If it already has more elsewhere, the other moves of the node do not matter. Nothing deeper can be pruned
(Sturtevant and Korf, "On pruning techniques for multi-player games", 2000), so max^n searches less deep than Paranoid.

What it asks of a game: `mover`, `play`, `is_over`; of a bot: `candidates`, `shares` and optionally `advance`. A search:
 1. Iterative deepening by `stride` plies, until the time, the nodes or the depth are used up.
 2. At a leaf the bot gives the vector of shares.
 3. At a node the move that was best at this ply last time is tried first, then the others in the order of generation.
 4. Keep the vector with the largest share for the mover; stop at a shallow cutoff. The vector of a tie depends on how
    it is broken: by the smallest move, so that the order of moves changes nothing, and cutoffs are made only beyond a
    tie.
"""

from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from podium.errors import PodiumError
from podium.kernel import allocate, kernel, record
from podium.kernel.clock import now
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import TOTAL, advance, shares
from podium.model.params import Parameter, Value
from podium.model.result import Proof, Result, RootMove
from podium.model.rules import candidates, is_over, mover
from podium.search.base import Search, refuse_ended
from podium.search.custom_hooks import Hook
from podium.search.trace import Trace, close_open_rows, current_recording, make_room, trace_of_iterations
from podium.search.trace_room import (
    ALL_PLIES,
    ENDED,
    EVALUATED,
    FULL_WINDOW,
    IN_ORDER,
    LAST_BEST,
    NO_ROW,
    NO_TRACE,
    SEARCHED,
    SPARE,
    START,
    UNFINISHED,
    new_row,
)
from podium.search.transpositions import EXACT

MOST_PLIES = 60
FINISHED, STOPPED, FULL = 0, 1, 2  # results of `search_to_depth`
CHECK_INTERVAL = 64  # nodes between two looks at the clock
NO_MOVE = -1

MaxNStatus = record(
    "max^n status",
    [
        ("nodes", "i8"),
        ("limit", "i8"),  # of nodes
        ("next_check", "i8"),  # nodes at the next look at the clock
        ("deadline", "i8"),
        ("seat", "i8"),  # that searches
        ("ply", "i8"),  # at which a search goes on
        ("rows", "i8"),  # of the trace
        ("traced_plies", "i8"),  # nodes below this ply get rows; 0: no trace
        ("lost_rows", "i8"),  # that did not fit
        ("horizon", "?"),  # shares were needed of a game that is not over
        ("pruning", "?"),
    ],
)

MaxNFrame = record(
    "max^n frame",
    [
        ("mover", "i8"),
        ("count", "i8"),  # of moves
        ("index", "i8"),  # of the next one
        ("move", "i8"),  # being searched
        ("best", "f8"),  # share of the mover; negative: none yet
        ("length", "i8"),  # of the principal variation from here
        ("best_move", "i8"),  # the move that was best at this ply last
        ("row", "i8"),  # of the trace
        ("nodes_before", "i8"),  # the node, for the trace
    ],
)


class MaxNWorkspace(NamedTuple):
    """The arrays of a search, allocated once."""

    status: Any  # one record, in an array
    states: Any  # a state per ply
    frames: Any  # a frame per ply
    moves: Any  # [ply, i]
    shares: Any  # [ply, seat]: the vector of the state at a ply
    lines: Any  # [ply, i]: the principal variation from a ply on
    trace: Any  # TraceRow: what the search did, if there is room for it


@kernel
def out_of_budget(status: Any) -> Any:
    """Whether nodes or time are used up; called every CHECK_INTERVAL nodes."""
    status.next_check = min(status.nodes + CHECK_INTERVAL, status.limit)
    return status.nodes >= status.limit or now() >= status.deadline


@kernel
def open_frame(work: Any, ply: Any, count: Any) -> None:
    """Start a node with the first `count` of its moves, the best move of last time in front."""
    frame, moves = work.frames[ply], work.moves[ply]
    frame.mover = np.int64(mover(work.states[ply]))
    frame.count = count
    frame.index = 0
    frame.best = -1.0
    frame.length = 0
    # Step 3: first the move that was best at this ply last time.
    for i in range(count):
        if moves[i] == frame.best_move:
            moves[i] = moves[0]
            moves[0] = frame.best_move


@kernel
def accept_vector(work: Any, ply: Any) -> None:
    """Step 4: take the vector of the node's present move if it gives the mover the largest share so far."""
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
    frame.best_move = frame.move


@kernel
def is_cut(work: Any, ply: Any) -> Any:
    """Shallow cutoff: whether the player that moved here has more elsewhere than this node's mover leaves it."""
    if ply == 0 or not work.status[0].pruning:
        return False
    frame, parent = work.frames[ply], work.frames[ply - 1]
    return frame.mover != parent.mover and parent.best >= 0.0 and frame.best > TOTAL - parent.best


@kernel
def enter_child(work: Any, params: Any, ply: Any, depth: Any) -> bool:
    """True if the node at a ply is a leaf, with its shares written; otherwise open its frame."""
    state = work.states[ply]
    work.frames[ply].length = 0
    over = is_over(state)
    if not over and depth > ply:
        count = np.int64(candidates(state, params, work.moves[ply]))
        if count > 0:
            open_frame(work, ply, count)
            return False
    # Step 2: the shares of a leaf.
    work.status[0].horizon = work.status[0].horizon or not over
    shares(state, params, work.shares[ply])
    return True


@kernel
def trace_node(work: Any, ply: Any, depth: Any, is_leaf: bool) -> None:
    """Write the row of the node at a ply, before or instead of its search."""
    status, frame = work.status[0], work.frames[ply]
    parent: Any = np.int64(NO_ROW)
    move: Any = np.int64(NO_MOVE)
    if ply > 0:
        parent, move = work.frames[ply - 1].row, work.frames[ply - 1].move
    row = new_row(work.trace, status.rows, parent, move, ply)
    row.attempt = FULL_WINDOW
    row.depth = depth - ply
    row.reason = START
    if ply > 0:
        before = work.frames[ply - 1]
        row.reason = LAST_BEST if before.index == 1 and move == before.best_move else IN_ORDER
    frame.row = status.rows
    frame.nodes_before = status.nodes - (1 if ply > 0 else 0)
    status.rows += 1
    row.source = UNFINISHED
    row.bound = 0
    row.value = np.nan
    if is_leaf:
        close_row(work, ply, ENDED if is_over(work.states[ply]) else EVALUATED)
    else:
        row.mover = frame.mover
        row.moves = frame.count


@kernel
def close_row(work: Any, ply: Any, source: int) -> None:
    """Fill the row of the node at a ply with its result; of a pruned node the value is that of the moves searched."""
    status, frame = work.status[0], work.frames[ply]
    row = work.trace[frame.row]
    row.value = work.shares[ply, status.seat]
    row.low = work.shares[ply, work.frames[max(0, ply - 1)].mover]  # of the seat that moved here
    row.nodes = status.nodes - frame.nodes_before
    row.source = source
    row.bound = EXACT
    if source == SEARCHED and frame.index < frame.count:
        row.bound = 0


@kernel
def search_to_depth(work: Any, params: Any, depth: Any, count: Any, resumed: bool) -> int:
    """Search `work.states[0]` to a depth, with the first `count` of its moves.

    FINISHED, STOPPED if the budget was used up, or FULL if a trace needs room: call it again, `resumed`.
    """
    status = work.status[0]
    if not resumed:
        status.horizon = False
        status.ply = 0
        open_frame(work, 0, count)
        if status.traced_plies > 0:
            trace_node(work, 0, depth, False)
    ply = status.ply
    while True:
        frame = work.frames[ply]
        # Step 4: keep the best vector; stop at a shallow cutoff.
        if frame.index == frame.count or is_cut(work, ply):
            if ply < status.traced_plies:
                close_row(work, ply, SEARCHED)
            if ply == 0:
                return FINISHED
            ply -= 1
            accept_vector(work, ply)
            continue
        if status.nodes >= status.next_check:
            status.ply = ply
            if status.traced_plies > 0 and status.rows + SPARE > work.trace.size:
                return FULL
            if out_of_budget(status):
                return STOPPED
        frame.move = work.moves[ply, frame.index]
        frame.index += 1
        work.states[ply + 1] = work.states[ply]
        advance(work.states[ply + 1], params, frame.move)
        status.nodes += 1
        is_leaf = enter_child(work, params, ply + 1, depth)
        if ply + 1 < status.traced_plies:
            trace_node(work, ply + 1, depth, is_leaf)
        if is_leaf:
            accept_vector(work, ply)
        else:
            ply += 1


class MaxN(Search):
    """max^n search of a game for any number of players, each of which maximizes its own share.

    >>> import podium
    >>> game = podium.load("code_of_kutulu")
    >>> @podium.kernel
    ... def sanity(state, seat):
    ...     return 1.0 + state.sanity[seat]
    >>> podium.MaxN(game, evaluate=sanity).search(game.rules.initial_state(seed=1), depth=2).depth
    2
    """

    title = "max^n"
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        pruning: bool = True,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` values positions for each seat (at least 0; its part of the sum is the seat's share), `candidates`
        chooses the moves to consider: kernels, or plain Python functions (`custom_hooks.py`). Without shallow `pruning`
        the result is the same. Nothing is drawn from the seed.
        """
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates)
        self.require_evaluation()
        self._pruning = pruning
        self.vector = [0.0] * self.rules.seats  # the shares of the last result

    @cached_property
    def work(self) -> MaxNWorkspace:
        """The workspace, allocated when it is first needed."""
        plies, rules = MOST_PLIES + 2, self.rules
        work = MaxNWorkspace(
            status=allocate(MaxNStatus, 1),
            states=allocate(rules.state, plies),
            frames=allocate(MaxNFrame, plies),
            moves=np.zeros((plies, rules.most_moves), np.int64),
            shares=np.zeros((plies, rules.seats), np.float64),
            lines=np.zeros((plies, plies), np.int64),
            trace=NO_TRACE,
        )
        work.status[0].pruning = self._pruning
        return work

    def decide(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        context: Any = None,
        depth: int = 0,
        stride: int = 1,
    ) -> Result:
        """The best move of a state that is not over, and its share for a seat, within a budget or a depth (0: any).

        A search context takes the parameters' place. An unfinished iteration is not used. With a budget of nodes the
        clock is ignored. The mover of the state chooses the move, even if `seat` is another one.
        """
        refuse_ended(state)
        if self.plain is not None:
            self.refuse_endless(budget, bool(depth))
        depth = min(depth or MOST_PLIES, MOST_PLIES)
        if self.plain is not None:
            return self.plain.maxn_search(state, seat, budget, depth)
        records = current_recording()
        work, params = self.work, self.params if context is None else context
        if records is not None:
            work = work._replace(trace=records.room())
        work.states[0] = state
        count = int(candidates(work.states[0], params, work.moves[0]))
        if count == 0:
            raise PodiumError("there is no move to search")
        work.frames["best_move"] = NO_MOVE
        status = work.status[0]
        status.nodes = status.next_check = status.rows = status.lost_rows = 0
        status.seat, status.traced_plies = seat, ALL_PLIES if work.trace.size else 0
        status.deadline, status.limit = budget.limits
        value, proof, finished, line = 0.0, Proof.NONE, 0, [int(work.moves[0, 0])]
        reached = min(stride, depth)
        while self._search_to(work, params, reached, count):  # Step 1: deeper by the stride.
            line = [int(move) for move in work.lines[0, : work.frames[0].length]]
            self.vector = [float(share) for share in work.shares[0]]
            value, finished = self.vector[seat], reached
            proof = Proof.NONE if status.horizon else Proof.EXACT
            if proof or reached >= depth:
                break
            reached = min(reached + stride, depth)
        options = (RootMove(line[0], value, 0, proof, line),)
        result = Result(line[0], value, finished, int(status.nodes), line, proof, options)
        if records is not None:
            close_open_rows(work)
            records.append(self._trace(state, seat, work, params, result))
        return result

    def _trace(self, state: Any, seat: int, work: MaxNWorkspace, params: Any, result: Result) -> Trace:
        """What was just searched; there is no window, but the share of the seat that moved."""
        trace = trace_of_iterations(self, state, seat, work, params, result)
        trace.columns["share"] = trace.columns.pop("low")
        for name in ("high", "attempt"):
            del trace.columns[name]
        return trace

    def _search_to(self, work: MaxNWorkspace, params: Any, depth: int, count: int) -> bool:
        """Search to a depth; False if the budget was used up."""
        ended = search_to_depth(work, params, depth, count, False)
        while ended == FULL:
            make_room(work)
            ended = search_to_depth(work, params, depth, count, True)
        return ended == FINISHED
