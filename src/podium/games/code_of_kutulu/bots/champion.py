"""`champion` and `writeup`: Paranoid search, me against the rest, as in the runner-up's program (Agade).

All others are one opponent that minimises my value. They choose after me, knowing what I chose, which makes the search
more pessimistic than the game. Alpha-beta prunes as in a game of two players: with four explorers at best to (full
tree)^(3/4) nodes.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code_of_kutulu import GAME
from podium.games.code_of_kutulu.bots.context import context_of
from podium.games.code_of_kutulu.bots.evaluation import is_decided
from podium.games.code_of_kutulu.bots.moves import kutulu_candidates, skip_predicted
from podium.games.code_of_kutulu.bots.params import CHAMPION_PARAMS, WRITEUP_PARAMS
from podium.games.code_of_kutulu.bots.searcher import Searcher, line_of, searched_state
from podium.games.code_of_kutulu.state import CHOICES, living_seats
from podium.games.game import BotKind, Budget, LogisticWins, Option
from podium.games.multi_pv import multi_pv
from podium.model.result import Result
from podium.search.alphabeta import AlphaBeta

TABLE_BITS = 16  # a search of 50 ms visits some 10^5 positions


class Paranoid(Searcher):
    """Alpha-beta, me against the rest."""

    def prepare(self) -> None:
        """A new engine with an empty table."""
        cache_bits = TABLE_BITS if self.params.evaluation_cache else 1
        self.engine = AlphaBeta(GAME, self.params, table_bits=TABLE_BITS, cache_bits=cache_bits)

    def search(self, state: Any, context: Any, budget: Budget) -> Result:
        """Deeper by a turn or by a choice each time."""
        skip_predicted(state, context)
        return self.engine.decide(state, int(context.seat), budget, context=context, stride=self.stride(state))

    def plies(self, state: Any) -> int:
        """My choice and those of the active enemies, if all others are predicted."""
        rivals = len(living_seats(state)) - 1
        return 1 + (rivals if self.params.far_choices > 1 else min(rivals, int(self.params.active_enemies)))

    def stride(self, state: Any) -> int:
        """A whole turn, or the parameter `stride`."""
        return super().stride(state) if self.params.whole_turns else int(self.params.stride)

    def compare(self, known: Any, seat: int, budget: Budget) -> list[Option]:
        """Every choice searched by itself, all to one depth."""
        state = self._own_turn(known, seat)
        moves = np.zeros(CHOICES, np.int64)
        count = kutulu_candidates(state, context_of(self.params, state, seat), moves)
        return sorted(self._valued(state, seat, moves[:count].tolist(), budget), key=lambda option: -option.value)

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Choices searched to one depth."""
        if is_decided(self.state, self.seat):
            return [None] * len(moves)
        return [*self._valued(self._own_turn(self.state, self.seat), self.seat, moves, budget)]

    def _own_turn(self, known: Any, seat: int) -> Any:
        """The position in which the seat chooses first."""
        state = searched_state(known, self.params, seat)
        state.first = state.mover = seat
        return state

    def _valued(self, state: Any, seat: int, moves: Sequence[int], budget: Budget) -> list[Option]:
        def search(move: int, part: Budget, depth: int) -> Result:
            return self.engine.decide(
                state,
                seat,
                part,
                context=context_of(self.params, state, seat),
                depth=depth,
                stride=self.stride(state),
                only=[move],
            )

        results = multi_pv(search, moves, budget)
        context = context_of(self.params, state, seat)
        lines = [line_of(state, context, result.line) for result in results]
        return [
            Option(line[0].partition(":")[2], result.value, result.nodes, line=line)
            for result, line in zip(results, lines, strict=True)
        ]


KINDS = (
    BotKind(
        "champion",
        "Paranoid search: the strongest settings that matches have confirmed",
        CHAMPION_PARAMS,
        Paranoid,
        least_nodes=2000,
        least_nodes_measured="86 % against greedy in 24 games; 36 % with 100 nodes",
        win_probability=LogisticWins(114.0),
    ),
    BotKind("writeup", "Paranoid search as in the runner-up's write-up", WRITEUP_PARAMS, Paranoid),
)
