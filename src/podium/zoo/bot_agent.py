"""Bots as agents of an environment: any bot that the arena can name."""

from typing import TYPE_CHECKING, Any

from podium.arena.entrants.entrant import entrant
from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.players import Player, player
from podium.errors import PodiumError
from podium.model.ruleset import rules_of

if TYPE_CHECKING:
    from podium.games.game import Game
    from podium.zoo.episode import Episode


class SeatedBot:
    """A bot in one seat of one episode."""

    def __init__(self, game: "Game", spec: str, seat: int, time_control: TimeControl, seed: int) -> None:
        self.spec, self.seat = spec, seat
        self._clock = Clock(time_control)
        self._player: Player = player(game, entrant(game, spec), seed)
        self._read = 0  # how much of its seat's history the bot knows

    def line(self, episode: "Episode") -> str:
        """Its answer to the prompt of its seat; a PodiumError if it gives none."""
        for request, line in episode.history[self.seat][self._read :]:
            self._player.observe(request, line)
        request = episode.pending[self.seat]
        self._clock.start(request)
        reply = self._player.ask(request, self._clock)
        self._read = len(episode.history[self.seat]) + 1
        if reply.line is None:
            evidence = ", ".join(f"{name} {value}" for name, value in reply.evidence.items())
            raise PodiumError(f"{self.spec} gave no answer: {reply.verdict.value} {evidence} {reply.stderr}".strip())
        return reply.line

    def close(self) -> None:
        """End the bot's part."""
        self._player.close(())


class BotAgent:
    """A bot as an agent of a PettingZoo environment: `env.step(bot.action())` when it is selected.

    `time` (ms) or `nodes` is what it gets for an action. It may come into a game that has begun, and its own choice
    need not be the one that is played: it observes what its seat has really answered.

    >>> env = podium.zoo.environment("zuniq")
    >>> env.reset(seed=1)
    >>> bot = podium.zoo.BotAgent(env, "seat_0", "champion", nodes=20)
    >>> env.step(bot.action())
    >>> env.agent_selection
    'seat_1'
    """

    def __init__(self, env: Any, agent: str, spec: str, *, time: float = 0.0, nodes: int = 0, seed: int = 0) -> None:
        if agent not in env.possible_agents:
            raise PodiumError(f"unknown agent {agent!r}; the environment has {', '.join(env.possible_agents)}")
        self.env, self.agent, self.spec, self.seed = env, agent, spec, seed
        self._time_control = TimeControl(time, nodes)
        self._seated: SeatedBot | None = None
        self._episode: Episode | None = None

    def action(self) -> int:
        """The action that the bot chooses now."""
        episode: Episode = self.env.episode
        seat = self.env.possible_agents.index(self.agent)
        if seat not in episode.pending:
            raise PodiumError(f"{self.agent} is not asked for an action now")
        if self._seated is None or episode is not self._episode:
            self.close()
            self._seated = SeatedBot(
                episode.game, self.spec, seat, self._time_control, self.seed + episode.seed % 2**31
            )
            self._episode = episode
        line, view = self._seated.line(episode), episode.views[seat]
        move = view.move_of(line)
        return int(rules_of(episode.game).read_move(view.state, line)) if move is None else int(move)

    def close(self) -> None:
        """End the bot; the next action begins with a new one."""
        if self._seated is not None:
            self._seated.close()
        self._seated = None
