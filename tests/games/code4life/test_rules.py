"""The rules against recorded games of the official referee, and against the slow plain twin."""

from contextlib import suppress
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from podium.arena.game.recordings import read, verify
from podium.games import load
from podium.games.code4life import packed_counts, rules, setup
from podium.games.code4life import state as encoding
from podium.games.code4life.catalogue import PROJECT_LIST, SAMPLE_KINDS, SAMPLES, pack, unpack
from podium.games.code4life.protocol import answer_of, read_answer
from podium.games.game import Answer, IllegalError, MalformedError
from podium.kernel import JIT, allocate
from podium.kernel.random import draw_below, generator
from tests.games.code4life.twin import Twin

GAME = load("code4life")
RECORDINGS = Path(__file__).parents[2] / "recordings" / "code4life.jsonl.gz"


def recorded(kind):
    return [(number, game) for number, game in read(RECORDINGS) if kind in (None, game["kind"])]


KINDS_OF_GAMES = {
    "random": 9,
    "greedy": 8,
    "noisy": 8,
    "mixed": 6,
    "format": 3,
    "faulty": 63,
    "scenario": 29,
    "bots": 8,
}


@pytest.mark.parametrize(("kind", "count"), KINDS_OF_GAMES.items())
def test_recorded_games_agree(kind, count):
    games = recorded(kind)
    assert len(games) == count
    for number, game in games if JIT else games[: 2 if len(games) < 20 else 20]:
        comparison = verify(GAME, number, game)
        assert comparison.first is None, comparison.first


ORDERS = {
    0: ("32 24 20 1 27 8 37 12 30 34", "9 4 20 29 17 0 25 14 16 7", "8 9 10 13 4 3 6 7 12 14", "5 0 2 7 6 4 8 1 9 3"),
    1: (
        "38 21 23 33 35 7 32 36 15 29",
        "18 8 9 24 12 29 3 11 21 4",
        "9 11 18 4 16 19 2 3 12 17",
        "9 1 2 3 8 7 6 0 4 5",
    ),
    -1: (
        "11 30 19 2 39 5 23 14 35 16",
        "27 21 11 12 29 18 15 26 0 16",
        "19 15 5 11 0 10 18 6 16 12",
        "9 8 2 6 4 7 3 5 0 1",
    ),
    123456789: (
        "0 8 9 33 20 18 24 27 26 39",
        "10 20 2 27 12 11 1 14 13 0",
        "12 3 7 10 13 4 2 16 9 17",
        "8 3 2 6 5 1 9 4 0 7",
    ),
}


@pytest.mark.parametrize("seed", ORDERS)
def test_orders_drawn_from_the_seed(seed):
    pools, projects = setup.orders(seed)
    found = tuple(" ".join(map(str, order[:10])) for order in (*pools, projects))
    assert found == ORDERS[seed]
    state = setup.initial_state(seed)
    assert sorted(state.pool) == list(range(SAMPLE_KINDS))
    assert [unpack(project) for project in state.project] == [PROJECT_LIST[i] for i in projects[:3]]


counts = st.lists(st.integers(0, 20), min_size=5, max_size=5)


@given(counts, counts)
def test_packed_arithmetic(left, right):
    a, b = np.uint64(pack(left)), np.uint64(pack(right))
    assert unpack(a) == left
    assert packed_counts.total(a) == sum(left)
    assert packed_counts.covers(a, b) == all(x >= y for x, y in zip(left, right, strict=True))
    assert unpack(packed_counts.shortfall(a, b)) == [max(0, x - y) for x, y in zip(left, right, strict=True)]
    assert [packed_counts.count_of(a, i) for i in range(5)] == left


RUBBISH = [
    None,
    "",
    " WAIT",
    "WAITING",
    "GOTO",
    "GOTO START_POS",
    "CONNECT",
    "CONNECT F",
    "CONNECT +1",
    "CONNECT 99999999999",
    "CONNECT 12abc",
    "CONNECT -1",
    "CONNECT 0",
    "CONNECT 4",
    "connect\tA  hello",
    "CONNECT 003",
    "wait for it",
    "goto\vmolecules\f",
    "CONNECT \N{ARABIC-INDIC DIGIT ONE}",
    "WA\N{LATIN SMALL LETTER LONG S}IT",
]


@pytest.mark.parametrize("location", range(1, 5))
@pytest.mark.parametrize("data", ["0" * 5000 + "1", "-" + "0" * 5000 + "1", "9" * 5000])
def test_a_number_of_any_length_is_judged(data, location):
    referee = GAME.new_referee(1)
    referee.state.location[0] = location
    referee.answer([Answer(f"CONNECT {data}"), Answer("WAIT")])
    legal = location == SAMPLES and data == "0" * 5000 + "1"
    assert (referee.outcome is None) == legal


@pytest.mark.parametrize("start", ["WAIT", "GOTO SAMPLES", "CONNECT", "CONNECT 1", "CONNECT A"])
@pytest.mark.parametrize("end", [" " * 20_000 + "\x85", " " * 20_000 + "x\n", " \t" * 10_000 + "\nx\n"])
def test_long_answers_are_read_at_once(start, end):
    state = setup.initial_state(1)
    state.location[0] = SAMPLES
    begin = process_time()
    with suppress(MalformedError, IllegalError):
        read_answer(state, 0, start + end)
    assert process_time() - begin < 0.1


def compare(referee, twin):
    for request in referee.requests():
        head = [] if twin.round else twin.init_lines()
        assert list(request.lines) == head + twin.lines(request.seat)


def finish(referee, twin):
    assert referee.outcome is not None
    assert list(referee.outcome.scores) == [robot.score for robot in twin.robots]
    assert {fault.seat for fault in referee.outcome.faults} == {i for i in (0, 1) if twin.robots[i].out}
    assert referee.requests() == ()


@settings(max_examples=60 if JIT else 4, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(-(2**63), 2**63 - 1), choices=st.randoms(use_true_random=False), fault=st.integers(1, 600))
def test_random_play_agrees_with_the_twin(seed, choices, fault):
    """Legal moves with a liking for work, and from some moment on rubbish that may be fatal."""
    referee, twin = GAME.new_referee(seed), Twin(seed)
    moves = np.zeros(encoding.MOST_MOVES, np.int64)
    while referee.outcome is None:
        compare(referee, twin)
        lines = []
        for seat in (0, 1):
            count = rules.seat_moves(referee.state, seat, moves)
            work = [int(move) for move in moves[:count] if move > encoding.DRAW]
            move = choices.choice(work) if work and choices.random() < 0.7 else int(choices.choice(moves[:count]))
            line = answer_of(referee.state, seat, move)
            lines.append(choices.choice(RUBBISH) if 2 * twin.round + seat >= fault else line)
        referee.answer([Answer(line) for line in lines])
        twin.play(lines)
        assert twin.over() == (referee.outcome is not None)
    finish(referee, twin)


@settings(max_examples=40 if JIT else 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 99), choices=st.randoms(use_true_random=False))
def test_crowded_play_agrees_with_the_twin(seed, choices):
    """Both run the same errands through the same modules, so that they meet in the cloud and at the last molecules."""
    referee, twin = GAME.new_referee(seed), Twin(seed)
    route = ["SAMPLES", "DIAGNOSIS", "MOLECULES", "LABORATORY", "DIAGNOSIS"]
    moves = np.zeros(encoding.MOST_MOVES, np.int64)
    while referee.outcome is None:
        compare(referee, twin)
        lines = []
        for seat in (0, 1):
            count = rules.seat_moves(referee.state, seat, moves)
            work = sorted(int(move) for move in moves[:count] if move > encoding.DRAW)
            if work and twin.round % 17 < 9:
                move = work[0] if choices.random() < 0.6 else choices.choice(work)
                lines.append(answer_of(referee.state, seat, move))
            else:
                lines.append(f"GOTO {route[twin.round // 17 % len(route)]}")
        referee.answer([Answer(line) for line in lines])
        twin.play(lines)
    finish(referee, twin)


def recomputed_hash(state, start):
    total = int(start.hash)  # of projects and pools
    for seat in (0, 1):
        for slot in range(state.carried[seat]):
            total += int(encoding.sample_hash(int(state.tray[seat, slot]), encoding.TRAY_SALT[seat]))
    for slot in range(state.clouded):
        total += int(encoding.sample_hash(int(state.cloud[slot]), encoding.CLOUD_SALT))
    return total % 2**64


@pytest.mark.parametrize("seed", range(4 if JIT else 1))
def test_the_hash_kept_is_the_hash_recomputed_and_tells_states_apart(seed):
    start = setup.initial_state(seed)
    state = start.copy()
    moves, random, seen = np.zeros(encoding.MOST_MOVES, np.int64), generator(seed), {}
    fresh = allocate(encoding.State, 1)[0]
    while not rules.code4life_is_over(state):
        count = rules.code4life_legal_moves(state, moves)
        rules.code4life_play(state, moves[draw_below(random, count)])
        assert int(state.hash) == recomputed_hash(state, start)
        for name in encoding.State.names:
            fresh[name] = state[name]
        fresh.hash = recomputed_hash(state, start)
        assert rules.code4life_key(fresh) == rules.code4life_key(state)
        seen.setdefault(int(rules.code4life_key(state)), []).append(bytes(state))
    assert all(len(set(group)) == 1 for group in seen.values())


@pytest.mark.parametrize("seed", range(3 if JIT else 1))
def test_every_unlisted_move_is_refused_and_every_listed_one_read_back(seed):
    state = setup.initial_state(seed)
    moves, random = np.zeros(encoding.MOST_MOVES, np.int64), generator(seed)
    for _ in range(150):
        for seat in (0, 1):
            legal = set(moves[: rules.seat_moves(state, seat, moves)].tolist())
            if state.eta[seat] > 0:
                assert legal == {encoding.WAIT}
                continue
            for move in legal:
                assert read_answer(state, seat, answer_of(state, seat, move)) == move
            for data in (*"ABCDE", *map(str, range(int(state.next_id) + 2))):
                try:
                    assert read_answer(state, seat, f"CONNECT {data}") in legal
                except (IllegalError, MalformedError):
                    continue
        for _ in (0, 1):
            count = rules.code4life_legal_moves(state, moves)
            rules.code4life_play(state, moves[draw_below(random, count)])


def test_the_same_samples_in_another_order_have_the_same_key():
    first, second = setup.initial_state(3), setup.initial_state(3)
    for state, order in ((first, (5, 60, 61)), (second, (61, 5, 60))):
        for kind in order:
            encoding.add_to_tray(state, 1, kind | encoding.DIAGNOSED | kind << encoding.ID_SHIFT)
    assert rules.code4life_key(first) == rules.code4life_key(second)
    encoding.remove_from_tray(second, 1, 0)
    assert rules.code4life_key(first) != rules.code4life_key(second)
