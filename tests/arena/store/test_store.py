"""The store: whose files it takes, what it leaves alone, and what it says of damage."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from podium.arena.store.game_row import Irregularity
from podium.arena.store.store import Store
from podium.arena.store.store_file import APPLICATION
from podium.arena.tournament.match import Match
from podium.errors import PodiumError
from podium.games.game import AnswerVerdict


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
        with pytest.raises(PodiumError, match=r"cannot open the store .*notes.txt: file is not a database"):
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


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(PodiumError, match=r"there is no folder .*nowhere for the store games\.db"):
        Store(tmp_path / "nowhere" / "games.db")


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
            opened.amend(opened.run(1), {})


def test_a_store_that_cannot_be_written_says_what_is_read_only(store, monkeypatch):
    """Root may write everywhere, so the system's answer is replaced."""
    for place in (store.parent, store):
        monkeypatch.setattr(os, "access", lambda path, mode, place=place: path != place)
        with pytest.raises(PodiumError, match=f"cannot write the store {store}: {place} is read-only"):
            Store(store)
        Store(store, create=False).close()


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
        with pytest.raises(PodiumError, match=r"cannot store a game in .*full"):
            match.play(jobs=1)


def test_numbers_that_no_store_can_hold(store):
    with Store(store, create=False) as opened:
        for look in (opened.run, opened.game, opened.record):
            with pytest.raises(PodiumError):
                look(2**70)


def test_a_store_is_a_regular_file(tmp_path):
    """A pipe would be waited for without end, a device written to."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        for create in (True, False):
            with pytest.raises(PodiumError, match="regular file"):
                Store(path, create)


KILLED = """
import os, signal, sys
from pathlib import Path
from podium.arena.store.store import Store

store = Store(Path(sys.argv[1]))
store.connection.execute("PRAGMA wal_autocheckpoint = 0")
store.amend(store.run(1), {"block": 2, "from": "the log"})
os.kill(os.getpid(), signal.SIGKILL)
"""


def unwritable_folder(monkeypatch, folder):
    """As on a medium that is read-only: the index of a log cannot be made there (root may write everywhere else)."""
    connect = sqlite3.connect

    def grudging(name, **options):
        elsewhere = str(folder) not in name or "immutable" in name
        return connect(name if elsewhere else name.replace("file:", "file:/no/such/folder"), **options)

    monkeypatch.setattr(sqlite3, "connect", grudging)


def test_the_log_of_a_store_on_a_medium_that_cannot_be_written_is_read(store, monkeypatch):
    done = subprocess.run([sys.executable, "-c", KILLED, store], check=False)
    assert done.returncode == -signal.SIGKILL
    assert Path(f"{store}-wal").stat().st_size
    files = {path: path.read_bytes() for path in store.parent.iterdir() if path.suffix != ".db-shm"}
    unwritable_folder(monkeypatch, store.parent)
    with Store(store, create=False) as opened:
        assert opened.run(1).wanted["from"] == "the log"
        assert len(list(opened.games(opened.run(1)))) == 4
        with pytest.raises(PodiumError, match="readonly"):
            opened.amend(opened.run(1), {})
        copy = Path(opened._copy.name)
        assert copy.is_dir()
    assert not copy.exists()
    assert {path: path.read_bytes() for path in files} == files


def test_a_store_without_a_log_on_such_a_medium_is_read_where_it_is(store, monkeypatch):
    unwritable_folder(monkeypatch, store.parent)
    with Store(store, create=False) as opened:
        assert len(list(opened.games(opened.run(1)))) == 4
        assert opened._copy is None


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_was_deleted_meanwhile_takes_no_more_games(toys, tmp_path, replaced):
    """They would go into a file that has no name any more."""
    path = tmp_path / "podium.db"
    with Match("duel", "namer", "namer:noise=4", games=4, nodes=1, store=path) as match:
        path.unlink()
        if replaced:
            Store(path).close()
        with pytest.raises(PodiumError, match="was deleted or replaced while it was in use"):
            match.play(jobs=1)


def test_a_store_that_another_program_has_locked_is_not_read_without_its_log(store, monkeypatch):
    monkeypatch.setattr("podium.arena.store.store_file.BUSY_SECONDS", 0.1)
    other = sqlite3.connect(store, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("UPDATE runs SET name = 'locked'")
    with pytest.raises(PodiumError, match="database is locked"):
        Store(store, create=False)
    other.close()


def test_a_checkpoint_goes_with_any_of_its_games(store):
    with Store(store) as opened:
        run = opened.run(1)
        assert opened.checkpoint(run, "sums") is None
        opened.keep_checkpoint(run, "sums", 3, b"x")
        assert opened.checkpoint(run, "sums") == (3, b"x")
        assert opened.checkpoint(run, "other sums") is None
        opened.keep_checkpoint(run, "sums", 4, b"y")
        assert opened.checkpoint(run, "sums") == (4, b"y")
        assert [len(games) for games in opened.columns(run, 3)] == [1]
        assert list(opened.columns(run, 4)) == []
    for statement in ("UPDATE games SET seed = 5 WHERE id = 2", "DELETE FROM games WHERE id = 4"):
        with Store(store) as opened:
            opened.keep_checkpoint(run, "sums", 4, b"y")
        change(store, statement)
        with Store(store, create=False) as opened:
            assert opened.checkpoint(run, "sums") is None


def test_who_only_reads_keeps_a_checkpoint_where_that_is_possible_at_once(store):
    with Store(store, create=False) as reader:
        run = reader.run(1)
        reader.keep_checkpoint(run, "sums", 4, b"x")
        assert reader.checkpoint(run, "sums") == (4, b"x")
        other = sqlite3.connect(store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        reader.keep_checkpoint(run, "sums", 4, b"y")
        assert reader.checkpoint(run, "sums") == (4, b"x")
        other.close()


def test_every_verdict_but_a_plain_answer_is_an_irregularity():
    assert {*Irregularity} == {*AnswerVerdict} - {AnswerVerdict.ANSWERED} | {"stalled", "excused"}
