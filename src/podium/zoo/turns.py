"""Every game as a PettingZoo environment in which agents act in turns."""

from typing import Any

from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv

from podium.games.game import Game
from podium.zoo.episode import EnvironmentGame, Episode, Observation, all_of, seed_or_any


class GameEnvironment(AECEnv):
    """A game of Podium in PettingZoo's words. Agents are called `seat_0`, `seat_1` and so on."""

    agent_selection: str

    def __init__(self, game: Game | str, render_mode: str | None = None, **settings: object) -> None:
        super().__init__()
        self._made = EnvironmentGame(game)
        self.settings = settings
        self.metadata = {"name": f"podium_{game}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(self._made.agents)
        self.observation_spaces = {agent: self._made.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self._made.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """What an agent knows, by name, and the mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, any."""
        self.episode = Episode(self._made, seed_or_any(seed), self.settings)
        self.agents = list(self.possible_agents)
        self.rewards = all_of(self.agents, 0.0)
        self._cumulative_rewards = all_of(self.agents, 0.0)
        self.terminations = all_of(self.agents, False)
        self.truncations = all_of(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """What a seat knows since its last prompt; only the selected agent has legal actions."""
        seen = self.episode.observe(self.possible_agents.index(agent))
        if agent != self.agent_selection:
            seen["action_mask"][:] = 0
        return seen

    def step(self, action: int | None) -> None:
        """Answer for the selected agent; the referee plays once all who were asked have answered."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.episode.act(self.possible_agents.index(agent), action)
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Select the next agent who has to act, or give the rewards of a game that is over."""
        if not self.episode.is_over:
            self.agent_selection = self.possible_agents[self.episode.waiting[0]]
            return
        self.rewards = dict(zip(self.possible_agents, self.episode.rewards(), strict=True))
        self.terminations = all_of(self.agents, True)
        self.infos = {agent: self.episode.info(seat) for seat, agent in enumerate(self.possible_agents)}
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The position as text, if that was asked for."""
        return self._made.picture(self.episode.referee) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close the game's referee."""
        if hasattr(self, "episode"):
            self.episode.referee.close()
