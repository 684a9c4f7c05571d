"""States in the hand beside other libraries: legal moves, a new state, random games; from Python, one core, one run.

    pip install chess open_spiel pgx
    pip install --editable examples/connect_four
    python -m tools.library_speed

Podium, OpenSpiel and pgx play Connect Four, python-chess plays chess (it knows nothing else). A library that is not
installed is left out. Every figure is the median of several rounds in which all take turns, in processor time. A
random game is played move by move from Python; a batch is one call for many games (Podium: a kernel; pgx: a compiled
function over a batch; the others have none).
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
from podium.kernel.random import draw_below, generator
from podium.model.rules import is_over, legal_moves, play

SEED = 1
BATCH = 1000  # games
ROUNDS = 5
WHAT = {
    "texts": "legal moves as texts, calls/s",
    "numbers": "legal moves as numbers, calls/s",
    "after": "a new state after a move, calls/s",
    "game": "random game from Python, plies/s",
    "batch": "random games in a batch, plies/s",
}

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

    return {
        "texts": once(lambda: game.legal_moves(start)),
        "numbers": once(lambda: rules.moves(start)),
        "after": once(lambda: game.after(start, 3)),
        "game": one_game,
        "batch": lambda: int(random_games(start, records, moves, numbers, BATCH)),
    }


def openspiel_steps() -> dict[str, Step]:
    """Connect Four of OpenSpiel."""
    import pyspiel

    game, dice = pyspiel.load_game("connect_four"), random.Random(SEED)
    start = game.new_initial_state()

    def one_game() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            plies += 1
        return plies

    return {
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


def rate(step: Step, seconds: float) -> float:
    """Units per second of processor time."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(10):
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
                rates[name].append(rate(step, seconds))
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
