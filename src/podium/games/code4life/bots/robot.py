"""What all bots of Code 4 Life share: following the game, and being warm before the clock starts."""

from typing import Any

import numpy as np

from podium.games.code4life.catalogue import MODULES, TRAY
from podium.games.code4life.protocol import opening_lines, prompt
from podium.games.code4life.rules import seat_moves
from podium.games.code4life.setup import initial_state
from podium.games.code4life.state import DIAGNOSED, MOST_MOVES, SEATS, add_to_cloud, add_to_tray
from podium.games.code4life.view import ME, View
from podium.games.follow import Follower
from podium.games.game import Budget

WARM = Budget(nodes=100)


class Robot(Follower):
    """Keeps its view of the game; a subclass chooses a move of seat 0, which is the player itself."""

    view: View

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.mind = mind
        self.seed = seed
        self._moves = np.zeros(MOST_MOVES, np.int64)

    def warm_up(self) -> None:
        """Read and answer prompts of a made-up game, so that every kernel is loaded before the clock starts."""
        state = initial_state(1)
        fresh = type(self)(self.mind, self.seed)
        for module in range(len(MODULES)):
            for seat in range(SEATS):
                state.location[seat] = module
            fresh.reply(opening_lines(state) + prompt(state, ME), WARM)
            for sample in (module, DIAGNOSED | module):
                if state.carried[ME] < TRAY:
                    add_to_tray(state, ME, sample)
                add_to_cloud(state, DIAGNOSED | module)

    def legal_moves(self) -> Any:
        """The legal moves that the player can be sure of: producing an undiagnosed sample is not listed."""
        return self._moves[: seat_moves(self.state, ME, self._moves)]
