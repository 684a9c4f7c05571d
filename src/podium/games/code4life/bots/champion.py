"""`champion` and `writeup`: alpha-beta over few moves, as in the winner's program.

Both robots choose at the same time; in the search the opponent answers knowing my choice, which is the worst case. It
deepens by whole rounds until the time is up or the end of the game is reached.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code4life import GAME
from podium.games.code4life.bots.base import Code4LifeBot
from podium.games.code4life.bots.evaluation import Params
from podium.games.code4life.bots.moves import code4life_candidates, payable_rank, way_out
from podium.games.code4life.bots.params import CHAMPION_PARAMS, WRITEUP_PARAMS
from podium.games.code4life.catalogue import DIAGNOSIS, ROUNDS
from podium.games.code4life.protocol import line_of
from podium.games.code4life.state import CONNECT_TRAY, DRAW, SEATS, TAKE, WAIT, State
from podium.games.code4life.view import ME
from podium.games.game import BotKind, Budget, LogisticWins, Option, Thoughts
from podium.games.multi_pv import best_first, multi_pv
from podium.kernel import kernel
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.model.hooks import terminal_value
from podium.model.result import Result
from podium.search.alphabeta import AlphaBeta

MOST_CANDIDATES = 16
# Small tables: those that stay in the processor's second-level cache gave 10 to 20 % more nodes, and the same depth.
TABLE_BITS = 16
CACHE_BITS = 12
NO_SLOT = -1
SHOWN = 16  # moves of a line turned into text


@terminal_value.register(State, Params)
@kernel
def code4life_terminal_value(state: Any, params: Any, seat: Any) -> float:
    """At the end nothing matters but the scores: their difference."""
    return np.float64(state.score[seat]) - np.float64(state.score[1 - seat])


class Champion(Code4LifeBot):
    """Searches as deep as the time allows."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(params, seed)
        self.searcher = AlphaBeta(GAME, params, table_bits=TABLE_BITS, cache_bits=CACHE_BITS)

    def choose(self, budget: Budget) -> int:
        """The first move of the best line; without a search where there is only one."""
        candidates = self.candidates(self.state)
        drawn = self.drawn_rank(candidates[0])
        if len(candidates) == 1:
            return drawn
        dead = self.dead_slot()
        if dead != NO_SLOT:
            return CONNECT_TRAY + dead
        out = int(way_out(self.state, self.params, ME))
        if out != WAIT and self.is_stuck():
            return out
        start = now()
        budget = budget.until(budget.deadline - int(self.params.margin * MILLISECOND))
        result = self.search(self.state, budget)
        self.thoughts = Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=(now() - start) / SECOND,
            line=line_of(self.state, result.line[:SHOWN]),
        )
        return drawn if result.move == candidates[0] else result.move

    def drawn_rank(self, move: int) -> int:
        """The move, or if it draws a sample of a rank that can hardly be paid, the draw of a lower one."""
        if not DRAW < move < TAKE:
            return move
        return DRAW + int(payable_rank(self.state, self.params, ME, move - DRAW))

    def dead_slot(self) -> int:
        """At DIAGNOSIS the slot of a sample that was out of reach for longer than patience allows; else NO_SLOT."""
        if self.state.location[ME] != DIAGNOSIS or self.state.eta[ME] > 0:
            return NO_SLOT
        waiting = self.view.rounds_out_of_reach()
        worst = max(range(len(waiting)), key=waiting.__getitem__, default=NO_SLOT)
        return worst if worst != NO_SLOT and waiting[worst] >= self.params.sample_patience else NO_SLOT

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Moves searched to one depth."""
        return [option_of(self.state, result) for result in self.valued(self.state, moves, budget)]

    def alternatives(self, budget: Budget) -> list[Option]:
        """All moves that it considers, compared at one depth."""
        results = self.valued(self.state, self.candidates(self.state), budget)
        return [option_of(self.state, result) for result in best_first(results)]

    def valued(self, state: Any, moves: Sequence[int], budget: Budget) -> list[Result]:
        """Each move searched by itself, all to one depth."""

        def search(move: int, part: Budget, depth: int) -> Result:
            self.searcher.forget()  # what another move's deeper search has seen
            return self.search(state, part, depth, only=[move])

        return multi_pv(search, moves, budget)

    def candidates(self, state: Any) -> list[int]:
        """The moves that the bot considers in a state."""
        return [int(move) for move in self._moves[: code4life_candidates(state, self.params, self._moves)]]

    def is_stuck(self) -> bool:
        """Whether nothing was delivered for longer than patience allows."""
        return bool(int(self.state.played) - self.view.delivery >= self.params.patience)

    def search(self, state: Any, budget: Budget, depth: int = 0, only: list[int] | None = None) -> Result:
        """Search a state to a depth (by default the parameter's), and to the end of the game at most."""
        to_the_end = SEATS * (ROUNDS - int(state.played))
        deepest = min(depth or int(self.params.depth), to_the_end)
        return self.searcher.decide(state, ME, budget, depth=deepest, only=only)


def option_of(state: Any, result: Result) -> Option:
    """What a search found of a move, in words."""
    line = line_of(state, result.line[:SHOWN])
    return Option(line[0], result.value, result.nodes, result.proof, line)


KINDS = (
    BotKind(
        "champion",
        "the winner's search, evaluation and moves, improved",
        CHAMPION_PARAMS,
        Champion,
        least_nodes=500,
        least_nodes_measured="88 % against greedy in 20 games; 38 % with 100 nodes",
        win_probability=LogisticWins(36.0),
    ),
    BotKind("writeup", "the winner's bot as its write-up describes it", WRITEUP_PARAMS, Champion),
)
