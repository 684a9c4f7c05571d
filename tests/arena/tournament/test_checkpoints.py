"""Checkpoints: the same report from any of them on, and none that is stale, damaged or of other sources."""

import signal
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from podium.arena.game.conditions import Conditions
from podium.arena.stats.sprt import Sprt
from podium.arena.store.game_columns import columns_of
from podium.arena.store.store import Store
from podium.arena.tournament import checkpoints, rating_history
from podium.arena.tournament.league_tally import LeagueTally
from podium.arena.tournament.match import Match, stored_match
from podium.arena.tournament.tally import MatchTally
from tests.arena.tournament.test_tally import FIRST, ORDERS, SECOND, season

MAKE = {
    "match": lambda: MatchTally(FIRST, SECOND, 2, 2),
    "test": lambda: MatchTally(FIRST, SECOND, 2, 2, Sprt(0, 30)),
    "league": lambda: LeagueTally({FIRST: None, SECOND: None}),
}


@pytest.fixture
def run(tmp_path, monkeypatch):
    """An empty run in a store, with a checkpoint whenever there is something new."""
    monkeypatch.setattr(checkpoints, "STEP", 1)
    monkeypatch.setattr(checkpoints, "GROWTH", 0.0)
    with Store(tmp_path / "s.db") as store:
        yield store, store.open_run("match", "a", "a", 1, Conditions("duel"))


def assert_same(found, expected):
    one, other = found.state(), expected.state()
    for name in ("bots", "tallies"):  # whose sums of times are rounded differently
        for mine, theirs in zip(one.pop(name, []), other.pop(name, []), strict=True):
            mine, theirs = (each[-1] if name == "tallies" else each for each in (mine, theirs))
            assert mine[0][0] == pytest.approx(theirs[0][0])
            assert (mine[0][1:], mine[1:]) == (theirs[0][1:], theirs[1:])
    if "signatures" in one:
        one["signatures"], other["signatures"] = (
            np.sort(np.frombuffer(each["signatures"], np.int64)).tolist() for each in (one, other)
        )
        if found.decided:  # then nothing else is counted, nor which rounds are complete
            for state in (one, other):
                del state["rounds"], state["blocks"][2]
    assert one == other


@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("order", ORDERS)
def test_from_any_checkpoint_on_games_add_up_to_the_same(run, kind, order):
    store, stored = run
    games = ORDERS[order](season(1, 2, 250, 0.4 if kind == "test" else 0.0), np.random.default_rng(4))
    for start in range(0, len(games), 61):
        store.add(stored, games[start : start + 61])
        found = checkpoints.counted(store, stored, MAKE[kind])
        assert store.checkpoint(stored, checkpoints._key(found.tally))[0] == found.last
    whole = MAKE[kind]()
    whole.add(columns_of(list(store.games(stored))))
    assert_same(found.tally, whole)
    assert_same(checkpoints.restored(store, stored, MAKE[kind]).tally, whole)


def test_a_checkpoint_of_a_league_holds_its_ratings_over_time(run, monkeypatch):
    """A page or `podium show` fits none of them again."""
    store, stored = run
    store.add(stored, season(1, 2, 250))
    checkpoints.counted(store, stored, MAKE["league"])
    found = checkpoints.restored(store, stored, MAKE["league"]).tally
    monkeypatch.setattr(rating_history, "posterior_of", None)
    found.bots = {number: SimpleNamespace(label=str(number)) for number in (FIRST, SECOND)}
    assert found.history()[-1].games == found.counted


def test_a_checkpoint_that_does_not_fit_counts_as_missing(run, monkeypatch):
    store, stored = run
    store.add(stored, season(1, 2, 20))
    for kind in MAKE:  # each in the place of the one before
        assert checkpoints.restored(store, stored, MAKE[kind]) is None
        checkpoints.counted(store, stored, MAKE[kind])
        assert checkpoints.restored(store, stored, MAKE[kind])
    monkeypatch.setattr(checkpoints, "sources", lambda: "other sources")
    assert checkpoints.restored(store, stored, MAKE["league"]) is None


@pytest.mark.parametrize("damage", ["one bit", "nothing", "sealed nonsense", "text"])
def test_a_damaged_checkpoint_counts_as_missing(run, damage):
    store, stored = run
    store.add(stored, season(1, 2, 20))
    tally, last = checkpoints.counted(store, stored, MAKE["match"])
    _, data = store.checkpoint(stored, checkpoints._key(tally))
    nonsense = b"\x81\xa4bots\x90"
    data = {
        "one bit": data[:-1] + bytes([data[-1] ^ 1]),
        "nothing": b"",
        "sealed nonsense": checkpoints._seal(nonsense) + nonsense,
        "text": "text",
    }[damage]
    store.keep_checkpoint(stored, checkpoints._key(tally), last, data)
    assert checkpoints.restored(store, stored, MAKE["match"]) is None
    assert_same(checkpoints.counted(store, stored, MAKE["match"]).tally, tally)


def test_many_games_that_wait_are_not_kept(run, monkeypatch):
    store, stored = run
    monkeypatch.setattr(checkpoints, "MOST_WAITING", 10)
    store.add(stored, season(1, 2, 20)[2:])
    tally = checkpoints.counted(store, stored, MAKE["match"]).tally
    assert len(tally.waiting) == 38
    assert checkpoints.restored(store, stored, MAKE["match"]) is None


def test_a_match_keeps_checkpoints_while_it_is_played(toys, tmp_path, monkeypatch):
    path = tmp_path / "podium.db"
    monkeypatch.setattr(checkpoints, "STEP", 4)
    with Match("duel", "namer", "namer:noise=4", games=30, nodes=1, store=path) as match:
        report = match.play(jobs=1)
    read = []
    columns = Store.columns
    monkeypatch.setattr(Store, "columns", lambda self, run, after=0: read.append(after) or columns(self, run, after))
    with Store(path, create=False) as store:
        found = stored_match(store, store.run(1))
    assert read[0] >= 27
    timed = {"games_per_second", "remaining_seconds", "clocks"}
    assert {name: value for name, value in found.data().items() if name not in timed} == {
        name: value for name, value in report.data().items() if name not in timed
    }


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from podium.arena.store.store import Store

store = Store(Path(sys.argv[1]))
store.connection.execute("BEGIN IMMEDIATE")
store.keep_checkpoint(store.run(1), "sums", 4, b"half")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_while_a_checkpoint_is_written_loses_nothing(toys, tmp_path):
    path = tmp_path / "podium.db"
    with Match("duel", "namer", "namer:noise=4", games=4, nodes=1, store=path) as match:
        report = match.play(jobs=1)
    assert subprocess.run([sys.executable, "-c", KILLED, path], check=False).returncode == -signal.SIGKILL
    assert sqlite3.connect(path).execute("SELECT COUNT(*) FROM checkpoints").fetchone() == (0,)
    with Store(path, create=False) as store:
        assert stored_match(store, store.run(1)).sentence == report.sentence
