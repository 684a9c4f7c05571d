"""Fall Challenge 2020 (CodinGame): two witches brew potions; six brews end the game."""

from podium.games.fall_challenge_2020.protocol import prompts
from podium.games.fall_challenge_2020.referee import LIMITS, FallReferee
from podium.games.fall_challenge_2020.setup import SETTINGS
from podium.games.fall_challenge_2020.state import CODES, MOST_MOVES, MOST_TURNS, SEATS, State
from podium.games.game import Game
from podium.games.rooms import Rooms

ROOMS = Rooms(__name__)

GAME = Game(
    name="fall_challenge_2020",
    title="Fall Challenge 2020",
    source="CodinGame, November 2020",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    most_moves=MOST_MOVES,
    codes=CODES,
    most_plies=SEATS * MOST_TURNS,
    simultaneous=True,
    hidden=True,
    referee=FallReferee,
    settings=SETTINGS,
    bots=ROOMS.bots("champion", "greedy", "random", "wait"),
    prompts=prompts,
    view=ROOMS.function("view", "View"),
    scene=ROOMS.function("scene", "scene"),
    picture=ROOMS.function("scene", "picture"),
    choices=ROOMS.function("scene", "choices"),
    sketch=ROOMS.function("scene", "sketch"),
    benchmarks=ROOMS.function("benchmarks", "benchmarks"),
    analyze=ROOMS.function("analysis", "analyze"),
)
