"""A learner's tasks on workers: here or on a cluster, with those who look on told how far they are."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from podium.arena.runner import LOOK_SECONDS, Workers
from podium.errors import PodiumError

Look = Callable[[str, int, int], None]  # gets what is being done, how much of it is done, and of how much


@dataclass
class Progress:
    """How far something is that takes many tasks."""

    look: Look
    doing: str
    of: int
    done: int = 0

    def add(self, done: int) -> None:
        """So much more is done."""
        self.done += done
        self.tell()

    def tell(self, notice: str = "") -> None:
        """Tell who looks on, with what else they should know."""
        self.look(f"{self.doing} ({notice})" if notice else self.doing, self.done, self.of)


def run_all(
    team: Workers, function: Callable[[Any, Any], Any], tasks: Iterable[tuple[int, Any]], needed: Any, way: Progress
) -> Iterator[tuple[int, Any]]:
    """The results of numbered tasks as they come, with a few under way at a time; what all need travels once."""
    shared = team.share(needed)
    pending: dict[Future, int] = {}
    waiting = iter(tasks)
    while True:
        while len(pending) < team.ahead and (task := next(waiting, None)) is not None:
            pending[team.executor.submit(function, task[1], shared)] = task[0]
        if not pending:
            return
        finished, _ = wait(pending, LOOK_SECONDS, FIRST_COMPLETED)
        if notice := team.check():
            way.tell(notice)
        for future in finished:
            if future.cancelled():  # by the client of a cluster that has lost its scheduler
                raise PodiumError(f"the {team.name} are gone; the same command goes on")
            yield pending.pop(future), future.result()
