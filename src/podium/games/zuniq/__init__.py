"""Zuniq (CodeCup 2021): draw the last wall; no two closed zones of the same size."""

from podium.games.game import Game, Maker
from podium.games.zuniq.analysis import analyze
from podium.games.zuniq.benchmarks import STUDIES, benchmarks
from podium.games.zuniq.bots import champion, random, uct
from podium.games.zuniq.making import make_book, make_walls
from podium.games.zuniq.referee import LIMITS, ZuniqReferee, prompts
from podium.games.zuniq.rules import State
from podium.games.zuniq.scene import choices, picture, scene, sketch

GAME = Game(
    name="zuniq",
    title="Zuniq",
    source="CodeCup 2021",
    seats=2,
    limits=LIMITS,
    state=State,
    referee=ZuniqReferee,
    settings=(),
    bots={kind.name: kind for kind in (champion.KIND, uct.KIND, random.KIND)},
    prompts=prompts,
    scene=scene,
    picture=picture,
    choices=choices,
    sketch=sketch,
    benchmarks=benchmarks,
    studies=STUDIES,
    makers={
        "book": Maker("the best wall for every position of plies 1 to 5", "book.csv", make_book, nodes=40_000),
        "walls": Maker("the walls that win in the opening", "opening_walls.json", make_walls, nodes=200, games=4000),
    },
    analyze=analyze,
)
