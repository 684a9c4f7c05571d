"""What every search finds, in one shape."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Proof(StrEnum):
    """What is proven of a position or a move, for the seat that searched."""

    NONE = ""  # nothing: the value is an opinion
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    EXACT = "exact"  # the value is that of the whole game, on the scale of the bot's own `terminal_value`


@dataclass(frozen=True, slots=True)
class RootMove:
    """What a search knows of one move at the root."""

    move: int
    value: float  # for the seat that searched
    visits: int = 0  # playouts through it, or the sequences of a beam that begin with it
    proof: Proof = Proof.NONE
    line: Sequence[int] = ()  # how the game is expected to go on, the move included, if that is known


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found."""

    move: int
    value: float  # for the seat that searched, on the scale of its evaluation or of its playouts
    depth: int  # plies looked ahead; of a depth searched in part, that depth
    nodes: int  # positions made, or simulations
    line: list[int]  # the expected moves, the first one included
    proof: Proof = Proof.NONE
    options: Sequence[RootMove] = ()  # what is known of the moves at the root, best first; not always all of them
