"""Leagues that go on: bots come and go while they run, and nothing is lost when they are killed."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from podium.arena.store.store import Store
from podium.arena.tournament.continuous import ContinuousLeague, add_bots, find_league, pause_league, set_state
from podium.arena.tournament.league import League
from podium.arena.tournament.league_report import stored_league
from podium.errors import PodiumError
from tests import commands
from tests.processes import wait_until

ROOT = Path(__file__).parents[3]


@pytest.fixture
def league_of(toys, tmp_path, monkeypatch):
    """A standing league of the tests' games in one store; it thinks before every game."""
    monkeypatch.setattr("podium.arena.tournament.runner.MOST_IN_A_TASK", 1)
    opened = []

    def make(*bots, game="duel", **options):
        opened.append(ContinuousLeague(game, bots, store=tmp_path / "s.db", nodes=1, time=20_000, **options))
        return opened[-1]

    yield make
    for league in opened:
        league.close()


def games_of(league):
    return list(league.session.store.games(league.run))


def blocks_of(league):
    return Counter((game.pairing, game.round) for game in games_of(league))


def test_it_plays_whole_blocks_and_goes_on(league_of):
    bots = [f"v{number}=namer:number={number}" for number in (3, 5, 7)]
    report = league_of(*bots).play(jobs=1, most=40)
    assert [row.bot for row in report.ratings] == ["v7", "v5", "v3"]
    assert [row.spec for row in report.ratings] == bots[::-1]
    again = league_of()
    assert again.play(jobs=1, most=20).games == 60
    assert set(blocks_of(again).values()) == {2}
    assert len({game.place for game in games_of(again)}) == 60


def test_a_broken_block_is_completed_first(league_of):
    league = league_of("namer:number=3", "namer:number=5", "namer:number=7")
    league.play(jobs=1, most=11)
    assert Counter(blocks_of(league).values())[1] == 1
    again = league_of()
    again.play(jobs=1, most=1)
    assert set(blocks_of(again).values()) == {2}


def test_a_league_of_rounds_can_stand_and_the_other_way_round(league_of, tmp_path):
    options = {"rounds": 2, "store": tmp_path / "s.db", "nodes": 1, "time": 20_000}
    with League("duel", ["namer:number=3", "namer:number=5"], **options) as league:
        league.play(jobs=1)
    standing = league_of("namer:number=7")
    assert standing.play(jobs=1, most=30).games == 34
    standing.close()
    with League("duel", **options) as league:
        report = league.play(jobs=1)
    assert len(report.ratings) == 3
    assert report.games >= 34


def test_bots_are_taken_in_while_it_runs(league_of, mock, tmp_path):
    """After ten games another connection adds a bot and a program, as another process would."""
    league = league_of("a=namer:number=3", "b=namer:number=5")
    added = []

    def add(league):
        if league.table.finished >= 10 and not added:
            added.extend(add_bots(tmp_path / "s.db", league.run, ["c=namer:number=8", f"d={mock(9)}"]))
            league._looked = 0.0

    report = league.play(jobs=1, progress=add, most=40)
    assert added == ["c takes part in league", "d takes part in league"]
    assert {row.bot for row in report.ratings} == {"a", "b", "c", "d"}
    assert {row.bot for row in report.ratings[:2]} == {"c", "d"}
    newcomers = [game for game in games_of(league)[12:] if max(game.bots) > 2]
    assert len(newcomers) > 20  # of 28: there is most to learn about them


def test_removed_and_paused_bots_do_not_play(league_of, tmp_path):
    league = league_of(*(f"v{number}=namer:number={number}" for number in (3, 5, 7, 9)))
    league.play(jobs=1, most=40)
    assert set_state(tmp_path / "s.db", league.run, ["v5"], "paused") == ["v5 is paused"]
    set_state(tmp_path / "s.db", league.run, ["v9"], "removed")
    report = league.play(jobs=1, most=20)
    assert [(row.bot, row.state) for row in report.ratings] == [("v7", "plays"), ("v5", "paused"), ("v3", "plays")]
    assert report.ratings[0].strongest > 0.9  # the one removed is no rival
    assert len(report.cross) == 3
    assert {bot for game in games_of(league)[40:] for bot in game.bots} == {1, 3}
    set_state(tmp_path / "s.db", league.run, ["v5"], None)
    again = league_of()
    again.play(jobs=1, most=20)
    assert {bot for game in games_of(again)[60:] for bot in game.bots} == {1, 2, 3}
    with pytest.raises(PodiumError, match=r"unknown bot in league 'v4'; did you mean"):
        set_state(tmp_path / "s.db", league.run, ["v4"], "paused")


def test_a_paused_league_waits(league_of, tmp_path, monkeypatch):
    league = league_of("namer:number=3", "namer:number=5")
    pause_league(tmp_path / "s.db", league.run, True)
    waits = []

    def wake(seconds):
        waits.append(league.waits_for)
        pause_league(tmp_path / "s.db", league.run, False)

    monkeypatch.setattr("podium.arena.tournament.continuous.time.sleep", wake)
    assert league.play(jobs=1, most=4).games == 4
    assert waits == ["paused"]


def test_a_league_without_bots_waits_for_them(league_of, tmp_path, monkeypatch):
    league = league_of()
    monkeypatch.setattr(
        "podium.arena.tournament.continuous.time.sleep",
        lambda seconds: add_bots(tmp_path / "s.db", league.run, ["a=namer", "b=namer:noise=3"]),
    )
    assert league.play(jobs=1, most=4).games == 4


def test_a_bot_that_cannot_play_is_retired_and_the_league_goes_on(league_of, mock, tmp_path, monkeypatch):
    """It could when it was added, but its program is gone when the league looks, and no copy was kept."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nexec {mock(9).removeprefix('cmd:')}\n")
    program.chmod(0o755)
    league = league_of("a=namer:number=3", "b=namer:number=5")
    add_bots(tmp_path / "s.db", league.run, [f"c=cmd:{program}"], archive=False)
    program.unlink()
    report = league.play(jobs=1, most=4)
    assert report.games == 4
    assert report.warnings[0].startswith("c cannot play: it is not what it was when it was added")


def test_four_seats(league_of):
    bots = [f"v{number}=namer:number={number}" for number in range(2, 8)]
    league = league_of(*bots, game="table")
    report = league.play(jobs=1, most=80)
    assert [row.bot for row in report.ratings] == ["v7", "v6", "v5", "v4", "v3", "v2"]
    assert set(blocks_of(league).values()) == {4}
    assert all(len(set(game.bots)) == 4 for game in games_of(league))


def test_three_bots_share_four_seats(league_of):
    league = league_of("namer:number=3", "namer:number=5", "namer:number=7", game="table")
    league.play(jobs=1, most=36)
    assert set(blocks_of(league).values()) == {6}


def test_it_is_shown_with_its_history(league_of, tmp_path):
    league = league_of("a=namer:number=3", "b=namer:number=5")
    report = league.play(jobs=1, most=100)
    assert [moment.games for moment in report.history] == [16, 32, 48, 64, 80, 96, 100]
    assert set(report.history[-1].ratings) == {"a", "b"}
    league.close()
    with Store(tmp_path / "s.db", create=False) as store:
        shown = stored_league(store, store.run(1))
    assert shown.history == report.history
    said = commands.podium("show", "r1", "--store", tmp_path / "s.db")
    assert "Elo over time" in said
    assert any(step in said for step in "▁█")


def test_leagues_are_found_by_name(league_of, tmp_path):
    league_of("namer", name="mine")
    league_of("namer", name="both")
    league_of("namer", name="both", game="table")
    with Store(tmp_path / "s.db") as store:
        assert find_league(store, "mine").game == "duel"
        assert find_league(store, "both", "table").game == "table"
        with pytest.raises(PodiumError, match="leagues 'both' of duel and table: say which"):
            find_league(store, "both")
        with pytest.raises(PodiumError, match="unknown league 'mien'; did you mean mine"):
            find_league(store, "mien")


@pytest.fixture
def podium(toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return commands.podium


def test_commands_that_change_a_league(podium):
    podium("league", "duel", "a=namer:number=3", "b=namer:number=5", "--rounds", 1, "--nodes", 1, "--jobs", 1)
    assert podium("league", "add", "c=namer:number=7") == "c takes part in league\n"
    assert podium("league", "pause", "a") == "a is paused\n"
    assert podium("league", "pause") == "league is paused; games under way are played to their end\n"
    assert "plays again" in podium("league", "resume", "a")
    assert "goes on" in podium("league", "resume")
    assert "its games still count for others" in podium("league", "remove", "b")
    report = json.loads(podium("league", "duel", "--rounds", 1, "--nodes", 1, "--jobs", 1, "--json"))
    assert [row["bot"] for row in report["ratings"]] == ["c", "a"]
    with pytest.raises(PodiumError, match="no --rounds, --against or --ladder"):
        podium("league", "duel", "--standing", "--ladder")
    with pytest.raises(PodiumError, match="c is the name of another bot of this league"):
        podium("league", "add", "c=namer:number=8")


DRIVER = """
import podium.games, sys
podium.games.__path__.append({games!r})
from podium.cli import main
sys.argv = ["podium", *{words!r}]
main()
"""


def start(folder, *words):
    code = DRIVER.format(games=str(ROOT / "tests/arena/games"), words=[str(word) for word in words])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored(folder):
    try:
        with Store(folder / "podium.db", create=False) as store:
            return [game for run, _, _ in store.runs() for game in store.games(run)]
    except PodiumError:  # the other process has not made it yet
        return []


def wait_for(process, condition):
    """Wait for what a process does, as long as it lives."""
    wait_until(lambda: process.poll() is not None or condition())
    assert process.poll() is None, process.communicate()[1]


@pytest.mark.slow
def test_it_survives_being_killed_and_takes_in_bots_of_another_process(podium, tmp_path):
    words = ("league", "duel", "--standing", "--nodes", 1, "--jobs", 1, "--json")
    process = start(tmp_path, *words, "a=namer:number=3", "b=namer:number=5")
    wait_for(process, lambda: len(stored(tmp_path)) >= 20)
    assert podium("league", "add", "c=namer:number=8") == "c takes part in league\n"
    wait_for(process, lambda: any(3 in game.bots for game in stored(tmp_path)))
    process.kill()
    process.communicate()
    before = stored(tmp_path)
    process = start(tmp_path, *words)
    wait_for(process, lambda: len(stored(tmp_path)) >= len(before) + 20)
    process.send_signal(signal.SIGTERM)
    report = json.loads(process.communicate(timeout=60)[0])
    after = stored(tmp_path)
    assert after[: len(before)] == before
    assert len({game.place for game in after}) == len(after) == report["games"]
    assert [row["bot"] for row in report["ratings"]] == ["c", "b", "a"]
    sizes = Counter((game.pairing, game.round) for game in after)
    assert Counter(sizes.values())[1] <= 1  # what the last signal broke
