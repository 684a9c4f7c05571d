"""What a start costs: the first answer of `podium bot GAME BOT`, which a judge's clock may count from the start on.

Each start is a process of its own whose first prompt is already waiting; it searches a single node, so that what is
measured is importing, loading compiled code and nothing else. Beside the bots two yardsticks start in turn with them,
Python alone and Python with Numba: on a busy or slow machine compare with these.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.errors import PodiumError
from podium.games.game import Game

FEWEST = 5  # starts of each
YARDSTICKS = {"python alone": "pass", "python with numba": "import numba"}
AIM = 350.0  # milliseconds of processor time
MILLISECONDS = 1000.0  # of a second


@dataclass
class Start:
    """A command, what it reads first, and what its starts cost in milliseconds."""

    name: str
    command: Sequence[str]
    prompt: str = ""
    aim: float | None = None  # of the best start's processor time
    processor: list[float] = field(default_factory=list)  # time of the whole process
    wall: list[float] = field(default_factory=list)  # time until the answer is there

    @property
    def reached(self) -> bool | None:
        """Whether the aim is reached; None where there is none."""
        return None if self.aim is None else min(self.processor) <= self.aim

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "starts": len(self.processor),
            "processor_ms": {"best": min(self.processor), "median": statistics.median(self.processor)},
            "wall_ms": {"best": min(self.wall), "median": statistics.median(self.wall)},
            "aim_ms": self.aim,
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
    """The yardsticks, and a bot of each game."""
    found = [Start(name, (sys.executable, "-c", code)) for name, code in YARDSTICKS.items()]
    for game in games:
        prompt = "".join(f"{line}\n" for line in game.new_referee(1).requests()[0].lines)
        command = (sys.executable, "-m", "podium", "bot", game.name, bot, "--nodes", "1")
        found.append(Start(game.name, command, prompt, AIM))
    return found


def measure(starts: Sequence[Start], seconds: float, look: Callable[[str], None] = lambda name: None) -> None:
    """Start all in turn, each for about so many seconds altogether, after once that does not count: it may compile."""
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
