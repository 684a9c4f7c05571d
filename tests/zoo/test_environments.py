"""Games as environments pass PettingZoo's and Gymnasium's own tests, and show agents what their seat may know."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Answer
from podium.kernel import JIT
from podium.zoo import BotAgent, against, environment, parallel

CYCLES = 400 if JIT else 60
SIMULTANEOUS = [name for name in names() if load(name).rules.simultaneous]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", names())
def test_pettingzoo_accepts_it(name):
    api_test(environment(name), num_cycles=CYCLES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_pettingzoo_accepts_it_with_all_agents_at_once(name):
    parallel_api_test(parallel(name), num_cycles=CYCLES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", names())
def test_gymnasium_accepts_it_against_a_bot(name):
    check_env(against(name, "random", nodes=1), skip_render_check=True)


@pytest.mark.filterwarnings("ignore")
def test_the_same_seed_gives_the_same_game():
    seed_test(lambda: environment("zuniq"), num_cycles=50)


def draw(random, observation):
    """A random allowed action, or 0 where there is none."""
    allowed = np.flatnonzero(observation["action_mask"])
    return int(random.choice(allowed)) if len(allowed) else 0


def play_randomly(env, seed):
    """A game between agents that draw among the allowed actions; the rewards of all."""
    env.reset(seed=seed)
    random, totals = np.random.default_rng(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        totals[agent] += reward
        env.step(None if termination or truncation else draw(random, observation))
    return totals


@pytest.mark.parametrize("name", names())
def test_a_game_ends_with_rewards_that_add_up_to_nothing(name):
    env = environment(name)
    totals = play_randomly(env, 3)
    assert set(totals) == set(env.possible_agents)
    assert abs(sum(totals.values())) < 1e-9
    outcome = env.episode.referee.outcome
    assert not outcome.faults
    assert sorted(totals, key=totals.get, reverse=True)[0] == env.possible_agents[outcome.ranks.index(1)]


@pytest.mark.parametrize("name", SIMULTANEOUS)
def test_agents_who_act_at_once_play_the_same_game_as_agents_in_turns(name):
    once, turns = parallel(name), environment(name)
    seen, _ = once.reset(seed=5)
    turns.reset(seed=5)
    random = np.random.default_rng(5)
    while once.agents:
        asked = [once.possible_agents[seat] for seat in once.episode.waiting]
        actions = {agent: draw(random, seen[agent]) for agent in once.agents}
        for agent in asked:
            assert turns.agent_selection == agent
            turns.step(actions[agent])
        seen, rewards, over, _, infos = once.step(actions)
    assert all(over.values())
    assert once.episode.referee.outcome == turns.episode.referee.outcome
    assert rewards == turns.rewards
    assert [infos[agent]["rank"] for agent in once.possible_agents] == list(once.episode.referee.outcome.ranks)


def test_a_game_in_turns_has_no_environment_for_all_at_once():
    with pytest.raises(PodiumError, match=r"zuniq is played in turns; .*environment\('zuniq'\)"):
        parallel("zuniq")


def test_an_observation_has_names_and_shapes():
    env = environment("zuniq")
    env.reset(seed=1)
    env.step(7)
    seen, state = env.observe("seat_1"), env.episode.views[1].state
    assert set(seen["observation"]) == {*state.dtype.names, "seat"}
    assert seen["observation"]["plies"] == 1
    assert [*np.flatnonzero(seen["observation"]["drawn"])] == [
        bit for bit in range(64) if int(state.drawn) >> bit & 1
    ], "a word is the set of its bits"
    assert seen["features"].shape == (load("zuniq").learning().inputs,)
    assert seen["features"].any()
    space = env.observation_space("seat_1")
    assert space["observation"]["label"].shape == (36,)
    assert space.contains(seen)


def test_against_a_bot_the_reward_is_that_of_the_own_seat():
    env = against("zuniq", "random", seat=1, nodes=1)
    random = np.random.default_rng(1)
    observation, info = env.reset(seed=4)
    assert info["seat"] == 1
    assert observation["observation"]["plies"] == 1, "the bot has made the first move"
    over = False
    while not over:
        observation, reward, over, _, info = env.step(draw(random, observation))
    assert reward == (1.0 if info["rank"] == 1 else -1.0)
    env.close()


def test_the_agent_of_an_environment_against_bots_sits_anywhere():
    env = against("wondev_woman", "random", nodes=1)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(8)} == {0, 1}
    env.close()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: against("code_of_kutulu", "random", "random"), "4 seats: name 1 opponent or 3, not 2"),
        (lambda: against("zuniq", "random", seat=2), "seats 0 to 1, but no seat 2"),
        (lambda: against("zuniq", "chmpion").reset(seed=1), "did you mean champion"),
        (lambda: BotAgent(environment("zuniq"), "seat_9", "random"), "unknown agent 'seat_9'"),
    ],
)
def test_mistakes_are_sentences(call, sentence):
    with pytest.raises(PodiumError, match=sentence):
        call()


def test_a_bot_is_an_agent_and_can_come_later():
    env = environment("zuniq")
    env.reset(seed=1)
    bots = {agent: BotAgent(env, agent, "random", nodes=1, seed=seat) for seat, agent in enumerate(env.agents)}
    env.step(5)  # not the bot's own choice: it observes it
    while not any(env.terminations.values()):
        env.step(bots[env.agent_selection].action())
    assert not env.episode.referee.outcome.faults
    with pytest.raises(PodiumError, match="not asked"):
        bots["seat_0"].action()
    env.reset(seed=2)
    assert env.observe("seat_0")["action_mask"][bots["seat_0"].action()]


def test_an_action_that_the_mask_forbids_is_a_fault():
    env = environment("zuniq")
    env.reset(seed=1)
    wall = int(np.flatnonzero(env.observe("seat_0")["action_mask"])[0])
    env.step(wall)
    env.step(wall)
    assert env.episode.referee.outcome.faults[0].seat == 1
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}


def test_the_fog_hides_what_the_referee_knows():
    """Two positions that differ in an enemy out of sight alone look the same."""
    env = environment("wondev_woman")
    env.reset(seed=3)
    seat = int(env.agent_selection[-1])
    seen = env.observe(env.agent_selection)["observation"]["unit"]
    view = load("wondev_woman").view()
    view.read(env.episode.referee.requests()[0].lines)
    assert [*seen] == [*view.state.unit], "an agent sees what the text tells, and nothing else"
    assert [*seen] != [*env.episode.referee.state.unit]
    assert seat == env.episode.referee.requests()[0].seat


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
    expected = [view.answer_of(action) for view, action in zip(env.episode.views, actions, strict=True)]
    monkeypatch.setattr(env.episode.referee, "answer", heard.extend)
    env.step(actions[0])
    assert heard == []
    env.step(actions[1])
    assert heard == [Answer(line) for line in expected]
