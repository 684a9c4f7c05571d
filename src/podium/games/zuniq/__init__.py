"""Zuniq (CodeCup 2021): draw the last wall; no two closed zones of the same size."""

from podium.games.game import Game, Maker
from podium.games.rooms import Rooms
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.protocol import prompts
from podium.games.zuniq.referee import LIMITS, ZuniqReferee
from podium.games.zuniq.state import MOST_PLIES, SEATS, State
from podium.games.zuniq.view import View

ROOMS = Rooms(__name__)

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
    bots=ROOMS.bots("champion", "alphazero", "uct", "random"),
    prompts=prompts,
    scene=ROOMS.function("scene", "scene"),
    picture=ROOMS.function("scene", "picture"),
    choices=ROOMS.function("scene", "choices"),
    sketch=ROOMS.function("scene", "sketch"),
    benchmarks=ROOMS.function("benchmarks", "benchmarks"),
    studies=ROOMS.mapping("benchmarks", "STUDIES"),
    makers={
        "book": Maker(
            "the best wall for every position of plies 1 to 5",
            "book.csv",
            ROOMS.function("making", "make_book"),
            nodes=40_000,
        ),
        "walls": Maker(
            "the walls that win in the opening",
            "opening_walls.json",
            ROOMS.function("making", "make_walls"),
            nodes=200,
            games=4000,
        ),
    },
    analyze=ROOMS.function("analysis", "analyze"),
    learning=ROOMS.function("learning", "learning"),
)
