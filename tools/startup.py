"""The time to the first answer of `podium bot GAME BOT`, which a judge's clock may count from the start of the process.

    python -m tools.startup [GAME ...] [--bot champion] [--seconds 2] [--json]

Each start is a new process whose first prompt is already waiting; it searches a single node, so that only imports and
the loading of compiled code are measured. Two baselines start in turn with the bots, Python alone and Python with
Numba: on a busy or slow machine compare with these.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.common import parser, print_table, three_digits

from podium.cli.console import errors, print_json
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Game

FEWEST = 5  # starts of each
BASELINES = {"python alone": "pass", "python with numba": "import numba"}
TARGET = 350.0  # ms of processor time
MILLISECONDS = 1000.0  # of a second


@dataclass
class Start:
    """A command, its first prompt, and the times of its starts in ms."""

    name: str
    command: Sequence[str]
    prompt: str = ""
    target: float | None = None  # for the processor time of the best start
    processor: list[float] = field(default_factory=list)  # time of the whole process
    wall: list[float] = field(default_factory=list)  # time until the answer is there

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None where there is none."""
        return None if self.target is None else min(self.processor) <= self.target

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "starts": len(self.processor),
            "processor_ms": {"best": min(self.processor), "median": statistics.median(self.processor)},
            "wall_ms": {"best": min(self.wall), "median": statistics.median(self.wall)},
            "target_ms": self.target,
            "reached": self.reached,
        }

    def once(self) -> tuple[float, float]:
        """Start it, wait for its answer and its end; the processor time of the process, and the time to the answer."""
        # A start that is to be quick finds the byte code of an earlier one.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        pipe = subprocess.PIPE
        begin = time.perf_counter()
        with subprocess.Popen(
            self.command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, text=True
        ) as process:
            assert process.stdin and process.stdout and process.stderr
            process.stdin.write(self.prompt)
            process.stdin.close()
            process.stdout.readline()
            wall = time.perf_counter() - begin
            complaint = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise PodiumError(f"{' '.join(self.command)} ended with {process.returncode}: {complaint.strip()}")
        return (usage.ru_utime + usage.ru_stime) * MILLISECONDS, wall * MILLISECONDS


def starts_of(games: Sequence[Game], bot: str) -> list[Start]:
    """The baselines, and a bot of each game."""
    found = [Start(name, (sys.executable, "-c", code)) for name, code in BASELINES.items()]
    for game in games:
        prompt = "".join(f"{line}\n" for line in game.new_referee(1).requests()[0].lines)
        command = (sys.executable, "-P", "-m", "podium", "bot", game.name, bot, "--nodes", "1")
        found.append(Start(game.name, command, prompt, TARGET))
    return found


def measure(starts: Sequence[Start], seconds: float, look: Callable[[str], None] = lambda name: None) -> None:
    """Start all in turn for about `seconds` each, after a first start that does not count: it may compile."""
    for start in starts:
        look(start.name)
        start.once()
    end = time.perf_counter() + seconds * len(starts)
    while len(starts[-1].processor) < FEWEST or time.perf_counter() < end:
        for start in starts:
            look(start.name)
            processor, wall = start.once()
            start.processor.append(processor)
            start.wall.append(wall)


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, 2.0, "seconds for each bot")
    options.add_argument("games", nargs="*", metavar="GAME", help="default: all games")
    options.add_argument("--bot", default="champion")
    given = options.parse_args()
    with errors.status("starting ...") as status:
        starts = starts_of([load(name) for name in given.games or names()], given.bot)
        measure(starts, given.seconds, lambda name: status.update(f"starting {name} ..."))
    if given.json:
        print_json({"starts": [start.data() for start in starts]})
        return
    words = {True: "reached", False: "missed", None: ""}
    rows = []
    for start in starts:
        data = start.data()
        figures = [data[kind][which] for kind in ("processor_ms", "wall_ms") for which in ("best", "median")]
        target = "" if start.target is None else f"<= {start.target:g}"
        rows.append((start.name, *map(three_digits, figures), target, words[start.reached]))
    columns = ("start of", "CPU ms, best", "CPU ms, median", "wall ms, best", "wall ms, median", "target", "")
    print_table(columns, rows, "time to the first answer of podium bot")


if __name__ == "__main__":
    main()
