"""Code of Kutulu (CodinGame, June 2018): four explorers, many minions; stay sane the longest."""

from podium.games.code_of_kutulu.state import CHOICES, LAST_TURN, SEATS
from podium.games.floor_plan import game_from

GAME = game_from(
    __name__,
    title="Code of Kutulu",
    source="CodinGame, June 2018",
    seats=SEATS,
    most_moves=CHOICES,
    codes=CHOICES,
    most_plies=SEATS * (LAST_TURN + 1),
    simultaneous=True,
    hidden=True,
    bots=("champion", "decoupled_bots", "maxn", "annealing", "greedy", "shelter", "random"),
)
