"""The store: whose files it takes, what it leaves alone, and what it says of damage."""

import os
import sqlite3

import pytest

from podium.arena.match import Match
from podium.arena.store import APPLICATION, Store
from podium.errors import PodiumError


@pytest.fixture
def store(toys, tmp_path):
    """A store of four games."""
    path = tmp_path / "podium.db"
    with Match("duel", "namer", "namer:noise=4", games=4, nodes=1, store=path) as match:
        match.play(jobs=1)
    return path


def change(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be taken for one by nobody " * 20)
    for create in (True, False):
        with pytest.raises(PodiumError, match=r"cannot use it as a store.*not a database"):
            Store(path, create)


@pytest.mark.parametrize("create", [True, False])
def test_a_database_of_another_program_is_left_alone(tmp_path, create):
    path = tmp_path / "other.sqlite"
    change(path, "CREATE TABLE notes (text)")
    before = path.read_bytes()
    with pytest.raises(PodiumError, match="of another program"):
        Store(path, create)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["other.sqlite"]


def test_only_who_writes_makes_a_store(tmp_path):
    path = tmp_path / "none.db"
    with pytest.raises(PodiumError, match="there is no store"):
        Store(path, create=False)
    path.touch()
    with pytest.raises(PodiumError, match="is empty"):
        Store(path, create=False)
    assert path.read_bytes() == b""
    Store(path).close()
    with Store(path, create=False) as opened:
        assert opened.runs() == []


@pytest.mark.parametrize("name", [":memory:", ""])
def test_a_store_is_a_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PodiumError, match="a store is a file"):
        Match("zuniq", "random", "random", store=name)


def test_stores_of_other_versions(store):
    with Store(store, create=False) as opened:
        assert opened.connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    change(store, "PRAGMA application_id = 0")  # as the first stores were
    with Store(store, create=False) as opened:
        assert [games for _, games, _ in opened.runs()] == [4]
    change(store, "PRAGMA user_version = 99")
    with pytest.raises(PodiumError, match="another version"):
        Store(store)


def test_a_store_that_may_only_be_read_can_be_shown(store, monkeypatch):
    """As on a read-only file system, where the index of the log cannot be made."""
    connect = sqlite3.connect

    def grudging(name, **options):
        if "immutable" not in name:
            name = name.replace("file:", "file:/no/such/folder")
        return connect(name, **options)

    monkeypatch.setattr(sqlite3, "connect", grudging)
    with Store(store, create=False) as opened:
        assert len(list(opened.games(opened.run(1)))) == 4
        with pytest.raises(PodiumError, match="readonly"):
            opened.want(opened.run(1), {})


DAMAGES = [
    "UPDATE games SET ranks = '[1]' WHERE id = 2",
    "UPDATE games SET ranks = 'rubbish' WHERE id = 2",
    "UPDATE games SET ranks = '[1, null]' WHERE id = 2",
    "UPDATE games SET ranks = x'5b315d' WHERE id = 2",
    "UPDATE games SET bots = '{}' WHERE id = 2",
    'UPDATE games SET faults = \'[[7, "late", ""]]\' WHERE id = 2',
    "UPDATE games SET times = x'00' WHERE id = 2",
    "UPDATE games SET asked = 'text' WHERE id = 2",
    "UPDATE games SET signature = x'00' WHERE id = 2",
    "UPDATE games SET round = 'three' WHERE id = 2",
    "UPDATE games SET part = 0.5 WHERE id = 2",
    "UPDATE games SET part = -1 WHERE id = 2",
    "UPDATE games SET round = -1 WHERE id = 2",
    "UPDATE games SET round = 1152921504606846976 WHERE id = 2",
]
UNCOUNTED = "UPDATE games SET scores = '[1e999, 2]' WHERE id = 2"  # which no tally reads


@pytest.mark.parametrize("statement", [*DAMAGES, UNCOUNTED])
def test_a_damaged_game_is_named(store, statement):
    change(store, statement)
    with pytest.raises(PodiumError, match=r"g2 in .*podium\.db is damaged"), Store(store, create=False) as opened:
        list(opened.games(opened.run(1)))


@pytest.mark.parametrize("statement", DAMAGES)
def test_a_damaged_game_is_named_when_games_are_counted(store, statement):
    change(store, statement)
    with (
        pytest.raises(PodiumError, match=r"g2 in .*podium\.db is damaged"),
        Match("duel", "namer", "namer:noise=4", games=4, nodes=1, store=store),
    ):
        pass


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET conditions = '{}'",
        "UPDATE runs SET conditions = '[1]'",
        "UPDATE runs SET wanted = '[1]'",
        "UPDATE runs SET wanted = x'ff'",
        "UPDATE bots SET detail = 'rubbish'",
    ],
)
def test_a_damaged_run_is_named(store, statement):
    change(store, statement)
    with pytest.raises(PodiumError, match="r1"), Store(store, create=False) as opened:
        opened.bots(opened.run(1))


def test_a_game_without_its_record_is_named(store):
    change(store, "DELETE FROM records WHERE game = 2")
    with Store(store, create=False) as opened, pytest.raises(PodiumError, match="record of g2 is missing"):
        opened.record(2)


def test_a_full_disk_is_a_sentence(store):
    with Match("duel", "namer", "namer:noise=4", games=400, nodes=1, store=store) as match:
        (pages,) = match.session.store.connection.execute("PRAGMA page_count").fetchone()
        match.session.store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(PodiumError, match=r"cannot store a game: .*full"):
            match.play(jobs=1)


def test_numbers_that_no_store_can_hold(store):
    with Store(store, create=False) as opened:
        for look in (opened.run, opened.game, opened.record):
            with pytest.raises(PodiumError):
                look(2**70)
