"""Every game as a PettingZoo environment in which agents act in turns."""

from typing import Any

from pettingzoo import AECEnv

from podium.games.game import Game
from podium.zoo.agents import AgentsEnvironment
from podium.zoo.episode import Episode, Observation, seed_or_any


class GameEnvironment(AgentsEnvironment, AECEnv):
    """A game of Podium in PettingZoo's words."""

    agent_selection: str

    def __init__(self, game: Game | str, render_mode: str | None = None, **settings: object) -> None:
        super().__init__(game, render_mode, **settings)
        self.metadata["is_parallelizable"] = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, any."""
        self.episode = Episode(self._made, seed_or_any(seed), self.settings)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
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
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: self.episode.info(seat) for seat, agent in enumerate(self.possible_agents)}
        self.agent_selection = self.agents[0]
