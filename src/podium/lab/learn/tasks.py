"""Tasks of a learner on workers, here or on a cluster, with their progress."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any

from podium.arena.tournament.runner import POLL_SECONDS, Workers
from podium.errors import PodiumError

ProgressCallback = Callable[[str, int, int], None]  # (what is being done, how much of it is done, the total)


@dataclass
class Progress:
    """How much of something that takes many tasks is done."""

    report: ProgressCallback
    doing: str
    of: int
    done: int = 0

    def add(self, done: int) -> None:
        """Count what was done since, and report it."""
        self.done += done
        self.tell()

    def tell(self, notice: str = "") -> None:
        """Report the progress, with a notice about the workers."""
        self.report(f"{self.doing} ({notice})" if notice else self.doing, self.done, self.of)


def run_all(
    workers: Workers,
    function: Callable[[Any, Any], Any],
    tasks: Iterable[tuple[int, Any]],
    shared_argument: Any,
    progress: Progress,
) -> Iterator[tuple[int, Any]]:
    """Run numbered tasks, a few at a time; their results in the order of completion.

    `shared_argument` is the second argument of every call; it travels to each worker once.
    """
    shared = workers.share(shared_argument)
    pending: dict[Future[Any], int] = {}
    waiting = iter(tasks)
    while True:
        while len(pending) < workers.ahead and (task := next(waiting, None)) is not None:
            pending[workers.executor.submit(function, task[1], shared)] = task[0]
        if not pending:
            return
        finished, _ = wait(pending, POLL_SECONDS, FIRST_COMPLETED)
        if notice := workers.check():
            progress.tell(notice)
        for future in finished:
            if future.cancelled():  # by the client of a cluster that has lost its scheduler
                raise PodiumError(f"the {workers.name} is gone; the same command goes on")
            yield pending.pop(future), future.result()
