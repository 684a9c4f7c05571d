"""The base of all bots of Code 4 Life: a view of the game, and warming up before the clock starts."""

from typing import Any

import numpy as np

from podium.games.code4life.catalogue import MODULES, TRAY
from podium.games.code4life.protocol import opening_lines, prompt
from podium.games.code4life.rules import seat_moves
from podium.games.code4life.setup import initial_state
from podium.games.code4life.state import DIAGNOSED, MOST_MOVES, SEATS, add_to_cloud, add_to_tray
from podium.games.code4life.view import ME, View
from podium.games.game import Budget
from podium.games.view import ViewBot

WARM = Budget(nodes=100)


class Code4LifeBot(ViewBot):
    """A bot with a view; a subclass chooses the move of seat 0, which is the bot itself."""

    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params
        self.seed = seed
        self._moves = np.zeros(MOST_MOVES, np.int64)

    def warm_up(self) -> None:
        """Read and answer prompts of a made-up game, so that every kernel is loaded before the clock starts."""
        state = initial_state(1)
        fresh = type(self)(self.params, self.seed)
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
