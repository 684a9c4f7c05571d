"""Runs: blocks of seatings, the store, stopping and going on, any number of workers."""

import json
import signal
from dataclasses import replace
from itertools import count, islice

import numpy as np
import pytest

from podium.arena.entrants.entrant import entrant
from podium.arena.game.record import thoughts_data, thoughts_from, unpack
from podium.arena.game.replay import compare_outcome, replay
from podium.arena.store.game_columns import columns_of
from podium.arena.store.stored_game import stored_game
from podium.arena.tournament import run_session
from podium.arena.tournament.match import Match
from podium.arena.tournament.schedule import SeatSharing, fixtures, ladder, pairings, rotations, shared_seatings, table
from podium.arena.tournament.tally import MatchTally
from podium.arena.tournament.worker import play_fixture, seed_of
from podium.errors import PodiumError
from podium.games.game import Option, Thoughts


@pytest.fixture
def match_of(toys, tmp_path):
    """Make a match of the tests' games in one store; all are closed in the end."""
    opened = []

    def make(game, first, second, store="s.db", nodes=5, **options):
        opened.append(Match(game, first, second, store=tmp_path / store, nodes=nodes, **options))
        return opened[-1]

    yield make
    for match in opened:
        match.close()


def played(match, most=None):
    match.play(jobs=1, most=most)
    return match


def figures(match):
    """A report without what depends on the clock."""
    report = match.report().data()
    return {name: value for name, value in report.items() if name not in ("run", "clocks", "games_per_second")}


def games_of(match):
    return list(match.session.store.games(match.run))


def test_two_bots_share_four_seats_in_six_ways():
    assert shared_seatings(0, 1, 2) == ((0, 1), (1, 0))
    half = shared_seatings(0, 1, 4)
    assert len(half) == len(set(half)) == 6
    assert all(sum(seats) == 2 for seats in half)
    one = shared_seatings(0, 1, 4, SeatSharing.ONE)
    assert len(one) == 4
    assert all(sum(seats) == 3 for seats in one)
    assert len(shared_seatings(0, 1, 3)) == 6


def test_a_full_table_moves_round():
    seatings = rotations([4, 7, 9])
    for seat in range(3):
        assert {seats[seat] for seats in seatings} == {4, 7, 9}


def numbered(game):
    return {number: entrant(game, f"namer:number={number}") for number in range(5)}


def test_pairings_of_a_league(toys):
    duel_game, table_game = toys("duel"), toys("table")
    bots = numbered(duel_game)
    assert len(pairings(bots, 2, range(5))) == 10
    assert len(pairings(bots, 2, range(5), against=2)) == 4
    bots = numbered(table_game)
    full = pairings(bots, 4, range(5))
    assert len(full) == 5
    assert all(len(pairing.seatings) == 4 for pairing in full)
    few = pairings(bots, 4, range(3))
    assert len(few) == 3
    assert all(len(pairing.seatings) == 6 for pairing in few)
    assert table(bots, [3, 1, 0, 2]) == table(bots, [0, 1, 2, 3])


def test_a_ladder_pairs_neighbours_and_leaves_nobody_out(toys):
    bots = numbered(toys("duel"))
    for round_ in range(4):
        met = ladder(bots, 2, [4, 2, 0, 1, 3], round_)
        assert {bot for pairing in met for bot in pairing.bots} == set(range(5))
        order = [4, 2, 0, 1, 3]
        assert all(abs(order.index(m.bots[0]) - order.index(m.bots[1])) == 1 for m in met)


def test_seeds_are_reproducible_and_spread():
    seeds = [seed_of(1, number) for number in range(1000)]
    assert seeds == [seed_of(1, number) for number in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**62 for seed in seeds)
    assert seed_of(1, 2) != seed_of(2, 1)


def test_the_stronger_bot_wins_the_match(match_of):
    report = match_of("duel", "namer:number=6", "namer:number=4", games=40).play(jobs=1)
    assert report.games == 40
    assert report.elo[1] > 0
    assert report.sentence.startswith("namer:number=6 is stronger than namer:number=4: ")
    assert sum(report.blocks.values()) == 20


@pytest.mark.parametrize("sharing", list(SeatSharing))
def test_blocks_of_four_seats(match_of, sharing):
    match = match_of("table", "namer:number=6", "namer:number=4", sharing=sharing, games=48)
    report = match.play(jobs=1)
    size = len(match.pairing.seatings)
    assert report.games == 48
    assert report.score > 0.8
    assert sum(report.blocks.values()) == 48 / size
    assert all(seat.won + seat.drawn + seat.lost == 48 // (2 if sharing is SeatSharing.HALF else 4)
               for seat in report.seats)  # fmt: skip


def test_equal_bots_are_equal_in_four_seats(match_of):
    """A bot against its copy: who is called the first must not matter."""
    report = match_of("table", "namer:noise=0", "namer:noise=0", games=18).play(jobs=1)
    assert report.score == 0.5
    assert report.drawn == 18


def test_an_interrupted_run_goes_on_without_a_lost_or_doubled_game(match_of):
    whole = played(match_of("duel", "namer", "namer:noise=4", "whole.db", games=30))
    for step in (1, 7, 4, 100):
        parts = played(match_of("duel", "namer", "namer:noise=4", "parts.db", games=30), most=step)
    assert figures(parts) == figures(whole)
    places = {game.place for game in games_of(parts)}
    assert len(places) == len(games_of(parts)) == 30


def test_what_was_stored_when_it_was_interrupted_is_counted(match_of, monkeypatch):
    match = match_of("duel", "namer:number=1", "namer:number=2", games=20)
    store = match.session.store.add

    def interrupted(run, games):
        added = store(run, games)
        signal.raise_signal(signal.SIGINT)
        return added

    monkeypatch.setattr(match.session.store, "add", interrupted)
    with pytest.raises(KeyboardInterrupt):
        match.play(jobs=1)
    assert match.tally.finished == len(games_of(match)) > 0


def test_a_game_is_never_stored_twice_and_the_stored_one_counts(match_of):
    match = match_of("duel", "namer", "namer:noise=4")
    (fixture,) = islice(fixtures([match.pairing], 1, lambda f: False, count()), 1)
    game = play_fixture(match.session.conditions, match.session.entrants, fixture)
    (stored,) = match.session.store.add(match.run, [game])
    (again,) = match.session.store.add(match.run, [replace(game, detail="played once more")])
    assert stored.id == again.id == 1
    assert again.detail == stored.detail == game.detail
    assert len(games_of(match)) == 1


def test_a_stored_game_has_the_shape_of_a_played_one(match_of):
    match = match_of("duel", "namer", "namer:fail=2")
    (fixture,) = islice(fixtures([match.pairing], 1, lambda f: False, count()), 1)
    game = play_fixture(match.session.conditions, match.session.entrants, fixture)
    match.session.store.add(match.run, [game])
    (stored,) = games_of(match)
    assert stored == replace(game, id=1, run=match.run.id, record=b"")
    assert match.session.store.record(1) == game.record


def test_other_conditions_are_another_run(match_of):
    first = played(match_of("duel", "namer", "namer:noise=4", games=4))
    same = match_of("duel", "namer", "namer:noise=4", games=4)
    assert same.run.id == first.run.id
    assert same.tally.counted == 4
    for changed in ({"nodes": 6}, {"seed": 2}, {"second": "namer:noise=3"}, {"settings": {"turns": 3}}):
        other = match_of("duel", "namer", **{"second": "namer:noise=4", **changed})
        assert other.run.id != first.run.id
        assert other.tally.finished == 0


def test_other_rules_are_another_run(match_of, monkeypatch):
    first = played(match_of("duel", "namer", "namer:noise=4", games=4))
    monkeypatch.setattr(run_session, "rules_fingerprint", lambda game: "mended")
    other = match_of("duel", "namer", "namer:noise=4", games=4)
    assert other.run.id != first.run.id
    assert other.tally.finished == 0


def test_a_block_counts_when_it_and_all_before_it_are_complete(match_of):
    match = played(match_of("duel", "namer", "namer:noise=4", games=6))
    games = games_of(match)
    tally = MatchTally(match.tally.first, match.tally.second, 2, 2)
    tally.add(columns_of([games[5], games[4], games[0]]))
    assert (tally.finished, tally.counted) == (3, 0)
    tally.add(columns_of([games[1]]))
    assert tally.counted == 2
    tally.add(columns_of([games[3], games[2]]))
    assert tally.counted == 6
    assert tally.distribution == match.tally.distribution


def test_a_test_stops_the_run_and_later_games_do_not_count(match_of):
    bots = ("duel", "namer:number=6", "namer:number=4")
    match = played(match_of(*bots, sprt=(0, 50)))
    assert match.tally.decided
    assert match.tally.decision.accepted == 1
    decided = match.tally.counted
    more = played(match_of(*bots, games=200))
    assert more.tally.counted == 200 > decided
    again = match_of(*bots, sprt=(0, 50))
    assert (again.tally.counted, again.tally.finished) == (decided, 200)
    assert again.tally.decision == match.tally.decision


def test_progress_is_told_while_games_are_played(match_of):
    seen = []
    match_of("duel", "namer", "namer:noise=4", games=6).play(
        jobs=1, progress=lambda m: seen.append(m.report().finished)
    )
    assert seen == sorted(seen)
    assert seen[-1] == 6


def test_stored_games_replay_bit_for_bit(toys, match_of):
    match = played(match_of("table", "namer", "namer:fail=3", games=12))
    for stored in games_of(match):
        record = unpack(match.session.store.record(stored.id))
        referee = toys("table").new_referee(stored.seed)
        assert replay(referee, record) is None
        assert compare_outcome(referee.outcome, stored.scores, stored.ranks, stored.ending) is None
        assert record.signature(*stored.scores) == stored.signature


def test_a_game_in_which_the_referee_fails_is_annulled_and_the_run_goes_on(toys, match_of, mock, tmp_path, monkeypatch):
    """The program poisons the referee once, with its second answer in the first game."""
    monkeypatch.chdir(tmp_path)
    match = match_of("duel", mock("poison", 2, "once"), "namer", games=6, nodes=0, time=20_000)
    report = match.play(jobs=1)
    assert (report.finished, report.games, report.annulled) == (6, 4, 1)
    assert "1 game is annulled, because the referee or its program failed (see g1): not counted" in report.warnings
    annulled = games_of(match)[0]
    assert (annulled.ending, annulled.annulment) == ("annulled", "referee_failed")
    assert annulled.detail == (
        "the referee failed in turn 2: ValueError: this referee was not told what to do with poison; "
        "seat 0 had answered 'poison'"
    )
    whole = stored_game(match.session.store, annulled)
    assert whole.record.lines[-1] == "poison"
    assert whole.replay(toys("duel"))[1] is None


def test_a_run_of_annulled_games_ends(match_of, mock):
    match = match_of("duel", mock("poison"), "namer", games=400, nodes=0, time=20_000)
    with pytest.raises(PodiumError, match=r"the last 20 games are annulled.*poison"):
        match.play(jobs=1)


def test_a_changed_record_is_noticed(toys, match_of):
    match = played(match_of("duel", "namer:noise=0", "namer:noise=4", games=2))
    record = unpack(match.session.store.record(1))
    record.lines[0] = "9"
    stored = games_of(match)[0]
    referee = toys("duel").new_referee(stored.seed)
    assert replay(referee, record) is None
    assert compare_outcome(referee.outcome, stored.scores, stored.ranks, stored.ending).what == "scores"
    record.prompts[3] ^= 1
    assert replay(toys("duel").new_referee(stored.seed), record).what == "the prompt of seat 1"
    record = unpack(match.session.store.record(1))
    record.seats[2] = 1
    assert replay(toys("duel").new_referee(stored.seed), record).what == "who is asked"


def test_games_with_other_prompts_are_other_games_though_the_answers_agree(match_of):
    """The prompts of this game tell its seed; both bots always name the same number."""
    report = played(match_of("duel", "namer:noise=0", "namer:noise=0,number=4", games=20)).report()
    assert report.distinct_games == 20
    assert not any("are different" in text for text in report.warnings)


def test_a_warning_quotes_the_referee(match_of, mock):
    report = played(match_of("duel", mock("high", 2), "namer", games=2, nodes=0, time=20_000)).report()
    (warning,) = (text for text in report.warnings if "disqualified" in text)
    assert "in 2 of 2 games: illegal (see g1: seat 0: too high: '99')" in warning


@pytest.mark.compiled
@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_workers(match_of):
    alone, together = (match_of("zuniq", "random", "random:claim=on", store, games=24) for store in ("1.db", "2.db"))
    alone.play(jobs=1)
    together.play(jobs=2)
    assert figures(together) == figures(alone)
    signatures = {game.place: game.signature for game in games_of(alone)}
    assert {game.place: game.signature for game in games_of(together)} == signatures


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


def test_a_change_of_the_systems_time_does_not_disturb_the_length_of_a_game(toys, tmp_path, monkeypatch):
    now = iter(range(10**9, 0, -3600))  # an hour back at each look
    monkeypatch.setattr("podium.arena.tournament.worker.time.time", lambda: float(next(now)))
    with Match("duel", "namer", "namer:noise=4", games=2, nodes=1, store=tmp_path / "podium.db") as match:
        match.play(jobs=1)
        assert all(0 <= game.seconds < 600 for game in match.session.store.games(match.run))
