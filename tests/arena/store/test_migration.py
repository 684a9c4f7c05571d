"""Stores of format 1: read as they are, migrated when they are written to, with nothing lost.

`format_1.db.gz` holds runs of every kind, written by the last version with that format; `format_1.json.gz` is what that
version said of them (`runs`, `show` of every run and game, `replay`).
"""

import gzip
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from podium.arena.analysis.stored_runs import replay_stored
from podium.arena.game.conditions import conditions_from
from podium.arena.store import migration
from podium.arena.store.game_data import game_data
from podium.arena.store.schema import COLUMNS
from podium.arena.store.store import Store
from podium.arena.store.store_file import VERSION
from podium.arena.store.stored_game import stored_game
from podium.arena.tournament.match import Match
from podium.errors import PodiumError
from podium.lab.reports import report_of

STORES = Path(__file__).parents[2] / "recordings" / "stores"
# The words of format 1, and the codes that stand for them now.
CODES = {
    "finished": "normal",
    "turn limit": "turn_limit",
    "no answer": "no_answer",
    "void": "annulled",
    "too many lines": "extra_lines",
    "closed its output": "closed_output",
    "not started": "not_started",
    "by the machine's fault": "excused",
}
RENAMED = {"void": "annulled", "spoiled": "machine_faults", "marks": "irregularities"}  # figures of reports


@pytest.fixture(scope="module")
def expected():
    return json.loads(gzip.decompress((STORES / "format_1.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "old.db"
    path.write_bytes(gzip.decompress((STORES / "format_1.db.gz").read_bytes()))
    return path


@pytest.fixture
def old(unpacked, tmp_path):
    """A store of format 1 of one's own."""
    return Path(shutil.copy(unpacked, tmp_path / "old.db"))


@pytest.fixture(params=["read", "migrated"])
def store(old, request):
    """The same, read as it is or migrated."""
    if request.param == "migrated":
        Store(old).close()
    with Store(old, create=False) as opened:
        yield opened


def query(path, text):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(text).fetchall()
    finally:
        connection.close()


def version(path):
    return query(path, "PRAGMA user_version")[0][0]


def coded(counts):
    return {CODES.get(word, word): number for word, number in counts.items()}


def plain(data):
    """As JSON has it."""
    return json.loads(json.dumps(data))


def reworded(text):
    """A sentence of the old code as it reads now."""
    for old, new in (
        ("was put out", "was disqualified"),
        (" void,", " annulled,"),
        ("because the referee failed (see", "because the referee or its program failed (see"),
        ("lies at the end of its range: better ones may", "is a bound of its range: better values may"),
    ):
        text = text.replace(old, new)
    return text


def named_games(warnings):
    """The games that each warning names; without those of a busy machine, which today need an answer near its limit."""
    return [
        re.findall(r"\bg\d+", text)
        for text in warnings
        if not re.search("took processor time from|busy with other work", text)
    ]


def test_runs_are_those_that_were_stored(store, expected):
    told = [(f"r{run.id}", run.kind, run.game, run.name, run.seed, games) for run, games, _ in store.runs()]
    assert told == [
        tuple(row[name] for name in ("run", "kind", "game", "name", "seed", "games")) for row in expected["runs"]
    ]


def test_conditions_are_found_again_by_the_same_text(store):
    """A run is known by the text of its conditions, among others: the same command finds it again."""
    for (text,) in store.connection.execute("SELECT conditions FROM runs"):
        assert conditions_from(text).text() == text


def test_games_tell_what_they_told(store, expected):
    games = [game for run, _, _ in store.runs() for game in store.games(run)]
    assert {f"g{game.id}" for game in games} == expected["games"].keys()
    for game in games:
        old, new = expected["games"][f"g{game.id}"], plain(game_data(stored_game(store, game)))
        assert game.signature == expected["signatures"][f"g{game.id}"]
        assert new["ending"] == CODES.get(old["ending"], old["ending"])
        assert [(one["seat"], one["why"]) for one in new["faults"]] == [
            (one["seat"], CODES.get(one["why"], one["why"])) for one in old["faults"]
        ]
        assert [one["sentence"] for one in new["faults"]] == [one["sentence"] for one in old["faults"]]
        assert new["sentence"].removeprefix("annulled: ").split(": ")[-1] == reworded(old["sentence"]).split(": ")[-1]
        for one, other in zip(new["answers"], old["answers"], strict=True):
            verdict = other["verdict"] and [CODES.get(other["verdict"][0], other["verdict"][0]), other["verdict"][1]]
            assert one == one | other | {"verdict": verdict, "ms": other["ms"] or None}  # 0 stood for unknown
        same = old.keys() - {"ending", "faults", "sentence", "answers", "version"}
        assert {name: new[name] for name in same} == {name: old[name] for name in same}


def test_reports_are_what_they_were(store, expected):
    for run, games, _ in store.runs():
        old = expected["show"][f"r{run.id}"]
        if "error" in old:
            assert games == 0
            continue
        new = plain(report_of(store, run).data())
        for name in old.keys() & {"endings"}:
            assert new[name] == coded(old[name])
        for name in old.keys() & {"faults", "marks"}:
            assert new[RENAMED.get(name, name)] == [coded(counts) for counts in old[name]]
        # words may change: there are as many warnings, and they name the same games
        assert named_games(new["warnings"]) == named_games(old["warnings"])
        if "ratings" in old:
            assert [rating["faults"] for rating in new["ratings"]] == [
                coded(rating["faults"]) for rating in old["ratings"]
            ]
        figures = {"games", "finished", "void", "spoiled", "won", "drawn", "lost", "seats", "clocks", "distinct_games"}
        for name in old.keys() & figures:
            assert new[RENAMED.get(name, name)] == old[name], (run.id, name)


def test_games_of_all_rules_are_played_again_as_they_were(old, expected):
    """Of each game the first run, which is as good as all of them."""
    firsts = {row["game"]: row["run"] for row in reversed(expected["runs"]) if row["run"] in expected["replay"]}
    for run in firsts.values():
        assert replay_stored([run], old).data()["agree"] == expected["replay"][run]["agree"]


def test_a_store_that_is_only_read_is_left_as_it_is(old, unpacked):
    with Store(old, create=False) as opened:
        assert len(opened.last_games(opened.run(1), 5)) == 2
        with pytest.raises(PodiumError, match=r"readonly|it is a view"):
            opened.amend(opened.run(1), {})
    assert old.read_bytes() == unpacked.read_bytes()


def test_a_store_on_a_medium_that_cannot_be_written_is_read(old, monkeypatch):
    connect = sqlite3.connect

    def grudging(name, **options):
        return connect(name if "immutable" in name else name.replace("file:", "file:/no/such/folder"), **options)

    monkeypatch.setattr(sqlite3, "connect", grudging)
    with Store(old, create=False) as opened:
        assert {game.ending for run, *_ in opened.runs() for game in opened.games(run)} >= {"normal", "annulled"}


def test_a_migrated_store_is_a_store_of_today(old, expected, tmp_path):
    Store(old).close()
    assert version(old) == VERSION
    assert query(old, "PRAGMA integrity_check") == [("ok",)]
    assert {name for _, name, *_ in query(old, "PRAGMA table_info(games)")} == {column.name for column in COLUMNS}
    assert {name: query(old, f"SELECT COUNT(*) FROM {name}")[0][0] for name in expected["rows"]} == expected["rows"]
    rows = query(old, "SELECT * FROM games ORDER BY id")
    Store(old).close()  # once more
    assert query(old, "SELECT * FROM games ORDER BY id") == rows


def test_annulled_games_have_a_reason(store):
    reasons = {game.annulment for run, *_ in store.runs() for game in store.games(run) if game.ending == "annulled"}
    assert reasons == {"machine_fault", "referee_failed", "program_failed"}


def test_an_old_store_is_read_and_counted_alike(old):
    """Through the view of a reader and after the migration: the same rows."""
    with Store(old, create=False) as opened:
        before = [game for run, *_ in opened.runs() for game in opened.games(run)]
    with Store(old) as opened:
        assert [game for run, *_ in opened.runs() for game in opened.games(run)] == before


KILLED = """
import os, signal, sys
from pathlib import Path
from podium.arena.store import migration
from podium.arena.store.store import Store

seen = []
def killing(text):
    seen.append(text)
    if len(seen) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return text
killing.__name__ = "irregularities_of"
migration.irregularities_of = killing
Store(Path(sys.argv[1]))
"""


def test_a_migration_that_is_killed_has_changed_nothing(old, unpacked):
    done = subprocess.run([sys.executable, "-c", KILLED, old], check=False)
    assert done.returncode == -signal.SIGKILL
    assert version(old) == 1
    assert query(old, "SELECT * FROM games ORDER BY id") == query(unpacked, "SELECT * FROM games ORDER BY id")
    Store(old).close()
    assert version(old) == VERSION


def test_processes_that_open_a_store_at_once_migrate_it_once(old, expected):
    text = "import sys; from pathlib import Path; from podium.arena.store.store import Store\n"
    text += "sys.stdin.readline(); s = Store(Path(sys.argv[1])); print(len(list(s.games(s.run(2)))))"
    several = [
        subprocess.Popen([sys.executable, "-c", text, old], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for one in several:
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.communicate()[0].strip() for one in several] == ["8"] * 3
    assert [one.returncode for one in several] == [0] * 3
    assert version(old) == VERSION
    assert query(old, "SELECT COUNT(*) FROM games WHERE ending = 'finished'") == [(0,)]


def test_a_newer_store_is_refused(old):
    connection = sqlite3.connect(old)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    for create in (True, False):
        with pytest.raises(PodiumError, match=f"its format is {VERSION + 1}, and this version reads 1 to {VERSION}"):
            Store(old, create)


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET faults = 'rubbish' WHERE id = 2",
        'UPDATE games SET faults = \'[[7, "late", ""]]\' WHERE id = 2',
        "UPDATE games SET faults = '[[0, 1]]' WHERE id = 2",
        "UPDATE games SET marks = '[[0, \"unheard of\", 1]]' WHERE id = 2",
        "UPDATE games SET marks = '{}' WHERE id = 2",
        "UPDATE games SET ending = 'tired' WHERE id = 2",
        "UPDATE games SET sentence = x'ff', ending = 'void' WHERE id = 2",
        "UPDATE games SET ranks = '[1]' WHERE id = 2",
    ],
)
def test_a_damaged_game_of_an_old_store_is_named_and_the_others_are_kept(old, create, statement):
    connection = sqlite3.connect(old)
    with connection:
        connection.execute(statement)
    connection.close()
    with Store(old, create) as opened:
        assert opened.game(1).id == 1
        with pytest.raises(PodiumError, match=r"g2 in .* is damaged"):
            opened.game(2)


def back_to_format_3(path):
    """What the code of format 3 would have written: without remarks and deletions."""
    connection = sqlite3.connect(path)
    with connection:
        for name in migration.NEW_RUN_COLUMNS:
            connection.execute(f"ALTER TABLE runs DROP COLUMN {name}")
        connection.execute("DROP TABLE deleted")
        connection.execute("PRAGMA user_version = 3")
    connection.close()


def back_to_format_2(path):
    """What the code of format 2 would have written: without checkpoints, too."""
    back_to_format_3(path)
    connection = sqlite3.connect(path)
    with connection:
        for what in (
            "TRIGGER checkpoint_update",
            "TRIGGER checkpoint_delete",
            "TABLE checkpoints",
            "INDEX games_of_runs",
        ):
            connection.execute(f"DROP {what}")
        connection.execute("PRAGMA user_version = 2")
    connection.close()


def back_to_format_1(path):
    """What the code of format 1 would have written; of a store with nothing but normal games."""
    back_to_format_2(path)
    words = {code: word for word, code in CODES.items()}
    connection = sqlite3.connect(path)
    with connection:
        for name, former in (("pairing", "meeting"), ("detail", "sentence"), ("irregularities", "marks")):
            connection.execute(f"ALTER TABLE games RENAME COLUMN {name} TO {former}")
        connection.execute("ALTER TABLE games DROP COLUMN annulment")
        for code, word in words.items():
            connection.execute("UPDATE games SET ending = ? WHERE ending = ?", (word, code))
        connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize(("back", "format"), [(back_to_format_1, 1), (back_to_format_2, 2), (back_to_format_3, 3)])
@pytest.mark.parametrize("read_first", [True, False])
def test_a_match_of_before_goes_on_where_it_stopped(toys, tmp_path, read_first, back, format):
    path = tmp_path / "match.db"
    bots = ("duel", "namer:number=6", "namer:number=3,noise=2")
    with Match(*bots, games=20, nodes=1, store=tmp_path / "whole.db") as match:
        whole = match.play(jobs=1).data()
    with Match(*bots, games=8, nodes=1, store=path) as match:
        match.play(jobs=1)
    back(path)
    assert version(path) == format
    if read_first:
        with Store(path, create=False) as opened:
            assert report_of(opened, opened.run(1)).games == 8
            assert (opened.run(1).tags, opened.run(1).summary) == ((), {})
        assert version(path) == format
    with Match(*bots, games=20, nodes=1, store=path) as match:
        assert (match.run.id, match.report().games) == (1, 8)
        report = match.play(jobs=1).data()
    assert query(path, "SELECT COUNT(*), COUNT(DISTINCT pairing || round || ' ' || part) FROM games") == [(20, 20)]
    changing = {"clocks", "games_per_second", "remaining_seconds"}
    assert {name: report[name] for name in report.keys() - changing} == {
        name: whole[name] for name in whole.keys() - changing
    }


def test_faults_of_format_1():
    crashed = migration.faults_of('[[1, "crashed", "crashed: ended with status 1"]]')
    (fault,) = json.loads(crashed)
    assert fault == {
        "seat": 1,
        "code": "no_answer",
        "turn": 0,
        "detail": "",
        "verdict": "crashed",
        "evidence": {"text": "ended with status 1"},
    }
    (fault,) = json.loads(migration.faults_of('[[0, "illegal", "no such move (overrun: 60 ms instead of 50)"]]'))
    assert (fault["code"], fault["detail"]) == ("illegal", "no such move (overrun: 60 ms instead of 50)")
    (fault,) = json.loads(migration.faults_of('[[0, "garbage", "no number (garbage: the answer is not text)"]]'))
    assert (fault["code"], fault["verdict"], fault["detail"]) == ("malformed", "garbage", "no number")


def test_a_temporary_view_needs_no_file(old, monkeypatch):
    """Nothing is written anywhere by who only reads."""
    monkeypatch.setenv("SQLITE_TMPDIR", "/no/such/folder")
    before = sorted(os.listdir(old.parent))
    with Store(old, create=False) as opened:
        assert len(list(opened.columns(opened.run(2)))) == 1
        inside = sorted(os.listdir(old.parent))
    assert set(inside) - set(before) <= {"old.db-shm", "old.db-wal"}


@pytest.fixture
def second(old):
    """A store of format 2."""
    Store(old).close()
    back_to_format_2(old)
    return old


def test_a_store_of_format_2_is_read_as_it_is_and_migrated_by_writers(second):
    before = second.read_bytes()
    with Store(second, create=False) as opened:
        run = opened.run(2)
        games = list(opened.games(run))
        opened.keep_checkpoint(run, "sums", 8, b"x")
        assert opened.checkpoint(run, "sums") is None
    assert second.read_bytes() == before
    with Store(second) as opened:
        assert list(opened.games(run)) == games
        opened.keep_checkpoint(run, "sums", 8, b"x")
        assert opened.checkpoint(run, "sums") == (8, b"x")
    assert version(second) == VERSION
    assert query(second, "PRAGMA integrity_check") == [("ok",)]
    new = second.with_name("new.db")
    Store(new).close()
    schema = "SELECT name, sql FROM sqlite_schema WHERE name LIKE '%checkpoint%' OR name = 'games_of_runs'"
    assert query(second, schema) == query(new, schema)
