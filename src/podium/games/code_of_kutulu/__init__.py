"""Code of Kutulu (CodinGame, June 2018): four explorers, many minions; stay sane the longest."""

from functools import partial

from podium.games.code_of_kutulu import manners, pruning
from podium.games.code_of_kutulu.analysis import analyze
from podium.games.code_of_kutulu.bots import annealing, greedy, maxn, paranoid, random, wait
from podium.games.code_of_kutulu.mazes import NAMES
from podium.games.code_of_kutulu.referee import LIMITS, KutuluReferee, prompts
from podium.games.code_of_kutulu.scene import choices, picture, scene, seen, sketch
from podium.games.code_of_kutulu.speed import benchmarks
from podium.games.code_of_kutulu.state import SEATS, State
from podium.games.game import Game, Study
from podium.kernel.minds import Parameter

KINDS = (
    random.KIND,
    wait.KIND,
    greedy.KIND,
    paranoid.WRITEUP,
    paranoid.CHAMPION,
    maxn.KIND,
    annealing.KIND,
)

WATCHED = (greedy.KIND, paranoid.WRITEUP, paranoid.CHAMPION, maxn.KIND, annealing.KIND)
STUDIES = {
    "pruning": Study("How much of the full tree Paranoid search visits: means over stored positions", pruning.measure),
    "prediction": Study("How often one look tells an enemy's next step", partial(manners.measure, WATCHED)),
}

GAME = Game(
    name="code_of_kutulu",
    title="Code of Kutulu",
    source="CodinGame, June 2018",
    seats=SEATS,
    limits=LIMITS,
    state=State,
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
