"""The kernels of principal variation search (NegaScout): one step is one turn of the loop in `resume_search`.

`alphabeta.py` describes the search and numbers its steps; the same numbers stand here at the code. Values in a frame
are those of the side to move.
"""

from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.kernel.clock import now
from podium.model.hooks import UNKNOWN, advance, playable, side, terminal_value
from podium.model.rules import evaluate, is_over, key, mover
from podium.search.alphabeta_trace import close_row, trace_child, trace_iteration, trace_leaf
from podium.search.alphabeta_workspace import RESULT, open_frame
from podium.search.ordering import HASH, NOT_GENERATED, UNORDERED, generate_moves, next_move, reward_move
from podium.search.trace_room import ENDED, EVALUATED, SEARCHED, SPARE
from podium.search.transpositions import EXACT, LOWER, NO_MOVE, UPPER, gives_cutoff, prefetch_slot, slot_of, store_entry

CHECK_INTERVAL = 64  # nodes between two looks at the clock

REDUCED, SCOUT, FULL = 0, 1, 2  # how a move is searched

RUNNING, FINISHED, STOPPED = 0, 1, 2  # results of `resume_search`


@inlined
def cached_evaluation(work: Any, params: Any, state: Any, seat: Any) -> Any:
    """The evaluation of a state for a seat, through the evaluation cache."""
    if not params.evaluation_cache:
        return np.float64(evaluate(state, params, seat))
    position = key(state)
    cached = work.cache[slot_of(work.cache, position)]
    if cached.position != position:
        cached.evaluation = np.float64(evaluate(state, params, seat))
        cached.position = position
    return cached.evaluation


@kernel
def begin_search(work: Any, params: Any, seat: int, depth: int, stride: int, count: int) -> None:
    """Prepare a search of `work.states[0]` with the first `count` of `work.moves[0]`; clears killers and history."""
    status = work.status[0]
    status.ply = 0
    status.nodes = 0
    status.next_check = CHECK_INTERVAL
    status.seat = seat
    status.max_depth = depth
    status.stride = stride
    status.generation += 1
    status.depth = 0
    status.value = 0.0
    status.proven = False
    work.lines[RESULT, 0] = work.moves[0, 0]
    status.length = 1
    work.visits[:] = 0
    work.killers[:, :] = NO_MOVE
    work.history[:, :] = 0
    work.scores[0, :count] = 0
    root = work.frames[0]
    root.count = count
    root.position = key(work.states[0])
    root.sign = 1.0 if side(work.states[0], mover(work.states[0]), seat) == 0 else -1.0
    begin_iteration(work, min(stride, depth), -np.inf, np.inf)


@kernel
def begin_iteration(work: Any, depth: int, alpha: float, beta: float) -> None:
    """Start an iteration at the root: the best move so far first, then the moves that cost most nodes."""
    root = work.frames[0]
    moves, costs, best = work.moves[0], work.scores[0], work.lines[RESULT, 0]
    for i in range(1, root.count):  # insertion sort: it keeps the order of equals
        move, cost = moves[i], costs[i]
        j = i
        while j > 0 and moves[j - 1] != best and (move == best or costs[j - 1] < cost):
            moves[j] = moves[j - 1]
            costs[j] = costs[j - 1]
            j -= 1
        moves[j] = move
        costs[j] = cost
    root.stage = UNORDERED
    root.hash_move = NO_MOVE
    root.listed = True
    open_frame(root, depth, alpha, beta)
    work.status[0].root_nodes = work.status[0].nodes
    work.status[0].usable = False
    work.status[0].ply = 0
    if work.status[0].traced_plies:
        trace_iteration(work)


@inlined
def expected_move(work: Any, ply: int) -> Any:
    """The move of the last iteration's principal variation at a ply, if its moves have led there; else NO_MOVE."""
    if ply >= work.status[0].length:
        return np.int64(NO_MOVE)
    for above in range(ply - 1, -1, -1):
        if work.frames[above].move != work.lines[RESULT, above]:
            return np.int64(NO_MOVE)
    return np.int64(work.lines[RESULT, ply])


@inlined
def uses_table(params: Any, depth: int) -> Any:
    """Whether positions that are searched to a depth are looked up in the table and stored there."""
    return (params.table or params.hash_move) and depth >= params.table_depth


@inlined
def look_up(work: Any, params: Any, frame: Any) -> bool:
    """Take the hash move of a frame from the table; True if the table gives the frame's value, too (in `best`)."""
    entry = work.table[slot_of(work.table, frame.position)]
    if entry.position != frame.position or entry.bound == 0:
        return False
    if params.table and gives_cutoff(entry, frame.depth, frame.alpha, frame.beta):
        frame.best = entry.value
        frame.horizon = not entry.exhausted
        return True
    frame.hash_move = entry.move
    return False


@inlined
def enter_child(work: Any, params: Any, ply: int, depth: int, alpha: float, beta: float) -> bool:
    """True if the table gives the value of the state at a ply (in its frame's `best`); otherwise open its frame.

    Its key is in the frame already, if the table is used. Without cutoffs by the table, moves are generated before the
    hash move is read, which gives the memory time to deliver it.
    """
    state, frame = work.states[ply], work.frames[ply]
    frame.stage = HASH
    frame.hash_move = NO_MOVE
    frame.count = NOT_GENERATED
    open_frame(frame, depth, alpha, beta)
    if params.table and uses_table(params, depth) and look_up(work, params, frame):
        return True
    frame.listed = False
    if not (params.late_sort and playable(state, params, NO_MOVE) != UNKNOWN):
        generate_moves(state, params, work.moves[ply], frame)
        if frame.count == 0:
            frame.best = frame.sign * cached_evaluation(work, params, state, work.status[0].seat)
            frame.horizon = True
            return True
    if not params.table and uses_table(params, depth):
        look_up(work, params, frame)
    if params.principal_variation and frame.hash_move == NO_MOVE:
        frame.hash_move = expected_move(work, ply)
    return False


@inlined
def close_frame(work: Any, params: Any, ply: int) -> None:
    """Store the result of the frame at a ply in the table, and reward its best move."""
    frame = work.frames[ply]
    if frame.best > frame.given_alpha:
        reward_move(params, frame, work.killers[ply], work.history)
    if uses_table(params, frame.depth):
        bound = EXACT
        if frame.best >= frame.beta:
            bound = LOWER
        elif frame.best <= frame.given_alpha:
            bound = UPPER
        store_entry(
            work.table,
            frame.position,
            frame.best,
            frame.best_move,
            frame.depth,
            bound,
            not frame.horizon,
            work.status[0].generation,
        )


@inlined
def accept_value(work: Any, ply: int, value: float, continued: bool) -> None:
    """Take a value if it is the best; `continued` if the frame above holds the principal variation that led to it."""
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
def note_root_move(work: Any) -> None:
    """Note the nodes that a root move cost; once one has raised alpha, the unfinished iteration is usable."""
    status, root = work.status[0], work.frames[0]
    work.scores[0, root.index - 1] = status.nodes - status.root_nodes
    status.root_nodes = status.nodes
    if root.best_move == root.move and root.best > root.given_alpha and root.length > 0:
        status.usable = True


@kernel
def adopt_line(work: Any) -> None:
    """Make the root's principal variation the result."""
    status, root = work.status[0], work.frames[0]
    status.depth = root.depth
    status.value = root.sign * root.best
    status.length = root.length
    for i in range(root.length):
        work.lines[RESULT, i] = work.lines[0, i]


@kernel
def adopt_unfinished(work: Any, params: Any) -> None:
    """Make the unfinished iteration the result, if it is usable and the parameters accept it.

    Called after every search: a kernel that is first called in the middle of a game would be loaded there, with Numba
    if there is no ahead-of-time code.
    """
    if params.partial and work.status[0].usable and not work.status[0].proven:
        adopt_line(work)


@inlined
def first_attempt(params: Any, frame: Any) -> int:
    """How a frame's present move is searched first: FULL, REDUCED or SCOUT."""
    if not params.scout or frame.index == 1 or frame.alpha == -np.inf:
        return FULL
    if params.reduction > 0 and frame.index > params.reduce_after and frame.depth >= params.reduce_depth:
        return REDUCED
    return SCOUT


@inlined
def descend(work: Any, params: Any, ply: int) -> bool:
    """Search the child of the frame at a ply as its `attempt` says; True if the table gives its value."""
    frame, child = work.frames[ply], work.frames[ply + 1]
    alpha, beta = frame.alpha, frame.beta
    depth = frame.depth - 1
    if frame.attempt != FULL:
        beta = np.nextafter(alpha, np.inf)
    if frame.attempt == REDUCED:
        depth = max(1, depth - params.reduction)
    if child.sign != frame.sign:
        alpha, beta = -beta, -alpha
    return enter_child(work, params, ply + 1, depth, alpha, beta)  # one call: inlined kernels are copied per call


@inlined
def needs_research(frame: Any, value: float) -> Any:
    """Whether a value makes a re-search of the present move necessary, with less reduction or the full window."""
    if frame.attempt == FULL or value <= frame.alpha:
        return False
    return frame.attempt == REDUCED or value < frame.beta


@inlined
def has_next(params: Any, frame: Any) -> Any:
    """Whether a frame has more moves to search."""
    if frame.alpha >= frame.beta or frame.index >= frame.count:
        return False
    return params.breadth == 0 or frame.depth == 1 or frame.index < params.breadth


@kernel
def search_last_ply(work: Any, params: Any, ply: int) -> None:
    """Steps 1 to 3 for a frame one ply above the horizon, until it is done or the clock must be checked."""
    status, frame, states = work.status[0], work.frames[ply], work.states
    seat, sign, beta = status.seat, frame.sign, frame.beta
    moves, scores, killers = work.moves[ply], work.scores[ply], work.killers[ply]
    child = states[ply + 1]
    best, alpha = frame.best, frame.alpha
    traced = ply + 1 < status.traced_plies
    left = status.next_check - status.nodes
    while alpha < beta and frame.index < frame.count and left > 0:
        move = next_move(states[ply], params, moves, scores, frame, killers, work.history)
        if move == NO_MOVE:
            break
        states[ply + 1] = states[ply]
        advance(child, params, move)
        left -= 1
        over = is_over(child)
        if over:
            value = sign * np.float64(terminal_value(child, params, seat))
        else:
            value = sign * cached_evaluation(work, params, child, seat)
            frame.horizon = True
        if traced:
            trace_leaf(status, work.trace, frame, ply, move, sign * value, ENDED if over else EVALUATED)
        if value > best:
            best = value
            frame.best_move = move
            if value > alpha:
                alpha = value
                work.lines[ply, 0] = move
                frame.length = 1
    work.visits[ply + 1] += status.next_check - left - status.nodes
    status.nodes = status.next_check - left
    frame.best = best
    frame.alpha = alpha


@kernel
def end_iteration(work: Any, params: Any) -> int:
    """The root is done: widen the aspiration window, or adopt the result and begin the next iteration."""
    status, root = work.status[0], work.frames[0]
    close_frame(work, params, 0)
    if status.traced_plies:
        close_row(work, 0, SEARCHED)
    if root.best <= root.given_alpha or root.best >= root.beta:
        begin_iteration(work, root.depth, -np.inf, np.inf)
        return RUNNING
    adopt_line(work)
    status.proven = not root.horizon
    if status.proven or root.depth >= status.max_depth:
        return FINISHED
    depth = min(root.depth + status.stride, status.max_depth)
    if params.aspiration > 0:
        begin_iteration(work, depth, root.best - params.aspiration, root.best + params.aspiration)
    else:
        begin_iteration(work, depth, -np.inf, np.inf)
    return RUNNING


@kernel
def resume_search(work: Any, params: Any, pause: int, limit: int) -> int:
    """Search until the end (FINISHED), the node limit (STOPPED), or a time on the clock or the end of the room for
    a trace (RUNNING: make room, call it again)."""
    status, frames, states = work.status[0], work.frames, work.states
    seat = status.seat
    ply = status.ply
    while True:
        if status.nodes >= status.next_check:
            status.ply = ply
            if status.nodes >= limit:
                return STOPPED
            status.next_check = min(status.nodes + CHECK_INTERVAL, limit)
            if now() >= pause or (status.traced_plies and status.rows + SPARE > work.trace.size):
                return RUNNING
        frame = frames[ply]
        settled = True  # the value of the frame's present move is known
        again = False  # it is searched a second time
        continued = False
        value = 0.0
        if frame.depth == 1 and ply > 0:
            search_last_ply(work, params, ply)
            if has_next(params, frame):
                continue
        # Step 1: take the next move of the top frame, or close the frame.
        if has_next(params, frame):
            frame.move = next_move(
                states[ply], params, work.moves[ply], work.scores[ply], frame, work.killers[ply], work.history
            )
            if frame.move == NO_MOVE:
                continue
            # Step 2: play it.
            states[ply + 1] = states[ply]
            child = states[ply + 1]
            advance(child, params, frame.move)
            status.nodes += 1
            work.visits[ply + 1] += 1
            frame.attempt = FULL
            # Step 3: an ended game or the horizon gives a value at once.
            over = is_over(child)
            if over:
                value = frame.sign * np.float64(terminal_value(child, params, seat))
            elif frame.depth <= 1:
                value = frame.sign * cached_evaluation(work, params, child, seat)
                frame.horizon = True
            else:
                if uses_table(params, frame.depth - 1):
                    frames[ply + 1].position = key(child)
                    prefetch_slot(work.table, frames[ply + 1].position)
                frames[ply + 1].sign = 1.0 if side(child, mover(child), seat) == 0 else -1.0
                frame.attempt = first_attempt(params, frame)
                settled = False
            if settled and ply + 1 < status.traced_plies:
                trace_leaf(status, work.trace, frame, ply, frame.move, frame.sign * value, ENDED if over else EVALUATED)
        elif ply == 0:
            if end_iteration(work, params) == FINISHED:
                return FINISHED
            continue
        else:
            close_frame(work, params, ply)
            if ply < status.traced_plies:
                close_row(work, ply, SEARCHED)
            ply -= 1
            continued = True
        frame = frames[ply]
        above = frames[ply + 1]
        while True:
            # Step 4: look the child up in the table, or push a frame for it.
            if not settled:
                hit = descend(work, params, ply)
                if ply + 1 < status.traced_plies:
                    trace_child(work, ply, again, hit)
                if not hit:
                    ply += 1
                    break
                settled = True
                value = above.best * above.sign * frame.sign
                frame.horizon = frame.horizon or above.horizon
            elif continued:
                value = above.best * above.sign * frame.sign
                frame.horizon = frame.horizon or above.horizon
            # Step 5: take the value, or search the child again.
            if not needs_research(frame, value):
                accept_value(work, ply, value, continued)
                if ply == 0:
                    note_root_move(work)
                break
            frame.attempt += 1
            again = True
            settled = False
            continued = False
