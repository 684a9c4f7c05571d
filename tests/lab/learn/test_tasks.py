"""Tasks on workers: results as they come, and the messages when something fails."""

from concurrent.futures import Executor, Future

import pytest

from podium.arena.tournament.runner import InProcessExecutor, Workers
from podium.errors import PodiumError
from podium.lab.learn.tasks import Progress, run_all


class Gone(Executor):
    """A cluster that has lost its scheduler."""

    def submit(self, function, /, *args, **kwargs):
        future = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def results(team, tasks, look=lambda *_: None):
    return dict(run_all(team, lambda task, needed: task + needed, enumerate(tasks), 100, Progress(look, "adding", 9)))


def test_every_task_has_its_result():
    assert results(Workers(InProcessExecutor(), 2, "this process"), [1, 2, 3]) == {0: 101, 1: 102, 2: 103}


def test_a_cluster_that_is_gone_is_a_sentence():
    with pytest.raises(PodiumError, match="the cluster is gone; the same command goes on"):
        results(Workers(Gone(), 2, "cluster"), [1, 2, 3])


def test_who_looks_on_is_told_of_trouble():
    told = []
    team = Workers(InProcessExecutor(), 1, "a cluster", check=lambda: "no workers left")
    results(team, [1], lambda *seen: told.append(seen))
    assert told == [("adding (no workers left)", 0, 9)]


def test_waiting_in_vain_is_an_error():
    def gone():
        raise PodiumError("the scheduler is gone")

    with pytest.raises(PodiumError, match="gone"):
        results(Workers(InProcessExecutor(), 1, "a cluster", check=gone), [1])
