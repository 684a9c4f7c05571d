"""A finished game: one shape, from the worker that played it to the store and to the reports.

Its fields are the columns of the store's table of games, in this order. Who wants to know more of a game adds a field
here, fills it where games are played (`work`), and raises the version of the store.
"""

from dataclasses import dataclass
from typing import NamedTuple

from podium.games.game import Ending

Put = tuple[int, str, str]  # a seat put out: the seat, why in a word, and a sentence for people
Mark = tuple[int, str, int]  # a seat, what the arena saw of its answers, and how often


VOID = Ending.VOID.value
MOST_ROUNDS = 10**9  # of a meeting: so many flags fit into memory
SPOILED = "the machine spoiled it"  # how the sentence of a game begins that is void for that reason
STALLS = "stalled"  # a mark: the machine took more than a tenth of an answer's time
EXCUSED = "by the machine's fault"  # a mark: late or silent, but would have been in time on a quiet machine


class Result(NamedTuple):
    """Who played a game and how it ended: most games of a run share theirs with many others."""

    meeting: str  # which bots meet, by their fingerprints
    bots: tuple[int, ...]  # who sat where, by the bots' numbers in the store
    ranks: tuple[int, ...]  # 1 is best
    ending: str
    sentence: str  # of a void game: why it is; else ""
    faults: tuple[Put, ...]
    marks: tuple[Mark, ...]

    @property
    def why(self) -> str:
        """Why it ended, in a word: where no answer ended it, what the arena saw of that (crashed, late, ...)."""
        return self.faults[-1][1] if self.faults and self.ending == Ending.NO_ANSWER.value else self.ending

    @property
    def is_void(self) -> bool:
        """Whether the game does not count: nobody could bring it to its end, or the machine decided it."""
        return self.ending == VOID

    @property
    def is_spoiled(self) -> bool:
        """Whether it is void because the machine decided it."""
        return self.is_void and self.sentence.startswith(SPOILED)

    @property
    def is_odd(self) -> bool:
        """Whether the arena saw something of its answers."""
        return bool(self.faults or self.marks)

    def seats_of(self, bot: int) -> frozenset[int]:
        """The seats that a bot had."""
        return frozenset([seat for seat, other in enumerate(self.bots) if other == bot])


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
    def result(self) -> Result:
        """What it may share with other games."""
        sentence = self.sentence if self.ending == VOID else ""
        return Result(self.meeting, self.bots, self.ranks, self.ending, sentence, self.faults, self.marks)
