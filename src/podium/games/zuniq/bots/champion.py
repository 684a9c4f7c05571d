"""`champion`: the bot that won CodeCup 2021, as its author describes it, and what was found to be stronger.

MCTS with RAVE, generalised AMAF and the impact bonus (`podium.search.mcts`); an opening book up to the board's
symmetries, played under a random symmetry; own early moves restricted to walls that did well in self-play; claims;
the time of a game shared over the moves until it can be solved.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from podium.games.game import BotKind, Budget, Thoughts
from podium.games.zuniq.board import ALL_WALLS, NAMES, NUMBERS, WALLS
from podium.games.zuniq.book import find, shipped
from podium.games.zuniq.bots.mind import CHAMPION_MINDS, CHAMPION_OUTLOOKS
from podium.games.zuniq.bots.thinker import Thinker
from podium.games.zuniq.rules import legal_mask, list_walls
from podium.games.zuniq.state import State
from podium.games.zuniq.symmetry import back, turned
from podium.kernel import kernel
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import candidates


def _good_walls() -> np.ndarray:
    """For White and for Black, the walls that did well in self-play, as sets; all walls if that was never measured."""
    path = Path(__file__).parents[1] / "data" / "opening_walls.json"
    if not path.is_file():
        return np.array([ALL_WALLS, ALL_WALLS], dtype=np.uint64)
    walls = json.loads(path.read_text(encoding="utf-8"))
    return np.array([sum(1 << NUMBERS[name] for name in walls[side]) for side in ("white", "black")], dtype=np.uint64)


GOOD_WALLS = _good_walls()


@candidates.register(State, CHAMPION_OUTLOOKS.dtype)
@kernel
def zuniq_candidates(state: Any, outlook: Any, out: Any) -> int:
    """All legal walls; in the opening, for the bot's own seat, the good ones among them if there are any."""
    walls = legal_mask(state)
    side = state.plies & 1
    if side == outlook.seat and state.plies < outlook.opening and walls & GOOD_WALLS[side]:
        walls &= GOOD_WALLS[side]
    return list_walls(walls, out)


class Champion(Thinker):
    """The winner's bot. Inside, it sees the board through a symmetry drawn at the start of the game."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(mind, seed)
        self.turn = int(draw_below(generator(seed), 8)) if mind.symmetry else 0
        self.opening_book = shipped() if mind.book else {}

    def outlook(self) -> Any:
        """Whose walls are restricted in the opening: my own."""
        return CHAMPION_OUTLOOKS.of(self.mind, seat=self.seat)

    def choose(self, budget: Budget) -> int:
        """From the book, else by search."""
        walls = [wall for wall in range(WALLS) if int(self.state.drawn) >> wall & 1]
        found = find(self.opening_book, turned(walls, self.turn))
        if found is None:
            return super().choose(budget)
        wall = back(found[0], self.turn)
        self.claim = False
        self.thoughts = Thoughts(
            value=(1 + found[1].value) / 2,
            unit="win rate",
            nodes=found[1].simulations,
            line=[NAMES[wall]],
            note="from the opening book",
        )
        return wall


KINDS = (
    BotKind(
        "champion", "the winner of CodeCup 2021 and more: MCTS with RAVE, solver and book", CHAMPION_MINDS, Champion
    ),
)
