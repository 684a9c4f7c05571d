"""What a trace costs: the rate of each search without and with one, run by run in turn, in one process.

python -m tools.trace_cost [NAME ...] [--rounds 9] [--json]

A rate counts the search alone, in processor time, so that other programs do not count. To make the trace of the rows
takes its own time after the search, which is listed, too.
"""

import argparse
import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from statistics import median
from time import thread_time_ns
from typing import Any
from unittest.mock import patch

from tools.common import print_table, three_digits

from podium.arena.analysis.trace_position import thinking_bot
from podium.cli.console import print_json
from podium.games import load
from podium.games.view import ViewBot
from podium.kernel.clock import SECOND
from podium.model.budget import Budget
from podium.model.ruleset import rules_of
from podium.search.trace import recording
from podium.search.trace_room import BeamTraceRow

# by name: game, position, bot, nodes
SEARCHES = {
    "alpha-beta": ("wondev_woman", "seed=3", "champion", 600_000),
    "max^n": ("code_of_kutulu", "seed=2", "maxn", 150_000),
    "MCTS": ("zuniq", "E5v A2h B3h C4v", "champion", 20_000),
    "PUCT": ("zuniq", "E5v A2h B3h C4v", "alphazero", 6_000),
    "beam": ("fall_challenge_2020", "seed=1", "champion:width=4000,opponent_width=2000", 1_000_000),
    "decoupled UCT": ("fall_challenge_2020", "seed=1", "duct", 60_000),
    "Smitsimax": ("code_of_kutulu", "seed=2", "smitsimax", 30_000),
}
# what makes a trace after a search
MAKERS = (
    ("alphabeta", "trace_of_iterations"),
    ("maxn", "MaxN._trace"),
    ("tree_search", "tree_trace"),
    ("beam", "Beam._trace"),
    ("decoupled", "decoupled_trace"),
    ("smitsimax", "smitsimax_trace"),
)


@dataclass(frozen=True)
class Cost:
    """The rates of a search, in nodes a second, and what its trace took to make."""

    search: str
    without: float
    traced: float
    ratio: float  # the median over pairs of runs
    rows: int
    making: float  # seconds


@contextmanager
def makers_timed(spent: list[int]) -> Iterator[None]:
    """Add the nanoseconds that traces take to make to the only element of `spent`."""

    def timed(make: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*given: Any, **named: Any) -> Any:
            start = thread_time_ns()
            try:
                return make(*given, **named)
            finally:
                spent[0] += thread_time_ns() - start

        return wrapper

    patches = []
    for module, path in MAKERS:
        owner: Any = importlib.import_module(f"podium.search.{module}")
        *classes, name = path.split(".")
        for each in classes:
            owner = getattr(owner, each)
        patches.append(patch.object(owner, name, timed(getattr(owner, name))))
    for made in patches:
        made.start()
    try:
        yield
    finally:
        for made in patches:
            made.stop()


def new_bot(game: str, position: str, name: str) -> ViewBot:
    """A bot that knows a position and has not searched yet."""
    rules = load(game)
    state = rules.position(rules.words_of(position))
    seat = rules.mover(state)
    _, bot = thinking_bot(rules, name)
    assert rules.view
    bot.view = type(rules.view()).of(rules_of(rules).seen(state, seat), seat)
    return bot


def one_run(game: str, position: str, name: str, nodes: int, traced: bool) -> tuple[float, int, float]:
    """A decision: its rate, the rows of its trace, and the seconds that the trace took to make."""
    bot, spent, rows = new_bot(game, position, name), [0], 0
    if not traced:
        start = thread_time_ns()
        bot.choose(Budget(nodes=nodes))
        elapsed = thread_time_ns() - start
    else:
        with recording() as traces, makers_timed(spent):
            traces.room(), traces.room(BeamTraceRow), traces.log()  # so that the search does not wait for the memory
            start = thread_time_ns()
            bot.choose(Budget(nodes=nodes))
            elapsed = thread_time_ns() - start - spent[0]
            rows = len(traces[-1])
    assert bot.thoughts
    return bot.thoughts.nodes / (elapsed / SECOND), rows, spent[0] / SECOND


def measure(search: str, rounds: int) -> Cost:
    """Runs without and with a trace, in turn; the first of each is not counted."""
    pairs = []
    for number in range(rounds + 1):
        order = (False, True) if number % 2 else (True, False)
        pairs.append({traced: one_run(*SEARCHES[search], traced) for traced in order})
    pairs = pairs[1:]
    return Cost(
        search,
        median(pair[False][0] for pair in pairs),
        median(pair[True][0] for pair in pairs),
        median(pair[True][0] / pair[False][0] for pair in pairs),
        pairs[0][True][1],
        median(pair[True][2] for pair in pairs),
    )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SEARCHES)} (default: all)")
    options.add_argument("--rounds", type=int, default=9, help="pairs of runs (default: 9)")
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    given = options.parse_args()
    if unknown := set(given.names) - {*SEARCHES}:
        options.error(f"there is no search {', '.join(sorted(unknown))}; there are {', '.join(SEARCHES)}")
    costs = [measure(name, given.rounds) for name in given.names or SEARCHES]
    if given.json:
        print_json({"costs": [asdict(cost) for cost in costs]})
        return
    rows = [
        (
            cost.search,
            three_digits(cost.without),
            three_digits(cost.traced),
            f"{cost.ratio:.3f}",
            f"{cost.rows:,}",
            f"{1000 * cost.making:.0f} ms",
        )
        for cost in costs
    ]
    print_table(("search", "without", "with a trace", "ratio", "rows", "to make it"), rows, "nodes a second")


if __name__ == "__main__":
    main()
