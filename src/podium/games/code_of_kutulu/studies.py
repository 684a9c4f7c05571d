"""Studies of Code of Kutulu: how much alpha-beta prunes, how deep it looks, how often an enemy's step is predicted.

The measure of pruning is the write-up's: the exponent e for which the searched tree has (full tree)^e nodes. It found
about 0.80 with four players; 0.75 is the best possible for Paranoid with four.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist, fmean
from typing import Any

import numpy as np

from podium.games.code_of_kutulu import GAME, outcome_study, prediction_study
from podium.games.code_of_kutulu.benchmarks import positions
from podium.games.code_of_kutulu.bots import annealing, champion, greedy, maxn
from podium.games.code_of_kutulu.bots.champion import Paranoid
from podium.games.code_of_kutulu.bots.context import context_of
from podium.games.code_of_kutulu.bots.decoupled_bots import MATRIX_PARAMS, MatrixBot
from podium.games.code_of_kutulu.bots.params import WRITEUP_PARAMS
from podium.games.code_of_kutulu.bots.searcher import searched_state
from podium.games.code_of_kutulu.position_text import read, stored_positions
from podium.games.code_of_kutulu.prediction_study import SEED_STEP
from podium.games.code_of_kutulu.referee import KutuluReferee
from podium.games.code_of_kutulu.state import CHOICES, SEATS, WAIT, State, living_seats
from podium.games.evaluation_share import evaluation_findings, evaluation_share
from podium.games.game import Answer, BotKind, Budget, Findings, Request, Study
from podium.games.loop import play_bots
from podium.games.root_matrix_study import assumption_findings
from podium.games.sample_mean import mean_ratio, sample_mean
from podium.kernel import allocate, kernel
from podium.kernel.random import generator
from podium.model.hooks import advance
from podium.model.rules import candidates, is_over

MOST_NODES = 3_000_000  # of a full tree that is counted
MOST_DEPTH = 16
MATRIX_NODES = 50_000  # for all joint choices of a turn
SETTLING_ROUNDS = 30
YELL_GAMES, YELL_NODES = 100, 1000
AUTHORS_TURNS = 40_000  # simulated by the author's program in 50 ms, commonly


EVALUATED, EVALUATED_TURNS = 24, 2  # positions of the benchmarks, and turns that their searches look ahead


@dataclass(frozen=True)
class TreeSize:
    """How much a search pruned at one position."""

    players: int
    depth: int  # in plies
    full: int  # nodes without pruning
    searched: int  # nodes of the last depth

    @property
    def exponent(self) -> float:
        """The e for which the searched tree has full^e nodes."""
        return math.log(self.searched) / math.log(self.full)


@kernel
def count_tree(states: Any, moves: Any, counts: Any, context: Any, depth: Any, most: Any) -> Any:
    """The nodes below `states[0]` to a depth, without pruning; it stops counting beyond `most`."""
    ply = 0
    counts[0] = candidates(states[0], context, moves[0])
    total = np.int64(counts[0])
    while total <= most:
        if counts[ply] == 0 or ply == depth - 1:
            if ply == 0:
                break
            ply -= 1
            continue
        counts[ply] -= 1
        states[ply + 1] = states[ply]
        advance(states[ply + 1], context, moves[ply, counts[ply]])
        ply += 1
        counts[ply] = 0
        if not is_over(states[ply]):
            counts[ply] = candidates(states[ply], context, moves[ply])
            total += counts[ply]
    return total


def tree_sizes() -> list[TreeSize]:
    """Full and searched trees of the stored positions, each to the greatest depth that can be counted."""
    params = WRITEUP_PARAMS.params()  # all enemies choose, and the depth grows by whole turns
    plies = MOST_DEPTH + 1
    states, moves, counts = allocate(State, plies), np.zeros((plies, CHOICES), np.int64), np.zeros(plies, np.int64)
    rows = []
    for line in stored_positions():
        known, seat = read(line.split())
        state = searched_state(known, params, seat)
        context = context_of(params, state, seat)
        players = len(living_seats(state))
        depth, full = 0, 0
        while depth + players <= MOST_DEPTH:
            states[0] = state
            wider = int(count_tree(states, moves, counts, context, depth + players, MOST_NODES))
            if wider > MOST_NODES:
                break
            depth, full = depth + players, wider
        if depth <= players:
            continue  # one turn tells nothing about ordering
        searched = _searched(params, state, seat, depth) - _searched(params, state, seat, depth - players)
        if searched > 0:  # else the game was found to be decided before
            rows.append(TreeSize(players, depth, full, searched))
    return rows


def _searched(params: Any, state: Any, seat: int, depth: int) -> int:
    bot, context = Paranoid(params, 0), context_of(params, state, seat)
    return bot.engine.decide(state, seat, context=context, depth=depth, stride=bot.stride(state)).nodes


def pruning(seconds: float) -> Findings:
    """The mean exponents by the number of players; all positions are always counted."""
    sizes = tree_sizes()
    rows = []
    for players in sorted({size.players for size in sizes}, reverse=True):
        group = [size for size in sizes if size.players == players]
        turns, full, searched = (
            fmean(values) for values in zip(*((s.depth / players, s.full, s.searched) for s in group), strict=True)
        )
        exponent = sample_mean([size.exponent for size in group])
        rows.append((players, len(group), turns, round(full), round(searched), *exponent))
    columns = ("players", "positions", "turns", "full tree, nodes", "searched, nodes", "exponent", "low", "high")
    return Findings(columns, rows, f"All positions: exponent {fmean(size.exponent for size in sizes):.3f}")


def depths(seconds: float) -> Findings:
    """How many whole turns `writeup` looks ahead where it simulates as many as the author's; always all positions."""
    params = WRITEUP_PARAMS.params({"partial": False})
    found: dict[int, list[float]] = {}
    for line in stored_positions():
        known, seat = read(line.split())
        state = searched_state(known, params, seat)
        players = len(living_seats(state))
        nodes = AUTHORS_TURNS
        for _ in range(2):  # the second search simulates about as many turns as it should
            bot = Paranoid(params, 0)
            depth = bot.search(state, context_of(params, state, seat), Budget(nodes=nodes)).depth
            turns = int(bot.engine.work.visits[players::players].sum())
            nodes = nodes * AUTHORS_TURNS // max(1, turns)
        found.setdefault(players, []).append(depth / players)
    rows = [
        (players, len(values), *sample_mean(values), min(values), max(values))
        for players, values in sorted(found.items(), reverse=True)
    ]
    columns = ("players", "positions", "turns", "low", "high", "least", "greatest")
    return Findings(columns, rows, "Turns that were finished. Low and high: the 95 % interval of the mean.")


def maxn_depths(seconds: float) -> Findings:
    """How many whole turns max^n looks ahead with as many choices as the author's program simulated turns."""
    found: dict[int, list[float]] = {}
    kind = maxn.KINDS[0]
    for line in stored_positions():
        bot = kind.bot()
        assert isinstance(bot, maxn.MaxNBot)
        known, seat = read(line.split())
        state = searched_state(known, bot.params, seat)
        players = len(living_seats(state))
        result = bot.search(state, context_of(bot.params, state, seat), Budget(nodes=AUTHORS_TURNS))
        found.setdefault(players, []).append(result.depth / players)
    rows = [(players, len(turns), *sample_mean(turns), min(turns)) for players, turns in sorted(found.items())]
    return Findings(("players", "positions", "turns", "low", "high", "least"), rows, "Turns that were finished.")


def settling(seconds: float) -> Findings:
    """Whether plans settle where each player in turn looks for a better one, from waiting on, or oscillate.

    They have settled when no player changes its plan in a whole round; they oscillate if plans come back.
    """
    kind = annealing.KINDS[0]
    params = kind.param_spec.params({"keep_plans": False})
    counts = {"settled": 0, "came back": 0, "still changing": 0}
    for number, line in enumerate(stored_positions()):
        known, seat = read(line.split())
        counts[_end_of_annealing(params, searched_state(known, params, seat), seat, number)] += 1
    total = sum(counts.values())
    rows = [(name, total, count, count / total, *_share_interval(count, total)) for name, count in counts.items()]
    note = (
        f"{SETTLING_ROUNDS} rounds at most, with {int(params.tries)} tries for a player. Low and high: 95 % intervals."
    )
    return Findings(("plans", "positions", "number", "share", "low", "high"), rows, note)


def _end_of_annealing(params: Any, state: Any, seat: int, seed: int) -> str:
    context, random = context_of(params, state, seat), generator(seed)
    plans, room = np.full((SEATS, annealing.MOST_TURNS), WAIT, np.int64), allocate(State, 1)
    turns, tries, seen = int(params.turns), int(params.tries), set()
    for _ in range(SETTLING_ROUNDS):
        before = plans.tobytes()
        for player in living_seats(state):
            annealing.respond(state, room, plans, params, context, player, turns, tries, random)
        if plans.tobytes() == before:
            return "settled"
        if plans.tobytes() in seen:
            return "came back"
        seen.add(plans.tobytes())
    return "still changing"


def _share_interval(count: int, total: int) -> tuple[float, float]:
    """The interval of Wilson (1927) for a share."""
    z = NormalDist().inv_cdf(0.975)
    share, weight = count / total, z * z / total
    middle, half = share + weight / 2, math.sqrt(share * (1 - share) * weight + weight * weight / 4)
    return (middle - half) / (1 + weight), (middle + half) / (1 + weight)


def yells(seconds: float) -> Findings:
    """How often `writeup` is yelled at in the turns that it lives, beside three champions in the same game."""
    mine, others = [], []
    for number in range(YELL_GAMES):
        me = number % SEATS
        rates = _yells_heard([champion.KINDS[seat == me] for seat in range(SEATS)], number)
        mine.append(rates[me])
        others.append((sum(rates) - rates[me]) / (SEATS - 1))
    columns = ("bot", "games", "yells in 100 turns", "at a champion", "times as many", "low", "high")
    row = ("writeup", YELL_GAMES, fmean(mine), fmean(others), *mean_ratio(mine, others))
    return Findings(columns, [row], f"{YELL_NODES:,} nodes a turn. Low and high: the 95 % interval.")


def _yells_heard(kinds: Sequence[BotKind], number: int) -> list[float]:
    """The YELLs that have hit each explorer of a game, in 100 turns that it lived."""
    referee, lived = KutuluReferee((number + 1) * SEED_STEP), [0] * SEATS

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        for request in requests:
            lived[request.seat] += 1

    play_bots(referee, [kind.bot(seed=number) for kind in kinds], Budget(nodes=YELL_NODES), watch)
    yelled = int(referee.state.yelled)
    heard = [sum(yelled >> (SEATS * caster + seat) & 1 for caster in range(SEATS)) for seat in range(SEATS)]
    return [100 * count / turns for count, turns in zip(heard, lived, strict=True)]


WATCHED = (*greedy.KINDS, *champion.KINDS, *maxn.KINDS, *annealing.KINDS)


def simultaneous(seconds: float) -> Findings:
    """How far Paranoid's values are below those of choices made at the same time, in the stored positions."""
    params, matrices = MATRIX_PARAMS.params(), []
    for words in stored_positions():
        known, seat = read(words.split())
        bot = MatrixBot(params, 0)  # keys of positions that were set up apart say nothing about each other
        state = searched_state(known, params, seat)
        matrix = bot.search(state, bot.context(state, seat), Budget(nodes=MATRIX_NODES)).matrix
        if matrix is not None and len(matrix.rows) > 1 and len(matrix.columns) > 1:
            matrices.append(matrix.values)
    return assumption_findings("matrix", matrices)


def evaluation(seconds: float) -> Findings:
    """The share of the write-up's search time that goes to the evaluation, in positions of the benchmarks."""
    params, states = WRITEUP_PARAMS.params(), positions()[:EVALUATED].copy()
    for index in range(EVALUATED):
        states[index] = searched_state(states[index], params, 0)
    depth = SEATS * EVALUATED_TURNS
    share = evaluation_share(GAME, params, states, depth, lambda state: context_of(params, state, 0))
    return evaluation_findings({"writeup": share}, "bot", f"{EVALUATED} positions, {EVALUATED_TURNS} turns ahead.")


STUDIES = {
    "pruning": Study("how much of the full tree Paranoid search visits: means over stored positions", pruning),
    "depth": Study(f"how deep `writeup` looks with {AUTHORS_TURNS:,} simulated turns", depths),
    "maxn": Study(f"how deep `maxn` looks with {AUTHORS_TURNS:,} choices", maxn_depths),
    "simultaneous": Study("what it costs to assume that the enemies know my choice", simultaneous),
    "evaluation": Study("what share of the search's time goes to the evaluation", evaluation),
    "settling": Study("whether the plans of `annealing` settle or oscillate", settling),
    "yells": Study("how often `writeup` is yelled at", yells),
    "prediction": Study("how often one look tells an enemy's next step", partial(prediction_study.measure, WATCHED)),
    "outcomes": Study("what one of each thing is worth, by who outlived whom", partial(outcome_study.measure, WATCHED)),
}
