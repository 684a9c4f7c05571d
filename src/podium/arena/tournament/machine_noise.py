"""The noise of this machine: is it quiet enough for the chosen time limits?

A bot that is not running cannot think. A loop that only reads the clock shows how long and how often the machine takes
the processor away; run on every worker at once, it shows what games at that many jobs will suffer.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from podium.arena.processes.system import cores
from podium.arena.stats.intervals import Z, rank_points
from podium.arena.store.game_row import GameRow
from podium.kernel.clock import MILLISECOND, SECOND

GAP = MILLISECOND  # between two looks at the clock that count as a stall
SPIN_SECONDS = 1.0
TOLERATED = 0.1  # the share of a time limit that a stall may take


@dataclass(frozen=True)
class Stalls:
    """The stalls of a program that wants to run."""

    worst: float  # ms, the longest stall
    lost: float  # share of the time spent in stalls


def spin(seconds: float = SPIN_SECONDS) -> Stalls:
    """Read the clock for `seconds`, and measure the gaps in which that was not possible."""
    start = last = time.perf_counter_ns()
    end = start + int(seconds * SECOND)
    worst = lost = 0
    while last < end:
        present = time.perf_counter_ns()
        gap = present - last
        if gap > GAP:
            lost += gap
            worst = max(worst, gap)
        last = present
    return Stalls(worst / MILLISECOND, lost / max(1, last - start))


def load_per_core() -> float:
    """The mean number of runnable programs per core over the last minute."""
    return os.getloadavg()[0] / cores()


def seat_scores(games: Sequence[GameRow]) -> list[tuple[float, float]]:
    """The strength of each seat, over all bots: the mean share of other seats that it beats, and its 95 % error."""
    if not games:
        return []
    scores: list[list[float]] = [[] for _ in games[0].ranks]
    for game in games:
        for seat in range(len(game.ranks)):
            scores[seat].append(rank_points(game.ranks, [other == seat for other in range(len(game.ranks))]) or 0.0)
    table = []
    for values in scores:
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        table.append((mean, Z * (variance / len(values)) ** 0.5))
    return table


def machine_warnings(stalls: Sequence[Stalls], limit: float, load: float) -> list[str]:
    """Reasons not to measure with a time limit (in ms) on this machine now; none if the limit is 0."""
    found = []
    worst = max((quiet.worst for quiet in stalls), default=0.0)
    lost = max((quiet.lost for quiet in stalls), default=0.0)
    if limit and worst > TOLERATED * limit:
        found.append(f"a stall of {worst:.0f} ms is too long for a limit of {limit:.0f} ms: expect overruns")
    if limit and lost > TOLERATED:
        found.append(f"{lost:.0%} of the processor time go to other programs: bots think less than their limit says")
    if load > 1.5:
        found.append(f"{load:.1f} programs want each core: use fewer jobs, or count nodes (--nodes)")
    return found
