"""What environments have in common: the picture of the position, and in PettingZoo the agents with their spaces."""

from typing import Any

from gymnasium.spaces import Dict, Discrete

from podium.games.game import Game
from podium.zoo.episode import EnvironmentGame, Episode


class ShownEnvironment:
    """An environment whose present position can be shown."""

    _made: EnvironmentGame
    episode: Episode
    render_mode: str | None

    def render(self) -> str | None:
        """The position as text, if that was asked for."""
        return self._made.picture(self.episode.referee) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close the game's referee."""
        if hasattr(self, "episode"):
            self.episode.referee.close()


class AgentsEnvironment(ShownEnvironment):
    """An environment of several agents, which are called `seat_0`, `seat_1` and so on."""

    def __init__(self, game: Game | str, render_mode: str | None = None, **settings: object) -> None:
        super().__init__()
        self._made = EnvironmentGame(game)
        self.settings = settings
        self.metadata: dict[str, Any] = {"name": f"podium_{game}", "render_modes": ["ansi"]}
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
