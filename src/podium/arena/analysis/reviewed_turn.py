"""One answer of a reviewed game: what was played, what the reviewing bot would have played, and what it cost."""

from dataclasses import dataclass

# lost win probability from which on a move is marked, as lichess does (half of its scale from -1 to 1)
MARKS = ((0.15, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))


@dataclass(frozen=True)
class ReviewedTurn:
    """One answer of the seat, and the bot's review of it."""

    turn: int  # of the game, from 1
    played: str | None  # None: no answer in time
    better: str  # what the bot would have answered; the same as `played` if it agrees
    value: float | None  # of the bot's own move
    played_value: float | None  # of what was played
    depth: int  # to which the bot looked on its own
    expected: list[str]  # how the bot expects the game to go on after its own move
    feared: list[str]  # and after the one that was played, where it has looked
    win: float | None = None  # win probability of the bot's own move; None: its evaluations have none
    played_win: float | None = None  # and of what was played

    @property
    def cost(self) -> float | None:
        """What the played move gave away; None if the bot cannot tell, 0 if it sees nothing better.

        A win that is later, or a loss that is sooner, costs nothing.
        """
        if self.value is None or self.played_value is None:
            return None
        return 0.0 if self.win is not None and self.win == self.played_win else max(0.0, self.value - self.played_value)

    @property
    def lost_win(self) -> float | None:
        """The win probability that the played move gave away; None if it is not known."""
        if self.win is None or self.played_win is None:
            return None
        return max(0.0, self.win - self.played_win)

    @property
    def words(self) -> str:
        """What was played, as the bot writes it in its lines if it has looked at it."""
        line = self.feared or (self.expected if self.played == self.better else [])
        return line[0] if line else self.played or "nothing"

    @property
    def mark(self) -> str:
        """How bad the played move was, as a word; empty for a good one, or if it is not known."""
        return next((word for least, word in MARKS if (self.lost_win or 0.0) >= least), "")


@dataclass(frozen=True)
class TurnContext:
    """What the replay knows of an answer besides its review."""

    index: int  # of the answer in the record
    limit_ms: float  # of its time
    others: tuple[int, ...] = ()  # the answers of the other seats in the same turn, by index

    @property
    def alone(self) -> bool:
        """Whether nobody else answered in the same turn."""
        return not self.others
