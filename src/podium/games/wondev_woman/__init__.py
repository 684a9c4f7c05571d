"""Wondev Woman (CodinGame, 2017): climb, build and push in the fog."""

from podium.games.game import Game
from podium.games.wondev_woman.analysis import analyze
from podium.games.wondev_woman.benchmarks import STUDIES, benchmarks
from podium.games.wondev_woman.board import ACTIONS
from podium.games.wondev_woman.bots import champion, greedy, random
from podium.games.wondev_woman.protocol import prompts
from podium.games.wondev_woman.referee import LIMITS, WondevReferee
from podium.games.wondev_woman.scene import choices, picture, scene, seen, sketch
from podium.games.wondev_woman.setup import SETTINGS
from podium.games.wondev_woman.state import MOST_MOVES, ROUNDS, SEATS, State

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
    bots={kind.name: kind for kind in (*champion.KINDS, *greedy.KINDS, *random.KINDS)},
    prompts=prompts,
    scene=scene,
    picture=picture,
    choices=choices,
    seen=seen,
    sketch=sketch,
    benchmarks=benchmarks,
    studies=STUDIES,
    analyze=analyze,
)
