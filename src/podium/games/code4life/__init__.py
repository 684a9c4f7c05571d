"""Code 4 Life (CodinGame, May 2017): collect samples and molecules, produce medicine."""

from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.protocol import prompts
from podium.games.code4life.referee import LIMITS, Code4LifeReferee
from podium.games.code4life.state import MOST_MOVES, SEATS, THROWN_OUT, State
from podium.games.game import Game
from podium.games.rooms import Rooms

ROOMS = Rooms(__name__)

GAME = Game(
    name="code4life",
    title="Code 4 Life",
    source="CodinGame, May 2017",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    most_moves=MOST_MOVES,
    codes=THROWN_OUT + 1,
    most_plies=SEATS * ROUNDS,
    simultaneous=True,
    hidden=True,
    referee=Code4LifeReferee,
    settings=(),
    bots=ROOMS.bots("champion", "greedy", "random", "wait"),
    prompts=prompts,
    view=ROOMS.function("view", "View"),
    scene=ROOMS.function("scene", "scene"),
    picture=ROOMS.function("scene", "picture"),
    choices=ROOMS.function("scene", "choices"),
    seen=ROOMS.function("scene", "seen"),
    sketch=ROOMS.function("scene", "sketch"),
    benchmarks=ROOMS.function("benchmarks", "benchmarks"),
    studies=ROOMS.mapping("benchmarks", "STUDIES"),
    analyze=ROOMS.function("analysis", "analyze"),
)
