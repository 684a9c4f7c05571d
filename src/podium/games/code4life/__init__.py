"""Code 4 Life (CodinGame, May 2017): collect samples and molecules, produce medicine."""

from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.state import MOST_MOVES, SEATS, THROWN_OUT
from podium.games.floor_plan import game_from

GAME = game_from(
    __name__,
    title="Code 4 Life",
    source="CodinGame, May 2017",
    seats=SEATS,
    most_moves=MOST_MOVES,
    codes=THROWN_OUT + 1,
    most_plies=SEATS * ROUNDS,
    simultaneous=True,
    hidden=True,
    bots=("champion", "decoupled_bots", "greedy", "hoarder", "random"),
)
