"""Zuniq (CodeCup 2021): draw the last wall; no two closed zones of the same size."""

from podium.games.floor_plan import game_from
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.state import MOST_PLIES, SEATS

GAME = game_from(
    __name__,
    title="Zuniq",
    source="CodeCup 2021",
    seats=SEATS,
    most_moves=WALLS,
    codes=WALLS,
    most_plies=MOST_PLIES,
    bots=("champion", "alphazero", "random"),
)
