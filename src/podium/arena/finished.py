"""A finished game: one shape, from the worker that played it to the store and to the reports.

Its fields are the columns of the store's table of games, in this order. Who wants to know more of a game adds a field
here, fills it where games are played (`work`), and raises the version of the store.
"""

from dataclasses import dataclass
from typing import NamedTuple

from podium.games.game import Ending

Put = tuple[int, str, str]  # a seat put out: the seat, why in a word, and a sentence for people
Mark = tuple[int, str, int]  # a seat, what the arena saw of its answers, and how often


SPOILED = "the machine spoiled it"  # how the sentence of a game begins that is void for that reason
STALLS = "stalled"  # a mark: the machine took more than a tenth of an answer's time
EXCUSED = "by the machine's fault"  # a mark: late or silent, but would have been in time on a quiet machine


class Result(NamedTuple):
    """What ratings need to know of a game."""

    meeting: str
    round: int
    bots: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(slots=True)
class FinishedGame:
    """What is known of a game that has ended."""

    id: int  # its number in the store, 0 before it is there
    run: int
    meeting: str  # which bots meet, by their fingerprints
    round: int
    part: int  # which seating of the block
    seed: int
    bots: tuple[int, ...]  # who sat where, by the bots' numbers in the store
    scores: tuple[float, ...]
    ranks: tuple[int, ...]  # 1 is best
    ending: str
    sentence: str
    faults: tuple[Put, ...]
    marks: tuple[Mark, ...]
    signature: str  # a hash of all answers
    started: float  # seconds since 1970
    seconds: float
    asked: bytes  # the seat of each answer
    times: bytes  # ms of each answer, 32-bit floats
    record: bytes = b""  # all answers (see `record`); a table of its own keeps it, and it is read only when asked for

    @property
    def place(self) -> tuple[str, int, int]:
        """Its place in the schedule of its run, which no other game of the run has."""
        return self.meeting, self.round, self.part

    @property
    def why(self) -> str:
        """Why it ended, in a word: where no answer ended it, what the arena saw of that (crashed, late, ...)."""
        return self.faults[-1][1] if self.faults and self.ending == Ending.NO_ANSWER.value else self.ending

    @property
    def is_spoiled(self) -> bool:
        """Whether it is void because the machine decided it."""
        return self.ending == Ending.VOID.value and self.sentence.startswith(SPOILED)

    def seats_of(self, bot: int) -> frozenset[int]:
        """The seats that a bot had."""
        return frozenset([seat for seat, other in enumerate(self.bots) if other == bot])
