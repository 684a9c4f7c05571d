"""The result of a search, in one shape for all searches."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from podium.model.proofs import DRAW, LOSS, UNPROVEN, WIN


class Proof(StrEnum):
    """What is proven of a position or a move, for the seat that searched."""

    NONE = ""  # nothing: the value is an estimate
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    EXACT = "exact"  # the value is that of the whole game, on the scale of the bot's own `terminal_value`


PROOFS = {UNPROVEN: Proof.NONE, WIN: Proof.WIN, LOSS: Proof.LOSS, DRAW: Proof.DRAW}  # by the numbers of kernels


@dataclass(frozen=True, slots=True)
class RootMove:
    """What a search found out about one move at the root."""

    move: int
    value: float  # for the seat that searched
    visits: int = 0  # playouts through it, or the sequences of a beam that begin with it
    proof: Proof = Proof.NONE
    line: Sequence[int] = ()  # the principal variation that begins with this move, if it is known
    share: float = 0.0  # its probability in a mixed strategy; 0 in searches that find none


@dataclass(frozen=True, slots=True)
class Matrix:
    """A turn in which several seats choose at the same time, as a matrix game of the seat that searched."""

    rows: Sequence[int]  # its moves
    columns: Sequence[tuple[int, ...]]  # joint choices of the others, in the order in which they choose
    values: Sequence[Sequence[float]]  # [row][column], for the seat that searched; nan: not searched
    row_shares: Sequence[float]  # the mixed strategy of the seat that searched
    column_shares: Sequence[float]  # that of the others; all shares add up to 1 if all columns are listed


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found out about a position."""

    move: int
    value: float  # for the seat that searched, on the scale of its evaluation or of its playouts
    depth: int  # plies; of an unfinished iteration, its depth
    nodes: int  # positions made, or simulations
    line: list[int]  # the principal variation, the move included
    proof: Proof = Proof.NONE
    options: Sequence[RootMove] = ()  # root moves, best first; not always all of them
    matrix: Matrix | None = None  # the turn at the root, from searches of simultaneous moves
