"""Move ordering for alpha-beta searches: the sooner the best move is tried, the smaller the tree.

The order follows the Wondev Woman write-up:
 1. The hash move, or that of the principal variation.
 2. Two killers per ply: moves that caused a cutoff at this ply before (Akl and Newborn 1977).
 3. The history heuristic (Schaeffer 1983): a move that was best or caused a cutoff earns 2^depth. Moves are scored only
    after hash move and killers caused no cutoff, and picked one by one rather than sorted, since most nodes need few of
    them. Equal histories are ordered by the game's `tie_break`.
 4. After `picks` moves, the remaining ones in the order of generation.
`negascout.py` calls `next_move` and `reward_move`.
If a bot can recognize a candidate without generating all (`playable`), moves are generated only after steps 1 and 2.
"""

from typing import Any

import numpy as np

from podium.kernel import inlined, kernel
from podium.model.hooks import YES, playable, tie_break
from podium.model.params import Parameter
from podium.model.rules import candidates
from podium.search.alphabeta_workspace import MOST_MOVES
from podium.search.transpositions import NO_MOVE

WRITEUP = "write-up of Wondev Woman"
PARAMETERS = (
    Parameter("hash_move", True, f"try the transposition table's move first ({WRITEUP})"),
    Parameter(
        "principal_variation",
        False,
        "try the moves of the last iteration's principal variation first, where it still applies (write-up of Code 4 "
        "Life); hash_move does so, too",
    ),
    Parameter(
        "killers", True, f"killer heuristic: then the last two moves that caused a cutoff at this ply ({WRITEUP})"
    ),
    Parameter(
        "history", True, f"history heuristic: then by how often a move was best, weighted by 2^depth ({WRITEUP})"
    ),
    Parameter("tie_break", True, f"then by the game's own heuristic ({WRITEUP}: the height of the target)"),
    Parameter("late_sort", True, f"score the moves only if hash move and killers caused no cutoff ({WRITEUP})"),
    Parameter("sort_depth", 1, "minimum depth in plies at which moves are scored", 1, 60),
    Parameter("picks", 12, "number of moves picked by score at a node, the rest unordered; 0: all (tuned)", 0, 1000),
)

HASH, FIRST_KILLER, SECOND_KILLER, SCORING, PICKING, REMAINING, UNORDERED = range(7)

HISTORY_LIMIT = 1 << 26  # all histories are halved beyond this
HISTORY_DEPTH = 20  # the depth that earns most
TIE_RANGE = 1 << 12  # tie-breaks are below this
USED = -1  # score of a move that was picked

NOT_GENERATED = 1 << 30  # count of a frame whose moves were not generated yet


@inlined
def bring_forward(moves: Any, frame: Any, move: Any) -> bool:
    """Swap a move to the next place, if it is among the remaining ones."""
    for i in range(frame.index, frame.count):
        if moves[i] == move:
            moves[i] = moves[frame.index]
            moves[frame.index] = move
            return True
    return False


@kernel
def generate_moves(state: Any, params: Any, moves: Any, frame: Any) -> None:
    """Generate the candidates, with those that were tried already in front."""
    tried = frame.index
    first, second, third = moves[0], moves[1], moves[2]
    frame.count = candidates(state, params, moves)
    frame.listed = True
    frame.index = 0
    for i in range(tried):
        move = first if i == 0 else second if i == 1 else third
        if bring_forward(moves, frame, move):
            frame.index += 1


@inlined
def try_early(state: Any, params: Any, moves: Any, frame: Any, move: Any) -> bool:
    """Put a hash move or killer next, if it is a candidate and was not tried."""
    if move == NO_MOVE:
        return False
    if frame.listed:
        return bring_forward(moves, frame, move)
    for i in range(frame.index):
        if moves[i] == move:
            return False
    if playable(state, params, move) != YES:
        return False
    moves[frame.index] = move
    return True


@inlined
def score_moves(state: Any, params: Any, moves: Any, scores: Any, frame: Any, history: Any) -> None:
    """Score the remaining moves, with the index in the low bits: all scores differ, the first of equals is highest."""
    side = 0 if frame.sign > 0 else 1
    mask = history.shape[1] - 1
    for i in range(frame.index, frame.count):
        score = np.int64(0)
        if params.history:
            score = np.int64(history[side, moves[i] & mask]) * TIE_RANGE
        if params.tie_break:
            score += np.int64(tie_break(state, params, moves[i]))
        scores[i] = score * MOST_MOVES + (MOST_MOVES - 1 - i)
    frame.cursor = frame.index
    frame.scored = frame.index


@inlined
def pick_best(scores: Any, frame: Any) -> Any:
    """The index of the remaining move with the highest score, which is marked as used."""
    best = np.int64(USED)
    for i in range(frame.scored, frame.count):  # a plain maximum: the compiler makes it a few vector instructions
        best = max(best, scores[i])
    place = MOST_MOVES - 1 - (best & (MOST_MOVES - 1))
    scores[place] = USED
    return place


@kernel
def sort_moves(state: Any, params: Any, moves: Any, scores: Any, frame: Any, history: Any) -> None:
    """Sort all moves of a frame by score."""
    score_moves(state, params, moves, scores, frame, history)
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
def next_move(state: Any, params: Any, moves: Any, scores: Any, frame: Any, killers: Any, history: Any) -> Any:
    """The next move of a frame, or NO_MOVE if all candidates were tried before move generation."""
    if frame.stage == HASH:
        frame.stage = FIRST_KILLER
        if not params.late_sort and (params.history or params.tie_break):
            sort_moves(state, params, moves, scores, frame, history)
        early = params.hash_move or params.principal_variation
        if early and try_early(state, params, moves, frame, frame.hash_move):
            frame.index += 1
            return moves[frame.index - 1]
    while frame.stage < SCORING:
        killer = killers[frame.stage - FIRST_KILLER]
        frame.stage += 1
        if params.killers and try_early(state, params, moves, frame, killer):
            frame.index += 1
            return moves[frame.index - 1]
    if frame.stage == SCORING:
        if not frame.listed:
            generate_moves(state, params, moves, frame)
            if frame.index >= frame.count:
                return np.int64(NO_MOVE)
        frame.stage = UNORDERED
        if params.late_sort and frame.depth >= params.sort_depth and (params.history or params.tie_break):
            score_moves(state, params, moves, scores, frame, history)
            frame.stage = PICKING
    frame.index += 1
    if frame.stage == PICKING:
        frame.picked += 1
        if frame.picked == params.picks:
            frame.stage = REMAINING
        return moves[pick_best(scores, frame)]
    if frame.stage == REMAINING:
        while scores[frame.cursor] == USED:
            frame.cursor += 1
        frame.cursor += 1
        return moves[frame.cursor - 1]
    return moves[frame.index - 1]


@inlined
def reward_move(params: Any, frame: Any, killers: Any, history: Any) -> None:
    """Update killers and history with the best move of a frame."""
    if params.killers and frame.best >= frame.beta and killers[0] != frame.best_move:
        killers[1] = killers[0]
        killers[0] = frame.best_move
    if params.history:
        side = 0 if frame.sign > 0 else 1
        slot = frame.best_move & (history.shape[1] - 1)
        history[side, slot] += np.int32(1 << min(frame.depth, HISTORY_DEPTH))
        if history[side, slot] > HISTORY_LIMIT:
            for one in range(2):
                for i in range(history.shape[1]):
                    history[one, i] //= 2
