"""Studies of Zuniq: what the write-up claims, and how well bots play endings."""

from collections.abc import Iterator
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.evaluation_share import evaluation_findings, share_by_rates
from podium.games.game import Budget, Findings, Study
from podium.games.sample_mean import sample_mean
from podium.games.zuniq import GAME
from podium.games.zuniq.benchmarks import ENDGAME_MOVES, UNTUNED, benchmarks, play_at_random
from podium.games.zuniq.board import WALLS
from podium.games.zuniq.bots.alphazero import AlphaZero
from podium.games.zuniq.bots.champion import GOOD_WALLS, Champion
from podium.games.zuniq.bots.params import ALPHAZERO_PARAMS, CHAMPION_PARAMS, UCT_PARAMS
from podium.games.zuniq.learning import INPUTS
from podium.games.zuniq.random_games import GAME_BYTES, GAME_WORDS, deal_two, finish, grow_two, list_free, open_cells
from podium.games.zuniq.rules import reset, zuniq_is_over, zuniq_legal_moves, zuniq_mover, zuniq_play
from podium.games.zuniq.setup import initial_state
from podium.games.zuniq.state import MOST_PLIES, SEAT_NAMES, State
from podium.kernel import allocate
from podium.kernel.random import draw_below, generator
from podium.model.hooks import new_playout_buffers
from podium.model.proofs import LOSS
from podium.search.mcts import Mcts
from podium.search.network import network_for, predict
from podium.search.solver import DEADLINE, NODES_LEFT, new_solver, prove
from podium.search.tree import ENDLESS

CHECKED_GAMES = 20_000
OPENINGS = 2000  # random ones
STEADY_POSITIONS, STEADY_SEEDS = 48, 12  # positions, and searches of each
STEADY_SIMULATIONS = (300, 3000)
STEADY_MEMORY = 16  # megabytes
STEADY_WALLS = 40  # legal ones left
ENDINGS = 100  # positions with ENDGAME_MOVES legal walls
ENDING_SIMULATIONS = {"uct": 16_000, "champion": 4000, "alphazero": 4000}  # about equal time
ENDING_MEMORY = 32  # megabytes
ALONE = "the network alone"
SUSPICIOUS = 0.001  # a p-value below this is no chance


FinalWalls = tuple[int, int]  # the walls drawn by the side to move, and by the other, as sets of bits


def outcomes(state: Any, own: int = 0, other: int = 0, chance: float = 1.0) -> dict[FinalWalls, float]:
    """The chance of each outcome if every wall is drawn uniformly at random, by going through all games."""
    if zuniq_is_over(state):
        return {(own, other): chance}
    walls = np.zeros(WALLS, np.int64)
    legal = [int(wall) for wall in walls[: zuniq_legal_moves(state, walls)]]
    chances: dict[FinalWalls, float] = {}
    for wall in legal:
        after = allocate(State, 1)
        after[0] = state
        zuniq_play(after[0], wall)
        for (theirs, mine), part in outcomes(after[0], other, own | 1 << wall, chance / len(legal)).items():
            chances[mine, theirs] = chances.get((mine, theirs), 0.0) + part
    return chances


def random_outcomes(state: Any, random: Any, games: int) -> Iterator[FinalWalls]:
    """The outcomes of random games, as playouts play them."""
    buffers = new_playout_buffers(State, WALLS, MOST_PLIES)
    count, cells = list_free(state, buffers.bytes), open_cells(state)
    for game in range(games):
        scratch, words = buffers.bytes, buffers.words
        if game % 2 == 0:
            deal_two(random, scratch, words, count)
            grow_two(scratch, words, cells)
        else:
            scratch, words = scratch[GAME_BYTES:], words[GAME_WORDS:]
        own, other, _ = finish(state, random, scratch, words, count, cells)
        yield int(own), int(other)


def randomness(seconds: float) -> Findings:
    """The write-up's check of random move generation: outcomes of playouts against their exact chances."""
    from scipy.special import chdtrc  # here, because it takes half a second that only this study needs

    rows = []
    for seed, moves in enumerate((3, 4, 5, 6), 1):
        state = initial_state()
        play_at_random(state, moves, seed)
        chances = outcomes(state)
        counts = dict.fromkeys(chances, 0)
        for own, other in random_outcomes(state, generator(seed), CHECKED_GAMES):
            counts[own, other] += 1
        expected = {outcome: CHECKED_GAMES * chance for outcome, chance in chances.items()}
        square = sum((counts[outcome] - mean) ** 2 / mean for outcome, mean in expected.items())
        freedom = len(chances) - 1
        rows.append([moves, len(chances), CHECKED_GAMES, square, freedom, float(chdtrc(freedom, square))])
    columns = ["legal walls", "outcomes", "playouts", "chi-square", "degrees of freedom", "p-value"]
    fair = all(row[-1] > SUSPICIOUS for row in rows)
    return Findings(columns, rows, "Playouts draw walls uniformly." if fair else "Playouts are NOT uniform.")


def steadiness(seconds: float) -> Findings:
    """How often two searches of a position that differ in their random numbers alone choose the same wall.

    With RAVE-MAX and without, over the same positions; the gain is the mean difference, with its 95 % interval.
    """
    rows = []
    for simulations in STEADY_SIMULATIONS:
        steady, plain = (_agreements(simulations, {"rave_max": rave_max}) for rave_max in (True, False))
        gains = [one - other for one, other in zip(steady, plain, strict=True)]
        rows.append([simulations, len(gains), fmean(steady), fmean(plain), *sample_mean(gains)])
    return Findings(["simulations", "positions", "with RAVE-MAX", "without", "gain", "low", "high"], rows)


def _agreements(simulations: int, changes: dict[str, bool]) -> list[float]:
    """For each of some positions, the share of pairs of searches that chose the same wall."""
    state, shares = initial_state(), []
    params = CHAMPION_PARAMS.params({**UNTUNED, **changes, "memory": STEADY_MEMORY})
    for position in range(STEADY_POSITIONS):
        play_at_random(state, STEADY_WALLS, position + 1)
        chosen = [
            Mcts(GAME, params, seed=seed + 1).decide(state, 0, Budget(nodes=simulations)).move
            for seed in range(STEADY_SEEDS)
        ]
        same = [one == other for one, other in combinations(chosen, 2)]
        shares.append(sum(same) / len(same))
    return shares


def endings(seconds: float) -> Findings:
    """How often bots choose a winning wall where some walls win and others lose, without solving the position first.

    Random positions, of which every wall is solved. The network alone takes the wall after which it thinks least of the
    other side.
    """
    unsolved = {"endgame": 0}
    bots = {
        "uct": Champion(UCT_PARAMS.params(unsolved), seed=1),
        "champion": Champion(CHAMPION_PARAMS.params({**unsolved, "book": False, "symmetry": False}), seed=1),
        "alphazero": AlphaZero(ALPHAZERO_PARAMS.params(unsolved), seed=1),
    }
    network = network_for(bots["alphazero"].params, "podium.games.zuniq", INPUTS)
    chance: list[float] = []
    right: dict[str, list[bool]] = {name: [] for name in (*bots, ALONE)}
    for state, wins in _solved_positions(ENDINGS):
        chance.append(sum(wins.values()) / len(wins))
        for name, bot in bots.items():
            found = bot.mcts.decide(state, int(zuniq_mover(state)), Budget(nodes=ENDING_SIMULATIONS[name]))
            right[name].append(wins[found.move])
        values = {wall: predict(network, after(state, wall)) for wall in wins}
        right[ALONE].append(wins[min(values, key=lambda wall: values[wall])])
    rows: list[list[Any]] = [["any wall", 0, ENDINGS, fmean(chance), 0.0]]
    for name, chosen in right.items():
        share = fmean(chosen)
        error = 1.96 * (share * (1 - share) / ENDINGS) ** 0.5
        rows.append([name, ENDING_SIMULATIONS.get(name, 0), ENDINGS, share, error])
    return Findings(["who", "simulations", "positions", "right walls", "95 % ±"], rows)


def after(state: Any, wall: int) -> Any:
    """The position after a wall."""
    drawn = state.copy()
    zuniq_play(drawn, wall)
    return drawn


def _solved_positions(number: int) -> Iterator[tuple[Any, dict[int, bool]]]:
    """Random positions in which some walls win and others do not, and which of them do."""
    states, moves = allocate(State, MOST_PLIES + 1), np.zeros((MOST_PLIES + 1, WALLS), np.int64)
    solver = new_solver(State, ENDING_MEMORY, WALLS, MOST_PLIES + 1)
    state, walls = initial_state(), np.zeros(WALLS, np.int64)
    seed = 0
    while number:
        seed += 1
        play_at_random(state, ENDGAME_MOVES, seed)
        wins = {}
        for wall in walls[: zuniq_legal_moves(state, walls)].tolist():
            states[0] = after(state, wall)
            solver.limits[NODES_LEFT], solver.limits[DEADLINE] = ENDLESS, ENDLESS
            wins[wall] = prove(states, moves, np.int64(0), solver) == LOSS
        if len(set(wins.values())) == 2:
            yield state.copy(), wins
            number -= 1


def opening(seconds: float) -> Findings:
    """How many walls are legal in random openings, and how many of them are good ones."""
    state, walls, random = initial_state(), np.zeros(WALLS, np.int64), generator(1)
    legal: list[list[int]] = [[], []]
    good: list[list[int]] = [[], []]
    plies = int(CHAMPION_PARAMS.params().opening)
    for _ in range(OPENINGS):
        reset(state)
        for ply in range(plies):
            count = zuniq_legal_moves(state, walls)
            legal[ply & 1].append(count)
            good[ply & 1].append(sum(int(GOOD_WALLS[ply & 1]) >> int(wall) & 1 for wall in walls[:count]) or count)
            zuniq_play(state, walls[draw_below(random, count)])
    rows = [
        [player, plies // 2 * OPENINGS, fmean(legal[side]), fmean(good[side]), fmean(legal[side]) / fmean(good[side])]
        for side, player in enumerate(SEAT_NAMES)
    ]
    return Findings(["player", "turns", "legal walls", "good ones", "times as many"], rows)


def evaluation(seconds: float) -> Findings:
    """The share of a search's time that goes to its evaluations: playouts of `champion`, the network of `alphazero`."""
    rates = {benchmark.name: benchmark for benchmark in benchmarks()}
    playouts = int(CHAMPION_PARAMS.params(UNTUNED).playouts)
    shares = {
        "champion": share_by_rates(rates["simulations"], rates["playouts"], seconds, playouts),
        "alphazero": share_by_rates(rates["network"], rates["evaluations"], seconds),
    }
    return evaluation_findings(shares, "bot", "Searches from the empty board, without solving.")


STUDIES = {
    "randomness": Study("are random walls drawn uniformly?", randomness, quick=True),
    "steadiness": Study("does RAVE-MAX choose the same wall again?", steadiness),
    "endings": Study("how often bots find a winning wall in positions that they cannot solve yet", endings),
    "evaluation": Study("what share of the search's time goes to playouts or the network", evaluation),
    "opening": Study("how many walls the opening leaves to consider", opening),
}
