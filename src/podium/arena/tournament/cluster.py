"""Games on a Dask cluster: its executor, and messages when the cluster has problems.

Anyone who can reach a Dask scheduler can run any code on its workers: its network must be trusted.
"""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from podium.errors import PodiumError

CONNECT_SECONDS = 10
LOST_SECONDS = 15.0  # without a scheduler, and the run ends; what was played is stored


class ClusterWatch:
    """Watches a cluster while games are under way."""

    def __init__(self, client: Any, address: str) -> None:
        self.client, self.address = client, address
        self._lost: float | None = None  # since when there is no scheduler

    def __call__(self) -> str:
        """Status for the progress line, "" if healthy; a PodiumError if the scheduler is lost."""
        if self.client.status == "running":
            self._lost = None
            return "" if self.client.scheduler_info()["workers"] else self._no_workers()
        present = time.monotonic()
        self._lost = self._lost or present
        if self.client.status == "closed" or present - self._lost > LOST_SECONDS:
            raise PodiumError(
                f"the Dask scheduler at {self.address} is gone; games finished so far are stored, the same command "
                "continues"
            )
        return f"the connection to the Dask scheduler at {self.address} is lost; trying again"

    def share(self, data: Any) -> Any:
        """A handle to data that many tasks need, so that it is sent to each worker once.

        It is the result of a task and not scattered: if the last worker that holds it is lost, the scheduler computes
        it again, where scattered data would be lost, and all tasks with it.
        """
        return self.client.submit(_itself, data, pure=False)

    def _no_workers(self) -> str:
        return f"the cluster at {self.address} has no workers left; waiting for new ones"


def _itself(data: Any) -> Any:
    return data


@contextmanager
def silent_loggers(*packages: str) -> Iterator[None]:
    """Nothing that the loggers of some packages say is printed meanwhile: users read a sentence, not a traceback."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in packages]
    loggers = [logger for logger in map(logging.getLogger, names) if not logger.disabled]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


@contextmanager
def dask(address: str) -> Iterator[tuple[Executor, int, ClusterWatch]]:
    """The executor of a Dask cluster, its number of threads, and its watch."""
    try:
        from distributed import Client
    except ImportError:
        raise PodiumError("--cluster needs Dask: pip install 'podium[cluster]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except Exception as error:  # of many kinds: an address that is none, no answer, encryption without certificates
        raise PodiumError(f"cannot reach a Dask scheduler at {address}: {error or type(error).__name__}") from None
    with silent_loggers("distributed", "tornado"), client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise PodiumError(f"the cluster at {address} has no workers")
        # games are played once: the same task submitted again is another game for the schedule, never a cached one
        yield client.get_executor(pure=False), threads, ClusterWatch(client, address)
