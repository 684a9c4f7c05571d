"""What a worker does: play the games of a task and hand back their rows. All of it is plain data that travels."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.arena.entrants import Entrant, Player, player, warm_process
from podium.arena.limits import Allowance, Verdict
from podium.arena.play import play_game
from podium.arena.record import Recorder
from podium.games import load
from podium.games.game import Ending, Outcome, Referee
from podium.kernel.random import draw, generator

POSITIVE = 2**62 - 1  # seeds are kept below this, so that every contest's referee takes them


@dataclass(frozen=True)
class Conditions:
    """Under which games of a run are played."""

    game: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    allowance: Allowance = field(default_factory=Allowance)
    memory: int = 0  # megabytes for each program; 0: no limit
    keep_thoughts: bool = True
    suspend: bool = False  # programs sleep while they are not asked


@dataclass(frozen=True)
class Fixture:
    """One game to play: who sits where, and its place in the schedule."""

    meeting: str  # which bots meet
    round: int
    part: int  # which seating of the block
    seats: tuple[int, ...]  # index of the entrant in each seat
    seed: int


@dataclass(frozen=True)
class Row:
    """A finished game, as it is stored."""

    meeting: str
    round: int
    part: int
    seats: tuple[int, ...]
    seed: int
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    ending: str
    sentence: str
    faults: tuple[tuple[int, str, str], ...]  # seat, why, the sentence for people
    marks: tuple[tuple[int, str, int], ...]  # seat, what the arena saw, how often
    signature: str
    started: float  # seconds since 1970
    seconds: float
    asked: bytes  # the seat of each answer
    times: bytes  # ms of each answer, 32-bit floats
    record: bytes


def seed_of(*parts: int) -> int:
    """A seed made of numbers, none of which can be told from it."""
    bits = 0
    for part in parts:
        bits = int(draw(generator(bits ^ (part & (2**64 - 1)))))
    return bits & POSITIVE


def play_fixtures(conditions: Conditions, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]) -> list[Row]:
    """Play games one after the other."""
    return [play_fixture(conditions, entrants, fixture) for fixture in fixtures]


def play_fixture(conditions: Conditions, entrants: Sequence[Entrant], fixture: Fixture) -> Row:
    """Play one game."""
    game = load(conditions.game)
    sitting = [entrants[index] for index in fixture.seats]
    for who in sitting:
        if not who.is_program:
            warm_process(game, who.kind, dict(who.changes))
    started = time.time()
    seeds = [seed_of(fixture.seed, fixture.part, seat) for seat in range(len(sitting))]
    referee = game.new_referee(fixture.seed, conditions.settings)
    players: list[Player] = []
    try:
        for who, seed in zip(sitting, seeds, strict=True):
            players.append(player(game, who, seed, conditions.memory, conditions.suspend))
        return play_seated(conditions, fixture, referee, players, [who.handicap for who in sitting], started)
    finally:
        for one in players:
            one.close(())


def play_seated(
    conditions: Conditions,
    fixture: Fixture,
    referee: Referee,
    players: Sequence[Player],
    handicaps: Sequence[float],
    started: float,
) -> Row:
    """Play a game between players who are there, and say farewell to them."""
    record = Recorder(keep_thoughts=conditions.keep_thoughts)
    outcome = play_game(referee, players, conditions.allowance, record, handicaps)
    for seat, one in enumerate(players):
        words = one.close(referee.farewell(seat))
        _add_last_words(record, seat, words, one.orphans)
    return _row(fixture, outcome, record, started, time.time() - started)


def _add_last_words(record: Recorder, seat: int, words: str, orphans: int) -> None:
    """What a program wrote after its last answer is kept with that answer."""
    if orphans:
        words += f"\n[podium: {orphans} processes left behind were killed]"
    if words and seat in record.seats:
        index = len(record.seats) - 1 - record.seats[::-1].index(seat)
        record.stderr[index] = record.stderr.get(index, "") + words


def _row(fixture: Fixture, outcome: Outcome, record: Recorder, started: float, seconds: float) -> Row:
    return Row(
        fixture.meeting,
        fixture.round,
        fixture.part,
        fixture.seats,
        fixture.seed,
        tuple(float(score) for score in outcome.scores),
        tuple(int(rank) for rank in outcome.ranks),
        outcome.ending.value,
        outcome.sentence,
        tuple(faults_of(outcome, record)),
        tuple(marks_of(record)),
        record.signature(),
        started,
        seconds,
        bytes(record.seats),
        record.packed_times(),
        record.pack(),
    )


def faults_of(outcome: Outcome, record: Recorder) -> list[tuple[int, str, str]]:
    """The seats put out and why: what the arena saw, where it knows better than the referee."""
    last = {record.seats[index]: seen for index, seen in record.verdicts.items()}
    faults = []
    for fault in outcome.faults:
        word, reason = last.get(fault.seat, ("", ""))
        if fault.ending is not Ending.NO_ANSWER and word != Verdict.GARBAGE.value:
            reason = f"{word}: {reason}" if word else ""
            word = fault.ending.value
        word = word or fault.ending.value
        faults.append((fault.seat, word, f"{fault.sentence} ({reason})" if reason else fault.sentence))
    return faults


def marks_of(record: Recorder) -> list[tuple[int, str, int]]:
    """How often the arena saw something about a seat's answers, by seat and word."""
    counts = Counter((record.seats[index], word) for index, (word, _) in record.verdicts.items())
    return [(seat, word, count) for (seat, word), count in sorted(counts.items())]
