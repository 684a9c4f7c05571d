"""Runs: blocks of seatings, the store, stopping and going on, any number of workers."""

import json
import sqlite3
from itertools import count, islice

import numpy as np
import pytest

from podium.arena.entrants import entrant
from podium.arena.limits import Allowance
from podium.arena.record import compare_outcome, replay, thoughts_data, thoughts_from, unpack
from podium.arena.report import match_report
from podium.arena.runner import Here, Workers, probe, workers
from podium.arena.schedule import Sharing, duel, fixtures, ladder, meetings, rotations, shared_seatings, table
from podium.arena.session import Session, copy_of
from podium.arena.sprt import Test
from podium.arena.store import Store
from podium.arena.tally import MatchTally
from podium.arena.work import Conditions, play_fixture, seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Option, Thoughts

OPEN = []  # sessions to close after a test
INLINE = Workers(Here(), 1, "this process")


def nothing(*_):
    return None


@pytest.fixture(autouse=True)
def closing():
    yield
    while OPEN:
        OPEN.pop().store.connection.close()


class Match:
    """A match of two bots in one store, played as far as asked."""

    def __init__(self, path, game, first, second, nodes=5, seed=1, test=None, sharing=Sharing.HALF):
        self.game = game
        self.entrants = [entrant(game, first), entrant(game, second)]
        if self.entrants[0] == self.entrants[1]:
            self.entrants[1] = copy_of(self.entrants[1])
        self.meeting = duel(self.entrants, 0, 1, game.seats, sharing)
        conditions = Conditions(game.name, {}, Allowance(nodes=nodes))
        self.session = Session(path, "match", "m", self.entrants, conditions, seed, [self.meeting.key])
        OPEN.append(self.session)
        self.tally = MatchTally(*self.session.ids, game.seats, len(self.meeting.seatings), test)
        for stored in self.session.games:
            self.tally.add(stored)

    def play(self, rounds=None, most=None, team=INLINE):
        schedule = fixtures(
            [self.meeting], self.session.run.seed, self.session.is_done, count() if rounds is None else range(rounds)
        )
        self.session.play(team, islice(schedule, most), self.tally.add, lambda: self.tally.decided, nothing)
        return self

    def report(self):
        names = tuple(who.label for who in self.entrants)
        report = match_report(self.tally, names, None, 0)
        del report["clocks"]
        return report


def test_two_bots_share_four_seats_in_six_ways():
    assert shared_seatings(0, 1, 2) == ((0, 1), (1, 0))
    half = shared_seatings(0, 1, 4)
    assert len(half) == len(set(half)) == 6
    assert all(sum(seats) == 2 for seats in half)
    one = shared_seatings(0, 1, 4, Sharing.ONE)
    assert len(one) == 4
    assert all(sum(seats) == 3 for seats in one)
    assert len(shared_seatings(0, 1, 3)) == 6


def test_a_full_table_moves_round():
    seatings = rotations([4, 7, 9])
    for seat in range(3):
        assert {seats[seat] for seats in seatings} == {4, 7, 9}


def test_meetings_of_a_league(toys):
    duel_game, table_game = toys("duel"), toys("table")
    bots = [entrant(duel_game, f"namer:number={number}") for number in range(5)]
    assert len(meetings(bots, 2, range(5))) == 10
    assert len(meetings(bots, 2, range(5), against=2)) == 4
    bots = [entrant(table_game, f"namer:number={number}") for number in range(5)]
    full = meetings(bots, 4, range(5))
    assert len(full) == 5
    assert all(len(meeting.seatings) == 4 for meeting in full)
    few = meetings(bots, 4, range(3))
    assert len(few) == 3
    assert all(len(meeting.seatings) == 6 for meeting in few)
    assert table(bots, [3, 1, 0, 2]) == table(bots, [0, 1, 2, 3])


def test_a_ladder_pairs_neighbours_and_leaves_nobody_out(toys):
    bots = [entrant(toys("duel"), f"namer:number={number}") for number in range(5)]
    for round_ in range(4):
        met = ladder(bots, 2, [4, 2, 0, 1, 3], round_)
        assert {bot for meeting in met for bot in meeting.bots} == set(range(5))
        order = [4, 2, 0, 1, 3]
        assert all(abs(order.index(m.bots[0]) - order.index(m.bots[1])) == 1 for m in met)


def test_seeds_are_reproducible_and_spread():
    seeds = [seed_of(1, number) for number in range(1000)]
    assert seeds == [seed_of(1, number) for number in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**62 for seed in seeds)
    assert seed_of(1, 2) != seed_of(2, 1)


def test_the_stronger_bot_wins_the_match(toys, tmp_path):
    report = Match(tmp_path / "s.db", toys("duel"), "namer:number=6", "namer:number=4").play(20).report()
    assert report["games"] == 40
    assert report["elo"][1] > 0
    assert report["sentence"].startswith("namer:number=6 is stronger (Elo ")
    assert sum(report["blocks"].values()) == 20


@pytest.mark.parametrize("sharing", list(Sharing))
def test_blocks_of_four_seats(toys, tmp_path, sharing):
    match = Match(tmp_path / "s.db", toys("table"), "namer:number=6", "namer:number=4", sharing=sharing).play(12)
    report = match.report()
    assert report["games"] == 12 * len(match.meeting.seatings)
    assert report["score"] > 0.8
    assert sum(report["blocks"].values()) == 12
    assert all(seat["won"] + seat["drawn"] + seat["lost"] == report["games"] // (2 if sharing is Sharing.HALF else 4)
               for seat in report["seats"])  # fmt: skip


def test_equal_bots_are_equal_in_four_seats(toys, tmp_path):
    """A bot against its copy: who is called the first must not matter."""
    report = Match(tmp_path / "s.db", toys("table"), "namer:noise=0", "namer:noise=0").play(3).report()
    assert report["score"] == 0.5
    assert report["drawn"] == 18


def test_an_interrupted_run_goes_on_without_a_lost_or_doubled_game(toys, tmp_path):
    whole = Match(tmp_path / "whole.db", toys("duel"), "namer", "namer:noise=4").play(15)
    for step in (1, 7, 4, 100):
        parts = Match(tmp_path / "parts.db", toys("duel"), "namer", "namer:noise=4").play(15, most=step)
    assert parts.report() == whole.report()
    assert len(parts.session.games) == 30
    places = {(game.round, game.part) for game in parts.session.store.games(parts.session.run)}
    assert len(places) == 30


def test_a_game_is_never_stored_twice(toys, tmp_path):
    match = Match(tmp_path / "s.db", toys("duel"), "namer", "namer:noise=4")
    (fixture,) = islice(fixtures([match.meeting], 1, lambda f: False, count()), 1)
    row = play_fixture(match.session.conditions, match.entrants, fixture)
    store, run, ids = match.session.store, match.session.run, match.session.ids
    assert len(store.add(run, ids, [row])) == 1
    assert store.add(run, ids, [row]) == []
    assert len(list(store.games(run))) == 1


def test_other_conditions_are_another_run(toys, tmp_path):
    first = Match(tmp_path / "s.db", toys("duel"), "namer", "namer:noise=4").play(2)
    same = Match(tmp_path / "s.db", toys("duel"), "namer", "namer:noise=4")
    assert same.session.run.id == first.session.run.id
    assert same.tally.counted == 4
    for changed in ({"nodes": 6}, {"seed": 2}, {"second": "namer:noise=3"}):
        arguments = {"second": "namer:noise=4", **changed}
        other = Match(tmp_path / "s.db", toys("duel"), "namer", **arguments)
        assert other.session.run.id != first.session.run.id
        assert other.tally.finished == 0


def test_a_block_counts_when_it_and_all_before_it_are_complete(toys, tmp_path):
    match = Match(tmp_path / "s.db", toys("duel"), "namer", "namer:noise=4").play(3)
    games = match.session.games
    tally = MatchTally(*match.session.ids, 2, 2)
    for stored in (games[5], games[4], games[0]):
        tally.add(stored)
    assert (tally.finished, tally.counted) == (3, 0)
    tally.add(games[1])
    assert tally.counted == 2
    for stored in (games[3], games[2]):
        tally.add(stored)
    assert tally.counted == 6
    assert tally.law == match.tally.law


def test_a_test_stops_the_run_and_later_games_do_not_count(toys, tmp_path):
    test = Test(0, 50)
    match = Match(tmp_path / "s.db", toys("duel"), "namer:number=6", "namer:number=4", test=test).play()
    assert match.tally.decided
    assert match.tally.decision.verdict == 1
    decided = match.tally.counted
    more = Match(tmp_path / "s.db", toys("duel"), "namer:number=6", "namer:number=4").play(100)
    assert more.tally.counted == 200 > decided
    again = Match(tmp_path / "s.db", toys("duel"), "namer:number=6", "namer:number=4", test=test)
    assert (again.tally.counted, again.tally.finished) == (decided, 200)
    assert again.tally.decision == match.tally.decision


def test_stored_games_replay_bit_for_bit(toys, tmp_path):
    match = Match(tmp_path / "s.db", toys("table"), "namer", "namer:fail=3").play(2)
    for stored in match.session.games:
        record = unpack(match.session.store.record(stored.id))
        referee, departure = replay(match.game, stored.seed, {}, record)
        assert departure is None
        assert compare_outcome(referee.outcome, stored.scores, stored.ranks, stored.ending) is None
        assert record.signature() == stored.signature


def test_a_changed_record_is_noticed(toys, tmp_path):
    match = Match(tmp_path / "s.db", toys("duel"), "namer:noise=0", "namer:noise=4").play(1)
    record = unpack(match.session.store.record(1))
    record.lines[0] = "9"
    referee, departure = replay(match.game, match.session.games[0].seed, {}, record)
    stored = match.session.games[0]
    assert departure is None
    assert compare_outcome(referee.outcome, stored.scores, stored.ranks, stored.ending).what == "scores"
    record.prompts[3] ^= 1
    assert replay(match.game, stored.seed, {}, record)[1].what == "the prompt of seat 1"
    record = unpack(match.session.store.record(1))
    record.seats[2] = 1
    assert replay(match.game, stored.seed, {}, record)[1].what == "who is asked"


def test_programs_that_cannot_play_end_the_run_at_once(toys, mock):
    duel_game = toys("duel")
    conditions = Conditions("duel")
    probe(duel_game, [entrant(duel_game, mock(5))], conditions)
    with pytest.raises(PodiumError, match=r"crashed, ended with status 1(.|\n)*about to divide by zero"):
        probe(duel_game, [entrant(duel_game, mock("crash"))], conditions)
    with pytest.raises(PodiumError, match="exited"):
        probe(duel_game, [entrant(duel_game, mock("exit"))], conditions)


def test_a_file_that_is_no_store_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be taken for one by nobody " * 20)
    with pytest.raises(PodiumError, match="cannot use"):
        Store(path)
    with pytest.raises(PodiumError, match="there is no store"):
        Store(tmp_path / "none.db", create=False)
    newer = tmp_path / "newer.db"
    sqlite3.connect(newer).execute("PRAGMA user_version = 99").connection.close()
    with pytest.raises(PodiumError, match="another version"):
        Store(newer)


@pytest.mark.compiled
@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_workers(tmp_path):
    zuniq = load("zuniq")
    alone = Match(tmp_path / "1.db", zuniq, "random", "random:claim=on").play(12)
    with workers(2) as team:
        together = Match(tmp_path / "2.db", zuniq, "random", "random:claim=on").play(12, team=team)
    assert together.report() == alone.report()
    key = {(game.round, game.part): game.signature for game in alone.session.games}
    assert {(game.round, game.part): game.signature for game in together.session.games} == key


def test_thoughts_are_kept_as_plain_data():
    thoughts = Thoughts(
        value=np.float64("inf"),
        depth=3,
        line=["a"],
        options=[Option("a", float("nan"), 5, "", ["a", "b"])],
        beliefs={"map": np.arange(3)},
    )
    data = thoughts_data(thoughts)
    json.loads(json.dumps(data, allow_nan=False))
    again = thoughts_from(data)
    assert (again.depth, again.line, again.beliefs) == (3, ["a"], {"map": [0, 1, 2]})
    assert again.value > 1e300
    assert again.options[0].visits == 5
