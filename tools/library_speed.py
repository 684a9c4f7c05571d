"""States and searches beside other libraries: legal moves, a new state, random games, searches; one core, one run.

    pip install chess open_spiel pgx
    pip install --editable examples/connect_four
    python -m tools.library_speed

Podium, OpenSpiel and pgx play Connect Four, python-chess plays chess (it knows nothing else). A library that is not
installed is left out. Every figure is the median of several rounds in which all take turns, in processor time. A
random game is played move by move from Python; a batch is one call for many games (Podium: a kernel; pgx: a compiled
function over a batch; the others have none). Monte Carlo searches play one random game for each simulation and share no
nodes between positions. Alpha-beta searches the empty board to a fixed depth with the same evaluation, the stones in
the middle column: as a kernel (Podium alone), and in plain Python. `tools/openspiel.py` compares with OpenSpiel's
alpha-beta in C++, which its Python package does not have.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from tools.common import parser, print_table, three_digits

import podium
from podium.kernel import kernel
from podium.kernel.bits import popcount
from podium.kernel.random import draw_below, generator
from podium.model.rules import is_over, legal_moves, play

SEED = 1
BATCH = 1000  # games
SIMULATIONS = 5000  # of a Monte Carlo search
DEPTH = 6  # of alpha-beta, in plies
ROUNDS = 5
MIDDLE = 21  # the lowest bit of the middle column
WHAT = {
    "texts": "legal moves as texts, calls/s",
    "numbers": "legal moves as numbers, calls/s",
    "after": "a new state after a move, calls/s",
    "game": "random game from Python, plies/s",
    "batch": "random games in a batch, plies/s",
    "mcts": "Monte Carlo search, simulations/s",
    "kernel": f"alpha-beta to depth {DEPTH}, evaluation a kernel, searches/s",
    "plain": f"alpha-beta to depth {DEPTH}, evaluation in plain Python, searches/s",
}
SLOW = ("batch", "mcts", "kernel", "plain")  # steps that take milliseconds

Step = Callable[[], int]  # does something once; the number of units done


@kernel
def random_games(start: Any, stack: Any, moves: Any, numbers: Any, games: int) -> int:
    """Play random games from a state; the number of plies."""
    plies = 0
    for _ in range(games):
        stack[0] = start
        while not is_over(stack[0]):
            play(stack[0], moves[draw_below(numbers, legal_moves(stack[0], moves))])
            plies += 1
    return plies


@kernel
def stones_in_the_middle(state: Any, seat: int) -> float:
    """The stones of a seat in the middle column, less those of the opponent."""
    column = np.uint64(63) << np.uint64(MIDDLE)
    own = np.int64(popcount(state.own & column))
    difference = 2 * own - np.int64(popcount(state.taken & column))
    return float(difference if (state.plies & 1) == seat else -difference)


def plain_stones_in_the_middle(state: Any, seat: int) -> float:
    """The same in plain Python."""
    own = (int(state.own) >> MIDDLE & 63).bit_count()
    difference = 2 * own - (int(state.taken) >> MIDDLE & 63).bit_count()
    return float(difference if (int(state.plies) & 1) == seat else -difference)


def once(call: Callable[[], object]) -> Step:
    """A step that counts one call."""

    def step() -> int:
        call()
        return 1

    return step


def podium_steps() -> dict[str, Step]:
    """Connect Four of Podium."""
    game, dice = podium.load("connect_four"), random.Random(SEED)
    start = game.initial_state(opening=0)
    rules = game.rules
    assert rules is not None
    stack, moves, numbers = np.zeros(1, rules.state), np.zeros(rules.most_moves, np.int64), generator(SEED)
    records = stack.view(np.recarray)

    def one_game() -> int:
        state, plies = game.initial_state(opening=0), 0
        while not game.is_over(state):
            game.play(state, dice.choice(rules.moves(state)))
            plies += 1
        return plies

    uct: dict[str, Any] = {
        "playouts": 1,
        "exploration": 1.0,
        "rave": False,
        "impact": 0,
        "opponent_epsilon": 0,
        "prove": False,
    }
    mcts = podium.Mcts(game, transpositions=False, reuse_tree=False, solve=0, endgame=0, **uct)

    def alphabeta(evaluation: Any) -> Step:
        return once(lambda: podium.AlphaBeta(game, evaluate=evaluation).search(start, depth=DEPTH))

    return {
        "texts": once(lambda: game.legal_moves(start)),
        "numbers": once(lambda: rules.moves(start)),
        "mcts": lambda: mcts.search(start, nodes=SIMULATIONS).nodes,
        "kernel": alphabeta(stones_in_the_middle),
        "plain": alphabeta(plain_stones_in_the_middle),
        "after": once(lambda: game.after(start, 3)),
        "game": one_game,
        "batch": lambda: int(random_games(start, records, moves, numbers, BATCH)),
    }


def openspiel_steps() -> dict[str, Step]:
    """Connect Four of OpenSpiel."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game, dice = pyspiel.load_game("connect_four"), random.Random(SEED)
    start = game.new_initial_state()

    def one_game() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            plies += 1
        return plies

    def mcts() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, SEED, False).mcts_search(start)
        return SIMULATIONS

    def evaluation(state: Any) -> float:
        middle = [line[3] for line in str(state).split()]
        return float(middle.count("x") - middle.count("o"))

    return {
        "mcts": mcts,
        "plain": once(lambda: minimax.alpha_beta_search(game, start, evaluation, DEPTH, maximizing_player_id=0)),
        "texts": once(lambda: [start.action_to_string(action) for action in start.legal_actions()]),
        "numbers": once(start.legal_actions),
        "after": once(lambda: start.child(3)),
        "game": one_game,
    }


def chess_steps() -> dict[str, Step]:
    """Chess of python-chess; its own generator of moves, and texts in UCI."""
    import chess

    start, dice = chess.Board(), random.Random(SEED)
    first = next(iter(start.legal_moves))

    def after() -> chess.Board:
        board = start.copy(stack=False)
        board.push(first)
        return board

    def one_game() -> int:
        board, plies = chess.Board(), 0
        while not board.is_game_over():
            board.push(dice.choice(list(board.legal_moves)))
            plies += 1
        return plies

    return {
        "texts": once(lambda: [move.uci() for move in start.legal_moves]),
        "numbers": once(lambda: list(start.legal_moves)),
        "after": once(after),
        "game": one_game,
    }


def pgx_steps() -> dict[str, Step]:
    """Connect Four of pgx; compiled functions, called from Python for one state, and over a batch."""
    import jax
    import pgx

    env = pgx.make("connect_four")
    init, step = jax.jit(env.init), jax.jit(env.step)
    start, dice = init(jax.random.PRNGKey(SEED)), random.Random(SEED)
    longest = 42

    def one_game() -> int:
        state, plies = start, 0
        while not state.terminated:
            state = step(state, dice.choice(np.flatnonzero(state.legal_action_mask).tolist()))
            plies += 1
        return plies

    def batch(key: Any) -> Any:
        states = jax.vmap(env.init)(jax.random.split(key, BATCH))

        def ply(_: int, carried: Any) -> Any:
            states, key, plies = carried
            key, drawn = jax.random.split(key)
            logits = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
            plies += (~states.terminated).sum()
            return jax.vmap(env.step)(states, jax.random.categorical(drawn, logits)), key, plies

        return jax.lax.fori_loop(0, longest, ply, (states, key, 0))[2]

    games = jax.jit(batch)
    return {
        "numbers": once(lambda: np.flatnonzero(start.legal_action_mask).tolist()),
        "after": once(lambda: jax.block_until_ready(step(start, 3))),
        "game": one_game,
        "batch": lambda: int(games(jax.random.PRNGKey(SEED))),
    }


LIBRARIES: dict[str, tuple[str, Callable[[], dict[str, Step]]]] = {
    "Podium": ("podium", podium_steps),
    "OpenSpiel": ("pyspiel", openspiel_steps),
    "python-chess": ("chess", chess_steps),
    "pgx": ("pgx", pgx_steps),
}


def rate(step: Step, seconds: float, repeats: int) -> float:
    """Units per second of processor time; the clock is looked at after some repeats."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(repeats):
            done += step()
    return done / spent


def measure(seconds: float) -> Iterator[tuple[str, dict[str, float]]]:
    """What is measured, with the rate of each library."""
    found = {name: make() for name, (module, make) in LIBRARIES.items() if find_spec(module)}
    for what in WHAT:
        steps = {name: known[what] for name, known in found.items() if what in known}
        for step in steps.values():
            step()  # what has to be compiled is compiled
        rates: dict[str, list[float]] = {name: [] for name in steps}
        for _ in range(ROUNDS):
            for name, step in steps.items():
                rates[name].append(rate(step, seconds, 1 if what in SLOW else 10))
        yield what, {name: statistics.median(values) for name, values in rates.items()}


def main() -> None:
    """Measure, and print a table."""
    options = parser(__doc__, 0.2, "seconds of each measurement in a round").parse_args()
    results = dict(measure(options.seconds))
    if options.json:
        import json

        print(json.dumps(results))
        return
    names = [name for name in LIBRARIES if any(name in rates for rates in results.values())]
    rows = [
        (WHAT[what], *(three_digits(rates[name]) if name in rates else "" for name in names))
        for what, rates in results.items()
    ]
    print_table(("", *names), rows)


if __name__ == "__main__":
    main()
