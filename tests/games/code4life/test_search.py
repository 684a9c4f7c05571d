"""The champion's parts against slow plain twins: evaluation, moves, search; and its play."""

import io
import itertools
import sys

import numpy as np
import pytest

from podium.arena.game.play import TimeControl, play_game
from podium.errors import PodiumError
from podium.games import load
from podium.games.code4life import analysis, catalogue, rules
from podium.games.code4life import state as encoding
from podium.games.code4life.bots import evaluation, hoarder, moves, sample_order
from podium.games.code4life.bots.params import CHAMPION_PARAMS, PARAMS, WRITEUP_PARAMS
from podium.games.code4life.catalogue import unpack
from podium.games.code4life.protocol import answer_of, opening_lines, prompt
from podium.games.code4life.setup import initial_state
from podium.games.code4life.view import View
from podium.games.game import Budget
from podium.games.loop import play_bots
from podium.kernel import JIT
from podium.kernel.clock import NEVER
from podium.kernel.random import draw_below, generator
from podium.model.budget import NO_LIMIT
from podium.search.alphabeta import AlphaBeta

GAME = load("code4life")
MANY = 40 if JIT else 4


def positions(seed, params, step=7):
    """Positions of a player's view, on the way of a game in which both choose any candidate."""
    truth, random, out = initial_state(seed), generator(seed), np.zeros(encoding.MOST_MOVES, np.int64)
    found = []
    while not rules.code4life_is_over(truth):
        if truth.played % step == 0:
            view = View()
            view.rounds = int(truth.played)
            view.read(opening_lines(truth) + prompt(truth, int(truth.played) // step % 2))
            found.append(view.state)
        for _ in (0, 1):
            count = moves.code4life_candidates(truth, params, out)
            rules.code4life_play(truth, out[draw_below(random, count)])
    return found


def plain_samples(state, seat):
    result = []
    for slot in range(state.carried[seat]):
        sample = int(state.tray[seat, slot])
        kind = sample & encoding.KIND_MASK
        result.append(
            {
                "diagnosed": bool(sample & encoding.DIAGNOSED),
                "known": kind < catalogue.SAMPLE_KINDS,
                "rank": int(catalogue.KIND_RANK[kind]),
                "health": int(catalogue.KIND_HEALTH[kind]),
                "gain": int(catalogue.KIND_GAIN[kind]),
                "cost": unpack(catalogue.KIND_COST[kind]),
            }
        )
    return result


def plain_standing(state, params, seat):
    """The write-up's list, and the additions, on plain lists."""
    storage, expertise = unpack(state.storage[seat]), unpack(state.expertise[seat])
    other = unpack(state.storage[1 - seat])
    left = [max(0, 5 - a - b) for a, b in zip(storage, other, strict=True)]
    space = 10 - sum(storage)
    eta, place = int(state.eta[seat]), int(state.location[seat])
    coefficient = float(params.expertise_coefficient)
    value = coefficient * sum(expertise) + params.space_bonus * space
    for index in range(3):
        if int(state.open) >> index & 1:
            need = unpack(state.project[index])
            had = sum(min(a, b) for a, b in zip(need, expertise, strict=True))
            value += params.project_bonus * (had / sum(need)) ** 2
    known = []
    if not all(sample["diagnosed"] for sample in plain_samples(state, seat)):
        value -= params.distance_penalty * (eta + int(catalogue.DISTANCE[place, catalogue.DIAGNOSIS]))
    for sample in plain_samples(state, seat):
        health = [params.rank_1_health, params.rank_2_health, params.rank_3_health][sample["rank"] - 1]
        room = min(1.0, space / params.space_needed) if params.space_needed else 1.0
        if not sample["diagnosed"]:
            value += params.undiagnosed * (health + coefficient) * room
        elif not sample["known"]:
            value += params.diagnosed_unknown * (health + coefficient) * room
        else:
            known.append(sample)

    def score(sample):
        missing = [max(0, c - s - e) for c, s, e in zip(sample["cost"], storage, expertise, strict=True)]
        available = all(m <= n for m, n in zip(missing, left, strict=True))
        fits = sum(missing) <= space
        return (100 if available and fits else 1 if available else 0) - (
            sum(missing) - int(params.health_weight * sample["health"])
        ) * 1e-3

    kept, producible = list(storage), []
    for index, sample in enumerate(sorted(known, key=score, reverse=True)):
        need = [max(0, c - e) for c, e in zip(sample["cost"], expertise, strict=True)]
        missing = [max(0, n - k) for n, k in zip(need, kept, strict=True)]
        value -= params.missing_penalty * params.missing_decay**index * sum(missing)
        kept = [max(0, k - n) for k, n in zip(kept, need, strict=True)]
        worth = sample["health"] + coefficient
        if not any(missing):
            value += params.ready * worth
        elif all(m <= n for m, n in zip(missing, left, strict=True)):
            producible.append((worth, sum(missing)))
        else:
            value += params.unproducible * worth
            continue
        if params.future_expertise:
            expertise[sample["gain"]] += 1
    enough = any(missing <= space for _, missing in producible)
    return value + sum(worth for worth, _ in producible) * (params.producible if enough else params.unproducible)


MINDS_TESTED = {
    "writeup": WRITEUP_PARAMS.params(),
    "champion": CHAMPION_PARAMS.params(),
    "everything": PARAMS.params(
        {
            "future_expertise": True,
            "project_bonus": 20.0,
            "opponent_weight": 1.3,
            "space_needed": 4.0,
            "health_weight": 0.1,
            "production_orders": True,
            "diagnosis_from_molecules": True,
            "endgame_rounds": 60,
            "blocking_trips": False,
            "stride": 2,
        }
    ),
}


@pytest.mark.parametrize("name", MINDS_TESTED)
def test_the_evaluation_is_that_of_the_plain_twin(name):
    params = MINDS_TESTED[name]
    for seed in range(8 if JIT else 1):
        for state in positions(seed, params, step=3):
            for seat in range(2):
                difference = int(state.score[seat]) - int(state.score[1 - seat])
                mine, his = plain_standing(state, params, seat), plain_standing(state, params, 1 - seat)
                plain = difference + mine - params.opponent_weight * his
                assert evaluation.code4life_evaluate(state, params, seat) == pytest.approx(plain, abs=1e-9)


def test_at_the_end_only_the_scores_count():
    state = initial_state(1)
    state.played = 200
    state.score[0], state.score[1] = 30, 42
    state.expertise[0] = 3
    assert evaluation.code4life_evaluate(state, MINDS_TESTED["writeup"], 0) == -12


@pytest.mark.parametrize("name", MINDS_TESTED)
def test_candidates_are_legal_and_never_none(name):
    params, legal, out = (
        MINDS_TESTED[name],
        np.zeros(encoding.MOST_MOVES, np.int64),
        np.zeros(encoding.MOST_MOVES, np.int64),
    )
    for seed in range(8 if JIT else 1):
        for state in positions(seed, params, step=2):
            count = moves.code4life_candidates(state, params, out)
            assert count > 0
            allowed = set(legal[: rules.seat_moves(state, 0, legal)].tolist())
            assert set(out[:count].tolist()) <= allowed
            assert len(set(out[:count].tolist())) == count


def plain_minimax(state, params, depth):
    """The write-up's pseudo code without the pruning: I choose, the opponent answers knowing it."""
    if rules.code4life_is_over(state):
        return float(rules.code4life_final_score(state, 0))
    if depth == 0:
        return evaluation.code4life_evaluate(state, params, 0)
    out = np.zeros(encoding.MOST_MOVES, np.int64)
    values = []
    for move in out[: moves.code4life_candidates(state, params, out)].tolist():
        child = state.copy()
        rules.code4life_play(child, move)
        values.append(plain_minimax(child, params, depth - 1))
    return min(values) if rules.code4life_mover(state) else max(values)


@pytest.mark.parametrize("name", MINDS_TESTED)
def test_the_search_finds_the_value_of_plain_minimax(name):
    params = MINDS_TESTED[name]
    engine = AlphaBeta(GAME, params)
    for state in itertools.islice(positions(11, params, step=9), MANY):
        depth = 4 if JIT and state.played < 198 else 2
        result = engine.decide(state, 0, depth=depth)
        assert result.value == pytest.approx(plain_minimax(state, params, depth), abs=1e-9)


def tray_of(state, seat, *kinds):
    for number, kind in enumerate(kinds):
        encoding.add_to_tray(state, seat, kind | encoding.DIAGNOSED | (number + 10 * seat) << encoding.ID_SHIFT)


def considered(state, **changes):
    out = np.zeros(encoding.MOST_MOVES, np.int64)
    params = WRITEUP_PARAMS.params(changes)
    return set(out[: moves.code4life_candidates(state, params, out)].tolist())


def kind_costing(*cost):
    return next(k for k in range(catalogue.SAMPLE_KINDS) if unpack(catalogue.KIND_COST[k]) == list(cost))


@pytest.mark.parametrize("depth", [2, 6])
def test_the_search_looks_as_deep_as_the_parameter_says_at_most(depth):
    bot = load("code4life").kind("writeup").bot({"depth": depth})
    assert bot.search(initial_state(1), Budget(nodes=5000)).depth == depth


def test_nothing_producible_at_diagnosis_means_dropping_or_new_samples():
    state = initial_state(1)
    state.location[0] = catalogue.DIAGNOSIS
    tray_of(state, 0, kind_costing(0, 0, 0, 7, 0))
    assert considered(state) == {encoding.CONNECT_TRAY}
    assert encoding.GOTO + catalogue.SAMPLES in considered(state, restrict_diagnosis=False)
    state.score[0] = 100
    assert considered(state) == considered(state, restrict_diagnosis=False)
    encoding.remove_from_tray(state, 0, 0)
    state.score[0] = 0
    assert considered(state) == {encoding.GOTO + catalogue.SAMPLES}


def test_waiting_is_for_those_ahead():
    state = initial_state(1)
    state.location[0] = catalogue.LABORATORY
    state.location[1] = catalogue.MOLECULES
    tray_of(state, 0, kind_costing(0, 3, 0, 0, 0))
    state.storage[0] = catalogue.pack([0, 3, 0, 0, 0])
    assert considered(state) == {encoding.PRODUCE, encoding.WAIT}
    assert considered(state, wait_at_laboratory=False) == {encoding.PRODUCE}
    state.score[1] = 1
    assert considered(state) == {encoding.PRODUCE}
    state.score[1], state.location[1] = 0, catalogue.SAMPLES
    assert considered(state) == {encoding.PRODUCE}
    state.location[0], state.location[1] = catalogue.MOLECULES, catalogue.MOLECULES
    takes = {encoding.TAKE + index for index in range(5)}
    assert considered(state) == takes | {encoding.GOTO + catalogue.LABORATORY, encoding.WAIT}
    assert considered(state, wait_at_molecules=False) == takes | {encoding.GOTO + catalogue.LABORATORY}


def test_who_is_stuck_delivers_or_puts_back_what_is_impossible_and_draws_anew():
    state, params = initial_state(1), WRITEUP_PARAMS.params()
    assert moves.way_out(state, params, 0) == encoding.WAIT
    state.location[0] = catalogue.DIAGNOSIS
    assert moves.way_out(state, params, 0) == encoding.GOTO + catalogue.SAMPLES
    tray_of(state, 0, kind_costing(0, 0, 0, 7, 0), kind_costing(0, 3, 0, 0, 0))
    assert moves.way_out(state, params, 0) == encoding.WAIT  # the second sample can be completed
    state.storage[1] = catalogue.pack([0, 3, 0, 0, 0])
    assert moves.way_out(state, params, 0) == encoding.CONNECT_TRAY
    state.storage[0], state.storage[1] = state.storage[1], 0
    assert moves.way_out(state, params, 0) == encoding.GOTO + catalogue.LABORATORY


def test_patience_counts_the_rounds_since_the_last_delivery():
    bot, state, seen = GAME.kind("champion").bot({"patience": 30}), initial_state(1), []
    for played in range(100):
        if played == 50:
            state.expertise[0] = catalogue.pack([1, 0, 0, 0, 0])
        bot.observe(opening_lines(state) + prompt(state, 0), "WAIT")
        seen.append(bot.is_stuck())
    assert seen == [False] * 30 + [True] * 20 + [False] * 30 + [True] * 20


def test_patience_with_a_sample_counts_the_rounds_out_of_reach():
    """A delivery does not reset it; molecules that come back do. Undiagnosed samples are in reach."""
    bot, state, seen = GAME.kind("champion").bot({"sample_patience": 3, "patience": 200}), initial_state(1), []
    state.location[0] = catalogue.DIAGNOSIS
    tray_of(state, 0, kind_costing(0, 3, 0, 0, 0), kind_costing(0, 0, 4, 0, 0))
    for played in range(12):
        state.played = played
        state.storage[1] = catalogue.pack([0, 0, 2 if played != 6 else 0, 0, 0])
        state.expertise[0] = catalogue.pack([played // 4, 0, 0, 0, 0])
        bot.observe(opening_lines(state) + prompt(state, 0), "WAIT")
        seen.append(bot.dead_slot())
    assert seen == [-1] * 3 + [1] * 3 + [-1] * 3 + [1] * 3
    state.location[0] = catalogue.MOLECULES
    bot.observe(prompt(state, 0), "WAIT")
    assert bot.dead_slot() == -1
    state.location[0], state.tray[0, 1] = catalogue.DIAGNOSIS, catalogue.UNKNOWN
    bot.observe(prompt(state, 0), "WAIT")
    assert bot.dead_slot() == -1


def plain_payable(state, rank):
    """The share of a rank's samples that the pool and the own molecules can pay, on plain lists."""
    storage, expertise = unpack(state.storage[0]), unpack(state.expertise[0])
    left = [max(0, 5 - a - b) for a, b in zip(storage, unpack(state.storage[1]), strict=True)]
    kinds = [kind for kind in range(catalogue.SAMPLE_KINDS) if catalogue.KIND_RANK[kind] == rank]
    paid = 0
    for kind in kinds:
        cost = unpack(catalogue.KIND_COST[kind])
        missing = [max(0, c - s - e) for c, s, e in zip(cost, storage, expertise, strict=True)]
        paid += sum(missing) <= 10 - sum(storage) and all(m <= n for m, n in zip(missing, left, strict=True))
    return paid / len(kinds)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6])
def test_the_rank_to_draw_is_one_that_can_be_paid(share):
    params, lowered = CHAMPION_PARAMS.params({"payable_share": share}), 0
    for state in positions(5, params, step=3):
        plain = next((rank for rank in (3, 2) if plain_payable(state, rank) >= share), 1)
        assert moves.payable_rank(state, params, 0, 3) == plain
        lowered += plain < 3
    assert bool(lowered) is (share > 0)


def test_samples_of_the_cloud_out_of_reach_can_be_left_alone():
    state = initial_state(1)
    state.location[0] = catalogue.DIAGNOSIS
    encoding.add_to_cloud(state, kind_costing(0, 0, 0, 7, 0) | encoding.DIAGNOSED)
    assert encoding.DOWNLOAD in considered(state, restrict_diagnosis=False)
    assert encoding.DOWNLOAD not in considered(state, restrict_diagnosis=False, download_blocked=False)


@pytest.mark.compiled
def test_a_hoarder_keeps_one_type_and_then_releases_it():
    referee, held = GAME.new_referee(1), []
    bots = [GAME.kind("hoarder").bot({"hoard": 3, "hoard_rounds": 60}), GAME.kind("greedy").bot()]

    def watch(requests, answers):
        bot = bots[0]
        if bot.hoarded >= 0:
            held.append((int(bot.state.played) < bot.until, unpack(bot.state.storage[0])[bot.hoarded]))

    play_bots(referee, bots, Budget(nodes=500), watch)
    assert referee.outcome.faults == ()
    kept = [count for early, count in held if early]
    assert kept == sorted(kept) or min(kept[kept.index(3) :]) >= 3
    assert min(count for early, count in held if not early) < 3


def test_the_hoarder_takes_what_the_opponent_misses():
    state = initial_state(1)
    tray_of(state, 1, kind_costing(0, 3, 0, 0, 0), kind_costing(0, 0, 4, 0, 0))
    assert hoarder.most_missed(state) == 2
    state.expertise[1] = catalogue.pack([0, 0, 2, 0, 0])
    assert hoarder.most_missed(state) == 1
    believed = hoarder.without_hoard(state, 1, 0)
    assert believed == state
    state.storage[0] = catalogue.pack([0, 4, 1, 0, 0])
    believed = hoarder.without_hoard(state, 1, 3)
    assert unpack(believed.storage[0]) == [0, 1, 1, 0, 0]
    assert encoding.left_in_pool(believed) == encoding.left_in_pool(state)


def test_samples_are_ordered_by_what_can_be_done():
    state = initial_state(1)
    blocked, far, near = kind_costing(0, 0, 0, 7, 0), kind_costing(0, 0, 4, 0, 0), kind_costing(0, 3, 0, 0, 0)
    tray_of(state, 0, blocked, far, near)
    entries = sample_order.order(state, WRITEUP_PARAMS.params(), 0, encoding.left_in_pool(state))
    assert [int(sample_order.slot_of(entry)) for entry in entries] == [2, 1, 0]
    assert [int(sample_order.grade_of(entry)) for entry in entries] == [
        sample_order.FITTING,
        sample_order.FITTING,
        sample_order.BLOCKED,
    ]


@pytest.mark.compiled
@pytest.mark.parametrize("names", [("champion", "greedy"), ("random", "champion"), ("writeup", "wait")])
def test_no_fatal_move(names):
    for seed in range(3):
        referee = GAME.new_referee(seed)
        play_game(referee, [GAME.kind(name).bot(seed=seed) for name in names], TimeControl(nodes=500))
        assert referee.outcome.faults == ()


@pytest.mark.compiled
def test_the_champion_beats_the_greedy_bot():
    wins = 0
    for seed in range(6):
        referee = GAME.new_referee(seed)
        bots = [GAME.kind("champion").bot(), GAME.kind("greedy").bot()]
        scores = play_game(referee, bots if seed % 2 else bots[::-1], TimeControl(nodes=2000)).scores
        wins += scores[1 - seed % 2] > scores[seed % 2]
    assert wins >= 4


OPENING = ["GOTO SAMPLES"] * 2 + ["WAIT"] * 2 + ["CONNECT 1"] * 6 + ["GOTO DIAGNOSIS"] * 2


def test_an_analysis_from_a_seed_or_a_prompt(monkeypatch, tmp_path):
    kind, budget = GAME.kind("champion"), Budget(NEVER, nodes=300 if JIT else 30)
    answers = [*OPENING, *["WAIT"] * 4, "CONNECT 0", "CONNECT 1", "CONNECT 2", "CONNECT 3", "CONNECT 4", "CONNECT 5"]
    found = GAME.tools.analyze(["seed=7", *answers], kind, {}, budget)
    assert found.scene["round"] == 11
    assert found.thoughts.options[0].move in {"GOTO MOLECULES", "CONNECT 0", "CONNECT 2", "CONNECT 4"}
    assert found.thoughts.line
    state = analysis.read_position(["seed=7", *answers]).state
    rounds = [f"{mine}/{his}" for mine, his in zip(answers[::2], answers[1::2], strict=True)]
    assert analysis.read_position(["seed=7", *rounds]).state == state
    lines = opening_lines(state) + prompt(state, 0)
    (tmp_path / "prompt.txt").write_text("\n".join(lines))
    for arguments in (
        ["round=11", "\n".join(lines)],
        ["round=11", *lines],
        ["round=11", str(tmp_path / "prompt.txt")],
    ):
        assert prompt(analysis.read_position(arguments).state, 0) == prompt(state, 0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    assert analysis.read_position(["-"]).state.played == 0


def test_an_analysis_compares_at_one_depth_and_sorts():
    """The moves of one position: each by itself, searched to the reported depth, has the reported value."""
    kind, budget = GAME.kind("champion"), Budget(nodes=4000 if JIT else 40)
    position = ["seed=7", *OPENING, *["WAIT"] * 4, *(f"CONNECT {number}" for number in range(6))]
    position += [*["GOTO MOLECULES"] * 2, *["WAIT"] * 4]
    thoughts = GAME.tools.analyze(position, kind, {}, budget).thoughts
    values = [option.value for option in thoughts.options]
    assert values == sorted(values, reverse=True)
    assert len(values) > 4
    bot, state = kind.bot(), analysis.read_position(position).state
    for option in thoughts.options if thoughts.depth else ():  # without the compiler there is no time for one
        bot.searcher.forget()
        move = next(move for move in bot.candidates(state) if answer_of(state, 0, move) == option.move)
        assert bot.search(state, NO_LIMIT, thoughts.depth, only=[move]).value == pytest.approx(option.value)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["seed=x"],
        ["seed=99999999999999999999"],
        ["round=200", "x"],
        ["round=x", "x"],
        ["seed=1", "CONNECT 1", "WAIT"],
        ["a", "b"],
    ],
)
def test_a_position_that_is_none_is_refused_with_a_sentence(arguments):
    with pytest.raises(PodiumError):
        analysis.read_position(arguments)


def test_only_searching_bots_analyse():
    with pytest.raises(PodiumError, match="does not search"):
        GAME.tools.analyze(["seed=1"], GAME.kind("greedy"), {}, Budget(NEVER, nodes=10))


def test_all_moves_are_the_legal_ones():
    state = initial_state(3)
    legal, considered = np.zeros((2, encoding.MOST_MOVES), np.int64)
    for changes, same in (({"all_moves": True}, True), ({}, False)):
        params = WRITEUP_PARAMS.params(changes)
        count = int(moves.code4life_candidates(state, params, considered))
        known = legal[: int(rules.code4life_legal_moves(state, legal))].tolist()
        assert (considered[:count].tolist() == known) is same
