"""Code of Kutulu (CodinGame, June 2018): four explorers, many minions; stay sane the longest."""

from podium.games.code_of_kutulu.protocol import prompts
from podium.games.code_of_kutulu.referee import LIMITS, KutuluReferee
from podium.games.code_of_kutulu.setup import SETTINGS
from podium.games.code_of_kutulu.state import CHOICES, LAST_TURN, SEATS, State
from podium.games.game import Game
from podium.games.rooms import Rooms

ROOMS = Rooms(__name__)

GAME = Game(
    name="code_of_kutulu",
    title="Code of Kutulu",
    source="CodinGame, June 2018",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    most_moves=CHOICES,
    codes=CHOICES,
    most_plies=SEATS * (LAST_TURN + 1),
    simultaneous=True,
    hidden=True,
    referee=KutuluReferee,
    settings=SETTINGS,
    bots=ROOMS.bots("champion", "maxn", "annealing", "greedy", "random", "wait"),
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
