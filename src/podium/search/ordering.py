"""Move ordering for alpha-beta searches: the sooner the best move is tried, the smaller the tree.

In order of priority, as in the Wondev Woman write-up: the hash move; two killers per ply (moves that gave a cut at this
ply before, Akl and Newborn 1977); the history heuristic (Schaeffer 1983: a move that was best or gave a cut earns
2^depth); and for equal histories a game-specific tie-break. Scoring all moves is put off until hash move and killers
gave no cut. Then moves are not sorted but picked, the best of the rest each time, since most nodes need few of them;
after `picks` of them the rest follows as it comes.
"""

from typing import Any

import numpy as np

from podium.kernel import generic, inlined, kernel, record
from podium.kernel.minds import Parameter
from podium.search.transpositions import NO_MOVE

PARAMETERS = (
    Parameter("hash_move", True, "try the move that the transposition table remembers first (write-up)"),
    Parameter("killers", True, "then the last two moves that gave a cut at the same ply (write-up)"),
    Parameter("history", True, "then by how often a move was best, weighted 2^depth (write-up)"),
    Parameter("tie_break", True, "then by the game's own rule of thumb (write-up: the height of the target)"),
    Parameter("late_sort", True, "score the moves only if hash move and killers gave no cut (write-up)"),
    Parameter("picks", 12, "moves picked in order at a node; the rest follows as it comes; 0: all (tuned)", 0, 1000),
)

HASH, FIRST_KILLER, SECOND_KILLER, SCORING, PICKING, AS_IT_COMES = range(6)

HISTORY_LIMIT = 1 << 40  # histories are halved beyond, long before they could overflow
TIE_RANGE = 1 << 12  # tie-breaks are below this

Frame = record(
    "search frame",
    [
        ("alpha", "f8"),
        ("beta", "f8"),
        ("floor", "f8"),  # alpha as it was given
        ("best", "f8"),
        ("position", "u8"),  # the key
        ("best_move", "i8"),
        ("move", "i8"),  # being searched
        ("hash_move", "i8"),
        ("sign", "f8"),  # 1 if the root's side is to move, else -1
        ("depth", "i4"),
        ("count", "i4"),  # of moves
        ("index", "i4"),  # of the next one
        ("picked", "i4"),  # moves picked by score
        ("stage", "i4"),
        ("attempt", "i4"),  # how `move` is being searched
        ("length", "i4"),  # of the principal variation from here
        ("horizon", "?"),  # an evaluation was needed somewhere below
    ],
)


@generic(by=2)
def tie_break(state: Any, mind: Any, move: Any) -> Any:
    """A rule of thumb for moves that nothing is known about: a whole number from 0 to 4095, high is tried first."""


@tie_break.otherwise
@kernel
def no_tie_break(state: Any, mind: Any, move: Any) -> Any:
    """Games without a rule of thumb."""
    return 0


@inlined
def bring_forward(moves: Any, frame: Any, move: Any) -> bool:
    """Put a move next, if it is among those still to come."""
    for i in range(frame.index, frame.count):
        if moves[i] == move:
            moves[i] = moves[frame.index]
            moves[frame.index] = move
            return True
    return False


@inlined
def score_moves(state: Any, mind: Any, moves: Any, scores: Any, frame: Any, history: Any) -> None:
    """Give each move still to come its score."""
    side = 0 if frame.sign > 0 else 1
    mask = history.shape[1] - 1
    for i in range(frame.index, frame.count):
        score = np.int64(0)
        if mind.history:
            score = history[side, moves[i] & mask] * TIE_RANGE
        if mind.tie_break:
            score += np.int64(tie_break(state, mind, moves[i]))
        scores[i] = score


@inlined
def pick_best(moves: Any, scores: Any, frame: Any) -> None:
    """Put the best-scored move still to come next; among equals the first."""
    best = frame.index
    for i in range(frame.index + 1, frame.count):
        if scores[i] > scores[best]:
            best = i
    move = moves[best]
    score = scores[best]
    moves[best] = moves[frame.index]
    scores[best] = scores[frame.index]
    moves[frame.index] = move
    scores[frame.index] = score


@inlined
def next_move(state: Any, mind: Any, moves: Any, scores: Any, frame: Any, killers: Any, history: Any) -> Any:
    """The next move of a frame that has one."""
    if frame.stage == HASH:
        frame.stage = FIRST_KILLER
        if not mind.late_sort and (mind.history or mind.tie_break):
            score_moves(state, mind, moves, scores, frame, history)
            for _ in range(frame.count):
                pick_best(moves, scores, frame)
                frame.index += 1
            frame.index = 0
        if mind.hash_move and frame.hash_move != NO_MOVE and bring_forward(moves, frame, frame.hash_move):
            frame.index += 1
            return moves[frame.index - 1]
    while frame.stage < SCORING:
        killer = killers[frame.stage - FIRST_KILLER]
        frame.stage += 1
        if mind.killers and killer != NO_MOVE and bring_forward(moves, frame, killer):
            frame.index += 1
            return moves[frame.index - 1]
    if frame.stage == SCORING:
        frame.stage = AS_IT_COMES
        if mind.late_sort and (mind.history or mind.tie_break):
            score_moves(state, mind, moves, scores, frame, history)
            frame.stage = PICKING
    if frame.stage == PICKING:
        pick_best(moves, scores, frame)
        frame.picked += 1
        if frame.picked == mind.picks:
            frame.stage = AS_IT_COMES
    frame.index += 1
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
        history[side, slot] += np.int64(1) << np.int64(min(frame.depth, 30))
        if history[side, slot] > HISTORY_LIMIT:
            for one in range(2):
                for i in range(history.shape[1]):
                    history[one, i] >>= 1
