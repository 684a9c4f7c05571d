"""What a worker does: play the games of a task and hand them back finished. All of it is plain data that travels."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from podium.arena.conditions import Conditions
from podium.arena.entrants import Entrant
from podium.arena.finished import EXCUSED, SPOILED, STALLS, FinishedGame, Mark, Put
from podium.arena.limits import Verdict
from podium.arena.orphans import kill_adopted
from podium.arena.play import play_game
from podium.arena.players import Player, player, warm_process
from podium.arena.positions import Position
from podium.arena.record import Recorder
from podium.arena.rewinding import lead
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Ending, Host, Outcome, Referee
from podium.games.loop import RefereeError
from podium.kernel.random import draw, generator

POSITIVE = 2**62 - 1  # seeds are kept below this, so that every contest's referee takes them


@dataclass(frozen=True)
class Fixture:
    """One game to play: who sits where, and its place in the schedule."""

    meeting: str  # which bots meet
    round: int
    part: int  # which seating of the block
    bots: tuple[int, ...]  # who sits where, by the bots' numbers in the store
    seed: int
    position: Position | None = None  # that the game begins in; else at its start

    @property
    def place(self) -> tuple[str, int, int]:
        """Its place in the schedule of its run."""
        return self.meeting, self.round, self.part


def seed_of(*parts: int) -> int:
    """A seed made of numbers, none of which can be told from it."""
    bits = 0
    for part in parts:
        bits = int(draw(generator(bits ^ (part & (2**64 - 1)))))
    return bits & POSITIVE


def play_fixtures(
    conditions: Conditions, entrants: Mapping[int, Entrant], fixtures: Sequence[Fixture]
) -> list[FinishedGame]:
    """Play games one after the other."""
    return [play_fixture(conditions, entrants, fixture) for fixture in fixtures]


def play_fixture(conditions: Conditions, entrants: Mapping[int, Entrant], fixture: Fixture) -> FinishedGame:
    """Play one game."""
    game = load(conditions.game)
    sitting = [entrants[number] for number in fixture.bots]
    if game.host:
        return _play_hosted(game.host, sitting, fixture)
    for who in sitting:
        if not who.is_program:
            warm_process(game, who.kind, dict(who.changes))
    started = time.time()
    played = replace(fixture, seed=fixture.position.seed) if fixture.position else fixture
    try:
        referee = game.new_referee(played.seed, conditions.settings)
    except PodiumError:
        raise
    except Exception as error:
        sentence = f"the referee failed before the game: {type(error).__name__}: {error}"
        return _finished(played, void(game.seats, sentence), Recorder(), started, 0.0)
    seeds = [seed_of(fixture.seed, fixture.part, seat) for seat in range(len(sitting))]
    players: list[Player] = []
    try:
        for who, seed in zip(sitting, seeds, strict=True):
            players.append(player(game, who, seed, conditions.memory, conditions.suspend))
        record = lead(referee, players, fixture.position) if fixture.position else Recorder()
        record.keep_thoughts = conditions.keep_thoughts
        return play_seated(conditions, played, referee, players, [who.handicap for who in sitting], started, record)
    finally:
        for one in players:
            one.close(())
        referee.close()
        kill_adopted()


def _play_hosted(host: Host, sitting: Sequence[Entrant], fixture: Fixture) -> FinishedGame:
    """A game that another program plays by itself: there is a result, and no answers."""
    started = time.time()
    record = Recorder()
    try:
        outcome, record.archive = host(fixture.seed, [who.argv for who in sitting])
    except PodiumError as error:
        outcome = void(len(sitting), str(error))
    return _finished(fixture, outcome, record, started, time.time() - started)


def play_seated(
    conditions: Conditions,
    fixture: Fixture,
    referee: Referee,
    players: Sequence[Player],
    handicaps: Sequence[float],
    started: float,
    record: Recorder | None = None,
) -> FinishedGame:
    """Play a game between players who are there, and say farewell to them; `record` is of what was played before."""
    record = record or Recorder(keep_thoughts=conditions.keep_thoughts)
    try:
        outcome = play_game(referee, players, conditions.allowance, record, handicaps)
        farewells = [referee.farewell(seat) for seat in range(len(players))]
    except RefereeError as error:
        outcome = void(len(players), str(error))
        farewells = [()] * len(players)
    record.archive = referee.archive()
    if conditions.fair and record.excused:
        outcome = void(len(players), spoiled_sentence(record))
    for seat, one in enumerate(players):
        words = one.close(farewells[seat])
        _add_last_words(record, seat, words, one.orphans)
    return _finished(fixture, outcome, record, started, time.time() - started)


def void(seats: int, sentence: str) -> Outcome:
    """The outcome of a game that nobody could judge."""
    return Outcome((0.0,) * seats, (1,) * seats, Ending.VOID, sentence)


def _add_last_words(record: Recorder, seat: int, words: str, orphans: int) -> None:
    """What a program wrote after its last answer is kept with that answer."""
    if orphans:
        words += f"\n[podium: {orphans} processes left behind were killed]"
    if words and seat in record.seats:
        index = len(record.seats) - 1 - record.seats[::-1].index(seat)
        record.stderr[index] = record.stderr.get(index, "") + words


def _finished(fixture: Fixture, outcome: Outcome, record: Recorder, started: float, seconds: float) -> FinishedGame:
    faults = faults_of(outcome, record)
    return FinishedGame(
        id=0,
        run=0,
        meeting=fixture.meeting,
        round=fixture.round,
        part=fixture.part,
        seed=fixture.seed if outcome.seed is None else outcome.seed,
        bots=fixture.bots,
        scores=tuple(float(score) for score in outcome.scores),
        ranks=tuple(int(rank) for rank in outcome.ranks),
        ending=outcome.ending.value,
        sentence=sentence_of(outcome, faults),
        faults=tuple(faults),
        marks=tuple(marks_of(record)),
        signature=record.signature(),
        started=started,
        seconds=seconds,
        asked=bytes(record.seats[record.past :]),
        times=record.packed_times(),
        record=record.pack(),
    )


def faults_of(outcome: Outcome, record: Recorder) -> list[Put]:
    """The seats put out and why: what the arena saw of the last answer, where it knows better than the referee."""
    told = {index for index, line in enumerate(record.lines) if line == "" and not record.times[index]}
    last = {seat: index for index, seat in enumerate(record.seats) if index not in told}
    faults = []
    for fault in outcome.faults:
        word, reason = record.verdicts.get(last.get(fault.seat, -1), ("", ""))
        if word and fault.ending is Ending.NO_ANSWER:
            sentence = f"{word}: {reason}" if reason else word
        else:
            sentence = f"{fault.sentence} ({word}: {reason})" if word else fault.sentence
            word = word if word == Verdict.GARBAGE.value else fault.ending.value
        faults.append((fault.seat, word, sentence))
    return faults


def sentence_of(outcome: Outcome, faults: Sequence[Put]) -> str:
    """How a game ended; where a seat that gave no answer ended it, what the arena saw of that."""
    for fault, (seat, word, sentence) in zip(outcome.faults, faults, strict=True):
        if fault.sentence == outcome.sentence and fault.ending is Ending.NO_ANSWER and word != fault.ending.value:
            return f"seat {seat} was put out: {sentence}"
    return outcome.sentence


def spoiled_sentence(record: Recorder) -> str:
    """Why a game is void that the machine spoiled."""
    index = record.excused[0]
    word, reason = record.verdicts[index]
    return f"{SPOILED}: seat {record.seats[index]} was {word} ({reason})"


def marks_of(record: Recorder) -> list[Mark]:
    """How often the arena saw something about a seat's answers, by seat and word."""
    counts = Counter((record.seats[index], word) for index, (word, _) in record.verdicts.items())
    counts += Counter((record.seats[index], STALLS) for index in record.stalls)
    counts += Counter((record.seats[index], EXCUSED) for index in record.excused)
    return [(seat, word, count) for (seat, word), count in sorted(counts.items())]
