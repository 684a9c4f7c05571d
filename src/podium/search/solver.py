"""An exact solver for two-player games near their end: depth-first search with a table of proofs.

One step of `prove`:
 1. A position with a proof in the table is done.
 2. So is a position in which the game is over.
 3. If any move leads to a position that the table knows as lost for the opponent, the position is won (enhanced
    transposition cutoff: Schaeffer and Plaat, 1996). Looked for only where there are enough moves to pay for it.
 4. Otherwise the moves are tried, first those that won most often at the same ply, until one wins.

On Zuniq positions with 26 legal moves, steps 3 and 4 reduce the tree to a quarter of what the table alone leaves.
Proofs are kept as long as the caller keeps the table: positions repeat a great deal, in one search and from move to
move. A learner gets the positions that were hard to prove as examples (`SolverExamples`). What the solver asks of a
game: the rules and `key`.
"""

from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, kernel
from podium.kernel.clock import now
from podium.kernel.records import sparse
from podium.model.proofs import DRAW, LOSS, UNPROVEN, WIN, opposite, proof_of
from podium.model.rules import final_score, key, mover, moves_unless_over, play

# A slot of the table is the position's key with its two lowest bits replaced by a code; 0 is an empty slot.
CODE = np.uint64(3)
LOST, DRAWN, WON = np.uint64(1), np.uint64(2), np.uint64(3)
BYTES_PER_SLOT = 8

CUTOFF_MOVES = 9  # minimum number of moves for step 3; an estimate
CLOCK_INTERVAL = 1024  # nodes between two looks at the clock

# Limits of a proof: nodes and deadline. Examples: the nodes that a proof must have cost, and how many were collected.
NODES_LEFT, DEADLINE, EXAMPLE_NODES, COLLECTED = range(4)


class SolverExamples(NamedTuple):
    """Positions that were hard to prove, with their proofs for the side to move."""

    states: Any
    proofs: Any  # int8


class SolverWorkspace(NamedTuple):
    """The arrays of a solver; owned by the caller, which may keep them for the whole game."""

    proofs: Any  # uint64, a power of two of them
    successes: Any  # int32 [ply, move]: how often the move won
    limits: Any  # int64: NODES_LEFT, DEADLINE, EXAMPLE_NODES, COLLECTED
    examples: SolverExamples


def new_solver(
    state: np.dtype, megabytes: float, most_moves: int, most_plies: int, examples: int = 0
) -> SolverWorkspace:
    """A solver with an empty table of at most `megabytes`, and room for a number of examples."""
    slots = 1 << max(10, int(megabytes * 1_000_000 / BYTES_PER_SLOT).bit_length() - 1)
    return SolverWorkspace(
        proofs=sparse(np.uint64, slots),
        successes=np.zeros((most_plies, most_moves), np.int32),
        limits=np.zeros(4, np.int64),
        examples=SolverExamples(allocate(state, examples), np.zeros(examples, np.int8)),
    )


@kernel
def load_proof(proofs: Any, position: Any) -> int:
    """The proof of a position in the table."""
    slot = proofs[(position >> np.uint64(2)) & np.uint64(proofs.size - 1)]
    code = slot & CODE
    if code == 0 or (slot | CODE) != (position | CODE):
        return UNPROVEN
    if code == DRAWN:
        return DRAW
    return WIN if code == WON else LOSS


@kernel
def store_proof(proofs: Any, position: Any, proof: int) -> None:
    """Store a proof; it replaces the one in its slot."""
    code = DRAWN if proof == DRAW else (WON if proof == WIN else LOST)
    proofs[(position >> np.uint64(2)) & np.uint64(proofs.size - 1)] = (position & ~CODE) | code


@kernel
def collect_example(solver: Any, state: Any, proof: int) -> None:
    """Add a position and its proof to the examples, if there is room."""
    count = solver.limits[COLLECTED]
    if count < solver.examples.proofs.size:
        solver.examples.states[count] = state
        solver.examples.proofs[count] = proof
        solver.limits[COLLECTED] += 1


@kernel
def reply_proof(states: Any, ply: int, move: int, proofs: Any) -> int:
    """The table's proof of a move at states[ply], for the side that plays it; overwrites the next state."""
    states[ply + 1] = states[ply]
    play(states[ply + 1], move)
    proof = load_proof(proofs, key(states[ply + 1]))
    return proof if mover(states[ply + 1]) == mover(states[ply]) else opposite(proof)


@kernel
def swap_in_best(moves: Any, i: int, count: int, successes: Any) -> None:
    """Swap the move at i with the most successful one from there on."""
    best = i
    for j in range(i + 1, count):
        if successes[moves[j]] > successes[moves[best]]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]


@kernel
def prove(states: Any, moves: Any, ply: Any, solver: Any) -> int:
    """The proof of states[ply] for the side to move; UNPROVEN if the limits were reached first.

    The caller provides states and rows of moves for all plies to come, and never calls with a literal `ply`: a
    recursive kernel called with a literal crashes when its caller is loaded from Numba's cache.
    """
    solver.limits[NODES_LEFT] -= 1
    left = solver.limits[NODES_LEFT]
    if left < 0 or (left % CLOCK_INTERVAL == 0 and now() >= solver.limits[DEADLINE]):
        solver.limits[NODES_LEFT] = 0
        return UNPROVEN
    # Step 1: is the proof in the table?
    position = key(states[ply])
    best = load_proof(solver.proofs, position)
    if best != UNPROVEN:
        return best
    side = mover(states[ply])
    # Step 2: an ended game proves itself.
    count = moves_unless_over(states[ply], moves[ply])
    if count == 0:
        return proof_of(final_score(states[ply], side))
    # Step 3: is any move known to win?
    if count >= CUTOFF_MOVES:
        for i in range(count):
            if reply_proof(states, ply, moves[ply, i], solver.proofs) == WIN:
                store_proof(solver.proofs, position, WIN)
                return WIN
    # Step 4: try the moves, the successful ones first.
    best = LOSS
    for i in range(count):
        swap_in_best(moves[ply], i, count, solver.successes[ply])
        states[ply + 1] = states[ply]
        play(states[ply + 1], moves[ply, i])
        reply = prove(states, moves, ply + 1, solver)
        if reply == UNPROVEN:
            return UNPROVEN
        if mover(states[ply + 1]) != side:
            reply = opposite(reply)
        if reply == DRAW:
            best = DRAW
        elif reply == WIN:
            best = WIN
            solver.successes[ply, moves[ply, i]] += 1
            break
    store_proof(solver.proofs, position, best)
    if solver.examples.proofs.size and left - solver.limits[NODES_LEFT] >= solver.limits[EXAMPLE_NODES]:
        collect_example(solver, states[ply], best)
    return best
