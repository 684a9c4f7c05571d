"""Games of a network against itself, from which the next one learns.

A whole game is one kernel call. At each move:
 1. A part of the moves (`full`) gets a full search, with noise on the root's priors so that every move has its chance;
    the others get a short one, which costs little and keeps games many (playout cap randomisation: Wu, "Accelerating
    self-play learning in Go", 2019). Only positions with a full search become examples.
 2. Once the solver has proven the position, the rest of the game is played at random among the moves that keep the
    proven result: the result of the game is then the true one, and the examples before it learn from perfect play.
 3. In the first plies a move is drawn in proportion to its visits (or a power of them: `temperature`), later the most
    visited is played.

Before that come random plies, and plies in which one of the two plays at random and learns nothing (`stray`): the
other sees openings that no good player would choose.

The solver teaches more than the positions of the game: of each position that was hard to prove (`lessons`), wherever
it stands in the solver's tree, the true value is learnt.

With `gumbel` a full search is divided by halving instead (`podium.lab.gumbel`).

An example is what the position looks like, the visits of its moves (the policy to learn), the result of the game and
the search's own value (the value to learn is a mixture), and how the game ended (omens).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import kernel
from podium.kernel.clock import NEVER
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.kernel.random import draw_below, draw_unit
from podium.kernel.rules import final_score, is_over, legal_moves, mover, play
from podium.kernel.table import ABSENT
from podium.lab.gumbel import best_drawn, search_by_halving, write_improved
from podium.search import puct
from podium.search.hooks import features, omens, sense
from podium.search.network import look
from podium.search.puct import add_noise, begin, simulate
from podium.search.root import solve_root
from podium.search.solve import DRAW, GATHERED, HARD, LOSS, UNPROVEN, WIN, sign
from podium.search.tree import BIAS, LINKS, PROOF, ROOT, STATISTICS, SUM1, forget

PRACTICE = MindType(
    "self-play",
    *adjusted(puct.PARAMETERS, solve=0, memory=4),
    Parameter("endgame_nodes", 4000, "positions for that try", 0, 1_000_000_000),
    Parameter("lessons", 0, "learn what took the solver at least so many positions to prove; 0: nothing", 0, 10**9),
    Parameter("simulations", 96, "of a full search", 1, 1_000_000),
    Parameter("short", 16, "simulations of a short search", 1, 1_000_000),
    Parameter("full", 0.25, "part of the moves that get a full search and become examples", 0, 1),
    Parameter("noise", 0.25, "share of noise in the root's priors (AlphaZero: 0.25)", 0, 1),
    Parameter("concentration", 10.0, "of the noise, divided by the number of moves (AlphaZero: about 10)", 0.01, 1000),
    Parameter(
        "forced", 2.0, "forced visits of moves with a prior, taken off the policy again (Wu 2019: 2); 0: none", 0, 100
    ),
    Parameter(
        "gumbel",
        0,
        "moves among which a full search is divided by halving (paper: 16); 0: noise, forced visits",
        0,
        4096,
    ),
    Parameter("drawn", 12, "plies in which the move is drawn by visits", 0, 1000),
    Parameter(
        "temperature", 1.0, "of these draws: visits count to the power of 1 over it; 0: the most visited", 0, 100
    ),
    Parameter("random", 3, "random plies at the start of a game, at most", 0, 1000),
    Parameter("stray", 0, "plies after these in which one of the two plays at random, at most", 0, 1000),
)


class Notes(NamedTuple):
    """Room for the examples of one game."""

    inputs: Any  # int16 [example, place]: indices of the inputs that are on, then -1
    legal: Any  # bool [example, move]
    policy: Any  # float32 [example, move]
    search: Any  # float32: the search's value for the side to move
    result: Any  # float32: the game's result for the side to move
    sense: Any  # int8: what a network's value is multiplied by
    seats: Any  # int8: who moves
    omens: Any  # float32 [omen]: how the game ended


def new_notes(examples: int, inputs: int, moves: int, foretold: int) -> Notes:
    """Empty notes."""
    return Notes(
        inputs=np.full((examples, inputs), -1, np.int16),
        legal=np.zeros((examples, moves), np.bool_),
        policy=np.zeros((examples, moves), np.float32),
        search=np.zeros(examples, np.float32),
        result=np.zeros(examples, np.float32),
        sense=np.ones(examples, np.int8),
        seats=np.zeros(examples, np.int8),
        omens=np.zeros(max(1, foretold), np.float32),
    )


@kernel
def search_fully(tree: Any, mind: Any, network: Any, random: Any) -> None:
    """A search with noise, and with forced visits of moves that have a prior."""
    root = tree.nodes[tree.counters[ROOT]]
    if mind.noise > 0.0:
        add_noise(tree, random, mind.noise, mind.concentration / max(1, root.count))
    for done in range(mind.simulations):
        if root.proven != UNPROVEN:
            return
        first = ABSENT
        if mind.forced > 0.0 and done > 0:
            first = forced_move(tree, mind, done)
        simulate(tree, mind, network, random, first)


@kernel
def forced_visits(mind: Any, prior: float, total: float) -> float:
    """How many visits a move is owed after so many in all."""
    return math.sqrt(mind.forced * prior * total)


@kernel
def forced_move(tree: Any, mind: Any, total: int) -> int:
    """A root move that was visited, but less often than it is owed; or ABSENT."""
    root = tree.nodes[tree.counters[ROOT]]
    at, proofs = root.first * STATISTICS, root.first * LINKS + PROOF * root.count
    for i in range(root.count):
        visits, prior = tree.statistics[at + i], tree.statistics[at + BIAS * root.count + i]
        if 0.0 < visits < forced_visits(mind, prior, total) and tree.links[proofs + i] == UNPROVEN:
            return i
    return ABSENT


@kernel
def write_policy(tree: Any, mind: Any, out: Any) -> float:
    """The policy to learn: shares of visits, without those that were only forced; returns the search's value."""
    root = tree.nodes[tree.counters[ROOT]]
    at, links = root.first * STATISTICS, root.first * LINKS
    out[:] = 0
    if root.proven != UNPROVEN:
        return write_proven(tree, out)
    total, value, best, most = 0.0, 0.0, 0, -1.0
    for i in range(root.count):
        seen = np.float64(tree.statistics[at + i])
        total += seen
        value += tree.statistics[at + SUM1 * root.count + i]
        if seen > most and tree.links[links + PROOF * root.count + i] != LOSS:
            best, most = i, seen
    kept = 0.0
    for i in range(root.count):
        visits: Any = np.float64(tree.statistics[at + i])
        if i != best and mind.forced > 0.0:
            owed = forced_visits(mind, tree.statistics[at + BIAS * root.count + i], total)
            visits = max(0.0, visits - owed)
            visits = 0.0 if visits <= 1.0 else visits  # a single visit was curiosity
        if tree.links[links + PROOF * root.count + i] == LOSS:
            visits = 0.0
        if i == best:
            visits = max(visits, 1.0)  # a short search may have seen nothing but lost moves
        out[tree.links[links + i]] = visits
        kept += visits
    for i in range(root.count):
        out[tree.links[links + i]] /= max(kept, 1e-9)
    return value / max(total, 1.0)


@kernel
def write_proven(tree: Any, out: Any) -> float:
    """The policy of a proven position: equal shares of the moves that keep the result; returns the result."""
    root = tree.nodes[tree.counters[ROOT]]
    links = root.first * LINKS
    kept = 0
    for i in range(root.count):
        if tree.links[links + PROOF * root.count + i] == root.proven:
            kept += 1
    for i in range(root.count):
        if tree.links[links + PROOF * root.count + i] == root.proven:
            out[tree.links[links + i]] = 1.0 / kept
    return 0.0 if root.proven == DRAW else np.float64(root.proven)


@kernel
def pick(policy: Any, random: Any, temperature: float) -> int:
    """A move drawn by its share of the policy to the power of 1 / temperature; at 0 the one with the largest."""
    best = 0
    for move in range(policy.size):
        if policy[move] > policy[best]:
            best = move
    if temperature <= 0.0:
        return best
    largest = np.float64(policy[best])
    total = 0.0
    for move in range(policy.size):
        total += power_of(policy[move] / largest, temperature)
    left = total * draw_unit(random)
    for move in range(policy.size):
        if policy[move] > 0:
            best = move
            left -= power_of(policy[move] / largest, temperature)
            if left < 0.0:
                return move
    return best


@kernel
def power_of(share: float, temperature: float) -> float:
    """What a share of the largest share weighs when moves are drawn."""
    return share if temperature == 1.0 or share <= 0.0 else share ** (1.0 / temperature)


@kernel
def note_position(state: Any, notes: Any, example: int, inputs: Any, moves: Any) -> None:
    """Write what a position looks like into an example."""
    count = features(state, inputs)
    for place in range(notes.inputs.shape[1]):
        notes.inputs[example, place] = inputs[place] if place < count else -1
    notes.legal[example, :] = False
    for i in range(legal_moves(state, moves)):
        notes.legal[example, moves[i]] = True
    notes.sense[example] = sense(state)
    notes.seats[example] = mover(state)


@kernel
def consider(tree: Any, mind: Any, network: Any, state: Any) -> None:
    """Think about a position from now on; first try to solve it, if it has few moves."""
    begin(tree, mind, network, state)
    if tree.nodes[tree.counters[ROOT]].count <= mind.endgame:
        solve_root(tree, mind.endgame_nodes, NEVER)


@kernel
def note_lessons(tree: Any, network: Any, notes: Any, examples: int, moves: Any) -> int:
    """Make examples of what the solver has gathered; how many there are then. They teach nothing but a value."""
    prover = tree.prover
    for lesson in range(prover.limits[GATHERED]):
        proven = prover.harvest.proofs[lesson]
        note_position(prover.harvest.states[lesson], notes, examples, network.inputs, moves)
        notes.policy[examples, :] = 0
        notes.search[examples] = 0.0 if proven == DRAW else np.float64(proven)
        notes.result[examples] = notes.search[examples]
        examples += 1
    return examples


@kernel
def play_at_random(state: Any, random: Any, moves: Any) -> None:
    """Any legal move."""
    play(state, moves[draw_below(random, legal_moves(state, moves))])


@kernel
def play_game(tree: Any, mind: Any, network: Any, random: Any, state: Any, notes: Any, policy: Any) -> int:
    """Play a game of a network against itself from a state, which is played to its end; how many examples it gave.

    The notes have room for all plies and for all that the tree's solver can gather.
    """
    forget(tree)
    tree.prover.limits[HARD], tree.prover.limits[GATHERED] = mind.lessons, 0
    examples, ply = 0, 0
    moves, noise = np.empty(policy.size, np.int64), np.empty(policy.size, np.float64)
    for _ in range(draw_below(random, mind.random + 1)):
        if not is_over(state):
            play_at_random(state, random, moves)
    strays, strayer = 0, 0
    if mind.stray > 0:
        strays, strayer = draw_below(random, mind.stray + 1), draw_below(random, 2)
    while not is_over(state):
        if ply < strays and mover(state) == strayer:
            play_at_random(state, random, moves)
            ply += 1
            continue
        consider(tree, mind, network, state)
        # Step 1: a full search, or a short one.
        full = draw_unit(random) < mind.full
        by_halving = full and mind.gumbel > 0
        thought = look(network, state) if by_halving else 0.0
        if by_halving:
            search_by_halving(tree, mind, network, random, thought, noise)
        elif full:
            search_fully(tree, mind, network, random)
        else:
            for _ in range(mind.short):
                if tree.nodes[tree.counters[ROOT]].proven == UNPROVEN:
                    simulate(tree, mind, network, random, ABSENT)
        value = write_policy(tree, mind, policy)
        proven = tree.nodes[tree.counters[ROOT]].proven
        move = pick(policy, random, mind.temperature if ply < mind.drawn else 0.0)
        if by_halving and proven == UNPROVEN:
            write_improved(tree, thought, policy)
            move = best_drawn(tree, noise, thought)
        if (full or proven != UNPROVEN) and examples < notes.search.size:
            note_position(state, notes, examples, network.inputs, moves)
            notes.policy[examples, :] = policy
            notes.search[examples] = value
            examples += 1
        # Step 2: the solver knows the result.
        if proven != UNPROVEN:
            seat = mover(state)
            result = 0.0 if proven == DRAW else np.float64(proven)
            finish(tree, mind, network, random, state, policy)
            for example in range(examples):
                notes.result[example] = result if notes.seats[example] == seat else -result
            omens(state, notes.omens)
            return note_lessons(tree, network, notes, examples, moves)
        # Step 3: play.
        play(state, move)
        ply += 1
    for example in range(examples):
        notes.result[example] = sign(final_score(state, notes.seats[example]))
    omens(state, notes.omens)
    return note_lessons(tree, network, notes, examples, moves)


@kernel
def finish(tree: Any, mind: Any, network: Any, random: Any, state: Any, policy: Any) -> None:
    """Play a proven game to its end; whoever wins keeps winning, as far as the solver sees it."""
    play(state, pick(policy, random, 1.0))
    while not is_over(state):
        consider(tree, mind, network, state)
        for _ in range(mind.short):
            if tree.nodes[tree.counters[ROOT]].proven != UNPROVEN:
                break
            simulate(tree, mind, network, random, ABSENT)
        write_policy(tree, mind, policy)
        play(state, pick(policy, random, 1.0))


@kernel
def duel(trees: Any, mind: Any, networks: Any, random: Any, state: Any, first: int) -> int:
    """A game of two networks from a state, in which network 0 has the seat `first`; its result for network 0.

    Each follows the game in a tree of its own, with `mind.simulations` a move and the most visited move played.
    """
    forget(trees[0])
    forget(trees[1])
    while not is_over(state):
        if mover(state) == first:
            move = best_move(trees[0], mind, networks[0], random, state)
        else:
            move = best_move(trees[1], mind, networks[1], random, state)
        play(state, move)
    return sign(final_score(state, first))


@kernel
def best_move(tree: Any, mind: Any, network: Any, random: Any, state: Any) -> Any:
    """The most visited move of a search, or one that keeps a proven result."""
    begin(tree, mind, network, state)
    for _ in range(mind.simulations):
        if tree.nodes[tree.counters[ROOT]].proven != UNPROVEN:
            break
        simulate(tree, mind, network, random, ABSENT)
    root = tree.nodes[tree.counters[ROOT]]
    at, links = root.first * STATISTICS, root.first * LINKS
    best, highest = 0, -math.inf
    for i in range(root.count):
        proof = tree.links[links + PROOF * root.count + i]
        worth: Any = np.float64(tree.statistics[at + i])
        if proof == WIN:
            worth = math.inf
        elif proof == LOSS:
            worth -= 1e9
        if worth > highest:
            best, highest = i, worth
    return np.int64(tree.links[links + best])
