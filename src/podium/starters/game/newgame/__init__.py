"""Newgame: take one, two or three stones from a heap; whoever takes the last one wins."""

from newgame.bots import KINDS
from newgame.referee import LIMITS, SETTINGS, NewgameReferee, View
from newgame.rules import MOST_PLIES, MOST_TAKEN, State
from newgame.scene import choices, picture, scene
from podium.games.game import Game
from podium.games.kit import single_lines

GAME = Game(
    name="newgame",
    title="Newgame",
    source="an idea of yours",
    seats=2,
    limits=LIMITS,
    state=State,
    referee=NewgameReferee,
    settings=SETTINGS,
    bots={kind.name: kind for kind in KINDS},
    prompts=single_lines,
    scene=scene,
    picture=picture,
    choices=choices,
    view=View,
    most_moves=MOST_TAKEN,
    codes=MOST_TAKEN + 1,
    most_plies=MOST_PLIES,
)
