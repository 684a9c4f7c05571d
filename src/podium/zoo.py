"""Every game as a PettingZoo environment, for learners of that world: `podium.zoo.environment("zuniq")`.

What an agent observes are the bytes of its own *view*: the state as that seat knows it from its prompts, and never the
referee's. So nothing shows through the fog, the size is fixed, and one observation tells all that the seat may know by
now; the text of a prompt does neither (Zuniq's is the last wall alone, a maze is shown once). An action is the number
that the rules give a move, with a mask of those that are legal now; it means the same in every position, and goes to
the referee as the text that a bot would have answered. Games with simultaneous moves ask one seat after the other.

The reward comes at the end: 1 for the first place, -1 for the last, evenly spaced between; equal ranks share theirs.
"""

import io
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Answer, Request
from podium.kernel.rules import legal_moves

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
except ImportError:
    raise PodiumError("environments need PettingZoo: pip install 'podium[pettingzoo]'") from None


def environment(game: str, render_mode: str | None = None, **settings: object) -> "GameEnvironment":
    """A game between agents; settings are those of `podium bots GAME`."""
    return GameEnvironment(game, render_mode, **settings)


class GameEnvironment(AECEnv):
    """A game of Podium in PettingZoo's words. Agents are called `seat_0`, `seat_1` and so on."""

    agent_selection: str

    def __init__(self, game: str, render_mode: str | None = None, **settings: object) -> None:
        super().__init__()
        self.game = load(game)
        if self.game.view is None or not self.game.codes:
            raise PodiumError(f"{game} cannot be an environment: it has no view for learners")
        self.settings = settings
        self.metadata = {"name": f"podium_{game}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self._moves = np.zeros(self.game.codes, np.int64)
        shape, codes = (self.game.state.itemsize,), self.game.codes
        observation: dict[str, Any] = {
            "observation": Box(0, 255, shape, np.uint8),
            "action_mask": Box(0, 1, (codes,), np.int8),
        }
        self.observation_spaces = {agent: Dict(observation) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(codes) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """The bytes of a view, and the mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The numbers of moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, any."""
        seed = int(np.random.default_rng().integers(2**62)) if seed is None else seed
        self.referee = self.game.new_referee(seed, self.settings)
        assert self.game.view is not None
        self.views = [self.game.view() for _ in self.possible_agents]
        self._known: set[str] = set()  # agents who have seen a prompt
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What a seat knows since its last prompt; before its first one, nothing but zeros."""
        view, mask = self.views[self.possible_agents.index(agent)], np.zeros(self.game.codes, np.int8)
        if agent not in self._known:
            return {"observation": np.zeros(self.game.state.itemsize, np.uint8), "action_mask": mask}
        if self._pending and agent == self.agent_selection and not self.terminations[agent]:
            mask[self._moves[: legal_moves(view.state, self._moves)]] = 1
        return {"observation": np.frombuffer(view.state.tobytes(), np.uint8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Answer for the selected agent; the referee plays once all who were asked have answered."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        view = self.views[self._pending.pop(0).seat]
        # an action that the mask forbids is an answer that the referee cannot read
        allowed = action in self._moves[: legal_moves(view.state, self._moves)]
        line = view.answer_of(int(action)) if allowed else f"illegal action {action}"
        if allowed:
            view.answered(line)
        self._answers.append(Answer(line))
        if self._pending:
            self.agent_selection = self.possible_agents[self._pending[0].seat]
            return
        self.referee.answer(self._answers)
        self._ask()
        self._accumulate_rewards()

    def _ask(self) -> None:
        """Show all who are asked now their prompts, or end the game."""
        self._answers: list[Answer] = []
        self._pending: list[Request] = list(self.referee.requests())
        for request in self._pending:
            self.views[request.seat].read(request.lines)
            self._known.add(self.possible_agents[request.seat])
        if self._pending:
            self.agent_selection = self.possible_agents[self._pending[0].seat]
            return
        assert self.referee.outcome is not None
        ranks = self.referee.outcome.ranks
        for agent, rank in zip(self.possible_agents, ranks, strict=True):
            place = rank + (ranks.count(rank) - 1) / 2
            self.rewards[agent] = 1 - 2 * (place - 1) / (len(ranks) - 1)
            self.terminations[agent] = True
            self.infos[agent] = {"rank": rank, "outcome": self.referee.outcome.sentence}
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The position as text, if that was asked for."""
        if self.render_mode != "ansi":
            return None
        from rich.console import Console

        page = io.StringIO()
        Console(file=page, width=100, color_system=None).print(self.game.picture(self.game.scene(self.referee)))
        return page.getvalue()

    def close(self) -> None:
        """Leave the game."""
        if hasattr(self, "referee"):
            self.referee.close()
