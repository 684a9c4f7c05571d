"""The kernels of principal variation search: one step of it is a turn of the loop in `search_on`.

`alphabeta.py` says what the search is and numbers its steps; they stand here where they are done.
"""

from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.kernel.clock import now
from podium.kernel.rules import evaluate, is_over, key, mover, play
from podium.search.frames import open_frame
from podium.search.hooks import UNKNOWN, playable, side, terminal_value
from podium.search.ordering import AS_IT_COMES, HASH, UNLISTED, list_moves, next_move, reward
from podium.search.transpositions import EXACT, LOWER, NO_MOVE, UPPER, answers, slot_of, store

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
    begin_depth(work, min(stride, depth), -np.inf, np.inf)


@kernel
def begin_depth(work: Any, depth: int, alpha: float, beta: float) -> None:
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
def enter(work: Any, mind: Any, ply: int, depth: int, alpha: float, beta: float) -> bool:
    """Settle the state at a ply by the table (True; the value is in its frame's `best`), or open its frame."""
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
    """Keep what the frame at a ply found out."""
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
    """Keep a value if it is the best; `continued` if the frame above holds the line that led to it."""
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
        alpha, beta = -beta, -alpha
    return enter(work, mind, ply + 1, depth, alpha, beta)  # once: an inlined kernel is there as often as it is called


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
        begin_depth(work, root.depth, -np.inf, np.inf)
        return RUNNING
    adopt(work)
    desk.proven = not root.horizon
    if desk.proven or root.depth >= desk.most:
        return FINISHED
    depth = min(root.depth + desk.stride, desk.most)
    if mind.aspiration > 0:
        begin_depth(work, depth, root.best - mind.aspiration, root.best + mind.aspiration)
    else:
        begin_depth(work, depth, -np.inf, np.inf)
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
        # Step 1: take the next move of the top frame, or finish it.
        if has_next(mind, frame):
            frame.move = next_move(
                states[ply], mind, work.moves[ply], work.scores[ply], frame, work.killers[ply], work.history
            )
            if frame.move == NO_MOVE:
                continue
            # Step 2: play it.
            states[ply + 1] = states[ply]
            child = states[ply + 1]
            play(child, frame.move)
            desk.nodes += 1
            work.visits[ply + 1] += 1
            frame.attempt = FULL
            # Step 3: an end of the game or the horizon gives a value at once.
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
            # Step 4: look the child up, or put a frame for it on the stack.
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
            # Step 5: keep the value, or search the child again.
            if not fails(frame, value):
                accept(work, ply, value, continued)
                if ply == 0:
                    accept_at_root(work)
                break
            frame.attempt += 1
            settled = False
            continued = False
