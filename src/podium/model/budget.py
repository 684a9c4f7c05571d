"""Budgets: the time or nodes that a bot may spend on one answer, and a search on one decision."""

from dataclasses import dataclass, replace
from fractions import Fraction

from podium.errors import LimitError
from podium.kernel.clock import NEVER, now


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit of time (what contests give) or of nodes (what reproducible experiments need); no limit by default."""

    deadline: int = NEVER  # on the clock of podium.kernel.clock, in nanoseconds
    bank: bool = False  # the deadline is for all remaining answers of the game together, not for this one
    nodes: int = 0  # if positive: search exactly this many nodes, and ignore the clock

    def __post_init__(self) -> None:
        if self.nodes < 0:
            raise LimitError(f"a budget has a positive number of nodes, or 0 to go by time, not {self.nodes}")

    @property
    def limits(self) -> tuple[int, int]:
        """Deadline and maximum number of nodes as kernels take them; NEVER for the one that is not limited."""
        return (NEVER, self.nodes) if self.nodes else (self.deadline, NEVER)

    def until(self, deadline: int) -> "Budget":
        """The same budget with another deadline, for this answer alone."""
        return replace(self, deadline=deadline, bank=False)

    def part(self, share: float | Fraction, since: int | None = None) -> "Budget":
        """A share (from 0 to 1) of the nodes, or of the time from `since` (default: now) to the deadline.

        A budget of nodes keeps at least one node. A Fraction divides nodes without rounding errors.
        """
        if self.nodes:
            return replace(self, bank=False, nodes=max(1, int(self.nodes * share)))
        if self.deadline == NEVER:
            return replace(self, bank=False)
        begin = now() if since is None else since
        return self.until(begin + int((self.deadline - begin) * share))

    def slices(self, count: int) -> list["Budget"]:
        """`count` equal parts, to be spent one after the other from now on."""
        begin = now()
        shares = [1] * count if self.nodes else range(1, count + 1)
        return [self.part(Fraction(share, count), begin) for share in shares]


NO_LIMIT = Budget()
