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

import podium.games
from podium.arena.runner import workers
from podium.errors import PodiumError
from podium.kernel.budget import Budget
from podium.kernel.minds import MindType
from podium.kernel.random import generator
from podium.lab.examples import Batches, load_examples
from podium.lab.gumbel import OUT, best_drawn, search_by_halving, write_improved
from podium.lab.jobs import SelfPlay, Weights, play_itself, tree_for
from podium.lab.learner import CURVES, Learner, Plan, generation_file
from podium.lab.relearning import files_of
from podium.lab.selfplay import PRACTICE as SELF_PLAY
from podium.lab.selfplay import new_notes, pick, play_game
from podium.lab.yardstick import RATINGS, Rating, add_rating, read_ratings
from podium.search import puct
from podium.search.network import load_network, look, save_network, size_of
from podium.search.puct import Puct, begin
from podium.search.result import Proof
from podium.search.tree import forget
from tests.lab.nim import CODES, GAME, HEAPS, INPUTS, MOST, State, nim_play, position
from tests.processes import wait_until

HERE = Path(__file__).parent
PRACTICE = {"simulations": 24, "short": 4, "random": 1, "drawn": 4, "memory": 1, "full": 0.5}
PLAN = Plan("nim", 3, (32, 16), games=60, job=20, window=4, steps=60, batch=128, gate_games=20, practice=PRACTICE)
KILLS = 4  # of a run, each when it has just written something
PUCT_MINDS = MindType("learner's puct mind", *puct.PARAMETERS)


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
            wrong[won].append((look(network, position(*heaps)) > 0) != won)
    return (np.mean(wrong[True]) + np.mean(wrong[False])) / 2


@pytest.mark.compiled
@pytest.mark.slow
def test_it_learns_the_truth_of_nim(tmp_path):
    changes = {"hidden": (64, 32), "games": 200, "job": 100, "steps": 300, "rate": 3e-3, "search_share": 0.0}
    practice = {**PRACTICE, "simulations": 48}
    run(tmp_path, replace(PLAN, **changes, gate=0.0, window=8, practice=practice), 6)
    before, after = (load_network(generation_file(tmp_path, number))[0] for number in (0, 6))
    assert misjudged(before) > 0.3
    assert misjudged(after) < 0.1
    search = Puct(State, PUCT_MINDS.mind({"solve": 0, "memory": 1}), after, CODES, CODES, CODES)
    found = search.search(position(5, 4, 2), 0, Budget(nodes=400))
    afterwards = position(5, 4, 2)
    nim_play(afterwards, found.move)
    assert afterwards.heaps[0] ^ afterwards.heaps[1] ^ afterwards.heaps[2] == 0


@pytest.mark.compiled
def test_exact_endings_are_proven_whatever_the_network_says(tmp_path):
    run(tmp_path, PLAN, 0)
    network, _ = load_network(generation_file(tmp_path, 0))
    search = Puct(State, PUCT_MINDS.mind({"solve": 4, "memory": 1}), network, CODES, CODES, CODES)
    assert search.search(position(1, 2, 0), 0, Budget(nodes=200)).proof == Proof.WIN
    assert search.search(position(2, 2, 0), 0, Budget(nodes=200)).proof == Proof.LOSS


@pytest.mark.compiled
def test_the_same_plan_learns_the_same_and_another_plan_is_refused(tmp_path):
    first, second = (run(tmp_path / name, PLAN, 2) for name in ("one", "two"))
    assert np.array_equal(first.model.weights, second.model.weights)
    assert [one.score for one in first.log] == [two.score for two in second.log]
    with pytest.raises(PodiumError, match="another plan"):
        Learner(tmp_path / "one", Plan("nim", 4))


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
from tests.lab.test_learner import PLAN, run
from pathlib import Path
run(Path({str(tmp_path / "killed")!r}), PLAN, 3)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent.parent), *sys.path])}
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
    with pytest.raises(PodiumError, match="is not the student of a run of learning"):
        Learner(tmp_path, PLAN)


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path):
    with pytest.raises(PodiumError, match="there is no network file"):
        Learner(tmp_path / "run", replace(PLAN, start=str(tmp_path / "nothing.npz")))
    assert not (tmp_path / "run").exists()


def test_a_game_without_features_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(PodiumError, match="offers nothing to a learner"):
        Learner(tmp_path, Plan("wondev_woman"))


@pytest.mark.compiled
def test_a_generation_is_measured_against_fixed_opponents_once(tmp_path):
    learner = run(tmp_path, replace(PLAN, gate=0.0), 1)
    with workers(1) as team:
        (first,) = learner.rate(team, 1, 4, 8, lambda *_: None)
        (second,) = learner.rate(team, 1, 4, 8, lambda *_: pytest.fail("it was measured before"))
    assert first == second == read_ratings(tmp_path)[0]
    assert (first.generation, first.opponent, first.games) == (1, "random", 4)
    assert "random" in (tmp_path / CURVES).read_text()


def test_a_run_may_begin_with_a_network_of_its_shape(tmp_path):
    first = Learner(tmp_path / "first", PLAN)
    given = str(generation_file(tmp_path / "first", 0))
    second = Learner(tmp_path / "second", replace(PLAN, seed=4, start=given))
    assert np.array_equal(second.model.network_weights, first.model.network_weights)
    with pytest.raises(PodiumError, match=r"has the shape \[18, 32, 16, 15\], not \(18, 8, 15\)"):
        Learner(tmp_path / "third", replace(PLAN, hidden=(8,), start=given))


def test_a_rating_after_half_a_line_stands_on_a_line_of_its_own(tmp_path):
    (tmp_path / RATINGS).write_text('{"generation": 1')
    add_rating(tmp_path, Rating(2, "random", 100, 5, 1, 0))
    (found,) = read_ratings(tmp_path)
    assert found.score == pytest.approx(5.5 / 6)


def test_an_older_plan_is_the_same_plan_and_a_damaged_one_is_a_sentence(tmp_path):
    Learner(tmp_path, Plan("nim", 1))
    (tmp_path / "plan.json").write_text('{"game": "nim", "seed": 1}')
    Learner(tmp_path, Plan("nim", 1))
    (tmp_path / "plan.json").write_text('{"game": "nim", "speed": 1}')
    with pytest.raises(PodiumError, match="is not the plan of a run of learning"):
        Learner(tmp_path, Plan("nim", 1))


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
    mind = SELF_PLAY.mind({**PRACTICE, "simulations": 200, "gumbel": 8, "prove": False})
    tree = tree_for(GAME, 1)
    state, policy, noise = position(3, 1, 1), np.zeros(CODES, np.float32), np.zeros(CODES)
    forget(tree)
    begin(tree, mind, network, state)
    thought = look(network, state)
    search_by_halving(tree, mind, network, generator(1), thought, noise)
    write_improved(tree, thought, policy)
    assert policy.sum() == pytest.approx(1.0, abs=1e-4)
    winning = 2  # takes the whole heap of three, and leaves 1 and 1
    assert policy.argmax() == winning
    assert best_drawn(tree, noise, thought) == winning
    assert np.sum(noise[: np.count_nonzero(policy)] > OUT) <= 2, "halving has gone down to the last two"


@pytest.mark.compiled
def test_the_solver_teaches_true_values_of_positions_beside_the_game(tmp_path):
    run(tmp_path, PLAN, 0)
    with np.load(generation_file(tmp_path, 0)) as data:
        weights = Weights((INPUTS, *PLAN.hidden, CODES), data["weights"])
    without = {**PRACTICE, "endgame": CODES, "full": 0.0}
    examples = play_itself(SelfPlay("nim", {**without, "lessons": 5}, 10, 1), weights)
    lessons = examples.policy.sum(axis=1) == 0
    assert np.count_nonzero(lessons) > 50
    heaps = examples.inputs[:, :HEAPS] % (MOST + 1)
    won = (heaps[:, 0] ^ heaps[:, 1] ^ heaps[:, 2]) != 0
    assert np.array_equal(examples.result[lessons], np.where(won, 1.0, -1.0)[lessons])
    assert np.array_equal(examples.search[lessons], examples.result[lessons])
    assert play_itself(SelfPlay("nim", without, 10, 1), weights).policy.sum(axis=1).min() > 0
    inputs, targets = Batches(examples, GAME.learning(), CODES, 0.0)(np.random.default_rng(1), 64)
    assert len(inputs) == 64
    assert np.count_nonzero(targets.policies.sum(axis=1) == 0) == 32, "half of a batch are lessons"


@pytest.mark.parametrize(("temperature", "share"), [(0.0, 1.0), (0.5, 0.9), (1.0, 0.75), (2.0, 0.634)])
def test_moves_are_drawn_by_a_power_of_their_shares(temperature, share):
    policy, random, draws = np.array([0.0, 0.75, 0.25], np.float32), generator(5), 600
    drawn = [int(pick(policy, random, temperature)) for _ in range(draws)]
    assert set(drawn) <= {1, 2}
    assert drawn.count(1) / draws == pytest.approx(share, abs=3 * (share * (1 - share) / draws) ** 0.5)


@pytest.mark.compiled
def test_who_strays_gives_no_examples_and_it_may_be_either(tmp_path):
    run(tmp_path, PLAN, 0)
    network, _ = load_network(generation_file(tmp_path, 0))
    mind = SELF_PLAY.mind({**PRACTICE, "full": 1.0, "random": 0, "stray": 1000})
    tree, notes, policy = tree_for(GAME, 1), new_notes(GAME.most_plies, HEAPS, CODES, 0), np.zeros(CODES, np.float32)
    seats = set()
    for seed in range(8):
        count = play_game(tree, mind, network, generator(seed), position(5, 5, 4), notes, policy)
        seats.add(tuple(set(notes.seats[:count].tolist())))
    assert seats == {(0,), (1,)}


@pytest.mark.compiled
def test_self_play_by_halving_gives_examples(tmp_path):
    learner = run(tmp_path, replace(PLAN, gate=0.0, practice={**PRACTICE, "gumbel": 6}), 1)
    assert learner.log[0].examples > 60


# A cluster of two workers; first one is killed while games are under way, then both, and with them the weights.
CLUSTER = """
import os, signal, sys
from distributed import LocalCluster
from pathlib import Path
from podium.arena.runner import workers
from podium.lab.learner import Learner
from tests.lab.test_learner import PLAN

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as there:
        with workers(0, there.scheduler_address) as team:
            killed = []

            def kill(*numbers):
                for number in numbers:
                    killed.append(there.workers[number].pid)
                    os.kill(killed[-1], signal.SIGKILL)

            def look(doing, done, of):
                if doing == "self-play" and done and not killed:
                    kill(0)
                elif doing == "gate" and done and len(killed) == 1:
                    kill(0, 1)

            Learner(Path(sys.argv[1]), PLAN).generation(team, look)
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
    (told / "entry_points.txt").write_text("[podium.games]\nnim = tests.lab.nim:GAME\n")
    path = os.pathsep.join([str(tmp_path), str(HERE.parent.parent), *sys.path])
    command = [sys.executable, str(tmp_path / "cluster.py"), str(tmp_path / "there")]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert "killed 3" in done.stdout, done.stderr
    there = Learner(tmp_path / "there", PLAN)
    assert there.log[0].score == here.log[0].score
    assert np.array_equal(there.model.weights, here.model.weights)
