"""Going through a stored game with a bot: what it finds, and the words for it."""

import dataclasses
import json
from types import SimpleNamespace

import pytest

from podium.arena.analysis.analyze import analyze_position
from podium.arena.analysis.review import MULTIPLE, SHORTEST, JudgeBudget, Review
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
    brewer = load("fall_challenge_2020").kind("champion")
    assert brewer.win(20.0) is None, "rupees of its own plan say nothing"
    assert brewer.win(15_000.0) > 0.5 > brewer.win(-15_000.0)


@pytest.mark.compiled
def test_the_judge_gets_a_multiple_of_the_players_budget(tmp_path):
    store = tmp_path / "games.db"
    commands.podium(
        "match", "zuniq", "random", "random:claim=on", "--games", 2, "--nodes", 3, "--jobs", 1, "--store", store
    )
    stored = find_stored_game("g1", store)
    assert JudgeBudget(stored)(0).nodes == MULTIPLE * 3
    assert JudgeBudget(stored, None, 7)(0).nodes == 7
    assert JudgeBudget(stored, 50.0)(0).nodes == 0
    timed = dataclasses.replace(stored, run=dataclasses.replace(stored.run, conditions=Conditions("zuniq")))
    left = JudgeBudget(timed)(0).deadline - now()
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


ALTERNATING = load("zuniq").kind("champion")


def surprises(stored, turns, contexts, seat=0, player=ALTERNATING, judge=ALTERNATING):
    return surprises_of(stored, seat, turns, contexts, judge, player)


def test_what_came_otherwise_than_expected():
    thoughts = {0: {"value": 0.9, "line": ["a", "b"]}, 2: {"value": 0.95, "line": ["c", "x"]}, 4: {"value": 0.3}}
    stored = game_of(["a", "b", "c", "d", "e", "f"], thoughts)
    turns = [
        ReviewedTurn(1, "a", "a", 0.8, 0.8, 3, ["a", "b"], [], 0.8, 0.8),
        ReviewedTurn(3, "c", "c", 0.8, 0.8, 3, ["c", "x", "y"], [], 0.8, 0.8),
        ReviewedTurn(5, "e", "z", 0.4, 0.1, 3, ["z"], ["e", "f"], 0.4, 0.1),
    ]
    contexts = [TurnContext(index, 10.0) for index in (0, 2, 4)]
    found = surprises(stored, turns, contexts)
    (collapse,) = found.collapses
    assert (collapse.turn, collapse.expected, collapse.came) == (3, ["c", "x", "y"], ["c", "d", "e", "f"])
    assert collapse.sentence == (
        "after turn 3 the winning chances fell from 80 % to 40 %; expected: c, x, y; came: c, d, e, f; "
        "d was the first answer of the opponent that was not expected"
    )
    assert found.sure_turns == (1, 3)
    assert (found.predicted, found.came_true) == (2, 1)
    assert found.short_of_time == (3,)
    assert found.remarks("mine") == [
        "mine believed in a win that did not come in 2 turns: 1, 3 (it gave itself 80 % or more)",
        "mine predicted 2 answers of its opponent, of which 1 came",
        "mine was short of time in turn 3 (it used 95 % of the limit or more, or was late)",
    ]
    won = surprises(game_of(["a", "b"], {0: {"value": 0.9}}, (1, 2)), turns[:1], contexts[:1], player=None)
    assert (won.collapses, won.sure_turns) == ((), ())


def test_a_fall_although_all_came_as_expected_is_one_beyond_the_horizon():
    stored = game_of(["a", "b", "c", "d"], {})
    turns = [
        ReviewedTurn(1, "a", "a", 0.8, 0.8, 3, ["a", "b"], [], 0.8, 0.8),
        ReviewedTurn(3, "c", "c", 0.4, 0.4, 3, ["c", "d"], [], 0.4, 0.4),
    ]
    (collapse,) = surprises(stored, turns, [TurnContext(0, 10.0), TurnContext(2, 10.0)]).collapses
    assert collapse.lines == [
        "after turn 1 the winning chances fell from 80 % to 40 %",
        "expected, and came: a, b",
        "the reviewing bot did not see any farther",
    ], "that the last turn ended in a foreseen loss is no collapse"


@pytest.mark.parametrize(("seat", "came"), [(0, ["a", "b", "c", "d"]), (1, ["b", "a", "d", "c"])])
def test_where_both_answer_at_once_the_players_own_answer_comes_first(seat, came):
    stored = game_of(["a", "b", "c", "d"], {seat: {"line": came[:2]}, 2 + seat: {"line": [came[2], "x"]}})
    turns = [ReviewedTurn(turn, came[0], came[0], 0.8, 0.8, 3, [], [], 0.8, 0.8) for turn in (1, 2)]
    contexts = [TurnContext(first + seat, 10.0, (first + 1 - seat,)) for first in (0, 2)]
    found = surprises(game_of(["a", "b", "c", "d"], {}, (2, 1) if seat == 0 else (1, 2)), turns, contexts, seat)
    assert (found.collapses[0].turn, found.collapses[0].expected, found.collapses[0].came) == (2, [], came[2:])
    turns[1] = dataclasses.replace(turns[1], win=0.1, played_win=0.1)
    found = surprises(stored, turns, contexts, seat)
    assert (found.collapses[0].turn, found.collapses[0].came, found.collapses[0].unexpected) == (1, came, "")
    assert (found.predicted, found.came_true) == (2, 1)


def test_lines_of_own_moves_alone_are_compared_with_own_moves_in_the_judges_words():
    stored = game_of(["CAST 1", "BREW 9", "REST", "CAST 2"], {0: {"line": ["CAST 1", "BREW 9"]}})
    turns = [
        ReviewedTurn(1, "CAST 1", "CAST 1", 16e3, 16e3, 3, ["CAST(2)", "BREW(7)"], [], 0.8, 0.8),
        ReviewedTurn(2, "REST", "CAST 3", 20.0, 19.0, 3, ["CAST(1)"], ["REST", "CAST(1)"], None, None),
    ]
    contexts = [TurnContext(0, 50.0, (1,)), TurnContext(2, 50.0, (3,))]
    judge = load("fall_challenge_2020").kind("champion")
    found = surprises(stored, turns, contexts, judge=judge, player=judge)
    (collapse,) = found.collapses
    assert collapse.lines == [
        "after turn 1 the win that the reviewing bot had believed in was gone",
        "expected: CAST(2), BREW(7)",
        "came: CAST(2), REST",
        "the opponent meanwhile: BREW 9, CAST 2",
    ]
    assert found.predicted == 0, "the second move of such a line is no answer of the opponent"
    lost = [turns[1], ReviewedTurn(3, "CAST 1", "CAST 1", -16e3, -16e3, 3, [], [], 0.1, 0.1)]
    (collapse,) = surprises(stored, lost, contexts, judge=judge).collapses
    assert collapse.lines[0] == "after turn 2 the reviewing bot saw that the game was lost"


def test_with_more_than_two_players_each_answer_has_its_seat():
    stored = game_of(["a", "b", "c", "d", "e", "f"], {}, (2, 1, 3))
    stored.record.seats[:] = [0, 1, 2, 0, 1, 2]
    turns = [ReviewedTurn(turn, "b", "b", 9.0, 9.0, 3, ["1:b", "2:x"], [], 0.9, 0.9) for turn in (1, 2)]
    turns[1] = dataclasses.replace(turns[1], win=0.2, played_win=0.2)
    contexts = [TurnContext(1, 50.0, (0, 2)), TurnContext(4, 50.0, (3, 5))]
    (collapse,) = surprises(stored, turns, contexts, seat=1).collapses
    assert collapse.came == ["1:b", "2:c", "0:a", "1:e", "2:f", "0:d"]


@pytest.mark.parametrize(("near", "turns"), [(1, (1,)), (3, ())])
def test_who_plans_to_use_up_the_limit_is_not_short_of_time(near, turns):
    stored = game_of(["a", "b"] * 4, {})
    stored.record.verdicts.clear()
    stored.record.times[:] = [9.8 if index // 2 < near else 5.0 for index in range(8)]
    reviewed = [turn(number, None, None) for number in (1, 2, 3, 4)]
    contexts = [TurnContext(index, 10.0) for index in (0, 2, 4, 6)]
    assert surprises(stored, reviewed, contexts).short_of_time == turns


def test_a_later_win_costs_nothing():
    assert ReviewedTurn(1, "a", "b", 17_000.0, 16_600.0, 3, [], [], 0.8, 0.8).cost == 0.0
    assert ReviewedTurn(1, "a", "b", 17_000.0, 30.0, 3, [], [], 0.8, None).cost == 16_970.0
