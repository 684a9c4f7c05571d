"""Code of Kutulu (CodinGame, June 2018): four explorers, many minions; stay sane the longest."""

from podium.games.code_of_kutulu.analysis import analyze
from podium.games.code_of_kutulu.benchmarks import STUDIES, benchmarks
from podium.games.code_of_kutulu.bots import annealing, champion, greedy, maxn, random, wait
from podium.games.code_of_kutulu.mazes import NAMES
from podium.games.code_of_kutulu.protocol import prompts
from podium.games.code_of_kutulu.referee import LIMITS, KutuluReferee
from podium.games.code_of_kutulu.scene import choices, picture, scene, seen, sketch
from podium.games.code_of_kutulu.state import CHOICES, LAST_TURN, SEATS, State
from podium.games.game import Game
from podium.kernel.minds import Parameter

KINDS = (*champion.KINDS, *maxn.KINDS, *annealing.KINDS, *greedy.KINDS, *random.KINDS, *wait.KINDS)

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
    referee=KutuluReferee,
    settings=(Parameter("map", "", "the maze; without it the seed chooses one", choices=tuple(NAMES), drawn=True),),
    bots={kind.name: kind for kind in KINDS},
    prompts=prompts,
    scene=scene,
    picture=picture,
    choices=choices,
    seen=seen,
    sketch=sketch,
    benchmarks=benchmarks,
    analyze=analyze,
    studies=STUDIES,
)
