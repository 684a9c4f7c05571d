"""Wondev Woman (CodinGame, 2017): climb, build and push in the fog."""

from podium.games.game import Game
from podium.games.wondev_woman.analysis import analyze
from podium.games.wondev_woman.benchmarks import STUDIES, benchmarks
from podium.games.wondev_woman.bots import champion, greedy, random
from podium.games.wondev_woman.referee import LIMITS, WondevReferee, prompts
from podium.games.wondev_woman.rules import State
from podium.games.wondev_woman.scene import choices, picture, scene, seen, sketch
from podium.kernel.minds import Parameter

GAME = Game(
    name="wondev_woman",
    title="Wondev Woman",
    source="CodinGame, June 2017",
    seats=2,
    limits=LIMITS,
    state=State,
    referee=WondevReferee,
    settings=(
        Parameter("mapIndex", -1, "0 square, 1 diamond, 2 random map; any other number draws one", -1e9, 1e9),
        Parameter("symmetric", False, "whether player 1's units start on the mirror images of player 0's"),
    ),
    bots={kind.name: kind for kind in (champion.KIND, greedy.KIND, random.KIND)},
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
