"""Positions as searches begin with them, for the tests of what the searching bots think."""

from podium.games.code_of_kutulu.bots.mind import WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.outlook import outlook_of
from podium.games.code_of_kutulu.bots.searcher import searched_state
from podium.games.code_of_kutulu.positions import stored_positions
from podium.kernel import JIT

LINES = stored_positions()
SOME = LINES if JIT else LINES[::12]


def prepared(known, seat, **changes):
    """A position and an outlook on it, of `writeup` with some parameters changed."""
    mind = WRITEUP_MINDS.mind(changes)
    state = searched_state(known, mind, seat)
    return state, outlook_of(mind, state, seat)
