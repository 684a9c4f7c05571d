"""Studies of what the write-up claims: what move ordering saves, depth by stage, switches, swapped units, the fog.

The time given decides how many positions or games are looked at, never how long a search takes: budgets are nodes, so
that a study finds the same on every machine (but for `switches`, which is about speed).
"""

import math
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.evaluation_share import evaluation_findings, evaluation_share
from podium.games.game import Answer, Budget, Findings, Request, Study
from podium.games.loop import play_bots
from podium.games.sample_mean import mean_ratio, sample_mean
from podium.games.wondev_woman import GAME
from podium.games.wondev_woman.benchmarks import deduction_of, second_turns
from podium.games.wondev_woman.board import CELLS
from podium.games.wondev_woman.bots import champion
from podium.games.wondev_woman.bots.params import CHAMPION_PARAMS, WRITEUP_PARAMS
from podium.games.wondev_woman.game_studies import endings, ids
from podium.games.wondev_woman.referee import WondevReferee
from podium.games.wondev_woman.rules import wondev_legal_moves, wondev_play
from podium.games.wondev_woman.setup import RANDOM
from podium.games.wondev_woman.stages import END, FRESH, MIDDLE, STAGES, positions
from podium.games.wondev_woman.state import MOST_MOVES, SEATS, State
from podium.games.wondev_woman.tracker import Belief, guess, size_of
from podium.games.wondev_woman.view import View
from podium.kernel import allocate, blank, kernel
from podium.kernel.bits import ONE
from podium.kernel.random import GOLDEN
from podium.model.rules import key
from podium.search.alphabeta import AlphaBeta
from podium.search.perft import perft

FEWEST, A_SECOND = 4, 4  # positions: at least, and for each second given
BUDGETS = (50_000, 400_000, 1_000_000)  # nodes: 50 ms of the author's program, of this one, and its first second
LAST = {"last turns": 80}  # plies played
SWITCHES = ("evaluation_cache", "late_sort")
ROUNDS = 5  # in which a switch is on and off in turn
DEPTH = 5  # of searches whose speed is compared
FOG_BUDGET = Budget(nodes=200)  # per answer of the games in the fog
WALKED, WALKED_FROM = 3, 12  # plies, and from how many positions of each stage
MOST_KEYS = 2_000_000  # of the positions WALKED plies on
PRUNED, PRUNED_DEPTH = 12, 4  # positions, and plies
DEDUCED_GAMES, DEDUCED_TIMES = 100, 20  # second turns that are timed, and how often each
UNORDERED = dict.fromkeys(("hash_move", "killers", "history", "tie_break", "table", "evaluation_cache", "scout"), False)
ORDERING: dict[str, bool] = {**UNORDERED, "hash_move": True, "killers": True, "history": True, "tie_break": True}
ORDERED_DEPTHS = {FRESH: 4, MIDDLE: 4, END: 5}
STEPS = {  # each adds to those above it
    "plain alpha-beta": {},
    "+ hash move": {"hash_move": True},
    "+ killers": {"killers": True},
    "+ history": {"history": True},
    "+ height": {"tie_break": True},
    "NegaScout": {"scout": True},
    "+ values of the table": {"table": True},
}


def _count(seconds: float) -> int:
    return max(FEWEST, round(A_SECOND * seconds))


def ordering(seconds: float) -> Findings:
    """Mean nodes of iterative deepening to a fixed depth, for each step of move ordering, and the ratio to the last.

    The author of the write-up measured fresh maps only, and regretted it: here the middle and the end of games count
    too.
    """
    count = _count(seconds)
    rows = []
    for stage, plies in STAGES.items():
        states = positions(plies, count)
        before: list[int] = []
        plain, changes = 0, dict(UNORDERED)
        for name, change in STEPS.items():
            changes |= change
            sizes = [_tree_size(changes, state, ORDERED_DEPTHS[stage]) for state in states]
            plain = plain or sum(sizes)
            ratio = mean_ratio(sizes, before or sizes)
            part = f"{100 * sum(sizes) / plain:.1f} %"
            rows.append([stage, ORDERED_DEPTHS[stage], name, count, round(fmean(sizes)), part, *ratio])
            before = sizes
    return Findings(
        ["positions", "depth", "search", "number", "nodes on average", "of plain", "of the step before", "low", "high"],
        rows,
        f"{count} positions of each stage, from games between shallow searches that now and then play at random; the "
        "nodes of all depths up to the last are counted. Low and high: the 95 % interval of the ratio of the means.",
    )


def _tree_size(changes: dict[str, bool], state: Any, depth: int) -> int:
    """The nodes of a search to a depth, by a search that has seen nothing before."""
    return AlphaBeta(GAME, CHAMPION_PARAMS.params(changes)).decide(state, int(state.mover), depth=depth).nodes


def deepening(seconds: float) -> Findings:
    """The share of nodes that iterative deepening spends before its last depth."""
    count, rows = _count(seconds), []
    for stage, plies in STAGES.items():
        states, depth = positions(plies, count), ORDERED_DEPTHS[stage]
        whole, before = ([_tree_size(ORDERING, state, last) for state in states] for last in (depth, depth - 1))
        rows.append([stage, depth, count, round(fmean(whole)), *mean_ratio(before, whole)])
    columns = ["positions", "depth", "number", "nodes on average", "share before the last depth", "low", "high"]
    return Findings(columns, rows, "With the write-up's move ordering. Low and high: the 95 % interval.")


def depths(seconds: float) -> Findings:
    """How deep the write-up's search looks within each node budget, at each stage of a game."""
    count, rows = _count(seconds), []
    for stage, plies in {**STAGES, **LAST}.items():
        states = positions(plies, count)
        for nodes in BUDGETS:
            found = []
            for state in states:
                searcher = AlphaBeta(GAME, WRITEUP_PARAMS.params())
                found.append(searcher.decide(state, int(state.mover), Budget(nodes=nodes)).depth)
            rows.append([stage, nodes, count, *sample_mean(found), min(found), max(found)])
    columns = ["positions", "nodes", "number", "depth", "low", "high", "least", "greatest"]
    return Findings(columns, rows, "Depths that were finished. Low and high: the 95 % interval of the mean.")


def switches(seconds: float) -> Findings:
    """How many times the nodes a second a switch gives that changes nothing else: processor time on a fresh map."""
    states = positions(STAGES[FRESH], _count(seconds) // 2)
    rows = []
    for switch in SWITCHES:
        times = []
        for _ in range(ROUNDS):
            spent = {on: _time_of_searches(states, {switch: on}) for on in (False, True)}
            times.append(spent[False] / spent[True])
        rows.append([switch, ROUNDS, *sample_mean(times)])
    note = f"Searches to depth {DEPTH}. Low and high: the 95 % interval of the mean."
    return Findings(["switch", "rounds", "times the speed", "low", "high"], rows, note)


def _time_of_searches(states: Any, changes: dict[str, bool]) -> float:
    """Seconds of processor time for a node."""
    searcher = AlphaBeta(GAME, CHAMPION_PARAMS.params(changes))
    searcher.decide(states[0], int(states[0].mover), Budget(nodes=1))  # what has to be compiled or loaded
    nodes, begin = 0, time.process_time()
    for state in states:
        searcher.forget()
        nodes += searcher.decide(state, int(state.mover), depth=DEPTH).nodes
    return (time.process_time() - begin) / nodes


def evaluation(seconds: float) -> Findings:
    """The share of the write-up's search time that goes to the evaluation, without its cache; by stage of the game."""
    params = WRITEUP_PARAMS.params({"evaluation_cache": False})
    shares = {
        stage: evaluation_share(GAME, params, positions(plies, FEWEST), ORDERED_DEPTHS[stage])
        for stage, plies in STAGES.items()
    }
    return evaluation_findings(shares, "positions")


def pruning(seconds: float) -> Findings:
    """How much deeper alpha-beta looks than minimax in the same number of nodes.

    The ratio of the depths is that of the logarithms of the trees' sizes, as sizes grow by a factor with each ply.
    """
    count, rows = PRUNED, []
    states = positions(STAGES[FRESH], count)
    full = [sum(perft(state, depth, MOST_MOVES) for depth in range(1, PRUNED_DEPTH + 1)) for state in states]
    for name, changes in {"plain alpha-beta": UNORDERED, "champion": {}}.items():
        ratios, sizes = [], []
        for state, size in zip(states, full, strict=True):
            searcher = AlphaBeta(GAME, CHAMPION_PARAMS.params(changes))
            sizes.append(searcher.decide(state, int(state.mover), depth=PRUNED_DEPTH).nodes)
            ratios.append(math.log(size) / math.log(sizes[-1]))
        rows.append([FRESH, name, count, round(fmean(full)), round(fmean(sizes)), *sample_mean(ratios)])
    columns = ["positions", "search", "number", "minimax, nodes", "searched, nodes", "times as deep", "low", "high"]
    note = f"Depth {PRUNED_DEPTH}, with the nodes of all depths before. Low and high: the 95 % interval of the mean."
    return Findings(columns, rows, note)


@kernel
def walk(states: Any, moves: Any, ply: Any, depth: int, keys: Any, filled: Any) -> Any:
    """Write the keys of all positions `depth` plies below states[ply]; how many are written now.

    They go into two rows: the game's own key, and one in which the units of a side cannot be swapped. It stops where
    the rows end.
    """
    count = wondev_legal_moves(states[ply], moves[ply])
    for i in range(count):
        if filled >= keys.shape[1]:
            return filled
        states[ply + 1] = states[ply]
        wondev_play(states[ply + 1], moves[ply, i])
        if depth > 1:
            if not states[ply + 1].over:
                filled = walk(states, moves, ply + 1, depth - 1, keys, filled)
            continue
        swapped = np.uint64(0)
        for seat in range(SEATS):
            if states[ply + 1].unit[2 * seat] > states[ply + 1].unit[2 * seat + 1]:
                swapped |= ONE << np.uint64(seat)
        own = np.uint64(key(states[ply + 1]))
        keys[0, filled] = own
        keys[1, filled] = own ^ (swapped * GOLDEN)
        filled += 1
    return filled


def symmetry(seconds: float) -> Findings:
    """How many more keys there were if the units of a side could not be swapped, over all positions some plies on."""
    rows = []
    keys = np.zeros((2, MOST_KEYS), np.uint64)
    for stage, plies in STAGES.items():
        same, apart, reached = [], [], 0
        for state in positions(plies, WALKED_FROM):
            states = allocate(State, WALKED + 1)
            states[0] = state
            moves = np.zeros((WALKED + 1, MOST_MOVES), np.int64)
            filled = int(walk(states, moves, np.int64(0), WALKED, keys, np.int64(0)))
            reached += filled
            same.append(len(np.unique(keys[0, :filled])))
            apart.append(len(np.unique(keys[1, :filled])))
        rows.append([stage, WALKED_FROM, reached, sum(same), sum(apart), *mean_ratio(apart, same)])
    columns = ["positions", "number", "reached", "different", "with units told apart", "times as many", "low", "high"]
    return Findings(columns, rows, f"All positions {WALKED} plies on. Low and high: the 95 % interval.")


def fog(seconds: float) -> Findings:
    """How many pairs of places of the enemy's units are possible, and how many without a part of the deduction."""
    first: list[list[list[float]]] = [[], []]  # by player and game: pairs on the first turn
    guessed: list[list[float]] = []  # of player 1 without the deduction
    later: list[list[float]] = []
    apart: list[list[float]] = []
    for seed in range(1, _count(seconds) + 1):
        views = [View() for _ in range(SEATS)]
        later.append([])
        apart.append([])

        def watch(requests: Sequence[Request], answers: Sequence[Answer], views: list[View] = views) -> None:
            (request,), (answer,) = requests, answers
            view = views[request.seat]
            is_first = not view.tracker.seen
            view.read(request.lines)
            belief = view.tracker.belief
            size = float(size_of(belief))
            if is_first:
                first[request.seat].append([size])
                if request.seat:
                    guessed.append([float(_without_history(view))])
            else:
                later[-1].append(size)
                apart[-1].append(float(_by_unit(belief)))
            view.answered(answer.line or "")

        bots = [champion.KINDS[0].bot(seed=seed + seat) for seat in range(SEATS)]
        play_bots(WondevReferee(seed, mapIndex=RANDOM), bots, FOG_BUDGET, watch)
    rows = [
        _fog_row("first turn of player 0", first[0], first[0]),
        _fog_row("first turn of player 1", first[1], guessed),
        _fog_row("later turns", later, apart),
    ]
    columns = ["prompts", "number", "pairs", "low", "high", "without", "times as many", "least", "most"]
    columns += ["only one pair", "rarely", "often"]
    return Findings(
        columns,
        rows,
        "Without: for player 1 all that fits its first prompt; later all combinations of the places that each unit can "
        "have, which is the least that keeping places by unit would leave. Low and high: the 95 % interval of the mean "
        "number of pairs; least and most: that of how many times as many; rarely and often: that of the share of "
        "prompts with only one pair.",
    )


def _fog_row(name: str, games: list[list[float]], without: list[list[float]]) -> list[Any]:
    """A row from the numbers of pairs at the prompts of each game, which are not independent."""
    pairs, others = ([fmean(game) for game in each] for each in (games, without))
    number = sum(len(game) for game in games)
    ratio, least, most = mean_ratio(others, pairs)
    alone = sample_mean([fmean(size == 1 for size in game) for game in games])
    return [name, number, *sample_mean(pairs), fmean(others), ratio, least, most, *alone]


def _without_history(view: View) -> int:
    """The pairs that fit a first prompt if it says nothing about who moved first."""
    belief = blank(Belief)
    guess(view.tracker.seen[0], belief, False, allocate(State, 2), np.zeros(MOST_MOVES, np.int64))
    return int(size_of(belief))


def _by_unit(belief: Any) -> int:
    """How many combinations of the possible places of each unit there are."""
    sets = np.bitwise_or(*belief.sets)
    bits = (sets[:, None] >> np.arange(CELLS, dtype=np.uint64)) & ONE
    one, two = bits.any(axis=1), bits.any(axis=0)
    return int(one.sum() * two.sum() - (one & two).sum())


def deduction(seconds: float) -> Findings:
    """The time that the deduction of a second turn takes, each at its quickest of several times; processor time."""
    jobs = second_turns(DEDUCED_GAMES)
    deduction_of(jobs[0])  # what has to be compiled or loaded
    times = []
    for job in jobs:
        quickest = math.inf
        for _ in range(DEDUCED_TIMES):
            begin = time.process_time()
            deduction_of(job)
            quickest = min(quickest, 1000 * (time.process_time() - begin))
        times.append(quickest)
    columns = ["turn", "games", "worst, ms", "mean, ms", "low", "high"]
    return Findings(columns, [[2, len(times), max(times), *sample_mean(times)]], "From all that fits the first turn.")


STUDIES = {
    "deduction": Study("how long the deduction of the enemy's places takes at worst", deduction),
    "deepening": Study("what share of its nodes iterative deepening spends before its last depth", deepening),
    "ordering": Study("what each part of move ordering saves", ordering),
    "depth": Study("how deep the write-up's search looks, by stage of the game", depths),
    "switches": Study("how much speed switches of the search gain", switches),
    "evaluation": Study("what share of the search's time goes to the evaluation", evaluation),
    "pruning": Study("how much deeper alpha-beta looks than minimax", pruning),
    "symmetry": Study("how many positions the symmetry of a side's units saves", symmetry),
    "fog": Study("number of possible places of the enemy", fog),
    "ids": Study("how many places the ids of the enemy's units rule out", ids),
    "endings": Study("how close games end, and whether the winner had more room before", endings),
}
