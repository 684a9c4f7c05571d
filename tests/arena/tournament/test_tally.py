"""What games add up to: many at a time as one by one, in any order, just played or read from a store."""

import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from podium.arena.game.conditions import Conditions
from podium.arena.stats.intervals import distribution_of
from podium.arena.stats.sprt import RunningSprt, Sprt
from podium.arena.store.game_columns import columns_of, joined
from podium.arena.store.game_row import GameRow, Irregularity, IrregularityCount
from podium.arena.store.store import Store
from podium.arena.tournament.curve import MOST_POINTS, Curve
from podium.arena.tournament.league_tally import LeagueTally
from podium.arena.tournament.report import fault_warnings
from podium.arena.tournament.schedule import shared_seatings
from podium.arena.tournament.tally import BotTally, MatchTally, TimeTally, points_of
from podium.games.game import Annulment, AnswerVerdict, Ending, Fault

FIRST, SECOND = 7, 3
ODDITIES = (
    (Ending.NORMAL, None, (), ()),
    (Ending.NO_ANSWER, None, ((0, AnswerVerdict.CRASHED, {"status": 1}),), ()),
    (
        Ending.NO_ANSWER,
        None,
        ((1, AnswerVerdict.LATE, {"ms": 60.0}), (0, AnswerVerdict.LATE, {"ms": 70.0})),
        ((1, "late", 1),),
    ),
    (Ending.NORMAL, None, (), ((0, "stalled", 3), (1, "overrun", 2))),
    (Ending.ANNULLED, Annulment.REFEREE_FAILED, (), ()),
    (Ending.ANNULLED, Annulment.MACHINE_FAULT, (), ((0, "stalled", 1),)),
)
SHARES = (0.7, 0.06, 0.06, 0.12, 0.03, 0.03)


def season(seed, seats, rounds, ahead=0.0, pairing="m"):
    """Games in the order of the schedule: all sorts of endings, ties, and answers."""
    random = np.random.default_rng(seed)
    games = []
    for number in range(rounds):
        for part, seating in enumerate(shared_seatings(FIRST, SECOND, seats)):
            values = random.integers(0, 3, seats) + [ahead * (bot == FIRST) for bot in seating]
            ranks = tuple(int(1 + sum(values > own)) for own in values)
            ending, annulment, faults, seen = ODDITIES[random.choice(len(ODDITIES), p=SHARES)]
            faults = tuple(Fault(seat, Ending.NO_ANSWER, 1, "", *found) for seat, *found in faults)
            seen = tuple(IrregularityCount(seat, Irregularity(code), times) for seat, code, times in seen)
            asked = random.integers(0, seats, random.integers(0, 9)).astype(np.uint8).tobytes()
            times = random.gamma(2, 20, len(asked)).astype(np.float32).tobytes()
            signature = f"{random.integers(50):x}"
            stamps = (1e9 + len(games), 0.5)
            scores = (0.0,) * seats
            game = (len(games) + 1, 1, pairing, number, part, 5, seating, scores, ranks, ending, annulment, "")
            games.append(GameRow(*game, faults, seen, signature, *stamps, asked, times))
    return games


class PlainBot:
    """What a bot did, seat by seat and answer by answer."""

    def __init__(self):
        self.faults, self.irregularities, self.example, self.times = Counter(), Counter(), {}, []

    def add(self, game, bot):
        for fault in game.faults:
            if game.bots[fault.seat] == bot:
                self.faults[fault.cause] += 1
                self.example.setdefault(fault.cause, (game.id, fault))
        for seat, word, number in game.irregularities:
            if game.bots[seat] == bot:
                self.irregularities[word] += number
        times = np.frombuffer(game.times, np.float32).tolist()
        self.times += [time for seat, time in zip(game.asked, times, strict=True) if game.bots[seat] == bot]


class PlainMatch:
    """The twin: game by game and block by block, straight from the rules of counting."""

    def __init__(self, games, size, test):
        self.bots = {FIRST: PlainBot(), SECOND: PlainBot()}
        self.annulled, self.machine_faults, self.machine_fault_blocks, self.scores = [], [], 0, []
        self.counted, self.sequential = [], RunningSprt(test, size) if test else None
        blocks = {}
        for game in games:
            blocks.setdefault(game.round, []).append(game)
        number = 0
        while len(blocks.get(number, ())) == size and not self.decided:
            self.add_block(sorted(blocks[number], key=lambda game: game.part))
            number += 1

    @property
    def decided(self):
        return self.sequential is not None and self.sequential.decision.accepted != 0

    def add_block(self, block):
        annulled = [game for game in block if game.ending == "annulled"]
        if annulled:
            decided = [game.id for game in annulled if game.annulment == "machine_fault"]
            self.machine_faults += decided
            self.machine_fault_blocks += bool(decided)
            self.annulled += [game.id for game in annulled if game.id not in decided]
            return
        self.scores.append(sum(points_of(game.bots, game.ranks, FIRST)[0] for game in block) / len(block))
        if self.sequential:
            self.sequential.add([self.scores[-1]])
        self.counted += block
        for game in block:
            for bot, plain in self.bots.items():
                plain.add(game, bot)


def assert_same_bot(found, plain):
    assert (found.faults, found.irregularities, found.example) == (plain.faults, plain.irregularities, plain.example)
    clock = found.clock.times()
    assert (clock.answers, clock.worst) == (len(plain.times), max(plain.times, default=0.0))
    assert clock.mean == pytest.approx(np.mean(plain.times) if plain.times else 0.0)
    if plain.times:
        assert clock.p99 == pytest.approx(np.quantile(plain.times, 0.99, method="inverted_cdf"), rel=0.01)


def assert_same_match(tally, plain, size):
    assert tally.annulled == plain.annulled
    assert (tally.machine_faults, tally.machine_fault_blocks) == (plain.machine_faults, plain.machine_fault_blocks)
    assert tally.counted == len(plain.counted)
    assert tally.distribution == distribution_of(plain.scores, size)
    assert tally.decision == (plain.sequential.decision if plain.sequential else None)
    assert tally.endings == Counter(game.result.cause for game in plain.counted)
    assert tally.distinct == len({game.signature for game in plain.counted})
    points = [points_of(game.bots, game.ranks, FIRST) for game in plain.counted]
    assert tally.total.points == pytest.approx(sum(whole for whole, _ in points))
    for seat, found in enumerate(tally.seats):
        shares = [share for _, each in points for own, share in each if own == seat]
        assert (found.games, found.points) == (len(shares), pytest.approx(sum(shares)))
        assert found.drawn == shares.count(0.5)
    for bot, plain_bot in plain.bots.items():
        assert_same_bot(tally.bots[bot], plain_bot)


def split(games, random, most):
    """Games in parts of any size."""
    while games:
        number = int(random.integers(1, most))
        yield games[:number]
        games = games[number:]


ORDERS = {
    "as planned": lambda games, random: games,
    "nearly": lambda games, random: [
        games[place] for place in np.argsort(np.arange(len(games)) + random.random(len(games)) * 9)
    ],
    "shuffled": lambda games, random: [games[place] for place in random.permutation(len(games))],
    "with a gap": lambda games, random: games[:150] + games[151:],
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("test", [None, Sprt(0, 30), Sprt(-30, 0)], ids=["no test", "H1", "H0"])
def test_many_at_a_time_count_as_one_by_one(order, seats, test):
    random = np.random.default_rng(4)
    size = len(shared_seatings(FIRST, SECOND, seats))
    ahead = 0.0 if test is None else 0.4 if test.elo0 == 0 else -0.4
    games = ORDERS[order](season(1, seats, 600 // size, ahead), random)
    plain = PlainMatch(games, size, test)
    if order != "with a gap":
        assert plain.decided == (test is not None)
        assert len(plain.scores) < 600 // size - len(plain.annulled)
    for most in (2, 40, 1000):
        tally = MatchTally(FIRST, SECOND, seats, size, test)
        for some in split(games, random, most):
            tally.add(columns_of(some))
        assert tally.finished == len(games)
        assert_same_match(tally, plain, size)


def test_stored_games_count_as_those_just_played(tmp_path, monkeypatch):
    monkeypatch.setattr("podium.arena.store.store.TOGETHER", 64)
    games = season(2, 4, 60)
    plain = PlainMatch(games, 6, None)
    with Store(tmp_path / "s.db") as store:
        other, run = (store.open_run("match", name, name, 1, Conditions("duel")) for name in "ab")
        for place in range(0, len(games), 50):  # the games of two runs lie among each other
            store.add(other, season(3, 2, 5, pairing=f"m{place}"))
            store.add(run, games[place : place + 50])
        numbers = [game.id for game in store.games(run)]
        batches = list(store.columns(run))
        assert list(store.columns(replace(run, id=9))) == []
        assert [game.id for game in store.last_games(run, 3)] == numbers[-3:]
        assert store.last_games(run, 0) == []
        assert [game.id for game in store.games(run, numbers[99])] == numbers[100:]
    assert max(map(len, batches)) == 64
    whole = joined(batches)
    assert whole.id.tolist() == numbers
    assert whole.times.tobytes() == b"".join(game.times for game in games)
    tally = MatchTally(FIRST, SECOND, 4, 6)
    for batch in batches:
        tally.add(batch)
    assert tally.distribution == distribution_of(plain.scores, 6)
    assert tally.distinct == len({game.signature for game in plain.counted})
    assert tally.annulled == [numbers[number - 1] for number in plain.annulled]
    assert tally.bots[FIRST].clock.times().answers == len(plain.bots[FIRST].times)


def test_a_league_counts_its_games_as_one_by_one():
    random = np.random.default_rng(6)
    both = season(5, 2, 40) + season(6, 2, 30, pairing="n")
    games = [replace(game, id=number) for number, game in enumerate(both, 1)]
    games = ORDERS["shuffled"](games, random)
    table = LeagueTally({FIRST: None, SECOND: None}, [columns_of(some) for some in split(games, random, 30)])
    counted = [game for game in games if game.ending != "annulled"]
    decided = [game for game in games if game.annulment == "machine_fault"]
    assert (table.finished, table.counted) == (len(games), len(counted))
    assert table.machine_faults == [game.id for game in decided]
    assert table.annulled == [game.id for game in games if game.ending == "annulled" and game not in decided]
    assert {(key, number) for key, rounds in table.machine_fault_rounds.items() for number in rounds} == {
        (game.pairing, game.round) for game in decided
    }
    seen = table.played
    outcomes = [seen.results[place] for place in seen.result]
    assert [(*outcome, number) for outcome, number in zip(outcomes, seen.round, strict=True)] == [
        (game.pairing, game.bots, game.ranks, game.round) for game in counted
    ]
    assert seen.blocks() == Counter((game.pairing, game.round) for game in counted)
    for bot, found in table.tallies.items():
        plain = PlainBot()
        for game in counted:
            plain.add(game, bot)
        assert_same_bot(found, plain)


def test_a_tally_keeps_sums_and_no_games():
    """A run of a million games fits into memory: what a game leaves behind is a few bytes."""
    tally = MatchTally(FIRST, SECOND, 2, 2)
    sizes = []
    for number in range(2):
        games = [replace(game, round=game.round + 300 * number) for game in season(7, 2, 300)]
        tally.add(columns_of(games))
        tally.curve = Curve()  # which is bounded
        sizes.append(len(pickle.dumps(tally)))
    assert sizes[1] - sizes[0] < 10 * 600


def test_the_curve_of_a_match_is_bounded_and_the_same_however_games_arrive():
    games, random = season(7, 2, 2000), np.random.default_rng(1)
    curves = []
    for most in (2, 300, 5000):
        tally = MatchTally(FIRST, SECOND, 2, 2, Sprt(0, 5))
        for some in split(games, random, most):
            tally.add(columns_of(some))
        curves.append(tally.score_curve())
        assert MOST_POINTS // 2 < len(tally.curve.points) <= MOST_POINTS
        places = [point[0] for point in tally.curve.points]
        assert places == sorted(set(places))
        assert places[-1] <= tally.counted < places[-1] + 2 * tally.curve.stride
    assert curves[0] == curves[1] == curves[2]


def test_times_are_counted_to_one_per_cent():
    times = np.linspace(1, 1000, 1000, dtype=np.float32)
    clock = TimeTally()
    for four in times.reshape(250, 4):
        clock.add(four)
    found = clock.times()
    assert (found.answers, found.worst) == (1000, 1000.0)
    assert found.mean == pytest.approx(500.5)
    assert found.p99 == pytest.approx(990, rel=0.01)


def test_times_that_no_clock_shows_are_counted_at_the_ends():
    clock = TimeTally()
    clock.add(np.array([0, -1, 1e-9, np.inf, 1e30, np.nan], np.float32))
    found = clock.times()
    assert (found.answers, found.worst) == (5, np.float32(TimeTally.LONGEST)), "nan is an unknown time"
    assert np.isfinite(found.mean)


@pytest.mark.parametrize(
    ("turn", "verdict", "hinted"),
    [
        (1, AnswerVerdict.SILENT, True),
        (2, AnswerVerdict.LATE, True),
        (1, AnswerVerdict.CRASHED, False),
        (3, AnswerVerdict.SILENT, False),
    ],
)
def test_a_program_that_loses_by_its_start_is_told_what_helps(turn, verdict, hinted):
    fault = Fault(0, Ending.NO_ANSWER, turn, verdict=verdict, evidence={"ms": 105.0, "limit_ms": 50.0, "status": 1})
    bot = BotTally(faults=Counter({fault.cause: 2}), example={fault.cause: (1, fault)})
    (warning,) = fault_warnings("cmd:./mybot", bot, 2)
    assert ("--startup MS gives programs time to start" in warning) is hinted
