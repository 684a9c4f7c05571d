"""Studies of Fall Challenge 2020: what the write-up claims, and how often a believed win comes."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from podium.games.evaluation_share import evaluation_findings, share_by_rates
from podium.games.fall_challenge_2020.benchmarks import benchmarks
from podium.games.fall_challenge_2020.bots.champion import BELIEVES, Champion
from podium.games.fall_challenge_2020.bots.params import CHAMPION_PARAMS, RACER_PARAMS, WRITEUP_PARAMS
from podium.games.fall_challenge_2020.referee import FallReferee
from podium.games.fall_challenge_2020.rules import fall_final_score
from podium.games.fall_challenge_2020.state import SEATS
from podium.games.fall_challenge_2020.view import ME
from podium.games.game import Answer, Budget, Findings, Request, Study
from podium.games.loop import play_bots
from podium.games.sample_mean import sample_mean

GAMES, NODES = 60, 20_000
BELIEF_GAMES, BELIEF_NODES = 60, 600_000  # no turn of the champion needs more
BELIEF_GROUPS = ((1, 3), (4, 6), (7, 10), (11, 16))  # turns to go
EVALUATED = ("beam search", "evaluation")  # rows of the benchmarks
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


class Belief(NamedTuple):
    """One turn in which the champion believed that it wins."""

    seed: int  # of the game
    turns: int  # until the believed end
    points: float  # of the game: 1 if it was won, 0.5 if drawn


def belief(seconds: float) -> Findings:
    """How often the champion wins when it believes so, by the turns to go, against two styles of play."""
    rows = []
    for name, opponent in (("writeup", WRITEUP_PARAMS), ("racer", RACER_PARAMS)):
        beliefs = [one for seed in range(1, BELIEF_GAMES + 1) for one in _beliefs(seed, Champion(opponent.params(), 1))]
        rows += [[name, *row] for row in reliability(beliefs)]
    columns = ["opponent", "turns to go", "turns", "games", "points", "low", "high"]
    note = (
        f"{BELIEF_NODES:,} nodes a turn, {BELIEF_GAMES} games each. Points: the mean result of the games (1 won, "
        "0.5 drawn), with the 95 % interval; a well-founded belief has 1."
    )
    return Findings(columns, rows, note)


def reliability(beliefs: Sequence[Belief]) -> list[list[object]]:
    """By the turns to go: in how many turns and games a win was believed, and the mean points of these games."""
    rows: list[list[object]] = []
    for low, high in BELIEF_GROUPS:
        group = [belief for belief in beliefs if low <= belief.turns <= high]
        games = {belief.seed: belief.points for belief in group}
        if games:
            rows.append([f"{low} to {high}", len(group), len(games), *sample_mean(list(games.values()))])
    return rows


def _beliefs(seed: int, opponent: Champion) -> list[Belief]:
    """The champion's beliefs in a game from seat 0."""
    champion, referee, turns = Champion(CHAMPION_PARAMS.params(), seed), FallReferee(seed), list[int]()

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        if champion.thoughts and champion.thoughts.note == BELIEVES:
            turns.append(len(champion.line))

    play_bots(referee, [champion, opponent], Budget(nodes=BELIEF_NODES), watch)
    lead = int(fall_final_score(referee.state, ME))
    return [Belief(seed, turn, 0.5 if lead == 0 else float(lead > 0)) for turn in turns]


def evaluation(seconds: float) -> Findings:
    """The share of the beam search's time that goes to the evaluation: one for each simulation."""
    search, evaluations = (one for one in benchmarks() if one.name in EVALUATED)
    return evaluation_findings({search.name: share_by_rates(search, evaluations, seconds)}, "search")


STUDIES = {
    "learning": Study("when the last spell is learnt", learning),
    "evaluation": Study("what share of the search's time goes to the evaluation", evaluation),
    "belief": Study("how often a believed win comes", belief),
}
