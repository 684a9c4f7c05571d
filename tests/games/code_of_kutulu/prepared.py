"""Positions as searches begin with them, for the tests of what the searching bots think."""

from podium.games.code_of_kutulu.bots.context import context_of
from podium.games.code_of_kutulu.bots.params import WRITEUP_PARAMS
from podium.games.code_of_kutulu.bots.searcher import searched_state
from podium.games.code_of_kutulu.position_text import stored_positions
from podium.kernel import JIT

LINES = stored_positions()
SOME = LINES if JIT else LINES[::12]


def prepared(known, seat, **changes):
    """A position and a search context on it, of `writeup` with some parameters changed."""
    params = WRITEUP_PARAMS.params(changes)
    state = searched_state(known, params, seat)
    return state, context_of(params, state, seat)
