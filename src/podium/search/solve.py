"""Exact solving of two-player games near their end, by depth-first search with a table of proofs.

One step of `prove`:
 1. A position whose proof is in the table is done.
 2. So is one in which the game is over.
 3. If any move leads to a position that the table knows as lost for the opponent, it is won ("enhanced transposition
    cutoff", Schaeffer and Plaat, 1996); only where there are enough moves to pay for looking.
 4. Otherwise the moves are tried, first those that won most often at the same ply, until one wins.

On Zuniq positions with 26 legal moves steps 3 and 4 take the tree to a quarter of what the table alone leaves.
Proofs are kept as long as the caller keeps the table: positions repeat a great deal, in one search and from move to
move. Whoever learns from the solver is handed the positions that were hard to prove (`Harvest`).
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, kernel
from podium.kernel.clock import now
from podium.kernel.records import sparse
from podium.kernel.rules import final_score, key, mover, moves_unless_over, play

# What a position is proven to be, for the side to move.
UNPROVEN, WIN, LOSS, DRAW = 0, 1, -1, 2

# A slot of the table is the position's key with its two lowest bits replaced by a code: 0 for an empty slot.
CODE = np.uint64(3)
LOST, DRAWN, WON = np.uint64(1), np.uint64(2), np.uint64(3)
BYTES_OF_A_SLOT = 8

ENOUGH_MOVES = 9  # to look for a cutoff among all replies; an estimate
NODES_TO_A_LOOK = 1024  # at the clock

# What a proof may use up: nodes, and time. What is gathered: proofs that took so many nodes, and how many there are.
NODES_LEFT, DEADLINE, HARD, GATHERED = range(4)


class Harvest(NamedTuple):
    """Room for positions that were hard to prove, and what they are for the side to move."""

    states: Any
    proofs: Any  # int8


class Prover(NamedTuple):
    """The workspace of a solver; owned by the caller, who may keep it for the whole game."""

    proofs: Any  # uint64, a power of two of them
    successes: Any  # int32: how often a move won, by ply and move
    limits: Any  # int64: NODES_LEFT, DEADLINE, HARD, GATHERED
    harvest: Harvest


def new_prover(state: np.dtype, megabytes: float, most_moves: int, most_plies: int, harvest: int = 0) -> Prover:
    """A solver with an empty table of at most so many megabytes, and room for so many positions to gather."""
    slots = 1 << max(10, int(megabytes * 1_000_000 / BYTES_OF_A_SLOT).bit_length() - 1)
    return Prover(
        proofs=sparse(np.uint64, slots),
        successes=np.zeros((most_plies, most_moves), np.int32),
        limits=np.zeros(4, np.int64),
        harvest=Harvest(allocate(state, harvest), np.zeros(harvest, np.int8)),
    )


@kernel
def sign(number: Any) -> int:
    """1, 0 or -1."""
    if number > 0:
        return 1
    return -1 if number < 0 else 0


@kernel
def turned(proven: int) -> int:
    """A proven value as the other side sees it."""
    return proven if proven == DRAW else -proven


@kernel
def proof_of(score: Any) -> int:
    """What a final score proves."""
    result = sign(score)
    return DRAW if result == 0 else result


@kernel
def recall(proofs: Any, position: Any) -> int:
    """What the table knows of a position."""
    slot = proofs[(position >> np.uint64(2)) & np.uint64(proofs.size - 1)]
    code = slot & CODE
    if code == 0 or (slot | CODE) != (position | CODE):
        return UNPROVEN
    if code == DRAWN:
        return DRAW
    return WIN if code == WON else LOSS


@kernel
def remember(proofs: Any, position: Any, proven: int) -> None:
    """Keep a proof, in place of whatever had its slot."""
    code = DRAWN if proven == DRAW else (WON if proven == WIN else LOST)
    proofs[(position >> np.uint64(2)) & np.uint64(proofs.size - 1)] = (position & ~CODE) | code


@kernel
def gather(prover: Any, state: Any, proven: int) -> None:
    """Keep a position with its proof, if there is room."""
    count = prover.limits[GATHERED]
    if count < prover.harvest.proofs.size:
        prover.harvest.states[count] = state
        prover.harvest.proofs[count] = proven
        prover.limits[GATHERED] += 1


@kernel
def reply_proof(states: Any, ply: int, move: int, proofs: Any) -> int:
    """What the table knows of a move at states[ply], for the side that plays it; the next state is overwritten."""
    states[ply + 1] = states[ply]
    play(states[ply + 1], move)
    proven = recall(proofs, key(states[ply + 1]))
    return proven if mover(states[ply + 1]) == mover(states[ply]) else turned(proven)


@kernel
def bring_forward(moves: Any, i: int, count: int, successes: Any) -> None:
    """Exchange the move at i with the most successful one from there on."""
    best = i
    for j in range(i + 1, count):
        if successes[moves[j]] > successes[moves[best]]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]


@kernel
def prove(states: Any, moves: Any, ply: Any, prover: Any) -> int:
    """What states[ply] is for the side to move; UNPROVEN if the limits were reached before that was known.

    The caller provides states and rows of moves for all plies to come, and never calls with a literal `ply`: a
    recursive kernel called with a literal crashes when its caller is loaded from Numba's cache.
    """
    prover.limits[NODES_LEFT] -= 1
    left = prover.limits[NODES_LEFT]
    if left < 0 or (left % NODES_TO_A_LOOK == 0 and now() >= prover.limits[DEADLINE]):
        prover.limits[NODES_LEFT] = 0
        return UNPROVEN
    # Step 1: is the proof known?
    position = key(states[ply])
    best = recall(prover.proofs, position)
    if best != UNPROVEN:
        return best
    side = mover(states[ply])
    # Step 2: an end of the game proves itself.
    count = moves_unless_over(states[ply], moves[ply])
    if count == 0:
        return proof_of(final_score(states[ply], side))
    # Step 3: is any reply known to win?
    if count >= ENOUGH_MOVES:
        for i in range(count):
            if reply_proof(states, ply, moves[ply, i], prover.proofs) == WIN:
                remember(prover.proofs, position, WIN)
                return WIN
    # Step 4: try the moves, the successful ones first.
    best = LOSS
    for i in range(count):
        bring_forward(moves[ply], i, count, prover.successes[ply])
        states[ply + 1] = states[ply]
        play(states[ply + 1], moves[ply, i])
        reply = prove(states, moves, ply + 1, prover)
        if reply == UNPROVEN:
            return UNPROVEN
        if mover(states[ply + 1]) != side:
            reply = turned(reply)
        if reply == DRAW:
            best = DRAW
        elif reply == WIN:
            best = WIN
            prover.successes[ply, moves[ply, i]] += 1
            break
    remember(prover.proofs, position, best)
    if prover.harvest.proofs.size and left - prover.limits[NODES_LEFT] >= prover.limits[HARD]:
        gather(prover, states[ply], best)
    return best
