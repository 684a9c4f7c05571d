"""A finished game: one row, from the worker that played it to the store and to the reports.

The fields of `GameRow` are the columns of the store's table of games: `schema` derives the table, and rows to and from
it, from their types. To add a column: add a field here, fill it where games are played (`tournament/worker.py`), raise
`VERSION` in `store_file.py`, and add to `STEPS` in `migration.py` how stores of the former format get it when they are
migrated, and how a view gives it to those that only read. What is counted of many games at once is also a field of
`GameResult`, where games share it, or a column of `GameColumns`; what users see of it belongs in `game_data.py`.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from podium.arena.game.decoding import Count
from podium.arena.game.sentences import game_sentence
from podium.games.game import Annulment, AnswerVerdict, Ending, Fault

MOST_ROUNDS = 10**9  # of a pairing: a flag for each has to fit into memory


class Irregularity(StrEnum):
    """What the arena saw of an answer beside a plain answer: any other verdict, and what the machine did to it."""

    EXTRA_LINES = "extra_lines"
    OVERRUN = "overrun"
    GARBAGE = "garbage"
    LATE = "late"
    SILENT = "silent"
    CRASHED = "crashed"
    EXITED = "exited"
    CLOSED_OUTPUT = "closed_output"
    FLOOD = "flood"
    NOT_STARTED = "not_started"
    STALLED = "stalled"  # the machine took more than a tenth of the answer's time
    EXCUSED = "excused"  # late or silent, but it would have been in time on a quiet machine


class IrregularityCount(NamedTuple):
    """How often the arena saw something of a seat's answers."""

    seat: Count
    code: Irregularity
    times: Count


def counted_irregularities(seen: Iterable[tuple[int, Irregularity]]) -> tuple[IrregularityCount, ...]:
    """How often each seat has each code, in the order of both."""
    return tuple(IrregularityCount(seat, code, count) for (seat, code), count in sorted(Counter(seen).items()))


class GameResult(NamedTuple):
    """Who played a game and how it ended: most games of a run share theirs with many others."""

    pairing: str  # which bots meet, by their fingerprints
    bots: tuple[int, ...]  # who sat where, by the bots' numbers in the store
    ranks: tuple[int, ...]  # 1 is best
    ending: Ending
    annulment: Annulment | None
    faults: tuple[Fault, ...]
    irregularities: tuple[IrregularityCount, ...]

    @property
    def cause(self) -> Ending | AnswerVerdict:
        """The code that endings are counted by: where no answer ended the game, what the arena saw of that."""
        return self.faults[-1].cause if self.faults and self.ending is Ending.NO_ANSWER else self.ending

    @property
    def is_annulled(self) -> bool:
        """Whether the game does not count."""
        return self.ending is Ending.ANNULLED

    @property
    def is_machine_fault(self) -> bool:
        """Whether it does not count because the machine decided it."""
        return self.annulment is Annulment.MACHINE_FAULT

    @property
    def is_irregular(self) -> bool:
        """Whether a seat was disqualified, or the arena saw something else of the answers."""
        return bool(self.faults or self.irregularities)

    def seats_of(self, bot: int) -> frozenset[int]:
        """The seats that a bot had."""
        return frozenset([seat for seat, other in enumerate(self.bots) if other == bot])


@dataclass(frozen=True, slots=True)
class GameRow:
    """What is known of a game that has ended."""

    id: int  # its number in the store, 0 before it is there
    run: int
    pairing: str  # which bots meet, by their fingerprints
    round: int
    part: int  # which seating of the block
    seed: int
    bots: tuple[Count, ...]  # who sat where, by the bots' numbers in the store
    scores: tuple[float, ...]
    ranks: tuple[Count, ...]  # 1 is best
    ending: Ending
    annulment: Annulment | None  # of an annulled game: why it is
    detail: str  # how it ended in the referee's words, for people only
    faults: tuple[Fault, ...]
    irregularities: tuple[IrregularityCount, ...]
    signature: str  # a hash of all prompts and answers, and of the scores
    started: float  # seconds since 1970
    seconds: float
    asked: bytes  # the seat of each answer
    times: bytes  # ms of each answer, 32-bit floats; nan: unknown
    record: bytes = b""  # all answers (see `GameRecord`); in a table of its own, read only when asked for

    @property
    def place(self) -> tuple[str, int, int]:
        """Its place in the schedule of its run, which no other game of the run has."""
        return self.pairing, self.round, self.part

    @property
    def result(self) -> GameResult:
        """What it may share with other games."""
        return GameResult(*(getattr(self, name) for name in GameResult._fields))

    @property
    def sentence(self) -> str:
        """How it ended, for people."""
        return game_sentence(self.ending, self.annulment, self.detail, self.faults)
