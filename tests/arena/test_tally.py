"""What games add up to: many at a time as one by one, in any order, just played or read from a store."""

import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from podium.arena.batch import batch_of, joined
from podium.arena.conditions import Conditions
from podium.arena.finished import SPOILED, FinishedGame
from podium.arena.league import LeagueTally
from podium.arena.schedule import shared_seatings
from podium.arena.sprt import Sequential, Test
from podium.arena.statistics import law_of
from podium.arena.store import Store
from podium.arena.tally import MatchTally, TimeTally, points_of

FIRST, SECOND = 7, 3
ODDITIES = (
    ("finished", "", (), ()),
    ("no answer", "", ((0, "crashed", "ended with status 1"),), ()),
    ("no answer", "", ((1, "late", "60 ms"), (0, "late", "70 ms")), ((1, "late", 1),)),
    ("finished", "", (), ((0, "stalled", 3), (1, "overrun", 2))),
    ("void", "the referee failed", (), ()),
    ("void", f"{SPOILED}: seat 0", (), ((0, "stalled", 1),)),
)
SHARES = (0.7, 0.06, 0.06, 0.12, 0.03, 0.03)


def season(seed, seats, rounds, ahead=0.0, meeting="m"):
    """Games in the order of the schedule: all sorts of endings, ties, and answers."""
    random = np.random.default_rng(seed)
    games = []
    for number in range(rounds):
        for part, seating in enumerate(shared_seatings(FIRST, SECOND, seats)):
            values = random.integers(0, 3, seats) + [ahead * (bot == FIRST) for bot in seating]
            ranks = tuple(int(1 + sum(values > own)) for own in values)
            ending, sentence, faults, marks = ODDITIES[random.choice(len(ODDITIES), p=SHARES)]
            asked = random.integers(0, seats, random.integers(0, 9)).astype(np.uint8).tobytes()
            times = random.gamma(2, 20, len(asked)).astype(np.float32).tobytes()
            signature = f"{random.integers(50):x}"
            stamps = (1e9 + len(games), 0.5)
            scores = (0.0,) * seats
            game = (len(games) + 1, 1, meeting, number, part, 5, seating, scores, ranks, ending, sentence)
            games.append(FinishedGame(*game, faults, marks, signature, *stamps, asked, times))
    return games


class PlainBot:
    """What a bot did, seat by seat and answer by answer."""

    def __init__(self):
        self.faults, self.marks, self.example, self.times = Counter(), Counter(), {}, []

    def add(self, game, bot):
        for seat, word, _ in game.faults:
            if game.bots[seat] == bot:
                self.faults[word] += 1
                self.example.setdefault(word, game.id)
        for seat, word, number in game.marks:
            if game.bots[seat] == bot:
                self.marks[word] += number
        times = np.frombuffer(game.times, np.float32).tolist()
        self.times += [time for seat, time in zip(game.asked, times, strict=True) if game.bots[seat] == bot]


class PlainMatch:
    """The twin: game by game and block by block, as the rules of counting are told."""

    def __init__(self, games, size, test):
        self.bots = {FIRST: PlainBot(), SECOND: PlainBot()}
        self.void, self.spoiled, self.spoiled_blocks, self.scores = [], [], 0, []
        self.counted, self.sequential = [], Sequential(test, size) if test else None
        blocks = {}
        for game in games:
            blocks.setdefault(game.round, []).append(game)
        number = 0
        while len(blocks.get(number, ())) == size and not self.decided:
            self.add_block(sorted(blocks[number], key=lambda game: game.part))
            number += 1

    @property
    def decided(self):
        return self.sequential is not None and self.sequential.decision.verdict != 0

    def add_block(self, block):
        void = [game for game in block if game.ending == "void"]
        if void:
            spoiled = [game.id for game in void if game.sentence.startswith(SPOILED)]
            self.spoiled += spoiled
            self.spoiled_blocks += bool(spoiled)
            self.void += [game.id for game in void if game.id not in spoiled]
            return
        self.scores.append(sum(points_of(game.bots, game.ranks, FIRST)[0] for game in block) / len(block))
        if self.sequential:
            self.sequential.add([self.scores[-1]])
        self.counted += block
        for game in block:
            for bot, plain in self.bots.items():
                plain.add(game, bot)


def assert_same_bot(found, plain):
    assert (found.faults, found.marks, found.example) == (plain.faults, plain.marks, plain.example)
    clock = found.clock.times()
    assert (clock.answers, clock.worst) == (len(plain.times), max(plain.times, default=0.0))
    assert clock.mean == pytest.approx(np.mean(plain.times) if plain.times else 0.0)
    if plain.times:
        assert clock.p99 == pytest.approx(np.quantile(plain.times, 0.99, method="inverted_cdf"), rel=0.01)


def assert_same_match(tally, plain, size):
    assert (tally.void, tally.spoiled, tally.spoiled_blocks) == (plain.void, plain.spoiled, plain.spoiled_blocks)
    assert tally.counted == len(plain.counted)
    assert tally.law == law_of(plain.scores, size)
    assert tally.decision == (plain.sequential.decision if plain.sequential else None)
    assert tally.endings == Counter(game.result.why for game in plain.counted)
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
@pytest.mark.parametrize("test", [None, Test(0, 30), Test(-30, 0)], ids=["no test", "H1", "H0"])
def test_many_at_a_time_count_as_one_by_one(order, seats, test):
    random = np.random.default_rng(4)
    size = len(shared_seatings(FIRST, SECOND, seats))
    ahead = 0.0 if test is None else 0.4 if test.low == 0 else -0.4
    games = ORDERS[order](season(1, seats, 600 // size, ahead), random)
    plain = PlainMatch(games, size, test)
    if order != "with a gap":
        assert plain.decided == (test is not None)
        assert len(plain.scores) < 600 // size - len(plain.void)
    for most in (2, 40, 1000):
        tally = MatchTally(FIRST, SECOND, seats, size, test)
        for some in split(games, random, most):
            tally.add(batch_of(some))
        assert tally.finished == len(games)
        assert_same_match(tally, plain, size)


def test_stored_games_count_as_those_just_played(tmp_path, monkeypatch):
    monkeypatch.setattr("podium.arena.store.TOGETHER", 64)
    games = season(2, 4, 60)
    plain = PlainMatch(games, 6, None)
    with Store(tmp_path / "s.db") as store:
        other, run = (store.open_run("match", name, name, 1, Conditions("duel")) for name in "ab")
        for place in range(0, len(games), 50):  # the games of two runs lie among each other
            store.add(other, season(3, 2, 5, meeting=f"m{place}"))
            store.add(run, games[place : place + 50])
        numbers = [game.id for game in store.games(run)]
        batches = list(store.batches(run))
        assert list(store.batches(replace(run, id=9))) == []
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
    assert tally.law == law_of(plain.scores, 6)
    assert tally.distinct == len({game.signature for game in plain.counted})
    assert tally.void == [numbers[number - 1] for number in plain.void]
    assert tally.bots[FIRST].clock.times().answers == len(plain.bots[FIRST].times)


def test_a_league_counts_its_games_as_one_by_one():
    random = np.random.default_rng(6)
    games = season(5, 2, 40) + season(6, 2, 30, meeting="n")
    for number, game in enumerate(games, 1):
        game.id = number
    games = ORDERS["shuffled"](games, random)
    table = LeagueTally({FIRST: None, SECOND: None}, [batch_of(some) for some in split(games, random, 30)])
    counted = [game for game in games if game.ending != "void"]
    spoiled = [game for game in games if game.sentence.startswith(SPOILED)]
    assert (table.finished, table.counted) == (len(games), len(counted))
    assert table.spoiled == [game.id for game in spoiled]
    assert table.void == [game.id for game in games if game.ending == "void" and game not in spoiled]
    assert {(key, number) for key, rounds in table.spoiled_rounds.items() for number in rounds} == {
        (game.meeting, game.round) for game in spoiled
    }
    seen = table.played
    outcomes = [seen.outcomes[place] for place in seen.outcome]
    assert [(*outcome, number) for outcome, number in zip(outcomes, seen.round, strict=True)] == [
        (game.meeting, game.bots, game.ranks, game.round) for game in counted
    ]
    assert seen.blocks() == Counter((game.meeting, game.round) for game in counted)
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
        games = season(7, 2, 300)
        for game in games:
            game.round += 300 * number
        tally.add(batch_of(games))
        sizes.append(len(pickle.dumps(tally)))
    assert sizes[1] - sizes[0] < 10 * 600


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
    assert (found.answers, found.worst) == (6, np.float32(TimeTally.LONGEST))
    assert np.isfinite(found.mean)
