"""`maxn`: every explorer looks after himself; the write-up tried max^n briefly and found it poor for lack of depth.

The search wants shares that add up to a constant. As the write-up suggests, each explorer's own worth is divided by the
sum of all: the worth is the evaluation without the enemies' sanity, which then counts through the division.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.evaluation import (
    completed,
    kutulu_candidates,
    kutulu_evaluate,
    settled_value,
    spare,
)
from podium.games.code_of_kutulu.bots.mind import CONDUCT, EVALUATION, MOVES, PREDICTION
from podium.games.code_of_kutulu.bots.paranoid import SearchPlayer, living_seats
from podium.games.code_of_kutulu.state import CHOICES, SEATS, State
from podium.games.game import BotKind, Budget
from podium.kernel import kernel
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.kernel.rules import candidates, evaluate
from podium.search.hooks import TOTAL, shares
from podium.search.maxn import MaxN
from podium.search.result import Result

MINDS = MindType(
    "code_of_kutulu maxn mind",
    *adjusted(EVALUATION, enemy_sanity=0.0),
    *adjusted(MOVES, enemy_yell=True),
    *PREDICTION,
    *CONDUCT,
    Parameter("least_worth", 1.0, "worth of a living explorer at least, in points of sanity; own idea", 0.001, 250.0),
    Parameter("shallow_pruning", True, "prune what cannot matter (Korf 1991); changes no result"),
)
Mind = MINDS.dtype
NO_SCORE = -2  # below every score

candidates.register(State, Mind)(kutulu_candidates)
evaluate.register(State, Mind)(kutulu_evaluate)


@kernel
def settled_shares(state: Any, mind: Any, out: Any) -> None:
    """Each living explorer's worth as a share of the sum; when all are out, those who went last share."""
    total = 0.0
    best: Any = NO_SCORE
    for seat in range(SEATS):
        best = max(best, np.int64(state.score[seat]))
    for seat in range(SEATS):
        worth = 0.0
        if state.over:
            worth = 1.0 if state.score[seat] == best else 0.0
        elif state.living == 1 << seat:
            worth = 1.0
        elif state.living >> seat & 1:
            worth = max(mind.least_worth, settled_value(state, mind, seat))
        out[seat] = worth
        total += worth
    for seat in range(SEATS):
        out[seat] *= TOTAL / total


@shares.register(State, Mind)
@kernel
def kutulu_shares(state: Any, mind: Any, out: Any) -> None:
    """The shares of a position; in mid-turn those who have not chosen yet wait, if the mind says so."""
    if mind.complete and state.mover != state.first and not state.over:
        settled_shares(completed(state, spare()), mind, out)
    else:
        settled_shares(state, mind, out)


class MaxNPlayer(SearchPlayer):
    """Searches as deep as the time allows, everybody for himself."""

    def prepare(self) -> None:
        """Its own engine."""
        self.maxn = MaxN(State, self.mind, SEATS, CHOICES, bool(self.mind.shallow_pruning))

    def search(self, state: Any, seat: int, budget: Budget) -> Result:
        """Search a prepared state."""
        stride = len(living_seats(state)) if self.mind.whole_turns else 1
        return self.maxn.search(state, seat, budget, stride=stride)


KINDS = (BotKind("maxn", "max^n search: every explorer for himself", MINDS, MaxNPlayer),)
