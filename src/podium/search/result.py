"""What searches by depth find."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found."""

    move: int
    value: float  # for the seat that searched
    depth: int  # plies looked ahead; of a depth searched in part, that depth
    nodes: int
    line: list[int]  # the principal variation, its first move included
    proven: bool  # the value is that of the whole game
