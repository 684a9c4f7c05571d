"""How often the moves of `alphazero` keep the value of a position: each is solved before and after its move."""

from typing import Any

import numpy as np

from connect_four.bots import ALPHAZERO_PARAMS, alphazero_search
from connect_four.rules import State
from connect_four.solver import new_table, value
from podium.games.game import Findings, Study
from podium.games.toolkit import moves_of
from podium.kernel import blank
from podium.kernel.random import draw_below, generator
from podium.model.budget import Budget
from podium.model.rules import final_score, is_over, mover, play

POSITIONS = 500
PLIES = range(8, 29)
SIMULATIONS = 800


def position(seed: int) -> Any:
    """A position after random moves, in which the game is not over."""
    random = generator(seed)
    while True:
        state, plies = blank(State), PLIES[draw_below(random, len(PLIES))]
        while not is_over(state) and state.plies < plies:
            legal = moves_of(state)
            play(state, legal[draw_below(random, len(legal))])
        if not is_over(state):
            return state


def value_after(state: Any, move: int, table: Any) -> int:
    """The value of the position after a move for the player who made it: 1, 0 or -1."""
    after = state.copy()
    play(after, move)
    if is_over(after):
        return int(np.sign(final_score(after, int(mover(state)))))
    return -value(after, table)


def network(seconds: float) -> Findings:
    """Random positions of 8 to 28 stones; those in which a move can err are counted apart."""
    table = new_table()
    search = alphazero_search(ALPHAZERO_PARAMS.params({"reuse_tree": False, "memory": 8}))
    kept, kept_hard, hard = 0, 0, 0
    for seed in range(POSITIONS):
        state = position(seed)
        move = search.decide(state, int(mover(state)), Budget(nodes=SIMULATIONS)).move
        values = {other: value_after(state, other, table) for other in moves_of(state)}
        best = max(values.values())
        kept += values[move] == best
        if min(values.values()) < best:
            hard += 1
            kept_hard += values[move] == best
    rows = [["all", POSITIONS, kept / POSITIONS], ["where a move can err", hard, kept_hard / max(1, hard)]]
    sentence = f"With {SIMULATIONS} simulations {kept / POSITIONS:.1%} of the moves keep the value of the position."
    return Findings(["positions", "number", "value kept"], rows, sentence)


STUDIES = {"network": Study("do the network's moves keep the value of a position?", network)}
