"""Connect Four beside OpenSpiel's C++ searches: the same work, one core, one run, the two in turn.

    pip install open_spiel
    pip install --editable examples/connect_four
    pip download open_spiel --no-binary :all: --no-deps     # the sources of its alpha-beta, to unpack somewhere
    python tools/openspiel.py --source open_spiel-2.0.2

OpenSpiel's Monte Carlo search is in its Python package (`pyspiel.MCTSBot`, all C++); its alpha-beta is not, so it is
built from the sources, with a counter of nodes (`openspiel_alphabeta.cc`). Without --source it is left out. Every
figure is the median of several rounds in which the programs take turns, in processor time, so that other work on the
machine counts little and meets all.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax
from rich.console import Console
from rich.table import Table

from connect_four import GAME
from connect_four.bots import ALPHABETA_PARAMS, MCTS_PARAMS, alphabeta_search, mcts_search
from connect_four.rules import State
from podium.kernel import blank
from podium.model.budget import Budget
from podium.search.alphabeta import AlphaBeta

HERE = Path(__file__).parent
SIMULATIONS = 100_000
NODES = 4_000_000
DEPTH = 11  # OpenSpiel's alpha-beta has neither a table nor an order of moves: one more ply takes it five times as long
PLAIN_DEPTH = 6  # for searches in plain Python
UCT = 2.0  # weight of exploration in OpenSpiel; it changes the shape of the tree, hardly the speed
MEGABYTES = 1000
SEED = 1

OWN_SOURCES = (
    "spiel.cc spiel_utils.cc game_parameters.cc observer.cc policy.cc action_view.cc simultaneous_move_game.cc "
    "algorithms/minimax.cc games/connect_four/connect_four.cc "
    "utils/json.cc utils/file.cc utils/usage_logging.cc utils/status.cc"
).split()
ABSEIL = "base strings numeric time synchronization debugging hash container random status crc profiling log".split()
NOT_COMPILED = ("test", "benchmark", "mock", "gentables", "print_hash", "matchers")

Rate = tuple[float, float]  # units counted, seconds


def podium_mcts() -> Rate:
    """Simulations of Podium's Monte Carlo search, one random playout each; without transpositions, like OpenSpiel's."""
    search = mcts_search(MCTS_PARAMS.params({"transpositions": False}), SEED)
    start = time.process_time()
    nodes = search.decide(blank(State), 0, Budget(nodes=SIMULATIONS)).nodes
    return nodes, time.process_time() - start


def openspiel_mcts() -> Rate:
    """The same of OpenSpiel's."""
    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    bot = pyspiel.MCTSBot(game, evaluator, UCT, SIMULATIONS, MEGABYTES, True, SEED, False)
    start = time.process_time()
    bot.step(game.new_initial_state())
    return SIMULATIONS, time.process_time() - start


def podium_alphabeta() -> Rate:
    """Nodes of Podium's alpha-beta, with its table, its ordering of moves and an evaluation."""
    search = alphabeta_search(ALPHABETA_PARAMS.params())
    start = time.process_time()
    nodes = search.decide(blank(State), 0, Budget(nodes=NODES)).nodes
    return nodes, time.process_time() - start


def podium_depth() -> Rate:
    """One search to the depth, as OpenSpiel's is asked for."""
    search = alphabeta_search(ALPHABETA_PARAMS.params())
    start = time.process_time()
    search.decide(blank(State), 0, depth=DEPTH)
    return 1, time.process_time() - start


def podium_plain() -> Rate:
    """Evaluations in plain Python by alpha-beta with an evaluation in plain Python; it draws them by chance."""
    random = Random(SEED)
    values: list[float] = []

    def evaluation(state: Any, seat: int) -> float:
        values.append(random.random())
        return values[-1]

    search = AlphaBeta(GAME, evaluate=evaluation)
    start = time.process_time()
    search.decide(blank(State), 0, depth=PLAIN_DEPTH)
    return len(values), time.process_time() - start


def openspiel_plain() -> Rate:
    """The same by the alpha-beta of OpenSpiel's Python package, over its C++ states."""
    game, random = pyspiel.load_game("connect_four"), Random(SEED)
    values: list[float] = []

    def evaluation(state: Any) -> float:
        values.append(random.random())
        return values[-1]

    start = time.process_time()
    minimax.alpha_beta_search(game, value_function=evaluation, maximum_depth=PLAIN_DEPTH, maximizing_player_id=0)
    return len(values), time.process_time() - start


def build(source: Path, folder: Path) -> Path:
    """Compile OpenSpiel's alpha-beta; takes some minutes the first time."""
    root = source / "open_spiel"
    abseil = [path for name in ABSEIL for path in (root / "abseil-cpp" / "absl" / name).rglob("*.cc")]
    files = [root / name for name in OWN_SOURCES]
    files += [
        path for path in abseil if not any(word in path.name or word in path.parent.name for word in NOT_COMPILED)
    ]
    paths = [source, root, root / "abseil-cpp", root / "json" / "include"]
    compiler = ["g++", "-O3", "-DNDEBUG", "-std=c++17", "-w", *(f"-I{path}" for path in paths)]
    objects = []
    for path in [*files, HERE / "openspiel_alphabeta.cc"]:
        compiled = folder / f"{'_'.join(path.relative_to(path.anchor).parts[-4:])}.o"
        objects.append(str(compiled))
        if not compiled.exists():
            folder.mkdir(parents=True, exist_ok=True)
            print(f"compiling {path.name}", file=sys.stderr)
            subprocess.run([*compiler, "-c", "-o", str(compiled), str(path)], check=True)
    program, library = folder / "openspiel_alphabeta", folder / "library.a"
    subprocess.run(["ar", "rcs", str(library), *objects[:-1]], check=True)  # of which the linker takes what is needed
    subprocess.run(["g++", "-o", str(program), objects[-1], str(library), "-lpthread"], check=True)
    return program


def openspiel_alphabeta(program: Path) -> Rate:
    """Nodes of OpenSpiel's alpha-beta, without an evaluation."""
    nodes, seconds, _ = subprocess.run(
        [str(program), str(DEPTH)], capture_output=True, text=True, check=True
    ).stdout.split()
    return float(nodes), float(seconds)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="the unpacked sources of OpenSpiel")
    parser.add_argument("--build", type=Path, default=HERE / "build", help="where to build its alpha-beta")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    runs: dict[str, Callable[[], Rate]] = {"podium mcts": podium_mcts, "openspiel mcts": openspiel_mcts}
    runs["podium alphabeta"] = podium_alphabeta
    if options.source:
        program = build(options.source, options.build)
        runs["openspiel alphabeta"] = lambda: openspiel_alphabeta(program)
    runs[f"podium to depth {DEPTH}"] = podium_depth
    runs["podium alphabeta, Python"], runs["openspiel alphabeta, Python"] = podium_plain, openspiel_plain
    for run in runs.values():
        run()  # kernels are loaded, memory is touched
    rates: dict[str, list[Rate]] = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, run in runs.items():
            rates[name].append(run())
    table = Table("search", "per second (median)", "slowest", "fastest", "seconds of one")
    for name, found in rates.items():
        speeds = sorted(count / seconds for count, seconds in found)
        seconds = statistics.median(seconds for _, seconds in found)
        table.add_row(
            name, *(f"{speed:,.0f}" for speed in (statistics.median(speeds), speeds[0], speeds[-1])), f"{seconds:.3f}"
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
