"""Every game as a PettingZoo environment passes PettingZoo's own test."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test

from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Answer
from podium.kernel import JIT
from podium.zoo import environment

CYCLES = 400 if JIT else 60


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", names())
def test_pettingzoo_accepts_it(name):
    api_test(environment(name), num_cycles=CYCLES)


@pytest.mark.filterwarnings("ignore")
def test_the_same_seed_gives_the_same_game():
    seed_test(lambda: environment("zuniq"), num_cycles=50)


def play_randomly(env, seed):
    """A game between agents that draw among the allowed actions; the rewards of all."""
    env.reset(seed=seed)
    random, totals = np.random.default_rng(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        totals[agent] += reward
        allowed = np.flatnonzero(observation["action_mask"])
        env.step(None if termination or truncation else int(random.choice(allowed)))
    return totals


@pytest.mark.parametrize("name", names())
def test_a_game_ends_with_rewards_that_add_up_to_nothing(name):
    env = environment(name)
    totals = play_randomly(env, 3)
    assert set(totals) == set(env.possible_agents)
    assert abs(sum(totals.values())) < 1e-9
    assert not env.referee.outcome.faults
    ranks = env.referee.outcome.ranks
    assert sorted(totals, key=totals.get, reverse=True)[0] == env.possible_agents[ranks.index(1)]


def test_an_action_that_the_mask_forbids_is_a_fault():
    env = environment("zuniq")
    env.reset(seed=1)
    wall = int(np.flatnonzero(env.observe("seat_0")["action_mask"])[0])
    env.step(wall)
    env.step(wall)
    assert env.referee.outcome.faults[0].seat == 1
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}


def test_the_fog_hides_what_the_referee_knows():
    """Two positions that differ in an enemy out of sight alone look the same."""
    env = environment("wondev_woman")
    env.reset(seed=3)
    seat = int(env.agent_selection[-1])
    seen = env.observe(env.agent_selection)["observation"].tobytes()
    view = load("wondev_woman").view()
    view.read(env.referee.requests()[0].lines)
    assert seen == view.state.tobytes(), "an agent sees what the text tells, and nothing else"
    assert seen != env.referee.state.tobytes()
    assert seat == env.referee.requests()[0].seat


def test_settings_and_pictures():
    env = environment("wondev_woman", render_mode="ansi", mapIndex=0)
    env.reset(seed=1)
    assert env.render().strip()
    with pytest.raises(PodiumError, match="unknown setting"):
        environment("wondev_woman", hills=3).reset(seed=1)
    env.close()


def test_answers_of_a_turn_go_to_the_referee_together_as_text(monkeypatch):
    heard = []
    env = environment("code4life")
    env.reset(seed=1)
    actions = [int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[i]) for i in (-1, 0)]
    expected = [view.answer_of(action) for view, action in zip(env.views, actions, strict=True)]
    monkeypatch.setattr(env.referee, "answer", heard.extend)
    env.step(actions[0])
    assert heard == []
    env.step(actions[1])
    assert heard == [Answer(line) for line in expected]
