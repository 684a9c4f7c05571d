"""Code 4 Life (CodinGame, May 2017): collect samples and molecules, produce medicine."""

from podium.games.code4life.analysis import analyze
from podium.games.code4life.benchmarks import benchmarks
from podium.games.code4life.bots import champion, greedy, random, wait
from podium.games.code4life.protocol import prompts
from podium.games.code4life.referee import LIMITS, Code4LifeReferee
from podium.games.code4life.rules import State
from podium.games.code4life.scene import choices, picture, scene, seen, sketch
from podium.games.game import Game

GAME = Game(
    name="code4life",
    title="Code 4 Life",
    source="CodinGame, May 2017",
    seats=2,
    limits=LIMITS,
    state=State,
    referee=Code4LifeReferee,
    settings=(),
    bots={kind.name: kind for kind in (champion.CHAMPION, champion.WRITEUP, greedy.KIND, random.KIND, wait.KIND)},
    prompts=prompts,
    scene=scene,
    picture=picture,
    choices=choices,
    seen=seen,
    sketch=sketch,
    benchmarks=benchmarks,
    analyze=analyze,
)
