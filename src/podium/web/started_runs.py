"""Runs that pages have started: each is played by a process of its own (`run_process.py`) until it is done or stopped.

The runs are those of the store. A page that is closed changes nothing; the server ends its runs when it ends, and the
same request goes on with a run later.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium.errors import PodiumError

MOST_RUNS = 2  # that are played at the same time
START_SECONDS = 60.0  # in which a run has to be found in the store, or made
STOP_SECONDS = 20.0  # in which its games have to end


@dataclass
class StartedRun:
    """A run that is being played."""

    number: int
    process: subprocess.Popen[str]
    problem: str = ""  # why it ended, if it did not end by itself

    @property
    def is_playing(self) -> bool:
        """Whether its process is still there."""
        return self.process.poll() is None

    def listen(self) -> None:
        """Keep what the process says until it ends."""
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                self.problem = json.loads(line).get("error", "")
        self.process.wait()


class StartedRuns:
    """The runs that the pages of a server have started."""

    def __init__(self) -> None:
        self._runs: dict[int, StartedRun] = {}  # by their numbers in the store
        self._lock = threading.Lock()

    def start(self, wish: Mapping[str, Any]) -> int:
        """Start a run, or go on with it; returns its number. Raises a PodiumError if it cannot be played."""
        with self._lock:
            if len(self.playing()) >= MOST_RUNS:
                raise PodiumError(f"{MOST_RUNS} runs are being played already; stop one of them first")
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "podium.web.run_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            number = self._number(process, wish)
            found = self._runs[number] = StartedRun(number, process)
        threading.Thread(target=found.listen, daemon=True).start()
        return number

    def _number(self, process: subprocess.Popen[str], wish: Mapping[str, Any]) -> int:
        """Tell a process what to play; the number of the run that it answers with."""
        assert process.stdin and process.stdout
        late = threading.Timer(START_SECONDS, process.kill)
        late.start()
        try:
            process.stdin.write(json.dumps(wish) + "\n")
            process.stdin.close()
            told = json.loads(process.stdout.readline() or "{}")
        except OSError:
            told = {}
        finally:
            late.cancel()
        if "run" not in told:
            process.kill()
            process.wait()
            process.stdout.close()
            raise PodiumError(told.get("error") or "the run could not be started")
        return int(told["run"])

    def stop(self, number: int) -> None:
        """End a run; all games that have ended stay in the store."""
        found = self._runs.get(number)
        if found is None or not found.is_playing:
            raise PodiumError(f"r{number} is not played by this server")
        end(found.process)

    def playing(self) -> list[int]:
        """The runs that are being played."""
        return [number for number, run in self._runs.items() if run.is_playing]

    def problem(self, number: int) -> str:
        """Why a run ended that did not end by itself."""
        return self._runs[number].problem if number in self._runs else ""

    def close(self) -> None:
        """End all runs, whose games are kept."""
        for number in self.playing():
            end(self._runs[number].process)


def end(process: subprocess.Popen[str]) -> None:
    """End a process in good order, or at once if it does not."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
