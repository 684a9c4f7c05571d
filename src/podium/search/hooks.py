"""What a search asks of a bot or a game besides the rules: the hooks, all in one place.

Each is a generic function with a default, so that only those are implemented that a game or bot has something to say
to. Those chosen by two record types are handed the mind, or the outlook in its place. docs/algorithms/hooks.md has them
as a table.
"""

from typing import Any

import numpy as np

from podium.kernel import generic, kernel
from podium.kernel.random import draw_below
from podium.kernel.rules import final_score, mover, moves_unless_over, play
from podium.search.solve import sign

WORTH_OF_A_WIN = 1e6  # more than any evaluation

NO, YES, UNKNOWN = 0, 1, -1  # what `playable` answers

TOTAL = 1.0  # of all shares of a position

# Rows of a tally of playouts: how often the side to move played a move, and its wins less losses in those; and the same
# for the moves of the other side (wins less losses still those of the side to move).
OWN, OWN_SUM, OTHER, OTHER_SUM = range(4)
ROWS = 4


@generic(by=1)
def side(state: Any, seat: Any, root: Any) -> Any:
    """Whether a seat plays for the root's seat (0) or against it (1)."""


@side.otherwise
@kernel
def against_the_rest(state: Any, seat: Any, root: Any) -> Any:
    """A seat plays for itself, against all others."""
    return 0 if seat == root else 1


@generic(by=2)
def terminal_value(state: Any, mind: Any, seat: Any) -> Any:
    """What the end of a game is worth to a seat, on the scale of `evaluate`."""


@terminal_value.otherwise
@kernel
def won_or_lost(state: Any, mind: Any, seat: Any) -> Any:
    """A million for a win, so that no evaluation weighs more, and the final score."""
    score = np.float64(final_score(state, seat))
    if score > 0.0:
        return score + WORTH_OF_A_WIN
    if score < 0.0:
        return score - WORTH_OF_A_WIN
    return score


@generic(by=2)
def tie_break(state: Any, mind: Any, move: Any) -> Any:
    """A rule of thumb for moves that nothing is known about: a whole number from 0 to 4095, high is tried first."""


@tie_break.otherwise
@kernel
def no_tie_break(state: Any, mind: Any, move: Any) -> Any:
    """Games without a rule of thumb."""
    return 0


@generic(by=2)
def playable(state: Any, mind: Any, move: Any) -> Any:
    """YES or NO: whether a move is a candidate; or UNKNOWN, always.

    A bot that implements it guarantees at least one candidate in every position that is not over.
    """


@playable.otherwise
@kernel
def not_told(state: Any, mind: Any, move: Any) -> Any:
    """Only the list of candidates tells."""
    return UNKNOWN


@generic(by=2)
def shares(state: Any, mind: Any, out: Any) -> Any:
    """Write each seat's share of a position: not negative, and in sum TOTAL."""


@generic(by=2)
def advance(state: Any, mind: Any, move: Any) -> Any:
    """Play a candidate and whatever others do, in place, until the searching seat chooses again."""


@advance.otherwise
@kernel
def advance_alone(state: Any, mind: Any, move: int) -> None:
    """Nobody else does anything."""
    play(state, move)


@generic(by=2)
def standing(state: Any, mind: Any, seat: Any) -> Any:
    """The part of a position's worth that is not discounted."""


@standing.otherwise
@kernel
def no_standing(state: Any, mind: Any, seat: int) -> float:
    """All of the worth is discounted."""
    return 0.0


@generic(by=1)
def playouts(state: Any, room: Any, random: Any, number: int, tally: Any) -> Any:
    """Play random games from a position, add to the tally, return wins less losses of the side to move."""


@playouts.otherwise
@kernel
def plain_playouts(state: Any, room: Any, random: Any, number: int, tally: Any) -> int:
    """Random games by the rules."""
    balance = 0
    side = mover(state)
    moves, seats = room.played[0], room.played[1]
    for _ in range(number):
        plies = 0
        room.states[0] = state
        game = room.states[0]
        while True:
            count = moves_unless_over(game, room.moves)
            if count == 0:
                break
            moves[plies] = room.moves[draw_below(random, count)]
            seats[plies] = mover(game)
            play(game, moves[plies])
            plies += 1
        result = sign(final_score(game, side))
        balance += result
        for ply in range(plies):
            row = OWN if seats[ply] == side else OTHER
            tally[row, moves[ply]] += 1
            tally[row + 1, moves[ply]] += result
    return balance


@generic(by=1)
def impact(state: Any, move: Any) -> Any:
    """How many moves a move takes away, itself included."""


@impact.otherwise
@kernel
def no_impact(state: Any, move: Any) -> int:
    """Games in which moves do not take others away."""
    return 1


@generic(by=1)
def features(state: Any, out: Any) -> Any:
    """Write the indices of a network's inputs that are on, as the side to move sees the position; return how many."""


@generic(by=1)
def sense(state: Any) -> Any:
    """1 or -1: what a network's value of a position is multiplied by. It must not tell more than the key does."""


@sense.otherwise
@kernel
def as_it_is(state: Any) -> Any:
    """The network's value is that of the side to move."""
    return 1


@generic(by=1)
def omens(state: Any, out: Any) -> Any:
    """Write what a network may learn to foretell of the end of a game, 0 or 1 each, given the ended game's state."""


@omens.otherwise
@kernel
def no_omens(state: Any, out: Any) -> None:
    """Nothing is foretold."""
