"""`champion` and `writeup`: Paranoid search, me against the rest, as the contest's runner-up did it (Agade).

All others are taken for one opponent who wants my worst. They choose after me, knowing what I chose, which makes the
search more pessimistic than the game is. Alpha-beta prunes this like a game of two: at best to the power 3/4 of the
full tree with four explorers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.evaluation import is_decided
from podium.games.code_of_kutulu.bots.mind import CHAMPION_MINDS, WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.moves import kutulu_candidates
from podium.games.code_of_kutulu.bots.outlook import outlook_of
from podium.games.code_of_kutulu.bots.searcher import Searcher, line_of, searched_state
from podium.games.code_of_kutulu.state import CHOICES, State
from podium.games.comparing import side_by_side
from podium.games.game import BotKind, Budget, Option
from podium.search.alphabeta import AlphaBeta
from podium.search.frames import MOST_PLIES
from podium.search.result import Result

TABLE_BITS = 16  # a search of 50 ms visits some 10^5 positions


class Paranoid(Searcher):
    """Alpha-beta, me against the rest."""

    def prepare(self) -> None:
        """A new engine with an empty table."""
        cache_bits = TABLE_BITS if self.mind.evaluation_cache else 1
        self.engine = AlphaBeta(State, self.mind, CHOICES, TABLE_BITS, cache_bits)

    def search(self, state: Any, outlook: Any, budget: Budget) -> Result:
        """Deeper by a turn or by a choice each time."""
        return self.engine.search(
            state, int(outlook.seat), budget, outlook=outlook, depth=MOST_PLIES, stride=self.stride(state)
        )

    def stride(self, state: Any) -> int:
        """A whole turn, or what the mind says."""
        return super().stride(state) if self.mind.whole_turns else int(self.mind.stride)

    def compare(self, known: Any, seat: int, budget: Budget) -> list[Option]:
        """Every choice searched by itself, all to one depth."""
        state = self._own_turn(known, seat)
        moves = np.zeros(CHOICES, np.int64)
        count = kutulu_candidates(state, outlook_of(self.mind, state, seat), moves)
        return sorted(self._valued(state, seat, moves[:count].tolist(), budget), key=lambda option: -option.value)

    def weigh(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Choices searched to one depth."""
        if is_decided(self.state, self.seat):
            return [None] * len(moves)
        return [*self._valued(self._own_turn(self.state, self.seat), self.seat, moves, budget)]

    def _own_turn(self, known: Any, seat: int) -> Any:
        """The position in which the seat chooses first."""
        state = searched_state(known, self.mind, seat)
        state.first = state.mover = seat
        return state

    def _valued(self, state: Any, seat: int, moves: Sequence[int], budget: Budget) -> list[Option]:
        def search(move: int, part: Budget, depth: int) -> Result:
            return self.engine.search(
                state,
                seat,
                part,
                outlook=outlook_of(self.mind, state, seat),
                depth=depth or MOST_PLIES,
                stride=self.stride(state),
                only=[move],
            )

        results = side_by_side(search, moves, budget)
        lines = [line_of(state, result.line) for result in results]
        return [
            Option(line[0].partition(":")[2], result.value, result.nodes, line=line)
            for result, line in zip(results, lines, strict=True)
        ]


KINDS = (
    BotKind(
        "champion", "Paranoid search: the strongest settings that matches have confirmed", CHAMPION_MINDS, Paranoid
    ),
    BotKind("writeup", "Paranoid search as in the runner-up's write-up", WRITEUP_MINDS, Paranoid),
)
