"""Studies of what write-ups claim, on few games or positions: what they count is what they say."""

import pytest

from podium.games import parts
from podium.games.code4life import studies as code4life
from podium.games.code_of_kutulu import studies as kutulu
from podium.games.evaluation_share import share_by_rates
from podium.games.fall_challenge_2020 import studies as fall
from podium.games.game import Benchmark
from podium.games.wondev_woman import studies as wondev
from podium.games.zuniq import studies as zuniq

pytestmark = pytest.mark.compiled


def test_evaluations_take_a_part_of_the_time(monkeypatch):
    monkeypatch.setattr(code4life, "EVALUATED_ROUNDS", 2)
    monkeypatch.setattr(wondev, "ORDERED_DEPTHS", dict.fromkeys(wondev.ORDERED_DEPTHS, 3))
    monkeypatch.setattr(kutulu, "EVALUATED_TURNS", 1)
    for study in (code4life.evaluation, kutulu.evaluation, wondev.evaluation):
        for _, runs, share, low, high in study(0.0).rows:
            assert runs == 5
            assert low <= share <= high
            assert 0 < share < 1


def test_a_share_is_the_time_of_the_evaluations_over_that_of_the_search(monkeypatch):
    called = []

    def benchmark(name, count, seconds):
        def run(asked):
            called.append((name, asked))
            return count, seconds

        return Benchmark(name, "a unit", run)

    monkeypatch.setattr(parts.time, "process_time", iter(range(1000)).__next__)
    monkeypatch.setattr(parts.time, "perf_counter", iter(range(1000)).__next__)  # it has the processor all the time
    share = share_by_rates(benchmark("search", 100, 2.0), benchmark("evaluations", 4000, 4.0), 3.0, each=10)
    assert share == (0.5, 0.5, 0.5)
    assert called == [("search", 0.0), ("evaluations", 0.0), *[("search", 3.0), ("evaluations", 3.0)] * 5]


def test_rates_of_other_games_are_those_that_a_search_and_its_evaluations_have(monkeypatch):
    compared = []
    for studies in (fall, zuniq):
        monkeypatch.setattr(
            studies, "share_by_rates", lambda *given: compared.append((given[0].name, given[1].name, *given[3:]))
        )
    monkeypatch.setattr(fall, "evaluation_findings", lambda shares, *given: list(shares))
    monkeypatch.setattr(zuniq, "evaluation_findings", lambda shares, *given: list(shares))
    assert fall.evaluation(0.0) == ["beam search"]
    assert zuniq.evaluation(0.0) == ["champion", "alphazero"]
    assert compared == [("beam search", "evaluation"), ("simulations", "playouts", 10), ("network", "evaluations")]


def test_fewer_moves_are_considered_than_are_legal(monkeypatch):
    monkeypatch.setattr(code4life, "DEEPENED_ROUNDS", 2)
    rows = {name: (mean, low, high) for name, _, mean, low, high in code4life.few_moves(0.0).rows}
    assert 2 <= rows["moves considered"][0] < rows["legal moves"][0]
    assert 0 <= rows["best move kept"][0] <= 1
    assert all(low <= mean <= high for mean, low, high in rows.values())


def test_a_sample_taken_back_is_counted_by_who_had_put_it_there(monkeypatch):
    turns = ["0 0", "0 -1", "0 1", "0 -1", "0 0", "0 -1", "0 -1", "0 1"]  # sample and carrier

    class Request:
        def __init__(self, text):
            self.lines = ["some other line", f"{text} 1 A 10 1 0 0 0 0"]

    def played(referee, bots, budget, watch):
        for text in turns:
            watch([Request(text)], [])

    monkeypatch.setattr(code4life, "play_bots", played)
    assert code4life._taken_back(1) == 2  # by 0 once, by 1 once; the first time 1 takes what 0 has put there


def test_the_last_learn_is_a_turn_of_the_game(monkeypatch):
    monkeypatch.setattr(fall, "GAMES", 2)
    monkeypatch.setattr(fall, "NODES", 500)
    ((name, games, turn, discounted, difference, low, high),) = fall.learning(0.0).rows
    assert (name, games) == ("last LEARN", 2)
    assert 1 <= turn <= 100
    assert difference == pytest.approx(turn - discounted)
    assert low <= difference <= high


def test_plans_settle_come_back_or_go_on(monkeypatch):
    lines = kutulu.stored_positions()[::8]
    monkeypatch.setattr(kutulu, "stored_positions", lambda: lines)
    monkeypatch.setattr(kutulu, "SETTLING_ROUNDS", 6)
    monkeypatch.setattr(kutulu, "AUTHORS_TURNS", 500)
    rows = kutulu.settling(0.0).rows
    assert sum(row[2] for row in rows) == len(lines)
    assert all(0 <= low <= share <= high <= 1 for *_, share, low, high in rows)
    assert sum(row[1] for row in kutulu.maxn_depths(0.0).rows) == len(lines)


def test_yells_are_counted_for_those_who_hear_them(monkeypatch):
    monkeypatch.setattr(kutulu, "YELL_GAMES", 4)
    monkeypatch.setattr(kutulu, "YELL_NODES", 100)
    ((name, games, mine, others, ratio, low, high),) = kutulu.yells(0.0).rows
    assert (name, games) == ("writeup", 4)
    assert ratio == pytest.approx(mine / others)
    assert low <= ratio <= high


def test_both_bots_are_compared_in_the_same_positions(monkeypatch):
    monkeypatch.setattr(code4life, "AUTHORS_ROUNDS", 300)
    writeup, champion = code4life.depths(0.0).rows
    assert (writeup[0], champion[0], writeup[1]) == ("writeup", "champion", champion[1])
    assert champion[-3] == pytest.approx(champion[3] / writeup[3])


def test_contested_positions_of_code4life_leave_both_robots_a_choice(monkeypatch):
    monkeypatch.setattr(code4life, "CONTESTED_NODES", 100)
    bot = code4life.MatrixBot(code4life.MATRIX_PARAMS.params(), 0)
    states = code4life.contested_positions(1)
    assert states
    for state in states:
        matrix = bot.search(state, code4life.Budget(nodes=500)).matrix
        assert min(len(matrix.rows), len(matrix.columns)) > 1
