"""Games with simultaneous moves as PettingZoo environments in which all agents act at once."""

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from podium.errors import PodiumError
from podium.games.game import Game
from podium.zoo.agents import AgentsEnvironment
from podium.zoo.episode import Episode, Observation, seed_or_any


class ParallelEnvironment(AgentsEnvironment, ParallelEnv):
    """A game of Podium in PettingZoo's words.

    The reward of a player who drops out depends on how the others go on, so all agents stay to the end. One who has no
    legal action is out, and its actions are ignored.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None, **settings: object) -> None:
        super().__init__(game, render_mode, **settings)
        if not self._made.rules.simultaneous:
            raise PodiumError(f"{game} is played in turns; its environment is podium.zoo.environment({game!r})")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; without a seed, any."""
        self.episode = Episode(self._made, seed_or_any(seed), self.settings)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Play the actions of all agents who have been asked."""
        for seat in self.episode.waiting:
            self.episode.act(seat, actions[self.possible_agents[seat]])
        over = self.episode.is_over
        rewards = self.episode.rewards() if over else [0.0] * len(self.agents)
        result = (
            self._observations(),
            dict(zip(self.agents, rewards, strict=True)),
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, False),
            self._infos(),
        )
        if over:
            self.agents = []
        return result

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.episode.observe(seat) for seat, agent in enumerate(self.agents)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self.episode.info(seat) for seat, agent in enumerate(self.agents)}
