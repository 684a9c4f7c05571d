"""Former names of parameters, as they stand in old stores, claims, plans and scripts, in everything that names one."""

import json
from dataclasses import replace

import pytest

from podium.games import load
from podium.lab.learn.learner import PLAN, Learner, TrainingPlan
from podium.lab.tune.space import space_of
from podium.lab.tune.tunable import TunableBot
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS

OLD_SELF_PLAY = {
    "lessons": "solver_example_nodes",
    "short": "fast_simulations",
    "full": "full_search_probability",
    "noise": "dirichlet_fraction",
    "concentration": "dirichlet_concentration",
    "forced": "forced_playouts",
    "gumbel": "gumbel_moves",
    "drawn": "temperature_plies",
    "random": "random_plies",
    "stray": "random_opponent_plies",
    "urgency": "fpu_reduction",
    "mix": "playout_share",
    "keep": "reuse_tree",
    "endgame_part": "endgame_share",
}


@pytest.mark.parametrize(("old", "new"), OLD_SELF_PLAY.items())
def test_former_names_of_self_play_parameters(old, new):
    assert SELF_PLAY_PARAMS.canonical({old: 1}) == {new: 1}


def test_a_bot_is_named_with_former_names():
    kind, changes = load("zuniq").named("champion:pitfalls=0,keep=off")
    assert changes == {"opponent_epsilon": 0.0, "reuse_tree": False}
    assert kind.param_spec.values(kind.param_spec.params(changes))["opponent_epsilon"] == 0.0


def test_a_tuning_space_is_named_with_former_names():
    bot = TunableBot(load("zuniq"), "champion:pitfalls=0.2")
    space = space_of(bot, ["pitfalls=0:0.4", "keep=on|off"])
    assert [each.name for each in space.dimensions] == ["opponent_epsilon", "reuse_tree"]
    assert space.base == (0.2, True)


def test_a_training_run_with_former_names_goes_on(tmp_path):
    plan = TrainingPlan("zuniq", hidden=(4, 4), self_play={"random_plies": 5, "reuse_tree": False})
    Learner(tmp_path, plan)
    stored = json.loads((tmp_path / PLAN).read_text())
    del stored["self_play"]
    stored["practice"] = {"random": 5, "keep": False}
    (tmp_path / PLAN).write_text(json.dumps(stored))
    Learner(tmp_path, plan)
    Learner(tmp_path, replace(plan, self_play={"keep": False, "random_plies": 5}))
