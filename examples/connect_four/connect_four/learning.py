"""What a network sees of Connect Four, and the bot that it leads: `alphazero`.

Trained by `podium train connect_four` (docs/learner.md); `podium bench connect_four --study network` tells how well.
"""

from typing import Any

import numpy as np

from connect_four.bots import MARGIN, completing
from connect_four.referee import View
from connect_four.rules import CELLS, COLUMNS, ROWS, State
from podium.games.game import BotKind, Learning
from podium.games.kit import SearchBot
from podium.kernel import blank, kernel
from podium.kernel.bits import ONE, lowest
from podium.kernel.minds import MindType, adjusted
from podium.search import puct
from podium.search.hooks import features, omens
from podium.search.network import NETWORK, network_for

BITS = COLUMNS * (ROWS + 1)  # of the board, the empty cells on top included
OWN, OTHER, OWN_LINE, OTHER_LINE, FIRST = (BITS * kind for kind in range(5))
INPUTS = FIRST + 2
USUALLY_ON = 20

MINDS = MindType("connect_four alphazero mind", *adjusted(puct.PARAMETERS, solve=0), MARGIN, NETWORK)


@features.register(State)
@kernel
def connect_four_features(state: Any, out: Any) -> int:
    """Own and other stones, empty cells that complete a line of either, and who began: odd and even threats differ."""
    count = 0
    other = state.own ^ state.taken
    lines, threats = completing(state.own, state.taken), completing(other, state.taken)
    for cells, first in ((state.own, OWN), (other, OTHER), (lines, OWN_LINE), (threats, OTHER_LINE)):
        rest = cells
        while rest:
            out[count] = first + lowest(rest)
            rest &= rest - ONE
            count += 1
    out[count] = FIRST + (state.plies & 1)
    return count + 1


@omens.register(State)
@kernel
def connect_four_omens(state: Any, out: Any) -> None:
    """Which cells had a stone in the end."""
    for bit in range(BITS):
        out[bit] = np.float32((state.taken >> np.uint64(bit)) & ONE)


def symmetries() -> tuple[Any, Any, Any]:
    """The board as it is, and mirrored."""
    moves = np.array([range(COLUMNS), range(COLUMNS)[::-1]])
    cells = (moves[:, :, None] * (ROWS + 1) + np.arange(ROWS + 1)).reshape(2, BITS)
    inputs = np.concatenate(
        [*(first + cells for first in (OWN, OTHER, OWN_LINE, OTHER_LINE)), [[FIRST, FIRST + 1]] * 2], 1
    )
    return moves, inputs, cells


def learning() -> Learning:
    """What Connect Four offers to a learner."""
    return Learning(INPUTS, USUALLY_ON, BITS, symmetries, ("random", "mcts", "alphabeta"))


def alphazero_search(mind: Any, seed: int = 0) -> puct.Puct:
    """A search that a network leads."""
    return puct.Puct(State, mind, network_for(mind, "connect_four", INPUTS), COLUMNS, COLUMNS, CELLS, seed)


def alphazero_bot(mind: Any, seed: int) -> SearchBot:
    """The bot `alphazero`."""
    return SearchBot(
        View(), lambda: alphazero_search(mind, seed), blank(State), margin=float(mind.margin), unit="result"
    )


KIND = BotKind("alphazero", "a network that learnt the game from itself leads the search", MINDS, alphazero_bot)
