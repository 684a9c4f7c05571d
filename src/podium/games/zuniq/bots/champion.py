"""`champion`: the bot that won CodeCup 2021, as its author describes it, with changes that were found to be stronger.

MCTS with RAVE, generalised AMAF and the impact bonus (`podium.search.mcts`); an opening book up to the board's
symmetries, played under a random symmetry; own early moves restricted to walls that did well in self-play; claims;
the time of a game shared over the moves until it can be solved.

`writeup` goes by the author's own rules for time, impact and solving. The write-up shows its list of good opening walls
as pictures only, and not its book. Ours stand in: walls that won in self-play, and a book searched by `alphazero`.

`uct` is plain UCT with one random playout per simulation, as most contestants played it: the same code with everything
else switched off.
"""

import json
from typing import Any

import numpy as np

from podium.games.game import BotKind, Budget, Thoughts, win_rate
from podium.games.zuniq.board import ALL_WALLS, NAMES, NUMBERS, WALLS
from podium.games.zuniq.book import find, shipped
from podium.games.zuniq.bots.params import CHAMPION_CONTEXT, CHAMPION_PARAMS, UCT_PARAMS, WRITEUP_PARAMS
from podium.games.zuniq.bots.tree_bot import TreeBot
from podium.games.zuniq.rules import legal_mask, list_walls
from podium.games.zuniq.state import State
from podium.games.zuniq.symmetry import back, turned
from podium.kernel import kernel
from podium.kernel.random import draw_below, generator
from podium.model.package_data import package_data
from podium.model.rules import candidates


def _good_walls() -> np.ndarray:
    """For White and for Black, the walls that did well in self-play, as sets; all walls if that was never measured."""
    path = package_data("podium.games.zuniq", "opening_walls.json")
    if not path.is_file():
        return np.array([ALL_WALLS, ALL_WALLS], dtype=np.uint64)
    walls = json.loads(path.read_text(encoding="utf-8"))
    return np.array([sum(1 << NUMBERS[name] for name in walls[side]) for side in ("white", "black")], dtype=np.uint64)


GOOD_WALLS = _good_walls()


@candidates.register(State, CHAMPION_CONTEXT.dtype)
@kernel
def zuniq_candidates(state: Any, context: Any, out: Any) -> int:
    """All legal walls; in the opening, for the bot's own seat, the good ones among them if there are any."""
    walls = legal_mask(state)
    side = state.plies & 1
    if side == context.seat and state.plies < context.opening and walls & GOOD_WALLS[side]:
        walls &= GOOD_WALLS[side]
    return list_walls(walls, out)


class Champion(TreeBot):
    """The winner's bot. Inside, it sees the board through a symmetry drawn at the start of the game."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(params, seed)
        self.turn = int(draw_below(generator(seed), 8)) if params.symmetry else 0
        self.opening_book = shipped() if params.book else {}

    def context(self) -> Any:
        """Whose walls are restricted in the opening: my own."""
        return CHAMPION_CONTEXT.of(self.params, seat=self.seat)

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
        "champion",
        "the winner of CodeCup 2021 and more: MCTS with RAVE, solver and book",
        CHAMPION_PARAMS,
        Champion,
        least_nodes=20,
        least_nodes_measured="20 of 20 games won against random",
        win_probability=win_rate,
    ),
    BotKind(
        "writeup",
        "the winner of CodeCup 2021 as its author describes it",
        WRITEUP_PARAMS,
        Champion,
        win_probability=win_rate,
    ),
    BotKind(
        "uct",
        "plain UCT with one random playout per simulation, as a reference",
        UCT_PARAMS,
        Champion,
        win_probability=win_rate,
    ),
)
