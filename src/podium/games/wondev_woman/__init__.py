"""Wondev Woman (CodinGame, June 2017): climb, build and push in the fog."""

from podium.games.floor_plan import game_from
from podium.games.wondev_woman.board import ACTIONS
from podium.games.wondev_woman.state import MOST_MOVES, ROUNDS, SEATS

GAME = game_from(
    __name__,
    title="Wondev Woman",
    source="CodinGame, June 2017",
    seats=SEATS,
    most_moves=MOST_MOVES,
    codes=ACTIONS,
    most_plies=SEATS * ROUNDS,
    hidden=True,
    bots=("champion", "greedy", "random"),
)
