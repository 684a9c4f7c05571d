"""Going through a stored game with a bot: what it finds, and the words for it."""

import json

import pytest

from podium.arena.analysis.analyze import analyze_position
from podium.arena.analysis.review import Review, ReviewedTurn
from podium.arena.analysis.stored_runs import judge_of
from podium.cli import console
from podium.cli.formatting import BARS
from podium.cli.review import sparkline
from podium.errors import PodiumError
from podium.games import load
from tests import commands


@pytest.fixture(name="podium", scope="module")
def run_podium(tmp_path_factory):
    """Run a command on a store that holds two games of Zuniq."""
    store = tmp_path_factory.mktemp("review") / "games.db"

    def run(*words):
        return commands.podium(*words, "--store", store)

    run("match", "zuniq", "random", "random:claim=on", "--games", 2, "--nodes", 1, "--jobs", 1)
    return run


REVIEW = ("--nodes", 40, "--bot", "champion:memory=8,book=off")


def turn(number, value, played_value):
    return ReviewedTurn(number, "A1h", "A2h", value, played_value, 3, [], [])


def test_the_worst_turns_come_first_and_only_those_that_cost_something():
    turns = (turn(1, 0.5, 0.4), turn(2, 0.5, None), turn(3, 0.6, 0.2), turn(4, 0.3, 0.35), turn(5, None, None))
    found = Review("g1", "zuniq", 0, "random", "champion", "win rate", turns, "")
    assert [worst.turn for worst in found.worst(3)] == [3, 1]
    assert [each.cost for each in turns] == [pytest.approx(0.1), None, pytest.approx(0.4), 0.0, None]


@pytest.mark.compiled
def test_a_game_is_reviewed_from_the_losers_seat(podium):
    shown = json.loads(podium("show", "g1", "--json"))
    found = json.loads(podium("review", "g1", *REVIEW, "--json"))
    loser = shown["ranks"].index(2)
    assert found["seat"] == loser
    answers = [answer["line"] for answer in shown["answers"] if answer["seat"] == loser]
    assert [turn["played"] for turn in found["turns"]] == answers
    assert [turn["turn"] for turn in found["turns"]] == list(range(1 + loser, len(shown["answers"]) + 1, 2))
    assert any(turn["cost"] for turn in found["turns"])
    other = json.loads(podium("review", "g1", "--seat", 1 - loser, *REVIEW, "--json"))
    assert [turn["turn"] for turn in other["turns"]][:2] == [2 - loser, 4 - loser]


@pytest.mark.compiled
def test_a_review_for_people(podium, monkeypatch):
    monkeypatch.setattr(console.console, "width", 80)
    text = podium("review", "r1", *REVIEW, "--worst", 1)
    assert text.startswith("g2: ")
    assert "instead of" in text
    assert any(bar in text for bar in BARS)
    assert "better" in text
    assert text.splitlines()[-1].startswith("the worst was turn "), "the answer stands where one looks first"


@pytest.mark.compiled
def test_an_analysis_says_what_its_nodes_were_for(podium):
    text = podium("analyze", "zuniq", "g1", "--turn", 20, *REVIEW)
    assert "20 of 40 nodes: the other half compares the moves; " in text
    assert "behind the first" in text


@pytest.mark.compiled
def test_a_position_is_taken_from_the_store(podium):
    shown = json.loads(podium("show", "g1", "--json"))
    found = json.loads(podium("analyze", "zuniq", "g1", "--turn", 20, *REVIEW, "--json"))
    assert f"turn 20, seat 1: {shown['answers'][19]['line']} was played." in found["thoughts"]["note"]
    assert found["thoughts"]["options"]
    assert found["scene"]["moves"] == [answer["line"][:3] for answer in shown["answers"][:19]]


@pytest.mark.compiled
def test_what_cannot_be_found_is_said(podium):
    with pytest.raises(PodiumError, match="is not asked in turn 20"):
        podium("analyze", "zuniq", "g1", "--turn", 20, "--seat", 0, *REVIEW)
    with pytest.raises(PodiumError, match="a game of zuniq, not of wondev_woman"):
        podium("analyze", "wondev_woman", "g1")
    with pytest.raises(PodiumError, match="seats 0 to 1"):
        podium("review", "g1", "--seat", 7, *REVIEW)


def test_a_sparkline_has_a_bar_for_each_value_and_fits_a_line():
    assert sparkline([0.0, None, 1.0]) == "▁·█"
    assert sparkline([2.0, 2.0]) == "▁▁"
    assert sparkline([0.0, 1.0, 2.0, 3.0, -1e9]) == "▅▆▇█▁"
    assert len(sparkline([float(value) for value in range(200)])) <= 70


def test_a_game_without_a_champion_is_analyzed_by_its_first_bot(toys):
    rules = load("duel")
    assert rules.default_bot == next(iter(rules.bots))
    assert load("zuniq").default_bot == "champion"
    assert judge_of(rules, "")[0].name == rules.default_bot
    with pytest.raises(PodiumError, match="has no analysis of positions yet"):
        analyze_position("duel")
