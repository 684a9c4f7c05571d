"""What all bots of Code 4 Life share: reading prompts, answering moves."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code4life.catalogue import MODULES, TRAY
from podium.games.code4life.protocol import answer_for, project_lines, round_lines
from podium.games.code4life.rules import DIAGNOSED, MOST_MOVES, SEATS, add_to_cloud, add_to_tray, seat_moves
from podium.games.code4life.setup import initial_state
from podium.games.code4life.view import ME, View
from podium.games.game import Bot, Budget
from podium.kernel.clock import NEVER

WARM_NODES = 100


class Player(Bot):
    """Keeps its view of the game; a subclass chooses the move."""

    def __init__(self, mind: Any, seed: int) -> None:
        self.mind = mind
        self.seed = seed
        self.view = View()
        self._moves = np.zeros(MOST_MOVES, np.int64)

    def warm_up(self) -> None:
        """Read and answer prompts of a made-up game, so that every kernel is loaded before the clock starts."""
        state = initial_state(1)
        fresh = type(self)(self.mind, self.seed)
        budget = Budget(NEVER, nodes=WARM_NODES)
        for module in range(len(MODULES)):
            for seat in range(SEATS):
                state.location[seat] = module
            fresh.reply(project_lines(state) + round_lines(state, ME), budget)
            for sample in (module, DIAGNOSED | module):
                if state.carried[ME] < TRAY:
                    add_to_tray(state, ME, sample)
                add_to_cloud(state, DIAGNOSED | module)

    @abstractmethod
    def choose(self, state: Any, budget: Budget) -> int:
        """A legal move of seat 0, which is the player itself."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read a prompt, answer one line."""
        state = self.view.read(lines)
        return answer_for(state, ME, self.choose(state, budget))

    def legal_moves(self, state: Any) -> Any:
        """The legal moves that the player can be sure of: producing an undiagnosed sample is not listed."""
        return self._moves[: seat_moves(state, ME, self._moves)]
