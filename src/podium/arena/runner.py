"""Many games: one seam, the executor of the standard library, and a loop that stores what comes back.

Locally the executor is a pool of processes, one game per core; on a cluster it is the one that a Dask client gives.
A task is one game, or several where games are so short that handing them over would take longer than playing them.
"""

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

from podium.arena.cluster import dask
from podium.arena.conditions import Conditions
from podium.arena.entrants import Entrant
from podium.arena.finished import FinishedGame
from podium.arena.limits import HEARD, Allowance, Clock
from podium.arena.orphans import adopt_orphans, sweep
from podium.arena.players import Player, player, warm_process
from podium.arena.system import cores, wait_for_end
from podium.arena.work import Fixture, play_fixtures, seed_of
from podium.errors import PodiumError
from podium.games.game import Answer, Ending, Game, Referee, Request

TASK_SECONDS = 0.05  # what several games of one task may take together
MOST_IN_A_TASK = 100
LOOK_SECONDS = 0.25  # between two looks at the display
PROBE_MILLISECONDS = 10_000.0
ENDING_SECONDS = 3.0  # that workers have to end in good order


class Here(Executor):
    """Runs a task in this process, when it is submitted."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Run it now."""
        future: Future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@dataclass(frozen=True)
class Workers:
    """An executor, and how many tasks to have under way."""

    executor: Executor
    ahead: int
    name: str
    check: Callable[[], str] = str  # what to tell who waits, nothing if all is well; an error if waiting is in vain
    share: Callable[[Any], Any] = copy  # what to submit in the place of data that many tasks need: it travels once


class WorkerProcess(ForkServerProcess):
    """A worker that does not import the script that started it, as Python's own would: a script that calls
    `podium.match` needs no `if __name__ == "__main__"`, and nothing that travels to a worker is defined in it."""

    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802 - the name is Python's
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return ForkServerProcess._Popen(process)
        finally:
            sys.modules["__main__"] = script


class WorkerContext(ForkServerContext):
    """How worker processes are started: forked from a clean one that has imported what they need."""

    Process = WorkerProcess


@contextmanager
def workers(jobs: int, cluster: str = "") -> Iterator[Workers]:
    """Workers on this machine, or on a Dask cluster at an address."""
    if cluster:
        with dask(cluster) as (executor, threads, watch):
            yield Workers(executor, 2 * threads, f"{threads} Dask threads at {cluster}", watch, watch.share)
        return
    if jobs == 1:
        yield Workers(Here(), 1, "this process")
        return
    context = WorkerContext()
    context.set_forkserver_preload(["podium.arena.mortal", "podium.arena.work"])
    pool = ProcessPoolExecutor(jobs, context, _begin_worker, (os.getpid(),))
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

    One that is told while it hands over a result may have taken the lock of the pool's queue and never give it back:
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
    finished: Callable[[list[FinishedGame]], None],
    enough: Callable[[], bool],
    look: Callable[[], None],
) -> None:
    """Play games until there are no more, or enough. `finished` gets them as soon as they are there."""
    pending: dict[Future, list[Fixture]] = {}
    pace = Pace()
    try:
        while True:
            while len(pending) < team.ahead and not enough():
                task = list(islice(fixtures, pace.games()))
                if not task:
                    break
                sitting = {number: entrants[number] for fixture in task for number in fixture.bots}
                pending[team.executor.submit(play_fixtures, conditions, sitting, task)] = task
                if team.ahead == 1:
                    break
            if not pending:
                return
            done, _ = wait(pending, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                games = future.result()
                del pending[future]
                pace.add(games)
                finished(games)
            look()
            if enough():
                for future in [future for future in pending if future.cancel()]:
                    del pending[future]
    except CancelledError:  # by the client of a cluster that has lost its scheduler
        text = f"the {team.name} are gone; games finished so far are stored, the same command goes on"
        raise PodiumError(text) from None
    except BrokenProcessPool:
        playing = sorted({entrants[number].label for task in pending.values() for f in task for number in f.bots})
        raise PodiumError(
            f"a worker process died while {' and '.join(playing)} were playing (a bot of this package crashed the "
            "interpreter, or memory ran out); games finished so far are stored, the same command goes on"
        ) from None


class Pace:
    """How many games make a task."""

    def __init__(self) -> None:
        self.seconds: float | None = None  # of a game, a running mean

    def add(self, games: Sequence[FinishedGame]) -> None:
        """Learn from finished games."""
        if games:
            mean = sum(game.seconds for game in games) / len(games)
            self.seconds = mean if self.seconds is None else 0.8 * self.seconds + 0.2 * mean

    def games(self) -> int:
        """How many games to hand over together."""
        if self.seconds is None:
            return 1
        return max(1, min(MOST_IN_A_TASK, int(TASK_SECONDS / max(self.seconds, 1e-6))))


def default_jobs() -> int:
    """One game per core that this process may use."""
    return cores()


def warm(game: Game, entrants: Sequence[Entrant]) -> None:
    """Compile all that the games will need, once, before any worker starts."""
    variants = [(who.kind, dict(who.changes)) for who in entrants if not who.is_program]
    if not variants:  # the referee needs its kernels all the same
        variants = [(name, {}) for name in list(game.bots)[:1]]
    for kind, changes in variants:
        warm_process(game, kind, changes)


def probe(game: Game, entrants: Sequence[Entrant], conditions: Conditions) -> None:
    """Start every program once and ask it the first question of a game: one that cannot play ends the run here.

    So does a referee that cannot.
    """
    if game.host:
        foreign = [who.name for who in entrants if not who.is_program]
        if foreign:
            raise PodiumError(f"{game.title} runs the bots itself, so only programs can play it, not {foreign[0]}")
        return
    if any(who.is_program for who in entrants):
        sweep()
    for who in entrants:
        if not who.is_program:
            continue
        referee = game.new_referee(seed_of(1), conditions.settings)
        candidate = player(game, who, 1, conditions.memory)
        try:
            _probe(game, referee, candidate, who)
        finally:
            candidate.close(())
            referee.close()


def refuse_deaf(game: Game, entrants: Iterable[Entrant], conditions: Conditions) -> None:
    """PodiumError if a bot does not say how it is told of a game that it has not played from the start."""
    for who in entrants:
        candidate = player(game, who, 1, conditions.memory)
        try:
            if not candidate.can_follow:
                raise PodiumError(
                    f"{who.label} cannot begin in a position, since it cannot be told what was answered before it "
                    "came: give its class a method follow(lines, line)"
                )
        finally:
            candidate.close(())


def _probe(game: Game, referee: Referee, candidate: Player, who: Entrant) -> None:
    request = _first_question(referee, candidate)
    clock = Clock(Allowance(PROBE_MILLISECONDS))
    clock.start(request)
    heard = candidate.ask(request, clock)
    words = candidate.close(()) or ""
    if heard.verdict not in HEARD:
        stderr = (heard.stderr + words).strip()
        told = f"; it wrote to standard error:\n{stderr}" if stderr else ""
        raise PodiumError(f"{who.name} cannot play: {heard.verdict.value}, {heard.reason}{told}")
    with suppress(Exception):  # a referee that fails makes its games void, which their report says
        referee.answer([Answer(heard.line) if r is request else Answer(None) for r in referee.requests()])
    malformed = referee.outcome and [
        fault for fault in referee.outcome.faults if fault.seat == request.seat and fault.ending is Ending.MALFORMED
    ]
    if malformed:
        raise PodiumError(f"{who.name} does not speak the protocol of {game.title}: {malformed[0].sentence}")


def _first_question(referee: Referee, candidate: Player) -> Request:
    """The first request that wants an answer; the player is told what its seat was told before."""
    told: dict[int, list[str]] = {}
    while True:
        requests = referee.requests()
        if not requests:
            raise PodiumError("the referee ends the game before anybody is asked")
        if all(request.answers for request in requests):
            candidate.tell(told.get(requests[0].seat, []))
            return requests[0]
        for request in requests:
            told.setdefault(request.seat, []).extend(request.lines)
        referee.answer([Answer("")] * len(requests))
