"""Zuniq (CodeCup 2021): draw the last wall; no two closed zones of the same size."""

from podium.games.game import Game, Maker
from podium.games.zuniq.analysis import analyze
from podium.games.zuniq.benchmarks import STUDIES, benchmarks
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.bots import champion, random, uct
from podium.games.zuniq.making import make_book, make_walls
from podium.games.zuniq.protocol import prompts
from podium.games.zuniq.referee import LIMITS, ZuniqReferee
from podium.games.zuniq.scene import choices, picture, scene, sketch
from podium.games.zuniq.state import MOST_PLIES, SEATS, State
from podium.games.zuniq.view import View

KINDS = (*champion.KINDS, *uct.KINDS, *random.KINDS)

GAME = Game(
    name="zuniq",
    title="Zuniq",
    source="CodeCup 2021",
    seats=SEATS,
    limits=LIMITS,
    state=State,
    most_moves=WALLS,
    codes=WALLS,
    most_plies=MOST_PLIES,
    view=View,
    referee=ZuniqReferee,
    settings=(),
    bots={kind.name: kind for kind in KINDS},
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
