"""Studies of whole games: what the ids of the enemy's units tell, how close games end, who had more room before.

The number of games is fixed, whatever time is given.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.game import Answer, Budget, Findings, Request
from podium.games.loop import play_bots
from podium.games.sample_mean import mean_ratio, sample_mean
from podium.games.wondev_woman.board import CELLS
from podium.games.wondev_woman.bots import champion
from podium.games.wondev_woman.bots.evaluation import domains
from podium.games.wondev_woman.bots.params import WRITEUP_PARAMS
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.rules import access
from podium.games.wondev_woman.state import FULL, SEATS, units_of
from podium.games.wondev_woman.tracker import Tracker, merge
from podium.games.wondev_woman.view import View
from podium.kernel import copy_of, kernel
from podium.kernel.bits import EMPTY, ONE, popcount

IDS_GAMES, IDS_BUDGET = 100, Budget(nodes=200)
ENDED_GAMES, ENDED_BUDGET = 200, Budget(nodes=5000)
TIGHT = 3  # points between the players, at most
LATE = 0.75  # of a game's plies
MUCH = 2  # times as many cells


class ForgetfulTracker(Tracker):
    """A tracker that forgets after each prompt which of the enemy's units is where."""

    def _deduce(self, turn: int, old: Any, new: Any, stopped: bool) -> None:
        either = copy_of(old)
        merge(either, old, True)
        super()._deduce(turn, either, new, stopped)


def places(belief: Any) -> int:
    """How many pairs of cells may hold the enemy's units, whichever stands on which."""
    bits = (np.bitwise_or(*belief.sets)[:, None] >> np.arange(CELLS, dtype=np.uint64)) & ONE
    return int((bits | bits.T).sum()) // 2


def ids(seconds: float) -> Findings:
    """How many more pairs of cells were possible if the enemy's units had no ids; `writeup` against itself."""
    told: list[list[float]] = []  # by game and prompt, but for the first prompts
    untold: list[list[float]] = []
    for seed in range(1, IDS_GAMES + 1):
        views = [(View(), View()) for _ in range(SEATS)]
        told.append([])
        untold.append([])

        def watch(requests: Sequence[Request], answers: Sequence[Answer], views: Any = views) -> None:
            (request,), (answer,) = requests, answers
            for view in views[request.seat]:
                view.read(request.lines)
            knowing, forgetful = (view.tracker for view in views[request.seat])
            if knowing.actions:
                told[-1].append(float(places(knowing.belief)))
                untold[-1].append(float(places(forgetful.belief)))
            for view in views[request.seat]:
                view.answered(answer.line or "")

        for _, forgetful in views:
            forgetful.tracker = ForgetfulTracker()
        bots = [champion.Champion(WRITEUP_PARAMS.params(), seat) for seat in range(SEATS)]
        play_bots(WondevReferee(seed), bots, IDS_BUDGET, watch)
    pairs, others = ([fmean(game) for game in games] for games in (told, untold))
    helped = [fmean(one < other for one, other in zip(*game, strict=True)) for game in zip(told, untold, strict=True)]
    columns = ["prompts", "games", "pairs", "without ids", "times as many", "least", "most"]
    columns += ["share with fewer", "low", "high"]
    row = ["later turns", len(pairs), fmean(pairs), fmean(others), *mean_ratio(others, pairs), *sample_mean(helped)]
    return Findings(
        columns,
        [row],
        "Pairs of cells, whichever unit stands on which. Without ids: if it were not shown which of the enemy's units "
        "is seen. Least and most, low and high: 95 % intervals.",
    )


@kernel
def entered(state: Any, seat: Any, occupied: Any) -> Any:
    """The cells that a seat enters with one step."""
    if state.out[seat]:
        return EMPTY
    one, two = np.int64(state.unit[2 * seat]), np.int64(state.unit[2 * seat + 1])
    return access(state, one, occupied) | access(state, two, occupied)


@kernel
def areas(state: Any) -> Any:
    """How many cells each seat reaches before the other, the one to move stepping first."""
    occupied, mover = units_of(state, 0) | units_of(state, 1), np.int64(state.mover)
    free = state.planes[0] & ~state.planes[FULL] & ~occupied
    own, other = domains(state, entered(state, mover, occupied), entered(state, 1 - mover, occupied), free)
    return (popcount(other), popcount(own)) if mover else (popcount(own), popcount(other))


def endings(seconds: float) -> Findings:
    """How many games of `writeup` with itself end with a tight score, and how often the winner had much more room."""
    tight, roomy = [], []
    for seed in range(1, ENDED_GAMES + 1):
        referee, states = WondevReferee(seed), list[Any]()

        def watch(
            requests: Sequence[Request], answers: Sequence[Answer], referee: Any = referee, states: Any = states
        ) -> None:
            states.append(copy_of(referee.state))

        bots = [champion.Champion(WRITEUP_PARAMS.params(), seat) for seat in range(SEATS)]
        play_bots(referee, bots, ENDED_BUDGET, watch)
        lead = int(referee.state.score[0]) - int(referee.state.score[1])
        tight.append(abs(lead) <= TIGHT)
        if lead:
            mine, theirs = areas(states[int(LATE * len(states))])
            winners, losers = (mine, theirs) if lead > 0 else (theirs, mine)
            roomy.append(winners >= MUCH * max(losers, 1))
    samples = {"tight score": tight, "winner with much more room": roomy}
    rows = [[name, len(sample), *sample_mean([float(each) for each in sample])] for name, sample in samples.items()]
    note = (
        f"Tight: at most {TIGHT} points apart. Much more room: after {LATE:.0%} of the plies of a game that was won, "
        f"the winner reaches at least {MUCH} times as many cells before the other. Low and high: 95 % intervals."
    )
    return Findings(["games", "number", "share", "low", "high"], rows, note)
