"""Connect Four: seven columns, six rows, four stones in a line win."""

from connect_four.rules import CELLS, COLUMNS
from podium.games.floor_plan import game_from

GAME = game_from(
    __name__,
    title="Connect Four",
    source="Howard Wexler, 1974",
    seats=2,
    most_moves=COLUMNS,
    codes=COLUMNS,
    most_plies=CELLS,
)
