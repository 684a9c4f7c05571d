"""A game of one agent against bots, as a Gymnasium environment."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from podium.arena.game.limits import TimeControl
from podium.errors import PodiumError
from podium.games.game import Game
from podium.zoo.agents import ShownEnvironment
from podium.zoo.bot_agent import SeatedBot
from podium.zoo.episode import EnvironmentGame, Episode, Observation

MOST_SEED = 2**31


class OpponentEnvironment(ShownEnvironment, gymnasium.Env):
    """A game of Podium in Gymnasium's words: the other seats are played by bots."""

    def __init__(
        self,
        game: Game | str,
        opponents: Sequence[str],
        *,
        seat: int | None = None,
        time: float = 0.0,
        nodes: int = 0,
        render_mode: str | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self._made = EnvironmentGame(game)
        others = self._made.game.seats - 1
        if len(opponents) not in (1, others):
            raise PodiumError(f"{game} has {others + 1} seats: name 1 opponent or {others}, not {len(opponents)}")
        if seat is not None and not 0 <= seat <= others:
            raise PodiumError(f"{game} has the seats 0 to {others}, but no seat {seat}")
        self.opponents = list(opponents) * (others if len(opponents) == 1 else 1)
        self._own, self._time_control, self._settings = seat, TimeControl(time, nodes), settings or {}
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.observation_space = self._made.observation_space()
        self.action_space = self._made.action_space()
        self._bots: dict[int, SeatedBot] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game, and let the bots play until it is the agent's turn."""
        super().reset(seed=seed)
        draw, seats = self.np_random, self._made.game.seats
        while True:  # a game that ends before the agent is asked is no game
            self.episode = Episode(self._made, int(draw.integers(MOST_SEED)), self._settings)
            self.seat = int(draw.integers(seats)) if self._own is None else self._own
            self._end_bots()
            others = [other for other in range(seats) if other != self.seat]
            self._bots = {
                other: SeatedBot(self._made.game, spec, other, self._time_control, int(draw.integers(MOST_SEED)))
                for other, spec in zip(others, self.opponents, strict=True)
            }
            self._play_bots()
            if not self.episode.is_over:
                return self.episode.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, then let the bots play until it is the agent's turn again, or the game is over.

        An action that the mask forbids loses the game, as an illegal answer of a bot would.
        """
        self.episode.act(self.seat, int(action))
        self._play_bots()
        over = self.episode.is_over
        reward = self.episode.rewards()[self.seat] if over else 0.0
        return self.episode.observe(self.seat), reward, over, False, self._info()

    def _play_bots(self) -> None:
        """Bots answer until the agent is the only one who still has to act, or nobody is."""
        while others := [seat for seat in self.episode.waiting if seat != self.seat]:
            for seat in others:
                self.episode.answer(seat, self._bots[seat].line(self.episode))

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, **self.episode.info(self.seat)}

    def _end_bots(self) -> None:
        for bot in self._bots.values():
            bot.close()
        self._bots = {}

    def close(self) -> None:
        """End the bots and the referee."""
        self._end_bots()
        super().close()
