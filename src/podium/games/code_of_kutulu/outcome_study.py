"""What is worth how much: a regression of who outlives whom on what could be seen in the positions before.

Bots play each other. In every third turn each explorer's position is put into numbers; at the end of the game each pair
of explorers is a case: the difference of their numbers, and which of the two lived longer (logistic regression; as the
model of Bradley and Terry 1952, with numbers of the position in place of a fixed strength). A weight divided by that of
sanity is what one of a thing is worth in points of sanity, all others equal. What is better is not always what causes
it: a weight is a candidate for the evaluation, and a match decides.
"""

import time
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import crow, sees, walk
from podium.games.code_of_kutulu.prediction_study import LEAST_GAMES, LEAST_PLAYERS, SEED_STEP
from podium.games.code_of_kutulu.referee import KutuluReferee
from podium.games.code_of_kutulu.rules import is_stuck
from podium.games.code_of_kutulu.state import (
    PLAN_RADIUS,
    RUSHING,
    SEATS,
    SPAWNING,
    STALKING,
    YELL_RADIUS,
    living_seats,
)
from podium.games.game import Answer, BotKind, Budget, Findings, Request
from podium.games.loop import play_bots

NODES = 1000  # per answer of a search
EVERY = 3  # turns between two positions
FIRST_TURN = 5
FARTHEST = 20  # from which on a way to an explorer counts no longer
FEARED_STEPS = 7
GROUPS = 10  # of games, for the intervals: positions of one game are no independent cases
CAUTION = 1e-3  # weight of the squared weights of what is scaled to variance 1

THINGS = (
    "sanity",
    "PLAN in stock",
    "PLAN in stock, for each explorer in its radius",
    "LIGHT in stock",
    "step to each explorer",
    "explorer not yet yelled at",
    "explorer that may YELL at me",
    "the same next to me",
    "held by a YELL",
    "step that a wanderer after me is nearer than 7",
    "step that another wanderer is nearer than 7",
    "slasher that stalks me in sight",
    "slasher about to rush at me in sight",
)


def numbers(state: Any, seat: int) -> list[float]:
    """An explorer's position in numbers, in the order of `THINGS`."""
    maze, here = state.maze, state.cell[seat]
    others = [other for other in living_seats(state) if other != seat]
    ways = [int(walk(maze, here, state.cell[other])) for other in others]
    callers = [other for other in others if not int(state.yelled) >> (SEATS * other + seat) & 1]
    plans = int(state.plans[seat])
    return [
        int(state.sanity[seat]),
        plans,
        plans * sum(way <= PLAN_RADIUS for way in ways),
        int(state.lights[seat]),
        sum(min(FARTHEST, way) for way in ways),
        sum(not int(state.yelled) >> (SEATS * seat + other) & 1 for other in others),
        len(callers),
        sum(bool(crow(maze, here, state.cell[other]) <= YELL_RADIUS) for other in callers),
        bool(is_stuck(np.int64(state.yells), seat)),
        *_minions(state, seat),
    ]


def _minions(state: Any, seat: int) -> tuple[int, int, int, int]:
    """The last four of `THINGS`."""
    maze, here = state.maze, state.cell[seat]
    after_me, elsewhere, stalking, rushing = 0, 0, 0, 0
    for i in range(int(state.minions)):
        mode, mine = int(state.mode[i]), state.target[i] == seat
        if not state.slasher[i]:
            nearer = max(0, FEARED_STEPS - int(walk(maze, here, state.where[i])))
            after_me += nearer * bool(mine)
            elsewhere += nearer * bool(not mine and mode != SPAWNING)
        elif mine and sees(maze, here, state.where[i]):
            stalking += mode == STALKING
            rushing += mode == RUSHING
    return after_me, elsewhere, stalking, rushing


Case = tuple[int, Any, bool]  # the game, the difference of two explorers' numbers, whether the first lived longer


def observe(kinds: Sequence[BotKind], seconds: float) -> list[Case]:
    """Games of bots of these kinds, who change seats, while at least three explorers live."""
    end = time.monotonic() + seconds
    cases: list[Case] = []
    game = 0
    while game < LEAST_GAMES or time.monotonic() < end:
        cases += _cases_of_game([kinds[(game + s * (1 + game // len(kinds))) % len(kinds)] for s in range(SEATS)], game)
        game += 1
    return cases


def _cases_of_game(kinds: Sequence[BotKind], game: int) -> list[Case]:
    referee = KutuluReferee((game + 1) * SEED_STEP)
    seen: list[dict[int, Any]] = []

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        state = referee.state
        seats = living_seats(state)
        if len(seats) >= LEAST_PLAYERS and state.turn >= FIRST_TURN and state.turn % EVERY == 0:
            seen.append({seat: np.array(numbers(state, seat), float) for seat in seats})

    outcome = play_bots(referee, [kind.bot(seed=game) for kind in kinds], Budget(nodes=NODES), watch)
    scores = outcome.scores
    return [
        (game, position[a] - position[b], scores[a] > scores[b])
        for position in seen
        for a, b in combinations(position, 2)
        if scores[a] != scores[b]
    ]


def sanity_values(differences: Any, outcomes: Any) -> Any:
    """What one of each of `THINGS` is worth in points of sanity."""
    from scipy.optimize import minimize  # takes long to load, and bots load this module's neighbours

    scale = differences.std(0) + 1e-9
    scaled, signs = differences / scale, np.where(outcomes, 1.0, -1.0)

    def unlikelihood(weights: Any) -> tuple[float, Any]:
        margins = signs * (scaled @ weights)
        missed = signs / (1 + np.exp(np.clip(margins, -50, 50)))
        value = np.logaddexp(0, -margins).mean() + CAUTION / 2 * weights @ weights
        return value, CAUTION * weights - scaled.T @ missed / len(signs)

    weights = minimize(unlikelihood, np.zeros(len(THINGS)), jac=True, method="L-BFGS-B").x / scale
    return weights / weights[0]


def measure(kinds: Sequence[BotKind], seconds: float) -> Findings:
    """The worth of things, with intervals from groups of games."""
    cases = observe(kinds, seconds)
    games = np.array([game for game, _, _ in cases])
    differences = np.array([difference for _, difference, _ in cases])
    outcomes = np.array([outcome for _, _, outcome in cases])
    values = sanity_values(differences, outcomes)
    # the delete-a-group jackknife (Shao and Tu 1995)
    groups = [games % GROUPS == group for group in range(GROUPS)]
    partial = np.array([sanity_values(differences[~group], outcomes[~group]) for group in groups if group.any()])
    errors = np.sqrt((len(partial) - 1) * partial.var(0))
    half = NormalDist().inv_cdf(0.975) * errors
    rows = list(zip(THINGS, values, values - half, values + half, strict=True))
    note = f"{len(cases):,} pairs in {len(set(games))} games, {NODES:,} nodes an answer. Low and high: 95 % intervals."
    return Findings(("one", "points of sanity", "low", "high"), rows, note)
