"""Titles, tags and notes of runs; deleting runs with all that belongs to them alone."""

import sqlite3

import pytest

from podium.arena.store.run_remarks import delete_run, remark
from podium.arena.store.store import Store
from podium.arena.tournament.match import Match
from podium.errors import PodiumError


@pytest.fixture
def path(toys, tmp_path):
    """A store with three runs: the first two share a bot, the last two the other one."""
    path = tmp_path / "podium.db"
    for first, second in (
        ("namer", "namer:number=6"),
        ("namer", "namer:number=4"),
        ("namer:number=4", "namer:number=7"),
    ):
        with Match("duel", first, second, games=4, nodes=1, store=path) as match:
            match.play(jobs=1)
    return path


def test_title_tags_and_note(path):
    with Store(path) as store:
        run = remark(store, store.run(2), title="nightly", note="as good as it gets", add_tags=["ci", "long"])
        assert (run.title, run.tags, run.note) == ("nightly", ("ci", "long"), "as good as it gets")
        assert run.name == "namer vs namer:number=4", "leagues are found by this one"
        run = remark(store, run, add_tags=["ci", "new"], remove_tags=["long"])
        assert (run.title, run.tags, run.note) == ("nightly", ("ci", "new"), "as good as it gets")
        run = remark(store, run, title="", note="", remove_tags=["ci", "new"])
        assert (run.title, run.tags, run.note, run.remarks) == (run.name, (), "", {})
    with Store(path, create=False) as store:
        assert store.run(1).title == "namer vs namer:number=6"


@pytest.mark.parametrize("tag", ["", "two words", "a,b"])
def test_a_tag_is_a_word(path, tag):
    with Store(path) as store, pytest.raises(PodiumError, match="a tag is one word without commas"):
        remark(store, store.run(1), add_tags=[tag])


def test_the_remarks_of_a_run_outlive_its_going_on(path):
    with Store(path) as store:
        remark(store, store.run(1), title="mine", add_tags=["kept"])
    with Match("duel", "namer", "namer:number=6", games=8, nodes=1, store=path) as match:
        match.play(jobs=1)
        assert (match.run.id, match.run.title, match.run.tags) == (1, "mine", ("kept",))


def rows(path, table):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
    finally:
        connection.close()


def test_a_deleted_run_takes_with_it_what_belongs_to_it_alone(path):
    with Store(path) as store:
        assert delete_run(store, store.run(1)) == 4
    assert [rows(path, table) for table in ("runs", "games", "records", "entries", "bots")] == [2, 8, 8, 4, 3]
    with Store(path, create=False) as store:
        assert [run.id for run, *_ in store.runs()] == [2, 3]
        with pytest.raises(PodiumError, match="no run r1"):
            store.run(1)
        assert len(list(store.games(store.run(2)))) == 4


def test_numbers_are_not_given_again(path):
    with Store(path) as store:
        delete_run(store, store.run(2))
        delete_run(store, store.run(3))
    for number, games in ((4, [13, 14]), (5, [15, 16])):
        with Match("duel", "namer", f"namer:number={number + 4}", games=2, nodes=1, store=path) as match:
            match.play(jobs=1)
            assert match.run.id == number
            assert [game.id for game in match.session.store.games(match.run)] == games
            assert all(match.session.store.record(game) for game in games)


def test_a_run_that_is_played_is_not_deleted(path, monkeypatch):
    def taken(*_):
        raise OSError("taken")

    monkeypatch.setattr("fcntl.lockf", taken)
    with Store(path) as store, pytest.raises(PodiumError, match=r"r2 in .* is being played"):
        delete_run(store, store.run(2))
    assert rows(path, "games") == 12


def test_copies_of_programs_go_with_their_last_run(toys, mock, tmp_path):
    path = tmp_path / "podium.db"
    program = tmp_path / "bot.py"
    program.write_text(f"#!/bin/sh\nexec {mock('5').removeprefix('cmd:')}\n")
    program.chmod(0o755)
    for number in (4, 5):
        with Match("duel", f"namer:number={number}", f"cmd:{program}", games=2, store=path, archive=True) as match:
            match.play(jobs=1)
    folder = tmp_path / "podium.db-bots"

    def copies():
        return [each.name for each in folder.iterdir() if each.name != "content"]

    assert len(copies()) == 1
    with Store(path) as store:
        delete_run(store, store.run(1))
        assert len(copies()) == 1, "the other run still has it"
        delete_run(store, store.run(2))
    assert copies() == []
    assert list((folder / "content").iterdir()) == []
