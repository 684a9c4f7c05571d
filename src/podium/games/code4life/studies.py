"""Studies of Code 4 Life: what the write-up claims."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.code4life import GAME
from podium.games.code4life.benchmarks import POSITION_EVERY, positions, simulated
from podium.games.code4life.bots import champion
from podium.games.code4life.bots.decoupled_bots import MATRIX_PARAMS, MatrixBot
from podium.games.code4life.bots.params import WRITEUP_PARAMS
from podium.games.code4life.referee import Code4LifeReferee
from podium.games.code4life.rules import code4life_legal_moves, code4life_play
from podium.games.code4life.state import MOST_MOVES, SEATS, WAIT
from podium.games.code4life.view import View
from podium.games.evaluation_share import evaluation_findings, evaluation_share
from podium.games.game import Answer, Budget, Findings, Request, Study
from podium.games.loop import play_bots
from podium.games.root_matrix_study import assumption_findings
from podium.games.sample_mean import mean_ratio, sample_mean
from podium.kernel import copy_of
from podium.model.budget import NO_LIMIT

MATRIX_NODES = 100_000  # for all joint choices of a round
CONTESTED_GAMES, CONTESTED_NODES = 20, 2000  # of the champion against itself
EVALUATED_ROUNDS = 4
DEEPENED_ROUNDS = 5
SHUFFLED_GAMES, SHUFFLED_NODES = 40, 2000
SAMPLE_FIELDS, CLOUD = 10, "-1"  # of a sample's line in a prompt; the carrier of samples in the cloud
AUTHORS_ROUNDS = 40_000  # simulated by the author's program in a turn, about


def depths(seconds: float) -> Findings:
    """How many rounds the bots look ahead where they simulate as many as the author's program; always all positions."""
    first: list[float] = []
    states: list[Any] = []
    rows = []
    for kind in reversed(champion.KINDS):
        bot = kind.bot({"partial": False})
        assert isinstance(bot, champion.Champion)
        found, counts = [], []
        states = states or positions(bot)  # the same for both
        for state in states:
            bot.search(state, Budget(nodes=AUTHORS_ROUNDS))
            nodes = AUTHORS_ROUNDS**2 // max(1, simulated(bot))  # which simulate about that many
            bot.searcher.forget()
            found.append(bot.search(state, Budget(nodes=nodes)).depth / SEATS)
            counts.append(simulated(bot))
        first = first or found
        spread = min(found), max(found)
        rows.append(
            [kind.name, len(found), round(fmean(counts)), *sample_mean(found), *spread, *mean_ratio(found, first)]
        )
    columns = ["bot", "number", "simulated", "depth", "low", "high", "least", "greatest"]
    columns += ["times as deep as writeup", "ratio low", "ratio high"]
    return Findings(
        columns,
        rows,
        "Rounds, which are moves of each player, in positions that leave a choice. Low and high: 95 % intervals.",
    )


def few_moves(seconds: float) -> Findings:
    """How many moves the write-up's bot considers, and how often its best move stays when it looks a round deeper."""
    bot = champion.Champion(WRITEUP_PARAMS.params(), 0)
    considered, legal, kept = [], [], []
    room = np.zeros(MOST_MOVES, np.int64)
    for state in positions(bot):
        considered.append(float(len(bot.candidates(state))))
        legal.append(float(code4life_legal_moves(state, room)))
        best = [bot.search(state, NO_LIMIT, SEATS * rounds).move for rounds in range(1, DEEPENED_ROUNDS + 1)]
        kept.append(fmean(move == deeper for move, deeper in pairwise(best)))
    columns = ["what", "number", "mean", "low", "high"]
    rows = {"moves considered": considered, "legal moves": legal, "best move kept": kept}
    note = f"Positions that leave a choice; best moves of 1 to {DEEPENED_ROUNDS} rounds. Low and high: of the mean."
    return Findings(columns, [[name, len(sample), *sample_mean(sample)] for name, sample in rows.items()], note)


def evaluation(seconds: float) -> Findings:
    """The share of the write-up's search time that goes to the evaluation."""
    bot = champion.Champion(WRITEUP_PARAMS.params(), 0)
    states = np.array(positions(bot)).view(np.recarray)
    share = evaluation_share(GAME, bot.params, states, SEATS * EVALUATED_ROUNDS)
    return evaluation_findings({"writeup": share}, "bot", f"{len(states)} positions, {EVALUATED_ROUNDS} rounds ahead.")


def shuffling(seconds: float) -> Findings:
    """How often robots of `writeup` take a sample back from the cloud that they have put there themselves."""
    counts = [_taken_back(seed) for seed in range(1, SHUFFLED_GAMES + 1)]
    columns = ["bot", "games", "taken back in a game", "low", "high", "most", "games with any"]
    row = ["writeup", len(counts), *sample_mean(counts), max(counts), sum(count > 0 for count in counts)]
    return Findings(columns, [row], f"Both robots, {SHUFFLED_NODES:,} nodes a move. Low and high: of the mean.")


def _taken_back(seed: int) -> int:
    """How many samples are taken back in a game."""
    carriers: dict[str, str] = {}  # by sample, as player 0's prompts write them: 0, 1, or -1 in the cloud
    put: set[tuple[str, str]] = set()  # samples, and who has put them into the cloud
    taken = 0

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        nonlocal taken
        rows = (line.split() for line in requests[0].lines)
        now = {row[0]: row[1] for row in rows if len(row) == SAMPLE_FIELDS}
        for sample, carrier in now.items():
            before = carriers.get(sample, carrier)
            if before != CLOUD and carrier == CLOUD:
                put.add((sample, before))
            elif before == CLOUD and (sample, carrier) in put:
                taken += 1
        carriers.clear()
        carriers.update(now)

    bots = [champion.Champion(WRITEUP_PARAMS.params(), seat) for seat in range(SEATS)]
    play_bots(Code4LifeReferee(seed), bots, Budget(nodes=SHUFFLED_NODES), watch)
    return taken


def simultaneous(seconds: float) -> Findings:
    """How far alpha-beta's values are below those of both robots' choices made at the same time.

    In a game of `greedy`, and in games of `champion` against itself, where both robots compete for molecules.
    """
    bot = MatrixBot(MATRIX_PARAMS.params(), 0)
    contested = [state for seed in range(1, CONTESTED_GAMES + 1) for state in contested_positions(seed)]
    found = [
        assumption_findings(f"matrix, positions of {source}", _matrices(bot, states))
        for source, states in (("greedy", positions(bot)), ("champion", contested))
    ]
    return Findings(found[0].columns, [row for findings in found for row in findings.rows], found[0].sentence)


def contested_positions(seed: int) -> list[Any]:
    """Positions of a game of `champion` against itself in which both robots have a choice."""
    bots = [champion.KINDS[0].bot(seed=seat) for seat in range(SEATS)]
    watcher = MatrixBot(MATRIX_PARAMS.params(), 0)
    view, found = View(), list[Any]()

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        view.read(requests[0].lines)
        after = copy_of(view.state)
        if len(watcher.candidates(view.state)) > 1:
            code4life_play(after, WAIT)  # then the other robot chooses
            if len(watcher.candidates(after)) > 1:
                found.append(view.state)

    play_bots(Code4LifeReferee(seed), bots, Budget(nodes=CONTESTED_NODES), watch)
    return found[::POSITION_EVERY]


def _matrices(bot: MatrixBot, states: Sequence[Any]) -> list[Any]:
    """The matrices of first rounds in which both robots have a choice."""
    found = [bot.search(state, Budget(nodes=MATRIX_NODES)).matrix for state in states]
    return [m.values for m in found if m is not None and len(m.rows) > 1 and len(m.columns) > 1]


STUDIES = {
    "depth": Study("how many rounds the bots look ahead", depths),
    "moves": Study("how many moves `writeup` considers, and how often its best move stays", few_moves),
    "evaluation": Study("what share of the search's time goes to the evaluation", evaluation),
    "simultaneous": Study("what it costs to assume that the opponent knows my choice", simultaneous),
    "shuffling": Study("how often samples are put into the cloud and taken back", shuffling),
}
