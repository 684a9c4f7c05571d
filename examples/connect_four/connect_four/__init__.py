"""Connect Four: seven columns, six rows, four stones in a line win."""

from connect_four.accuracy import STUDIES
from connect_four.bots import KINDS, benchmarks
from connect_four.learning import KIND, learning
from connect_four.referee import LIMITS, SETTINGS, ConnectFourReferee, View
from connect_four.rules import CELLS, COLUMNS, State
from connect_four.scene import choices, picture, scene
from podium.games.game import Game
from podium.games.kit import single_lines

GAME = Game(
    name="connect_four",
    title="Connect Four",
    source="Howard Wexler, 1974",
    seats=2,
    limits=LIMITS,
    state=State,
    referee=ConnectFourReferee,
    settings=SETTINGS,
    bots={kind.name: kind for kind in (*KINDS, KIND)},
    prompts=single_lines,
    scene=scene,
    picture=picture,
    choices=choices,
    benchmarks=benchmarks,
    studies=STUDIES,
    view=View,
    most_moves=COLUMNS,
    codes=COLUMNS,
    most_plies=CELLS,
    learning=learning,
)
