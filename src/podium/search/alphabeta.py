"""Principal variation search (NegaScout) for any game and any sequence of movers.

What it asks of a game: `mover`, `play`, `is_over`, `key`; of a bot: `candidates` and `evaluate`, and if they like
`tie_break`, `playable`, `terminal_value` and `side`. The value of a position changes its sign only where the *side* to
move changes, and by default a side is the searching seat against all others. So one engine serves two players,
simultaneous moves played one after the other, and "me against the rest" (Paranoid, Sturtevant and Korf 2000).

Sources: NegaScout (Reinefeld 1983), iterative deepening, transposition table and move ordering as the Wondev Woman
write-up describes them; see `transpositions` and `ordering`. Late moves may be reduced and moves left out
(`reduction`, `breadth`), as strong bots of that contest did; all other switches change only the size of the tree.

The search is a loop over a stack of frames, not a recursion. It can stop anywhere and go on later, so that Python gets
control every 100 ms; and nothing but the clock or the node budget decides where it ends. One step of it:

1. Take the next move of the top frame, or if there is none, or a cut, finish the frame: store its result in the
   table, reward its best move, and hand its value to the frame below (5).
2. Play the move on the next state of the stack.
3. An end of the game or the horizon gives a value at once (5).
4. Otherwise look the child up in the table, and if that does not settle it put a frame for it on the stack. The first
   move gets the whole window, the others an empty one just above alpha.
5. A value comes back for the move: if an empty window failed, search the same child again with the whole one; else
   keep the best.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel import inlined, kernel
from podium.kernel.budget import NO_LIMIT, Budget
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import Parameter
from podium.kernel.rules import candidates, evaluate, is_over, key, mover, play
from podium.search import ordering
from podium.search.desk import MOST_PLIES, new_work
from podium.search.hooks import UNKNOWN, playable, side, terminal_value
from podium.search.ordering import AS_IT_COMES, HASH, UNLISTED, list_moves, next_move, reward
from podium.search.result import Proof, Result, RootMove
from podium.search.transpositions import (
    EXACT,
    LOWER,
    NO_MOVE,
    UPPER,
    answers,
    slot_of,
    store,
)

PARAMETERS = (
    *ordering.PARAMETERS,
    Parameter("table", True, "reuse values of positions that were searched before to the same depth (write-up)"),
    Parameter("table_depth", 1, "least depth of positions kept in the table, in plies", 1, 60),
    Parameter("evaluation_cache", True, "evaluate a position only once (write-up)"),
    Parameter("scout", True, "NegaScout: search all but the first move with an empty window first (write-up)"),
    Parameter("aspiration", 0.0, "half width of the window around the last depth's value, in points; 0: none", 0),
    Parameter("partial", True, "use a depth that time did not suffice for, if its first move was searched"),
    Parameter(
        "stride", 1, "plies by which the depth grows; 2 where a turn is two plies, one choice of each side", 1, 60
    ),
    Parameter("depth", 60, "most plies to look ahead", 1, 60),
    Parameter("reduction", 0, "plies by which late moves are searched less deep at first; 0: none, exact", 0, 4),
    Parameter("reduce_after", 6, "moves of a node before late ones begin", 1, 1000),
    Parameter("reduce_depth", 3, "least depth at which late moves are reduced, in plies", 2, 60),
    Parameter("breadth", 0, "moves searched at a node with more than one ply to go; 0: all, exact", 0, 1000),
)

SLICE = 100 * MILLISECOND  # without Python getting control
LOOK = 64  # nodes between two looks at the clock

REDUCED, SCOUT, FULL = 0, 1, 2  # how a move is searched

RUNNING, FINISHED, STOPPED = 0, 1, 2


@inlined
def opinion(work: Any, mind: Any, state: Any, seat: Any) -> float:
    """The evaluation of a state, through the cache."""
    if not mind.evaluation_cache:
        return np.float64(evaluate(state, mind, seat))
    position = key(state)
    cached = work.cache[slot_of(work.cache, position)]
    if cached.position != position:
        cached.opinion = np.float64(evaluate(state, mind, seat))
        cached.position = position
    return cached.opinion


@kernel
def begin(work: Any, mind: Any, seat: int, depth: int, stride: int, count: int) -> None:
    """Prepare a search of `work.states[0]` with the first `count` of `work.moves[0]`."""
    desk = work.desk[0]
    desk.ply = 0
    desk.nodes = 0
    desk.look = LOOK
    desk.seat = seat
    desk.most = depth
    desk.stride = stride
    desk.search += 1
    desk.reached = 0
    desk.value = 0.0
    desk.proven = False
    work.line[0] = work.moves[0, 0]
    desk.length = 1
    work.visits[:] = 0
    work.killers[:, :] = NO_MOVE
    work.history[:, :] = 0
    work.scores[0, :count] = 0
    root = work.frames[0]
    root.count = count
    root.position = key(work.states[0])
    root.sign = 1.0 if side(work.states[0], mover(work.states[0]), seat) == 0 else -1.0
    begin_depth(work, mind, min(stride, depth), -np.inf, np.inf)


@kernel
def begin_depth(work: Any, mind: Any, depth: int, alpha: float, beta: float) -> None:
    """Put the root frame on the stack: the best move so far first, then the costly ones."""
    root = work.frames[0]
    moves, costs = work.moves[0], work.scores[0]
    for i in range(1, root.count):  # insertion sort: it keeps the order of equals
        move, cost = moves[i], costs[i]
        j = i
        while j > 0 and moves[j - 1] != work.line[0] and (move == work.line[0] or costs[j - 1] < cost):
            moves[j] = moves[j - 1]
            costs[j] = costs[j - 1]
            j -= 1
        moves[j] = move
        costs[j] = cost
    root.stage = AS_IT_COMES
    root.hash_move = NO_MOVE
    root.listed = True
    open_frame(root, depth, alpha, beta)
    work.desk[0].root_nodes = work.desk[0].nodes
    work.desk[0].sound = False
    work.desk[0].ply = 0


@inlined
def open_frame(frame: Any, depth: int, alpha: float, beta: float) -> None:
    """Set a frame to its beginning."""
    frame.depth = depth
    frame.alpha = alpha
    frame.floor = alpha
    frame.beta = beta
    frame.best = -np.inf
    frame.best_move = NO_MOVE
    frame.index = 0
    frame.picked = 0
    frame.length = 0
    frame.horizon = False


@inlined
def enter(work: Any, mind: Any, ply: int, depth: int, alpha: float, beta: float) -> bool:
    """Step 4: settle the state at a ply by the table (True; the value is in its frame's `best`), or open its frame."""
    state, frame = work.states[ply], work.frames[ply]
    frame.stage = HASH
    frame.hash_move = NO_MOVE
    open_frame(frame, depth, alpha, beta)
    if (mind.table or mind.hash_move) and depth >= mind.table_depth:
        frame.position = key(state)
        entry = work.table[slot_of(work.table, frame.position)]
        if entry.position == frame.position and entry.bound != 0:
            if mind.table and answers(entry, depth, alpha, beta):
                frame.best = entry.value
                frame.horizon = not entry.exhausted
                return True
            frame.hash_move = entry.move
    frame.count = UNLISTED
    frame.listed = False
    if mind.late_sort and playable(state, mind, NO_MOVE) != UNKNOWN:
        return False
    list_moves(state, mind, work.moves[ply], frame)
    if frame.count == 0:
        frame.best = frame.sign * opinion(work, mind, state, work.desk[0].seat)
        frame.horizon = True
        return True
    return False


@inlined
def finish(work: Any, mind: Any, ply: int) -> None:
    """Step 1: keep what the frame at a ply found out."""
    frame = work.frames[ply]
    if frame.best > frame.floor:
        reward(mind, frame, work.killers[ply], work.history)
    if (mind.table or mind.hash_move) and frame.depth >= mind.table_depth:
        bound = EXACT
        if frame.best >= frame.beta:
            bound = LOWER
        elif frame.best <= frame.floor:
            bound = UPPER
        store(
            work.table,
            frame.position,
            frame.best,
            frame.best_move,
            frame.depth,
            bound,
            not frame.horizon,
            work.desk[0].search,
        )


@inlined
def accept(work: Any, ply: int, value: float, continued: bool) -> None:
    """Step 5: keep a value if it is the best; `continued` if the frame above holds the line that led to it."""
    frame = work.frames[ply]
    if value <= frame.best:
        return
    frame.best = value
    frame.best_move = frame.move
    if value > frame.alpha:
        frame.alpha = value
        work.lines[ply, 0] = frame.move
        length = 1
        if continued:
            for i in range(work.frames[ply + 1].length):
                work.lines[ply, length] = work.lines[ply + 1, i]
                length += 1
        frame.length = length


@kernel
def accept_at_root(work: Any) -> None:
    """Note what the root's move cost; if it raised alpha, it is the result as far as the search has come."""
    desk, root = work.desk[0], work.frames[0]
    work.scores[0, root.index - 1] = desk.nodes - desk.root_nodes
    desk.root_nodes = desk.nodes
    if root.best_move == root.move and root.best > root.floor and root.length > 0:
        desk.sound = True


@kernel
def adopt(work: Any) -> None:
    """Make the root's best line the result."""
    desk, root = work.desk[0], work.frames[0]
    desk.reached = root.depth
    desk.value = root.sign * root.best
    desk.length = root.length
    for i in range(root.length):
        work.line[i] = work.lines[0, i]


@inlined
def first_attempt(mind: Any, frame: Any) -> int:
    """How to search a frame's present move first."""
    if not mind.scout or frame.index == 1 or frame.alpha == -np.inf:
        return FULL
    if mind.reduction > 0 and frame.index > mind.reduce_after and frame.depth >= mind.reduce_depth:
        return REDUCED
    return SCOUT


@inlined
def descend(work: Any, mind: Any, ply: int) -> bool:
    """Search the child of the frame at a ply as its `attempt` says; True if the table settled it."""
    frame, child = work.frames[ply], work.frames[ply + 1]
    alpha, beta = frame.alpha, frame.beta
    depth = frame.depth - 1
    if frame.attempt != FULL:
        beta = np.nextafter(alpha, np.inf)
    if frame.attempt == REDUCED:
        depth = max(1, depth - mind.reduction)
    if child.sign != frame.sign:
        return enter(work, mind, ply + 1, depth, -beta, -alpha)
    return enter(work, mind, ply + 1, depth, alpha, beta)


@inlined
def fails(frame: Any, value: float) -> bool:
    """Whether a value shows that the present move must be searched again, with less reduction or a wider window."""
    if frame.attempt == FULL or value <= frame.alpha:
        return False
    return frame.attempt == REDUCED or value < frame.beta


@inlined
def has_next(mind: Any, frame: Any) -> bool:
    """Whether a frame has moves to search."""
    if frame.alpha >= frame.beta or frame.index >= frame.count:
        return False
    return mind.breadth == 0 or frame.depth == 1 or frame.index < mind.breadth


@kernel
def search_leaves(work: Any, mind: Any, ply: int) -> None:
    """Steps 1 to 3 for a frame one ply above the horizon, until it is finished or the clock must be looked at."""
    desk, frame, states = work.desk[0], work.frames[ply], work.states
    seat, sign, beta = desk.seat, frame.sign, frame.beta
    moves, scores, killers = work.moves[ply], work.scores[ply], work.killers[ply]
    child = states[ply + 1]
    best, alpha = frame.best, frame.alpha
    left = desk.look - desk.nodes
    while alpha < beta and frame.index < frame.count and left > 0:
        move = next_move(states[ply], mind, moves, scores, frame, killers, work.history)
        if move == NO_MOVE:
            break
        states[ply + 1] = states[ply]
        play(child, move)
        left -= 1
        if is_over(child):
            value = sign * np.float64(terminal_value(child, mind, seat))
        else:
            value = sign * opinion(work, mind, child, seat)
            frame.horizon = True
        if value > best:
            best = value
            frame.best_move = move
            if value > alpha:
                alpha = value
                work.lines[ply, 0] = move
                frame.length = 1
    work.visits[ply + 1] += desk.look - left - desk.nodes
    desk.nodes = desk.look - left
    frame.best = best
    frame.alpha = alpha


@kernel
def end_depth(work: Any, mind: Any) -> int:
    """The root is finished: widen the window, or adopt the result and begin the next depth."""
    desk, root = work.desk[0], work.frames[0]
    finish(work, mind, 0)
    if root.best <= root.floor or root.best >= root.beta:
        begin_depth(work, mind, root.depth, -np.inf, np.inf)
        return RUNNING
    adopt(work)
    desk.proven = not root.horizon
    if desk.proven or root.depth >= desk.most:
        return FINISHED
    depth = min(root.depth + desk.stride, desk.most)
    if mind.aspiration > 0:
        begin_depth(work, mind, depth, root.best - mind.aspiration, root.best + mind.aspiration)
    else:
        begin_depth(work, mind, depth, -np.inf, np.inf)
    return RUNNING


@kernel
def search_on(work: Any, mind: Any, pause: int, limit: int) -> int:
    """Search on until the end (FINISHED), a node budget (STOPPED) or a time on the clock (RUNNING)."""
    desk, frames, states = work.desk[0], work.frames, work.states
    seat = desk.seat
    ply = desk.ply
    while True:
        if desk.nodes >= desk.look:
            desk.ply = ply
            if desk.nodes >= limit:
                return STOPPED
            desk.look = min(desk.nodes + LOOK, limit)
            if now() >= pause:
                return RUNNING
        frame = frames[ply]
        settled = True  # a value for the frame's present move is known
        continued = False
        value = 0.0
        if frame.depth == 1 and ply > 0:
            search_leaves(work, mind, ply)
            if has_next(mind, frame):
                continue
        if has_next(mind, frame):
            frame.move = next_move(
                states[ply], mind, work.moves[ply], work.scores[ply], frame, work.killers[ply], work.history
            )
            if frame.move == NO_MOVE:
                continue
            states[ply + 1] = states[ply]
            child = states[ply + 1]
            play(child, frame.move)
            desk.nodes += 1
            work.visits[ply + 1] += 1
            frame.attempt = FULL
            if is_over(child):
                value = frame.sign * np.float64(terminal_value(child, mind, seat))
            elif frame.depth <= 1:
                value = frame.sign * opinion(work, mind, child, seat)
                frame.horizon = True
            else:
                frames[ply + 1].sign = 1.0 if side(child, mover(child), seat) == 0 else -1.0
                frame.attempt = first_attempt(mind, frame)
                settled = False
        elif ply == 0:
            if end_depth(work, mind) == FINISHED:
                return FINISHED
            continue
        else:
            finish(work, mind, ply)
            ply -= 1
            continued = True
        frame = frames[ply]
        above = frames[ply + 1]
        while True:
            if not settled:
                if not descend(work, mind, ply):
                    ply += 1
                    break
                settled = True
                value = above.best * above.sign * frame.sign
                frame.horizon = frame.horizon or above.horizon
            elif continued:
                value = above.best * above.sign * frame.sign
                frame.horizon = frame.horizon or above.horizon
            if not fails(frame, value):
                accept(work, ply, value, continued)
                if ply == 0:
                    accept_at_root(work)
                break
            frame.attempt += 1
            settled = False
            continued = False


class AlphaBeta:
    """A searcher for one bot: its workspace, and what it remembers from one search to the next."""

    def __init__(self, state: np.dtype, mind: Any, most_moves: int, table_bits: int = 18, cache_bits: int = 18) -> None:
        self.mind = mind
        self.work = new_work(state, most_moves, table_bits, cache_bits)
        self._opinion_of: tuple[int, bytes] | None = None  # whose values the tables hold: seat, and mind or outlook

    def forget(self) -> None:
        """Empty table and cache."""
        self.work.table[:] = 0
        self.work.cache[:] = 0
        self._opinion_of = None

    def search(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        outlook: Any = None,
        depth: int = 0,
        stride: int = 0,
        only: Sequence[int] | None = None,
    ) -> Result:
        """The best move of a state that is not over, for a seat, within a budget or a depth.

        The outlook takes the mind's place. `depth` and `stride` are those of the mind unless given; `only` restricts
        the moves of the root. With a node budget the clock is not looked at: the result is the same every time.

        What was remembered for another seat, mind or outlook is forgotten first.
        """
        work, mind = self.work, self.mind if outlook is None else outlook
        if is_over(state):
            raise PodiumError("the game is over: there is nothing to search")
        opinion_of = seat, mind.tobytes()
        if self._opinion_of not in (None, opinion_of):
            self.forget()
        self._opinion_of = opinion_of
        work.states[0] = state
        if only is None:
            count = int(candidates(work.states[0], mind, work.moves[0]))
        else:
            count = len(only)
            work.moves[0, :count] = only
        if count == 0:
            raise PodiumError("there is no move to search")
        begin(work, mind, seat, min(MOST_PLIES, depth or int(mind.depth)), stride or int(mind.stride), count)
        deadline, limit = budget.limits
        work.desk[0].look = min(LOOK, limit)
        while search_on(work, mind, min(deadline, now() + SLICE), limit) == RUNNING and now() < deadline:
            pass
        if not work.desk[0].proven and work.desk[0].sound and mind.partial:
            adopt(work)
        return self._result()

    def _result(self) -> Result:
        desk = self.work.desk[0]
        line = [int(move) for move in self.work.line[: desk.length]]
        value, proof = float(desk.value), Proof.EXACT if desk.proven else Proof.NONE
        option = RootMove(line[0], value, int(desk.nodes), proof, line)
        return Result(line[0], value, int(desk.reached), int(desk.nodes), line, proof, (option,))
