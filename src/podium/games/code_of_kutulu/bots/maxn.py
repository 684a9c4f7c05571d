"""`maxn`: every explorer looks after himself; the write-up tried max^n briefly and found it poor for lack of depth.

The search wants shares that add up to a constant. As the write-up suggests, each explorer's own worth is divided by the
sum of all: the worth is the evaluation without the enemies' sanity, which then counts through the division.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.evaluation import completed, settled_value
from podium.games.code_of_kutulu.bots.mind import CONDUCT, EVALUATION, MOVES, PREDICTION
from podium.games.code_of_kutulu.bots.outlook import Outlook
from podium.games.code_of_kutulu.bots.searcher import Searcher
from podium.games.code_of_kutulu.state import CHOICES, SEATS, State
from podium.games.game import BotKind, Budget
from podium.kernel import kernel
from podium.kernel.minds import MindType, Parameter, adjusted
from podium.kernel.stack import on_stack
from podium.search.hooks import TOTAL, shares
from podium.search.maxn import MaxN
from podium.search.result import Result

MINDS = MindType(
    "code of kutulu maxn mind",
    *adjusted(EVALUATION, enemy_sanity=0.0),
    *adjusted(MOVES, enemy_yell=True),
    *PREDICTION,
    *CONDUCT,
    Parameter("least_worth", 1.0, "worth of a living explorer at least, in points of sanity; own idea", 0.001, 250.0),
    Parameter("shallow_pruning", True, "prune what cannot matter (Korf 1991); changes no result"),
)
NO_SCORE = -2  # below every score


@kernel
def settled_shares(state: Any, outlook: Any, out: Any) -> None:
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
            worth = max(outlook.least_worth, settled_value(state, outlook, seat))
        out[seat] = worth
        total += worth
    for seat in range(SEATS):
        out[seat] *= TOTAL / total


@shares.register(State, Outlook)
@kernel
def kutulu_shares(state: Any, outlook: Any, out: Any) -> None:
    """The shares of a position; in mid-turn those who have not chosen yet wait, if the bot is so minded."""
    if outlook.complete and state.mover != state.first and not state.over:
        settled_shares(completed(state, on_stack(1, State)), outlook, out)
    else:
        settled_shares(state, outlook, out)


class EveryoneForHimself(Searcher):
    """Searches as deep as the time allows, everybody for himself."""

    def prepare(self) -> None:
        """Its own engine."""
        self.engine = MaxN(State, self.mind, SEATS, CHOICES, bool(self.mind.shallow_pruning))

    def search(self, state: Any, outlook: Any, budget: Budget) -> Result:
        """Deeper by a turn or by a choice each time."""
        return self.engine.search(state, int(outlook.seat), budget, outlook=outlook, stride=self.stride(state))


KINDS = (BotKind("maxn", "max^n search: every explorer for himself", MINDS, EveryoneForHimself),)
