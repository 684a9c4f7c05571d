"""Going through a stored game with a bot: what it finds, and the words for it."""

import dataclasses
import json
from types import SimpleNamespace

import pytest

from podium.arena.analysis.analyze import analyze_position
from podium.arena.analysis.review import MULTIPLE, SHORTEST, Review, judge_budget
from podium.arena.analysis.reviewed_turn import ReviewedTurn, TurnContext
from podium.arena.analysis.stored_runs import find_stored_game, judge_of
from podium.arena.analysis.surprises import surprises_of
from podium.arena.game.conditions import Conditions
from podium.arena.game.record import GameRecord
from podium.cli import console
from podium.cli.formatting import BARS
from podium.cli.review import sparkline
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import AnswerVerdict
from podium.kernel.clock import MILLISECOND, now
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


def test_a_lost_win_probability_is_marked_as_on_lichess():
    def lost(win, played_win):
        return ReviewedTurn(1, "A1h", "A2h", 1.0, 0.0, 3, [], [], win, played_win)

    assert [lost(0.6, 0.6 - fall).mark for fall in (0.2, 0.12, 0.07, 0.01)] == ["blunder", "mistake", "inaccuracy", ""]
    assert lost(0.3, 0.6).lost_win == 0.0
    assert (lost(None, None).lost_win, lost(None, None).mark) == (None, "")


def test_win_probabilities_of_evaluations():
    champion = load("wondev_woman").kind("champion")
    assert champion.win(0.0) == 0.5
    assert champion.win(-1e12) == pytest.approx(0.0)
    assert champion.win(10.0) > champion.win(5.0) > 0.5
    assert champion.win(None) is None
    assert load("zuniq").kind("champion").win(0.7) == 0.7
    assert load("fall_challenge_2020").kind("champion").win(20.0) is None, "rupees of its own plan say nothing"


@pytest.mark.compiled
def test_the_judge_gets_a_multiple_of_the_players_budget(tmp_path):
    store = tmp_path / "games.db"
    commands.podium(
        "match", "zuniq", "random", "random:claim=on", "--games", 2, "--nodes", 3, "--jobs", 1, "--store", store
    )
    stored = find_stored_game("g1", store)
    assert judge_budget(stored, None, 0)(0).nodes == MULTIPLE * 3
    assert judge_budget(stored, None, 7)(0).nodes == 7
    assert judge_budget(stored, 50.0, 0)(0).nodes == 0
    timed = dataclasses.replace(stored, run=dataclasses.replace(stored.run, conditions=Conditions("zuniq")))
    left = judge_budget(timed, None, 0)(0).deadline - now()
    assert 0 < left <= SHORTEST * MILLISECOND


def game_of(lines, thoughts, ranks=(2, 1)):
    """A game of two players in turns, as far as surprises need it."""
    record = GameRecord(
        [index % 2 for index in range(len(lines))], lines, [1.0, 5.0] * (len(lines) // 2), [0] * len(lines)
    )
    record.thoughts.update(thoughts)
    record.verdicts[2] = (AnswerVerdict.OVERRUN, {})
    run = SimpleNamespace(conditions=Conditions("zuniq"))
    return SimpleNamespace(record=record, row=SimpleNamespace(ranks=ranks), run=run)


def test_what_came_otherwise_than_expected():
    thoughts = {0: {"value": 0.9, "line": ["a", "b"]}, 2: {"value": 0.95, "line": ["c", "x"]}, 4: {"value": 0.3}}
    stored = game_of(["a", "b", "c", "d", "e", "f"], thoughts)
    turns = [
        ReviewedTurn(1, "a", "a", 0.8, 0.8, 3, ["a", "b"], [], 0.8, 0.8),
        ReviewedTurn(3, "c", "c", 0.8, 0.8, 3, ["c", "x", "y"], [], 0.8, 0.8),
        ReviewedTurn(5, "e", "z", 0.4, 0.1, 3, ["z"], ["e", "f"], 0.4, 0.1),
    ]
    contexts = [TurnContext(index, 10.0) for index in (0, 2, 4)]
    found = surprises_of(stored, 0, turns, contexts, load("zuniq").kind("champion"))
    (collapse,) = found.collapses
    assert (collapse.turn, collapse.expected, collapse.came) == (3, ["c", "x", "y"], ["c", "d", "e", "f"])
    assert collapse.sentence == (
        "after turn 3 the winning chances fell from 80 % to 40 %; expected: c, x, y; came: c, d, e, f; "
        "d was the first answer of the opponent that was not expected"
    )
    assert found.sure_turns == (1, 3)
    assert (found.predicted, found.came_true) == (2, 1)
    assert found.short_of_time == (3,)
    won = surprises_of(game_of(["a", "b"], {0: {"value": 0.9}}, (1, 2)), 0, turns[:1], contexts[:1], None)
    assert (won.collapses, won.sure_turns) == ((), ())


@pytest.mark.parametrize(("seat", "came"), [(0, ["a", "b", "c", "d"]), (1, ["b", "a", "d", "c"])])
def test_where_both_answer_at_once_the_players_own_answer_comes_first(seat, came):
    stored = game_of(["a", "b", "c", "d"], {})
    turns = [ReviewedTurn(turn, came[0], came[0], 0.8, 0.8, 3, [], [], 0.8, 0.8) for turn in (1, 2)]
    contexts = [TurnContext(first + seat, 10.0, (first + 1 - seat,)) for first in (0, 2)]
    collapse = surprises_of(stored, 0, turns, contexts, None).collapses[0]
    assert (collapse.turn, collapse.expected, collapse.came) == (2, [], came[2:])
    stored = game_of(["a", "b", "c", "d"], {}, (2, 1))
    turns[1] = dataclasses.replace(turns[1], win=0.1, played_win=0.1)
    collapse = surprises_of(stored, 0, turns, contexts, None).collapses[0]
    assert (collapse.turn, collapse.came, collapse.unexpected) == (1, came, "")
