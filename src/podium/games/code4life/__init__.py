"""Code 4 Life (CodinGame, May 2017): collect samples and molecules, produce medicine."""

from podium.games.code4life.analysis import analyze
from podium.games.code4life.benchmarks import benchmarks
from podium.games.code4life.bots import champion, greedy, random, wait
from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.protocol import prompts
from podium.games.code4life.referee import LIMITS, Code4LifeReferee
from podium.games.code4life.scene import choices, picture, scene, seen, sketch
from podium.games.code4life.state import MOST_MOVES, SEATS, THROWN_OUT, State
from podium.games.game import Game

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
    bots={kind.name: kind for kind in (*champion.KINDS, *greedy.KINDS, *random.KINDS, *wait.KINDS)},
    prompts=prompts,
    scene=scene,
    picture=picture,
    choices=choices,
    seen=seen,
    sketch=sketch,
    benchmarks=benchmarks,
    analyze=analyze,
)
