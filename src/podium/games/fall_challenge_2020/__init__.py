"""Fall Challenge 2020 (CodinGame): two witches brew potions; six brews end the game."""

from podium.games.fall_challenge_2020.state import CODES, MOST_MOVES, MOST_TURNS, SEATS
from podium.games.floor_plan import game_from

GAME = game_from(
    __name__,
    title="Fall Challenge 2020",
    source="CodinGame, November 2020",
    seats=SEATS,
    most_moves=MOST_MOVES,
    codes=CODES,
    most_plies=SEATS * MOST_TURNS,
    simultaneous=True,
    hidden=True,
    bots=("champion", "decoupled_bots", "greedy", "random"),
)
