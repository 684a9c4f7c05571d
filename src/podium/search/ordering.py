"""Move ordering for alpha-beta searches: the sooner the best move is tried, the smaller the tree.

In order of priority, as in the Wondev Woman write-up: the hash move; two killers per ply (moves that gave a cut at this
ply before, Akl and Newborn 1977); the history heuristic (Schaeffer 1983: a move that was best or gave a cut earns
2^depth); and for equal histories a game-specific tie-break. Scoring all moves is put off until hash move and killers
gave no cut. Then moves are not sorted but picked, the best of the rest each time, since most nodes need few of them;
after `picks` of them the rest follows as it comes. A bot that can tell a candidate without listing all (`playable`) is
not even asked for the list before hash move and killers were tried.
"""

from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.kernel.minds import Parameter
from podium.kernel.rules import candidates
from podium.search.frames import MOST_MOVES
from podium.search.hooks import YES, playable, tie_break
from podium.search.transpositions import NO_MOVE

PARAMETERS = (
    Parameter("hash_move", True, "try the move that the transposition table remembers first (write-up)"),
    Parameter("killers", True, "then the last two moves that gave a cut at the same ply (write-up)"),
    Parameter("history", True, "then by how often a move was best, weighted 2^depth (write-up)"),
    Parameter("tie_break", True, "then by the game's own rule of thumb (write-up: the height of the target)"),
    Parameter("late_sort", True, "score the moves only if hash move and killers gave no cut (write-up)"),
    Parameter(
        "sort_depth", 1, "least depth at which moves are scored, in plies; below, they follow as they come", 1, 60
    ),
    Parameter("picks", 12, "moves picked in order at a node; the rest follows as it comes; 0: all (tuned)", 0, 1000),
)

HASH, FIRST_KILLER, SECOND_KILLER, SCORING, PICKING, LEFT_OVER, AS_IT_COMES = range(7)

HISTORY_LIMIT = 1 << 26  # histories are halved beyond
HISTORY_DEPTH = 20  # deeper nodes earn no more
TIE_RANGE = 1 << 12  # tie-breaks are below this
USED = -1  # the score of a move that was picked

UNLISTED = 1 << 30  # the count of a frame whose moves were not listed yet


@inlined
def bring_forward(moves: Any, frame: Any, move: Any) -> bool:
    """Put a move next, if it is among those still to come."""
    for i in range(frame.index, frame.count):
        if moves[i] == move:
            moves[i] = moves[frame.index]
            moves[frame.index] = move
            return True
    return False


@kernel
def list_moves(state: Any, mind: Any, moves: Any, frame: Any) -> None:
    """List the candidates, those that were tried already first."""
    tried = frame.index
    first, second, third = moves[0], moves[1], moves[2]
    frame.count = candidates(state, mind, moves)
    frame.listed = True
    frame.index = 0
    for i in range(tried):
        move = first if i == 0 else second if i == 1 else third
        if bring_forward(moves, frame, move):
            frame.index += 1


@inlined
def try_early(state: Any, mind: Any, moves: Any, frame: Any, move: Any) -> bool:
    """Put a remembered move next, if it can be played and was not tried."""
    if move == NO_MOVE:
        return False
    if frame.listed:
        return bring_forward(moves, frame, move)
    for i in range(frame.index):
        if moves[i] == move:
            return False
    if playable(state, mind, move) != YES:
        return False
    moves[frame.index] = move
    return True


@inlined
def score_moves(state: Any, mind: Any, moves: Any, scores: Any, frame: Any, history: Any) -> None:
    """Give each move still to come its score, with its place in the low bits: all differ, the first of equals wins."""
    side = 0 if frame.sign > 0 else 1
    mask = history.shape[1] - 1
    for i in range(frame.index, frame.count):
        score = np.int64(0)
        if mind.history:
            score = np.int64(history[side, moves[i] & mask]) * TIE_RANGE
        if mind.tie_break:
            score += np.int64(tie_break(state, mind, moves[i]))
        scores[i] = score * MOST_MOVES + (MOST_MOVES - 1 - i)
    frame.cursor = frame.index
    frame.scored = frame.index


@inlined
def pick_best(scores: Any, frame: Any) -> Any:
    """The place of the best-scored move still to come, which is struck off."""
    best = np.int64(USED)
    for i in range(frame.scored, frame.count):  # a plain maximum: the compiler makes it a few vector instructions
        best = max(best, scores[i])
    place = MOST_MOVES - 1 - (best & (MOST_MOVES - 1))
    scores[place] = USED
    return place


@kernel
def sort_moves(state: Any, mind: Any, moves: Any, scores: Any, frame: Any, history: Any) -> None:
    """Sort all moves of a frame at once."""
    score_moves(state, mind, moves, scores, frame, history)
    for i in range(1, frame.count):
        move, score = moves[i], scores[i]
        j = i
        while j > 0 and scores[j - 1] < score:
            moves[j] = moves[j - 1]
            scores[j] = scores[j - 1]
            j -= 1
        moves[j] = move
        scores[j] = score


@inlined
def next_move(state: Any, mind: Any, moves: Any, scores: Any, frame: Any, killers: Any, history: Any) -> Any:
    """The next move of a frame, or NO_MOVE if those tried before the list was made were all."""
    if frame.stage == HASH:
        frame.stage = FIRST_KILLER
        if not mind.late_sort and (mind.history or mind.tie_break):
            sort_moves(state, mind, moves, scores, frame, history)
        if mind.hash_move and try_early(state, mind, moves, frame, frame.hash_move):
            frame.index += 1
            return moves[frame.index - 1]
    while frame.stage < SCORING:
        killer = killers[frame.stage - FIRST_KILLER]
        frame.stage += 1
        if mind.killers and try_early(state, mind, moves, frame, killer):
            frame.index += 1
            return moves[frame.index - 1]
    if frame.stage == SCORING:
        if not frame.listed:
            list_moves(state, mind, moves, frame)
            if frame.index >= frame.count:
                return np.int64(NO_MOVE)
        frame.stage = AS_IT_COMES
        if mind.late_sort and frame.depth >= mind.sort_depth and (mind.history or mind.tie_break):
            score_moves(state, mind, moves, scores, frame, history)
            frame.stage = PICKING
    frame.index += 1
    if frame.stage == PICKING:
        frame.picked += 1
        if frame.picked == mind.picks:
            frame.stage = LEFT_OVER
        return moves[pick_best(scores, frame)]
    if frame.stage == LEFT_OVER:
        while scores[frame.cursor] == USED:
            frame.cursor += 1
        frame.cursor += 1
        return moves[frame.cursor - 1]
    return moves[frame.index - 1]


@inlined
def reward(mind: Any, frame: Any, killers: Any, history: Any) -> None:
    """Remember a move that was best or gave a cut."""
    if mind.killers and frame.best >= frame.beta and killers[0] != frame.best_move:
        killers[1] = killers[0]
        killers[0] = frame.best_move
    if mind.history:
        side = 0 if frame.sign > 0 else 1
        slot = frame.best_move & (history.shape[1] - 1)
        history[side, slot] += np.int32(1 << min(frame.depth, HISTORY_DEPTH))
        if history[side, slot] > HISTORY_LIMIT:
            for one in range(2):
                for i in range(history.shape[1]):
                    history[one, i] //= 2
