"""`maxn`: every explorer maximises its own value; the write-up tried max^n briefly and found it weak for lack of depth.

The search needs shares with a constant sum. As the write-up suggests, each explorer's value is divided by the sum of
all: the value is the evaluation without the enemies' sanity, which then counts through the division.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu import GAME
from podium.games.code_of_kutulu.bots.context import Context
from podium.games.code_of_kutulu.bots.evaluation import completed, settled_value
from podium.games.code_of_kutulu.bots.params import EVALUATION, MOVES, PREDICTION, SEARCH
from podium.games.code_of_kutulu.bots.searcher import Searcher
from podium.games.code_of_kutulu.state import SEATS, State
from podium.games.game import BotKind, Budget
from podium.kernel import kernel
from podium.kernel.stack import on_stack
from podium.model.hooks import TOTAL, shares
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.result import Result
from podium.search.maxn import MaxN

PARAMS = ParamSpec(
    "code of kutulu maxn parameters",
    *adjusted(EVALUATION, enemy_sanity=0.0),
    *adjusted(MOVES, enemy_yell=True),
    *PREDICTION,
    *SEARCH,
    Parameter(
        "least_value",
        1.0,
        "least value of a living explorer, in points of sanity (not in the write-up)",
        0.001,
        250.0,
        aliases=("least_worth",),
    ),
    Parameter("shallow_pruning", True, "shallow pruning (Korf 1991); changes no result"),
)
NO_SCORE = -2  # below every score


@kernel
def settled_shares(state: Any, context: Any, out: Any) -> None:
    """Each living explorer's value as a share of the sum; when all are out, those that stayed longest share."""
    total = 0.0
    best: Any = NO_SCORE
    for seat in range(SEATS):
        best = max(best, np.int64(state.score[seat]))
    for seat in range(SEATS):
        value = 0.0
        if state.over:
            value = 1.0 if state.score[seat] == best else 0.0
        elif state.living == 1 << seat:
            value = 1.0
        elif state.living >> seat & 1:
            value = max(context.least_value, settled_value(state, context, seat))
        out[seat] = value
        total += value
    for seat in range(SEATS):
        out[seat] *= TOTAL / total


@shares.register(State, Context)
@kernel
def kutulu_shares(state: Any, context: Any, out: Any) -> None:
    """The shares of a position; in mid-turn, with `complete`, those that have not chosen yet wait."""
    if context.complete and state.mover != state.first and not state.over:
        settled_shares(completed(state, context, on_stack(1, State)), context, out)
    else:
        settled_shares(state, context, out)


class MaxNBot(Searcher):
    """A bot around max^n search."""

    def prepare(self) -> None:
        """Make the max^n search of the bot."""
        self.engine = MaxN(GAME, self.params, pruning=bool(self.params.shallow_pruning))

    def search(self, state: Any, context: Any, budget: Budget) -> Result:
        """Deeper by a turn or by a choice each time."""
        return self.engine.decide(state, int(context.seat), budget, context=context, stride=self.stride(state))


KINDS = (BotKind("maxn", "max^n search: every explorer maximises its own value", PARAMS, MaxNBot),)
