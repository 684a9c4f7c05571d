"""Code of Kutulu (CodinGame, June 2018): four explorers, many minions; stay sane the longest."""

from podium.games.code_of_kutulu.analysis import analyze
from podium.games.code_of_kutulu.bots import annealing, greedy, maxn, paranoid, random, wait
from podium.games.code_of_kutulu.pruning import STUDIES
from podium.games.code_of_kutulu.referee import LIMITS, KutuluReferee, prompts
from podium.games.code_of_kutulu.scene import picture, scene
from podium.games.code_of_kutulu.speed import benchmarks
from podium.games.code_of_kutulu.state import SEATS, State
from podium.games.game import Game

KINDS = (
    random.KIND,
    wait.KIND,
    greedy.KIND,
    paranoid.WRITEUP,
    paranoid.CHAMPION,
    maxn.KIND,
    annealing.KIND,
)

GAME = Game(
    name="code_of_kutulu",
    title="Code of Kutulu",
    source="CodinGame, June 2018",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    referee=KutuluReferee,
    settings={"map": "the name of the maze; without it the seed chooses one of the sixteen"},
    bots={kind.name: kind for kind in KINDS},
    prompts=prompts,
    scene=scene,
    picture=picture,
    benchmarks=benchmarks,
    analyze=analyze,
    studies=STUDIES,
)
