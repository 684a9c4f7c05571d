"""`champion` and `writeup`: alpha-beta over few moves, as the winner of the contest did it.

Both robots choose at the same time; the search lets the opponent answer knowing my choice, which looks at the worst
case. It deepens by whole rounds until the time is up or the end of the game is reached.
"""

from typing import Any

import numpy as np

from podium.games.code4life.bots.evaluation import Mind
from podium.games.code4life.bots.mind import CHAMPION_MINDS, WRITEUP_MINDS
from podium.games.code4life.bots.moves import code4life_candidates, way_out
from podium.games.code4life.bots.player import Player
from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.packed import total
from podium.games.code4life.protocol import answer_for
from podium.games.code4life.rules import SEATS, WAIT, State, code4life_mover, code4life_play
from podium.games.code4life.view import ME
from podium.games.game import BotKind, Budget, Thoughts
from podium.kernel import kernel
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.search.alphabeta import AlphaBeta
from podium.search.hooks import terminal_value
from podium.search.result import Result

MOST_CANDIDATES = 16
# Small tables: those that stay in the processor's second-level cache gave 10 to 20 % more nodes, and the same depth.
TABLE_BITS = 16
CACHE_BITS = 12
SHOWN = 16  # moves of a line turned into text


@terminal_value.register(State, Mind)
@kernel
def code4life_terminal_value(state: Any, mind: Any, seat: Any) -> float:
    """At the end nothing matters but the scores: their difference."""
    return np.float64(state.score[seat]) - np.float64(state.score[1 - seat])


def line_of(state: Any, moves: list[int]) -> list[str]:
    """The answers that a sequence of moves stands for, of both seats in turn."""
    state, line = state.copy(), []
    for move in moves[:SHOWN]:
        line.append(answer_for(state, int(code4life_mover(state)), move))
        code4life_play(state, move)
    return line


class SearchPlayer(Player):
    """Searches as deep as the time allows."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(mind, seed)
        self.engine = AlphaBeta(State, mind, MOST_CANDIDATES, TABLE_BITS, CACHE_BITS)
        self._expertise = -1  # when last seen
        self._delivery = 0  # round of the last delivery

    def choose(self, state: Any, budget: Budget) -> int:
        """The first move of the best line; without a search where there is only one."""
        self.thoughts = None
        stuck, out = self.is_stuck(state), int(way_out(state, self.mind, ME))
        if code4life_candidates(state, self.mind, self._moves) == 1:
            return int(self._moves[0])
        if stuck and out != WAIT:
            return out
        start = now()
        deadline = budget.deadline - int(self.mind.margin * MILLISECOND)
        result = self.search(state, budget.until(deadline))
        self.thoughts = Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=(now() - start) / SECOND,
            line=line_of(state, result.line),
        )
        return result.move

    def is_stuck(self, state: Any) -> bool:
        """Whether nothing was delivered for longer than patience allows; a delivery shows in the expertise."""
        expertise = int(total(state.expertise[ME]))
        if expertise != self._expertise:
            self._expertise, self._delivery = expertise, int(state.played)
        return int(state.played) - self._delivery >= self.mind.patience

    def search(self, state: Any, budget: Budget, only: list[int] | None = None) -> Result:
        """Search to the end of the game at most."""
        depth = SEATS * (ROUNDS - int(state.played))
        return self.engine.search(state, ME, budget, depth=depth, only=only)


CHAMPION = BotKind("champion", "the winner's search, evaluation and moves, improved", CHAMPION_MINDS, SearchPlayer)
WRITEUP = BotKind("writeup", "the winner's bot as its write-up describes it", WRITEUP_MINDS, SearchPlayer)
