"""What a worker does: play the games of a task and hand them back as rows. All of it is plain data that travels."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from podium.arena.entrants.entrant import Entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.play import WatchAnswer, ignore, play_recorded
from podium.arena.game.players import Player, seated, warm_process
from podium.arena.game.record import GameRecord, Recorder
from podium.arena.game.rewind import play_opening
from podium.arena.game.start_positions import Position
from podium.arena.processes.reaper import kill_adopted
from podium.arena.store.game_row import GameRow, Irregularity, counted_irregularities
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Annulment, Outcome, Referee, ScriptRunner, annulled
from podium.kernel.random import draw, generator

POSITIVE = 2**62 - 1  # seeds are kept below this, so that every contest's referee takes them


@dataclass(frozen=True)
class Fixture:
    """One game to play: who sits where, and its place in the schedule."""

    pairing: str  # which bots meet
    round: int
    part: int  # which seating of the block
    bots: tuple[int, ...]  # who sits where, by the bots' numbers in the store
    seed: int
    position: Position | None = None  # that the game begins in; else at its start
    exact_seed: int | None = None  # of the game, chosen by the user; the bots' seeds still follow from `seed`

    @property
    def game_seed(self) -> int:
        """The seed of the game itself."""
        if self.position:
            return self.position.seed
        return self.seed if self.exact_seed is None else self.exact_seed

    @property
    def place(self) -> tuple[str, int, int]:
        """Its place in the schedule of its run."""
        return self.pairing, self.round, self.part


class Stopwatch:
    """When a game began, and how long it has taken since, which a change of the system's time does not disturb."""

    def __init__(self) -> None:
        self.started = time.time()  # seconds since 1970
        self._start = time.monotonic()

    def seconds(self) -> float:
        """The seconds since its start."""
        return time.monotonic() - self._start


def seed_of(*parts: int) -> int:
    """A seed made of numbers, none of which can be told from it."""
    bits = 0
    for part in parts:
        bits = int(draw(generator(bits ^ (part & (2**64 - 1)))))
    return bits & POSITIVE


def play_fixtures(
    conditions: Conditions, entrants: Mapping[int, Entrant], fixtures: Sequence[Fixture]
) -> list[GameRow]:
    """Play games one after the other."""
    entrants = {number: who.unpacked() for number, who in entrants.items()}
    return [play_fixture(conditions, entrants, fixture) for fixture in fixtures]


def play_fixture(conditions: Conditions, entrants: Mapping[int, Entrant], fixture: Fixture) -> GameRow:
    """Play one fixture and return its row."""
    game = load(conditions.game)
    sitting = [entrants[number] for number in fixture.bots]
    played = replace(fixture, seed=fixture.game_seed)
    if game.external.script_runner:
        return _play_by_script(game.external.script_runner, sitting, played)
    for who in sitting:
        if not who.is_program:
            warm_process(game, who.kind, dict(who.changes))
    stopwatch = Stopwatch()
    try:
        referee = game.new_referee(played.seed, conditions.settings)
    except PodiumError:
        raise
    except Exception as error:
        detail = f"the referee failed before the game: {type(error).__name__}: {error}"
        return finished_row(
            played, annulled(game.seats, Annulment.REFEREE_FAILED, detail), Recorder(), stopwatch.started, 0.0
        )
    seeds = [seed_of(fixture.seed, fixture.part, seat) for seat in range(len(sitting))]
    try:
        with seated(game, sitting, seeds, conditions) as players:
            recorder = play_opening(referee, players, fixture.position) if fixture.position else Recorder()
            recorder.keep_thoughts = conditions.keep_thoughts
            handicaps = [who.handicap for who in sitting]
            return play_seated(conditions, played, referee, players, handicaps, stopwatch, recorder)
    finally:
        referee.close()
        kill_adopted()


def _play_by_script(runner: ScriptRunner, sitting: Sequence[Entrant], fixture: Fixture) -> GameRow:
    """A game that another program plays by itself: there is a result, and no answers."""
    stopwatch = Stopwatch()
    recorder = Recorder()
    try:
        outcome, archive = runner(fixture.seed, [who.argv for who in sitting])
        recorder.record.archive = dict(archive)
    except PodiumError as error:
        outcome = annulled(len(sitting), Annulment.PROGRAM_FAILED, str(error))
    return finished_row(fixture, outcome, recorder, stopwatch.started, stopwatch.seconds())


def play_seated(
    conditions: Conditions,
    fixture: Fixture,
    referee: Referee,
    players: Sequence[Player],
    handicaps: Sequence[float],
    stopwatch: Stopwatch,
    recorder: Recorder,
    watch: WatchAnswer = ignore,
) -> GameRow:
    """Play a game between players who are there, and close them; the recorder may hold what was played before."""
    outcome = play_recorded(
        referee, players, conditions.time_control, recorder, handicaps=handicaps, fair=conditions.fair, watch=watch
    )
    return finished_row(fixture, outcome, recorder, stopwatch.started, stopwatch.seconds())


def finished_row(fixture: Fixture, outcome: Outcome, recorder: Recorder, started: float, seconds: float) -> GameRow:
    """The one place that fills the columns of a stored game."""
    seed = fixture.seed if outcome.seed is None else outcome.seed
    scores = tuple(float(score) for score in outcome.scores)
    unseen = () if recorder.record.seats else (seed,)  # of a game without answers little else is known
    return GameRow(
        id=0,
        run=0,
        pairing=fixture.pairing,
        round=fixture.round,
        part=fixture.part,
        seed=seed,
        bots=fixture.bots,
        scores=scores,
        ranks=tuple(int(rank) for rank in outcome.ranks),
        ending=outcome.ending,
        annulment=outcome.annulment,
        detail=outcome.detail,
        faults=outcome.faults,
        irregularities=counted_irregularities(_irregularities(recorder.record)),
        signature=recorder.record.signature(*scores, *unseen),
        started=started,
        seconds=seconds,
        asked=recorder.asked,
        times=recorder.times,
        record=recorder.record.pack(),
    )


def _irregularities(record: GameRecord) -> Iterator[tuple[int, Irregularity]]:
    """What the arena saw of answers, each with its seat."""
    for index, (verdict, _) in record.verdicts.items():
        yield record.seats[index], Irregularity(verdict.value)
    for index in record.stalls:
        yield record.seats[index], Irregularity.STALLED
    for index in record.excused:
        yield record.seats[index], Irregularity.EXCUSED
