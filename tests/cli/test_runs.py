"""`podium runs`: scores and verdicts, filters, titles, tags, notes, deletion; and exit codes for CI."""

import json
import sqlite3

import pytest

import podium as library
from podium.cli import console
from podium.errors import PodiumError
from podium.lab import run_list

BASE = ("--jobs", 1, "--nodes", 1)


@pytest.fixture
def runs(podium):
    """A store with a decided match, an open one, and a league; the runs as JSON, by number."""
    podium("match", "duel", "namer:number=6", "namer:number=4", "--games", 40, "--json", *BASE)
    podium("match", "duel", "namer:number=4,noise=1", "namer:number=4,noise=2", "--games", 4, "--json", *BASE)
    podium("league", "table", "namer", "namer:number=6", "--rounds", 1, "--json", *BASE)

    def listed(*words):
        return {run["run"]: run for run in json.loads(podium("runs", "--json", *words))["runs"]}

    return listed


def test_scores_and_verdicts(podium, runs):
    found = runs()
    assert found["r1"]["verdict"] == "stronger"
    assert found["r1"]["score"] > 0.5
    assert found["r1"]["result"] == "namer:number=6 is stronger"
    assert found["r2"]["verdict"] == "no_difference"
    assert (found["r3"]["verdict"], found["r3"]["score"]) == (None, None)
    assert "namer" in found["r3"]["result"]
    text = podium("runs")
    for words in ("namer:number=6 is stronger", f"{found['r1']['score']:.1%}", "no difference shown", "1 node"):
        assert words in text


def test_a_summary_is_only_believed_if_it_is_about_the_same_games(podium, runs, monkeypatch):
    before = runs()

    def refuse(*_):
        raise AssertionError("a report was made")

    with monkeypatch.context() as patched:
        patched.setattr(run_list, "_made_now", refuse)
        assert runs() == before, "no games are read"
    with sqlite3.connect("podium.db") as connection:
        connection.execute("UPDATE runs SET summary = '{}'")
    connection.close()
    assert runs() == before, "as after a crash"
    monkeypatch.setattr(run_list, "MOST_ADDED_UP", 10)
    assert runs()["r1"]["result"] == "see podium show r1"


def test_runs_are_chosen_by_game_kind_and_tag(podium, runs):
    podium("runs", "tag", "r2", "nightly", "small")
    assert list(runs("--game", "duel")) == ["r1", "r2"]
    assert list(runs("--kind", "league")) == ["r3"]
    assert list(runs("--tag", "nightly")) == ["r2"]
    podium("runs", "untag", "r2", "nightly")
    assert list(runs("--tag", "nightly")) == []
    assert runs()["r2"]["tags"] == ["small"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--game", "duell"), "no runs of game 'duell' in podium.db; did you mean duel?"),
        (("--kind", "matsch"), "unknown kind 'matsch'; did you mean match?"),
        (("--tag", "x"), "no runs with the tag x"),
        (("--game", "duel", "--kind", "league"), "no runs of that kind in podium.db; `podium runs` lists all"),
        (("remove", "r1"), "unknown command 'remove' of runs; known: delete, note, rename, tag, untag"),
        (("delete", "r9"), "there is no run r9 in podium.db; `podium runs` lists them"),
    ],
)
def test_what_is_not_there_is_a_sentence(podium, runs, words, sentence):
    with pytest.raises(PodiumError) as error:
        podium("runs", *words)
    assert str(error.value) == sentence


def test_the_help_lists_the_commands(podium):
    text = podium("runs", "--help")
    section = text.partition("\nCommands:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in section.splitlines() if line[2] != " "] == [
        "delete",
        "rename",
        "tag",
        "untag",
        "note",
    ]


def test_a_list_of_some_games_says_so(podium, runs):
    assert podium("show", "r1").splitlines()[-1] == "the last 5 of 40 games; --last 40 lists all"
    assert "lists all" not in podium("show", "r2")


def test_an_export_says_what_it_wrote(podium, runs, monkeypatch):
    said = []
    monkeypatch.setattr(console.errors, "print", lambda text, **_: said.append(text))
    assert podium("export", "r2", "--format", "csv", "--output", "games.csv") == ""
    assert said == ["wrote games.csv"]


def test_titles_and_notes_are_shown(podium, runs):
    podium("runs", "rename", "r1", "the first step")
    assert "match r1 of duel: the first step (namer:number=6 vs namer:number=4)" in podium("show", "r1")
    podium("runs", "note", "r1", "before the new evaluation")
    text = podium("runs")
    assert "the first step" in text
    assert "before the new evaluation" in text
    assert "the first step" in podium("show", "r1").splitlines()[0]
    assert json.loads(podium("show", "r1", "--json"))["name"] == "the first step"
    podium("runs", "rename", "r1", "")
    assert "namer:number=6 vs namer:number=4" in podium("show", "r1").splitlines()[0]


def test_deleting(podium, runs):
    with pytest.raises(PodiumError, match="needs --yes"):
        podium("runs", "delete", "r1")
    with pytest.raises(PodiumError, match="no run r9"):
        podium("runs", "delete", "r2", "r9", "--yes")
    assert list(runs()) == ["r1", "r2", "r3"], "all or nothing"
    assert podium("runs", "delete", "r1", "r2", "--yes") == "deleted r1, r2: 44 games\n"
    assert list(runs()) == ["r3"]
    with pytest.raises(PodiumError, match="expected a run such as r3, not 'g1'"):
        podium("runs", "delete", "g1", "--yes")


def test_nothing_is_made_where_there_is_no_store(podium, tmp_path):
    for words in (("delete", "r1", "--yes"), ("tag", "r1", "a"), ()):
        with pytest.raises(PodiumError, match="there is no store"):
            podium("runs", *words)
    assert list(tmp_path.iterdir()) == []


def test_the_same_from_python(podium, runs):
    found = library.runs(game="duel")
    assert [line.run for line in found.runs] == ["r1", "r2"]
    assert "namer:number=6 is stronger" in str(found)
    assert library.remark("r1", title="mine", add_tags=["a"]).title == "mine"
    assert [line.run for line in library.runs(tag="a").runs] == ["r1"]
    assert library.delete("r1") == 40
    assert found.headline == "2 runs"


@pytest.mark.parametrize(
    ("first", "second", "options", "requirement", "status"),
    [
        ("namer:number=6", "namer:number=4", (), "stronger", 0),
        ("namer:number=4", "namer:number=6", (), "stronger", 1),
        ("namer:number=4", "namer:number=6", (), "not-weaker", 1),
        ("namer:number=4,noise=1", "namer:number=4,noise=2", (), "stronger", 3),
        ("namer:number=4,noise=1", "namer:number=4,noise=2", (), "not-weaker", 3),
        ("namer:number=6", "namer:number=4", ("--sprt", -50, 0), "not-weaker", 0),
        ("namer:number=4", "namer:number=6", ("--sprt", 0, 50), "not-weaker", 1),
    ],
)
def test_an_exit_code_for_ci(podium, first, second, options, requirement, status):
    words = ("match", "duel", first, second, *options, "--fail-unless", requirement, *BASE)
    text = podium(*words, *(() if options else ("--games", 30)), code=status)
    assert "won, drawn, lost" in text, "the report is printed anyway"


@pytest.mark.parametrize(
    ("second", "requirement", "sentence"),
    [
        ("namer:number=6", "stronger", "first is not stronger than namer:number=6: the match shows the contrary"),
        ("namer:number=6", "not-weaker", "first is weaker than namer:number=6: the match shows the contrary"),
        ("namer:number=4,noise=2", "stronger", "it is not shown that first is stronger than namer:number=4,noise=2"),
    ],
)
def test_a_requirement_says_why_it_is_not_met(podium, monkeypatch, second, requirement, sentence):
    said = []
    monkeypatch.setattr(console.errors, "print", lambda text, **_: said.append(text))
    words = ("match", "duel", "first=namer:number=4,noise=1", second, "--games", 30, "--fail-unless", requirement)
    podium(*words, *BASE, code=3 if sentence.startswith("it is") else 1)
    assert said[-1] == f"podium: {sentence}"
