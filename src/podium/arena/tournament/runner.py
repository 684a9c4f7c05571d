"""Playing many games in parallel through an executor of the standard library.

Locally the executor is a pool of processes, one game per core; on a cluster it is the one that a Dask client gives.
A task is one game, or several where games are so short that handing them over would take longer than playing them.
"""

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.process import BaseProcess
from typing import Any

from podium.arena.entrants.entrant import Entrant
from podium.arena.game.conditions import Conditions
from podium.arena.processes.fork_server import worker_context
from podium.arena.processes.reaper import adopt_orphans
from podium.arena.processes.system import cores, wait_for_end
from podium.arena.store.game_row import GameRow
from podium.arena.tournament.cluster import dask
from podium.arena.tournament.worker import Fixture, play_fixtures
from podium.errors import PodiumError

TASK_SECONDS = 0.05  # what several games of one task may take together
MOST_IN_A_TASK = 100
POLL_SECONDS = 0.25  # between two calls of the progress callback
ENDING_SECONDS = 3.0  # that workers have to end in good order


class InProcessExecutor(Executor):
    """An executor that runs each task in this process, at once."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the function now; its result or exception is in the returned future."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True)
class Workers:
    """An executor, and how many tasks to keep submitted."""

    executor: Executor
    ahead: int
    name: str
    check: Callable[[], str] = str  # status for the progress line, "" if healthy; raises if the workers are lost
    share: Callable[[Any], Any] = copy  # wraps data that many tasks need, so that it is sent once
    remote: bool = False  # workers may be on other machines, without the files of this one


@contextmanager
def workers(jobs: int, cluster: str = "") -> Iterator[Workers]:
    """Workers on this machine, or on a Dask cluster at an address."""
    if cluster:
        with dask(cluster) as (executor, threads, watch):
            yield Workers(executor, 2 * threads, f"Dask cluster at {cluster}", watch, watch.share, True)
        return
    if jobs == 1:
        yield Workers(InProcessExecutor(), 1, "this process")
        return
    pool = ProcessPoolExecutor(jobs, worker_context(), _begin_worker, (os.getpid(),))
    try:
        yield Workers(pool, 2 * jobs, f"{jobs} processes")
    except BaseException:
        # interrupted, or an error: what is being played now is not waited for
        pool.shutdown(wait=False, cancel_futures=True)
        _end_all(active_children())
        raise
    pool.shutdown(wait=True, cancel_futures=True)


def _end_all(processes: Sequence[BaseProcess]) -> None:
    """Tell workers to end in good order, and kill those that do not.

    A worker that is terminated while it hands over a result may hold the lock of the pool's queue for ever:
    all others then wait for it, and the pool for them.
    """
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + ENDING_SECONDS
    waiting: dict[Any, BaseProcess] = {process.sentinel: process for process in processes}
    while waiting and (left := deadline - time.monotonic()) > 0:
        for sentinel in wait_for_any(list(waiting), left):
            del waiting[sentinel]
    for process in waiting.values():
        process.kill()


def _begin_worker(master: int) -> None:
    """A worker leaves Ctrl-C to its master, ends in good order when told to, and never outlives its master."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end_worker)
    adopt_orphans()
    threading.Thread(target=_die_with, args=(master,), daemon=True).start()


def _die_with(master: int) -> None:
    """Wait for the end of a process, then end this one; programs that it started are killed with it."""
    if hasattr(os, "pidfd_open"):
        poll = select.poll()
        with suppress(ProcessLookupError):  # it has ended already, before this worker was up
            poll.register(os.pidfd_open(master), select.POLLIN)
            poll.poll()
    else:
        wait_for_end(master)
    os.kill(os.getpid(), signal.SIGKILL)


def _end_worker(number: int, frame: Any) -> None:
    # an exception and not an exit: the game under way closes its programs
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + number)


def play_all(
    team: Workers,
    conditions: Conditions,
    entrants: Mapping[int, Entrant],
    fixtures: Iterator[Fixture],
    finished: Callable[[list[GameRow]], None],
    enough: Callable[[], bool],
    look: Callable[[], None],
) -> None:
    """Play games until there are no more or `enough()` is true; `finished` gets them as they end."""
    pending: dict[Future[list[GameRow]], list[Fixture]] = {}
    sizer, sender = TaskSizer(), EntrantSender(team, entrants)
    try:
        while True:
            while len(pending) < team.ahead and not enough():
                task = list(islice(fixtures, sizer.games()))
                if not task:
                    break
                bots = {number: sender.sent(number) for fixture in task for number in fixture.bots}
                pending[team.executor.submit(play_fixtures, conditions, bots, task)] = task
                if team.ahead == 1:
                    break
            if not pending:
                return
            done, _ = wait(pending, POLL_SECONDS, FIRST_COMPLETED)
            for future in done:
                games = future.result()
                del pending[future]
                sizer.add(games)
                finished(games)
            look()
            if enough():
                for future in [future for future in pending if future.cancel()]:
                    del pending[future]
    except CancelledError:  # by the client of a cluster that has lost its scheduler
        text = f"the {team.name} is gone; games finished so far are stored, the same command goes on"
        raise PodiumError(text) from None
    except BrokenProcessPool:
        playing = sorted({entrants[number].label for task in pending.values() for f in task for number in f.bots})
        raise PodiumError(
            f"a worker process died while {' and '.join(playing)} were playing (a built-in bot crashed the "
            "interpreter, or memory ran out); games finished so far are stored, the same command goes on"
        ) from None


class EntrantSender:
    """Entrants as tasks get them: to other machines the files of one travel with it, once for all tasks."""

    def __init__(self, team: Workers, entrants: Mapping[int, Entrant]) -> None:
        self._team, self._entrants = team, entrants
        self._shared: dict[int, Any] = {}

    def sent(self, number: int) -> Any:
        """The entrant of a number for a task."""
        who = self._entrants[number]
        if not (self._team.remote and who.files):
            return who
        if number not in self._shared:
            self._shared[number] = self._team.share(who.packed())
        return self._shared[number]


class TaskSizer:
    """The number of games per task: more where games are so short that the overhead of a task would matter."""

    def __init__(self) -> None:
        self.seconds: float | None = None  # of a game, a running mean

    def add(self, games: Sequence[GameRow]) -> None:
        """Update the mean duration from finished games."""
        if games:
            mean = sum(game.seconds for game in games) / len(games)
            self.seconds = mean if self.seconds is None else 0.8 * self.seconds + 0.2 * mean

    def games(self) -> int:
        """The number of games for the next task."""
        if self.seconds is None:
            return 1
        return max(1, min(MOST_IN_A_TASK, int(TASK_SECONDS / max(self.seconds, 1e-6))))


def jobs_of(jobs: int) -> int:
    """A number of parallel games or processes; 0 stands for one per core that this process may use."""
    return jobs or cores()
