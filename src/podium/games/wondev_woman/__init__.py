"""Wondev Woman (CodinGame, 2017): climb, build and push in the fog."""

from podium.games.game import Game
from podium.games.rooms import Rooms
from podium.games.wondev_woman.board import ACTIONS
from podium.games.wondev_woman.protocol import prompts
from podium.games.wondev_woman.referee import LIMITS, WondevReferee
from podium.games.wondev_woman.setup import SETTINGS
from podium.games.wondev_woman.state import MOST_MOVES, ROUNDS, SEATS, State

ROOMS = Rooms(__name__)

GAME = Game(
    name="wondev_woman",
    title="Wondev Woman",
    source="CodinGame, June 2017",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    most_moves=MOST_MOVES,
    codes=ACTIONS,
    most_plies=SEATS * ROUNDS,
    hidden=True,
    referee=WondevReferee,
    settings=SETTINGS,
    bots=ROOMS.bots("champion", "greedy", "random"),
    prompts=prompts,
    view=ROOMS.function("view", "View"),
    scene=ROOMS.function("scene", "scene"),
    picture=ROOMS.function("scene", "picture"),
    choices=ROOMS.function("scene", "choices"),
    seen=ROOMS.function("scene", "seen"),
    sketch=ROOMS.function("scene", "sketch"),
    benchmarks=ROOMS.function("benchmarks", "benchmarks"),
    studies=ROOMS.mapping("studies", "STUDIES"),
    analyze=ROOMS.function("analysis", "analyze"),
)
