"""The learner: it learns a game whose truth is known, tells the same twice, and goes on after any sudden end."""

import itertools
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import podium
import podium.games
from podium.arena.entrants.entrant import entrant
from podium.arena.game.start_positions import read_positions
from podium.arena.store.store import Store
from podium.arena.tournament.runner import workers
from podium.errors import PodiumError
from podium.games.game import Answer
from podium.kernel.random import generator
from podium.lab.learn.examples import Batches, load_examples
from podium.lab.learn.learner import Learner
from podium.lab.learn.retraining import files_of
from podium.lab.learn.run_folder import CURVES, FORMER_NAMES, MATCHES, TrainingPlan, generation_file
from podium.lab.learn.selfplay_jobs import SelfPlayJob, Weights, play_job, tree_for
from podium.lab.learn.strength import (
    LADDER,
    LadderPlan,
    LadderResult,
    add_to_ladder,
    network_player,
    read_ladder,
    write_openings,
)
from podium.lab.reports import report_of
from podium.model.budget import Budget
from podium.model.params import ParamSpec
from podium.model.result import Proof
from podium.search import puct
from podium.search.gumbel import DROPPED, best_sampled_move, sequential_halving, write_improved_policy
from podium.search.network import load_network, predict, save_network, size_of
from podium.search.puct import Puct, start_search
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS, new_example_buffers, play_game, sample_move
from podium.search.tree import clear_tree
from tests.lab.learn.nim import CODES, GAME, HEAPS, INPUTS, MOST, nim_play, position
from tests.processes import wait_until

HERE = Path(__file__).parent
SELF_PLAY = {"simulations": 24, "short": 4, "random": 1, "drawn": 4, "memory": 1, "full": 0.5}
PLAN = TrainingPlan(
    "nim", 3, (32, 16), games=60, job=20, window=4, steps=60, batch=128, gate_games=20, self_play=SELF_PLAY
)
FEW = LadderPlan(games=4, nodes=8)
KILLS = 4  # of a run, each when it has just written something
PUCT_PARAMS = ParamSpec("learner's puct parameters", *puct.PARAMETERS)


@pytest.fixture(autouse=True)
def nim(monkeypatch):
    monkeypatch.setattr(podium.games, "__path__", [*podium.games.__path__, str(HERE / "games")])


def run(folder, plan, generations):
    learner = Learner(folder, plan)
    with workers(1) as team:
        while len(learner.log) < generations:
            learner.generation(team, lambda *_: None)
    return learner


def misjudged(network):
    """How often the value has the wrong sign, the mean of won and lost positions: lost are those whose nim-sum is 0."""
    wrong = {True: [], False: []}
    for heaps in itertools.product(range(MOST + 1), repeat=3):
        if any(heaps):
            won = heaps[0] ^ heaps[1] ^ heaps[2] != 0
            wrong[won].append((predict(network, position(*heaps)) > 0) != won)
    return (np.mean(wrong[True]) + np.mean(wrong[False])) / 2


@pytest.mark.compiled
@pytest.mark.slow
def test_it_learns_the_truth_of_nim(tmp_path):
    changes = {
        "hidden": (64, 32),
        "games": 200,
        "job": 100,
        "steps": 300,
        "learning_rate": 3e-3,
        "root_value_weight": 0.0,
    }
    self_play = {**SELF_PLAY, "simulations": 48}
    run(tmp_path, replace(PLAN, **changes, gate=0.0, window=8, self_play=self_play), 6)
    before, after = (load_network(generation_file(tmp_path, number))[0] for number in (0, 6))
    assert misjudged(before) > 0.3
    assert misjudged(after) < 0.1
    search = Puct(GAME, PUCT_PARAMS.params({"solve": 0, "memory": 1}), network=after)
    found = search.decide(position(5, 4, 2), 0, Budget(nodes=400))
    afterwards = position(5, 4, 2)
    nim_play(afterwards, found.move)
    assert afterwards.heaps[0] ^ afterwards.heaps[1] ^ afterwards.heaps[2] == 0


@pytest.mark.compiled
def test_exact_endings_are_proven_whatever_the_network_says(tmp_path):
    run(tmp_path, PLAN, 0)
    network, _ = load_network(generation_file(tmp_path, 0))
    search = Puct(GAME, PUCT_PARAMS.params({"solve": 4, "memory": 1}), network=network)
    assert search.decide(position(1, 2, 0), 0, Budget(nodes=200)).proof == Proof.WIN
    assert search.decide(position(2, 2, 0), 0, Budget(nodes=200)).proof == Proof.LOSS


@pytest.mark.compiled
def test_the_same_plan_learns_the_same_and_another_plan_is_refused(tmp_path):
    first, second = (run(tmp_path / name, PLAN, 2) for name in ("one", "two"))
    assert np.array_equal(first.model.weights, second.model.weights)
    assert [one.score for one in first.log] == [two.score for two in second.log]
    with pytest.raises(PodiumError, match="another plan"):
        Learner(tmp_path / "one", TrainingPlan("nim", 4))


def marks_of(folder):
    """What a run has left so far."""
    return {(path.name, path.stat().st_mtime_ns) for path in folder.glob("*")}


@pytest.mark.compiled
@pytest.mark.slow
def test_after_a_sudden_end_the_same_command_goes_on_and_loses_nothing(tmp_path):
    whole = run(tmp_path / "whole", PLAN, 3)
    script = f"""
import podium.games
podium.games.__path__.append({str(HERE / "games")!r})
from tests.lab.learn.test_learner import PLAN, run
from pathlib import Path
run(Path({str(tmp_path / "killed")!r}), PLAN, 3)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parents[2]), *sys.path])}
    for _ in range(KILLS):
        before = marks_of(tmp_path / "killed")
        with subprocess.Popen([sys.executable, "-c", script], env=environment) as process:
            wait_until(lambda: marks_of(tmp_path / "killed") != before or process.poll() is not None)  # noqa: B023
            process.kill()
    killed = run(tmp_path / "killed", PLAN, 3)
    assert np.array_equal(killed.model.weights, whole.model.weights)
    for path in (tmp_path / "whole").glob("examples-*.npz"):
        one, two = load_examples(path)[0], load_examples(tmp_path / "killed" / path.name)[0]
        assert np.array_equal(one.inputs, two.inputs)
        assert np.array_equal(one.policy, two.policy)


def test_a_log_that_ends_in_half_a_line_is_read(tmp_path):
    learner = Learner(tmp_path, PLAN)
    assert learner.log == []
    (tmp_path / "log.jsonl").write_text(json.dumps({"number": 1})[:9])
    assert Learner(tmp_path, PLAN).log == []


@pytest.mark.compiled
def test_what_a_sudden_end_cuts_off_the_log_the_networks_tell(tmp_path):
    learner = run(tmp_path, PLAN, 2)
    log = tmp_path / "log.jsonl"
    whole = log.read_text()
    for left in (len(whole) - 20, whole.index("\n") + 1, 9, 0):  # also a log that was not yet written
        log.write_text(whole[:left])
        again = Learner(tmp_path, PLAN)
        assert again.log == learner.log
        assert log.read_text() == whole
    run(tmp_path, PLAN, 3)
    assert len(Learner(tmp_path, PLAN).log) == 3
    (tmp_path / "student.npz").write_bytes(b"PK and nothing else")
    with pytest.raises(PodiumError, match="is not the student of a training run"):
        Learner(tmp_path, PLAN)


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path):
    with pytest.raises(PodiumError, match="there is no network file"):
        Learner(tmp_path / "run", replace(PLAN, start=str(tmp_path / "nothing.npz")))
    assert not (tmp_path / "run").exists()


def test_a_game_without_features_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(PodiumError, match="offers nothing to a learner"):
        Learner(tmp_path, TrainingPlan("wondev_woman"))


@pytest.mark.compiled
def test_a_generation_is_measured_against_fixed_opponents_once(tmp_path):
    learner = run(tmp_path, replace(PLAN, gate=0.0), 1)
    with workers(1) as team:
        (first,) = learner.measure(team, 1, FEW, lambda *_: None)
        (second,) = learner.measure(team, 1, FEW, lambda *_: pytest.fail("it was measured before"))
    assert first == second == read_ladder(tmp_path)[0]
    assert (first.generation, first.opponent, first.games) == (1, "random", 4)
    assert "random" in (tmp_path / CURVES).read_text()


@pytest.mark.compiled
def test_the_gate_is_a_match_of_the_store_with_an_interval_and_paired_games(tmp_path):
    learner = run(tmp_path, PLAN, 2)
    with Store(tmp_path / MATCHES, create=False) as store:
        runs = [each for each, *_ in store.runs()]
        assert [each.kind for each in runs] == ["match", "match"]
        for one, stored in zip(learner.log, runs, strict=True):
            report = report_of(store, stored)
            assert (one.run, one.score) == (report.run, report.score)
            assert one.low <= one.score <= one.high
            assert report.bots == (f"generation-{one.number}", f"generation-{one.teacher}")
            games = list(store.games(stored))
            assert len(games) == PLAN.gate_games
            pairs = {}
            for game in games:
                pairs.setdefault(game.round, []).append(game)
            assert all(one.seed == two.seed and one.bots == two.bots[::-1] for one, two in pairs.values())
            assert len({game.seed for game in games}) == PLAN.gate_games // 2, "each pair has an opening of its own"


@pytest.mark.compiled
def test_a_gate_that_was_interrupted_plays_only_the_games_that_are_missing(tmp_path):
    whole = run(tmp_path / "whole", PLAN, 1)

    def stop(doing, done, of):
        if doing == "gate" and done:
            raise KeyboardInterrupt

    learner = Learner(tmp_path / "cut", PLAN)
    with pytest.raises(KeyboardInterrupt), workers(1) as team:
        learner.generation(team, stop)
    with Store(tmp_path / "cut" / MATCHES, create=False) as store:
        before = [game.id for game in store.games(store.run(1))]
    again = run(tmp_path / "cut", PLAN, 1)
    with Store(tmp_path / "cut" / MATCHES, create=False) as store:
        after = [game.id for game in store.games(store.run(1))]
    assert 1 <= len(before) < len(after) == PLAN.gate_games
    assert after[: len(before)] == before
    assert again.log[0].score == whole.log[0].score


@pytest.mark.compiled
def test_a_network_plays_by_the_name_of_its_file(tmp_path):
    run(tmp_path, PLAN, 0)
    spec = network_player("first", generation_file(tmp_path, 0), {"solve": 3})
    assert spec.startswith("first=puct:network=/")
    assert spec.endswith(",solve=3,memory=4")
    report = podium.match("nim", spec, "random", games=4, nodes=8, store=tmp_path / "podium.db", jobs=1)
    assert report.games == 4
    assert not any(report.faults)
    with pytest.raises(PodiumError, match="puct needs the file of a network"):
        GAME.kind("puct").bot()
    with pytest.raises(PodiumError, match="cannot be a bot's parameter"):
        network_player("first", tmp_path / "a,b.npz", {})


def test_what_plays_a_network_is_known_by_its_file_and_not_by_its_place(tmp_path):
    run(tmp_path / "one", PLAN, 0)
    run(tmp_path / "two", PLAN, 0)
    run(tmp_path / "three", replace(PLAN, seed=8), 0)
    game = podium.games.load("nim")
    one, two, three = (
        entrant(game, network_player("n", generation_file(tmp_path / name, 0), {})) for name in ("one", "two", "three")
    )
    assert one.fingerprint == two.fingerprint != three.fingerprint
    travelled = one.packed()
    assert travelled.unpacked().unpacked() == travelled.unpacked()
    path = Path(dict(travelled.unpacked().changes)["network"])
    assert path != generation_file(tmp_path / "one", 0)
    assert path.read_bytes() == generation_file(tmp_path / "one", 0).read_bytes()


def test_openings_never_end_a_game(tmp_path):
    path = tmp_path / "openings.jsonl"
    write_openings(GAME, path, 50, 1)
    positions, _ = read_positions(GAME, path, {})
    assert len(positions.places) == 50
    for place in positions.places:
        referee = GAME.new_referee(place.seed)
        for line in place.answers:
            referee.answer([Answer(line)])
        assert referee.outcome is None
    before = path.read_text()
    write_openings(GAME, path, 50, 2)
    assert path.read_text() == before, "those of a run stay as they are"


def test_a_run_of_an_earlier_version_continues_with_its_former_names(tmp_path):
    plan = replace(PLAN, root_value_weight=0.25, auxiliary_weight=0.4, learning_rate=2e-3)
    Learner(tmp_path, plan)
    data = json.loads((tmp_path / "plan.json").read_text())
    for former, name in FORMER_NAMES.items():
        data[former] = data.pop(name)
    data["practice"] = SELF_PLAY  # parameters by their former names, too
    (tmp_path / "plan.json").write_text(json.dumps(data))
    assert Learner(tmp_path, plan).plan == plan


def test_a_run_may_begin_with_a_network_of_its_shape(tmp_path):
    first = Learner(tmp_path / "first", PLAN)
    given = str(generation_file(tmp_path / "first", 0))
    second = Learner(tmp_path / "second", replace(PLAN, seed=4, start=given))
    assert np.array_equal(second.model.network_weights, first.model.network_weights)
    with pytest.raises(PodiumError, match=r"has the shape \[18, 32, 16, 15\], not \(18, 8, 15\)"):
        Learner(tmp_path / "third", replace(PLAN, hidden=(8,), start=given))


def test_a_rating_after_half_a_line_stands_on_a_line_of_its_own(tmp_path):
    (tmp_path / LADDER).write_text('{"generation": 1')
    add_to_ladder(tmp_path, LadderResult(2, "random", 100, 5, 1, 0))
    (found,) = read_ladder(tmp_path)
    assert found.score == pytest.approx(5.5 / 6)


def test_an_older_plan_is_the_same_plan_and_a_damaged_one_is_a_sentence(tmp_path):
    Learner(tmp_path, TrainingPlan("nim", 1))
    (tmp_path / "plan.json").write_text('{"game": "nim", "seed": 1}')
    Learner(tmp_path, TrainingPlan("nim", 1))
    (tmp_path / "plan.json").write_text('{"game": "nim", "speed": 1}')
    with pytest.raises(PodiumError, match="is not the plan of a training run"):
        Learner(tmp_path, TrainingPlan("nim", 1))


def test_a_run_of_other_inputs_is_refused(tmp_path):
    run(tmp_path, PLAN, 0)
    shape = (INPUTS + 1, *PLAN.hidden, CODES)
    save_network(generation_file(tmp_path, 0), shape, np.zeros(size_of(shape), np.float32), {})
    (tmp_path / "student.npz").touch()
    (tmp_path / "examples-0001-000.npz").touch()
    for again in (lambda: Learner(tmp_path, PLAN), lambda: files_of("nim", [tmp_path])):
        with pytest.raises(PodiumError, match=f"a run with {INPUTS + 1} inputs; the game has {INPUTS} now"):
            again()


@pytest.mark.compiled
def test_a_policy_by_halving_prefers_what_the_search_found_to_be_better(tmp_path):
    run(tmp_path, PLAN, 0)
    network, _ = load_network(generation_file(tmp_path, 0))
    params = SELF_PLAY_PARAMS.params({**SELF_PLAY, "simulations": 200, "gumbel": 8, "prove": False})
    tree = tree_for(GAME, 1)
    state, policy, noise = position(3, 1, 1), np.zeros(CODES, np.float32), np.zeros(CODES)
    clear_tree(tree)
    start_search(tree, params, network, state)
    thought = predict(network, state)
    sequential_halving(tree, params, network, generator(1), thought, noise)
    write_improved_policy(tree, thought, policy)
    assert policy.sum() == pytest.approx(1.0, abs=1e-4)
    winning = 2  # takes the whole heap of three, and leaves 1 and 1
    assert policy.argmax() == winning
    assert best_sampled_move(tree, noise, thought) == winning
    assert np.sum(noise[: np.count_nonzero(policy)] > DROPPED) <= 2, "halving has gone down to the last two"


@pytest.mark.compiled
def test_the_solver_teaches_true_values_of_positions_beside_the_game(tmp_path):
    run(tmp_path, PLAN, 0)
    with np.load(generation_file(tmp_path, 0)) as data:
        weights = Weights((INPUTS, *PLAN.hidden, CODES), data["weights"])
    without = {**SELF_PLAY, "endgame": CODES, "full": 0.0}
    examples = play_job(SelfPlayJob("nim", {**without, "lessons": 5}, 10, 1), weights)
    lessons = examples.policy.sum(axis=1) == 0
    assert np.count_nonzero(lessons) > 50
    heaps = examples.inputs[:, :HEAPS] % (MOST + 1)
    won = (heaps[:, 0] ^ heaps[:, 1] ^ heaps[:, 2]) != 0
    assert np.array_equal(examples.result[lessons], np.where(won, 1.0, -1.0)[lessons])
    assert np.array_equal(examples.search[lessons], examples.result[lessons])
    assert play_job(SelfPlayJob("nim", without, 10, 1), weights).policy.sum(axis=1).min() > 0
    inputs, targets = Batches(examples, GAME.learning(), CODES, 0.0)(np.random.default_rng(1), 64)
    assert len(inputs) == 64
    assert np.count_nonzero(targets.policies.sum(axis=1) == 0) == 32, "half of a batch are lessons"


@pytest.mark.parametrize(("temperature", "share"), [(0.0, 1.0), (0.5, 0.9), (1.0, 0.75), (2.0, 0.634)])
def test_moves_are_drawn_by_a_power_of_their_shares(temperature, share):
    policy, random, draws = np.array([0.0, 0.75, 0.25], np.float32), generator(5), 600
    drawn = [int(sample_move(policy, random, temperature)) for _ in range(draws)]
    assert set(drawn) <= {1, 2}
    assert drawn.count(1) / draws == pytest.approx(share, abs=3 * (share * (1 - share) / draws) ** 0.5)


@pytest.mark.compiled
def test_who_strays_gives_no_examples_and_it_may_be_either(tmp_path):
    run(tmp_path, PLAN, 0)
    network, _ = load_network(generation_file(tmp_path, 0))
    params = SELF_PLAY_PARAMS.params({**SELF_PLAY, "full": 1.0, "random": 0, "stray": 1000})
    tree, policy = tree_for(GAME, 1), np.zeros(CODES, np.float32)
    buffers = new_example_buffers(GAME.rules.most_plies, HEAPS, CODES, 0)
    seats = set()
    for seed in range(8):
        count = play_game(tree, params, network, generator(seed), position(5, 5, 4), buffers, policy)
        seats.add(tuple(set(buffers.seat[:count].tolist())))
    assert seats == {(0,), (1,)}


@pytest.mark.compiled
def test_self_play_by_halving_gives_examples(tmp_path):
    learner = run(tmp_path, replace(PLAN, gate=0.0, self_play={**SELF_PLAY, "gumbel": 6}), 1)
    assert learner.log[0].examples > 60


# A cluster of two workers; first one is killed while games are under way, then both, and with them the weights.
CLUSTER = """
import os, signal, sys
from distributed import LocalCluster
from pathlib import Path
from podium.arena.tournament.runner import workers
from podium.lab.learn.learner import Learner
from tests.lab.learn.test_learner import PLAN

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as there:
        with workers(0, there.scheduler_address) as team:
            killed = []

            def kill(*numbers):
                for number in numbers:
                    killed.append(there.workers[number].pid)
                    os.kill(killed[-1], signal.SIGKILL)

            def progress(doing, done, of):
                if doing == "self-play" and done and not killed:
                    kill(0)
                elif doing == "gate" and done and len(killed) == 1:
                    kill(0, 1)

            Learner(Path(sys.argv[1]), PLAN).generation(team, progress)
            print("killed", len(killed), flush=True)
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_workers_that_are_killed_cost_nothing_but_time(tmp_path):
    pytest.importorskip("distributed")
    here = run(tmp_path / "here", PLAN, 1)
    (tmp_path / "cluster.py").write_text(CLUSTER)
    told = tmp_path / "nim-1.0.dist-info"  # workers find the game by its entry point
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[podium.games]\nnim = tests.lab.learn.nim:GAME\n")
    path = os.pathsep.join([str(tmp_path), str(HERE.parents[2]), *sys.path])
    command = [sys.executable, str(tmp_path / "cluster.py"), str(tmp_path / "there")]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert "killed 3" in done.stdout, done.stderr
    there = Learner(tmp_path / "there", PLAN)
    assert there.log[0].score == here.log[0].score
    assert np.array_equal(there.model.weights, here.model.weights)
