"""Studies of Fall Challenge 2020: what the write-up claims."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from podium.games.fall_challenge_2020.bots.champion import Champion
from podium.games.fall_challenge_2020.bots.params import WRITEUP_PARAMS
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.state import SEATS
from podium.games.game import Answer, Budget, Findings, Request, Study
from podium.games.loop import play_bots
from podium.games.sample_mean import sample_mean

GAMES, NODES = 60, 20_000
DISCOUNTED = {"discounted_share": 1.0, "undiscounted_share": 0.0}  # all ingredients in the discount, as at first


def learning(seconds: float) -> Findings:
    """How much earlier `writeup` learns its last spell than with all ingredients in the discount; games with itself."""
    now, before = ([_last_learn(seed, changes) for seed in range(1, GAMES + 1)] for changes in ({}, DISCOUNTED))
    earlier = sample_mean([one - other for one, other in zip(now, before, strict=True)])
    columns = ["spells", "games", "turn", "turn if all is discounted", "difference", "low", "high"]
    note = f"{NODES:,} nodes a turn. Low and high: the 95 % interval of the mean difference."
    return Findings(columns, [["last LEARN", GAMES, fmean(now), fmean(before), *earlier]], note)


def _last_learn(seed: int, changes: Mapping[str, float]) -> float:
    """The turn of the last LEARN, as a mean over both players; 0 of a player that learns nothing."""
    turn, last = 0, [0] * SEATS

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        nonlocal turn
        turn += 1
        for request, answer in zip(requests, answers, strict=True):
            if (answer.line or "").startswith("LEARN"):
                last[request.seat] = turn

    bots = [Champion(WRITEUP_PARAMS.params(changes), seat) for seat in range(SEATS)]
    play_bots(FallReferee(seed), bots, Budget(nodes=NODES), watch)
    return fmean(last)


STUDIES = {"learning": Study("when the last spell is learnt", learning)}
