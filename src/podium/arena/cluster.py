"""Games on a Dask cluster: the executor that a Dask client gives, and what to say when the cluster is in trouble.

Who can reach a Dask scheduler can run any code on its workers: its network must be trusted.
"""

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
        """What to tell who waits; nothing while all is well. A PodiumError if the scheduler is gone for good."""
        if self.client.status == "running":
            self._lost = None
            return "" if self.client.scheduler_info()["workers"] else self._no_workers()
        present = time.monotonic()
        self._lost = self._lost or present
        if self.client.status == "closed" or present - self._lost > LOST_SECONDS:
            raise PodiumError(
                f"the Dask scheduler at {self.address} is gone; games finished so far are stored, the same command "
                "goes on"
            )
        return f"the connection to the Dask scheduler at {self.address} is lost; trying again"

    def share(self, data: Any) -> Any:
        """What to give to tasks in the place of data that many need: it travels to each worker once.

        It is the result of a task and not scattered: if the last worker that has it is lost, the scheduler makes it
        anew, where scattered data would be gone and all tasks with it.
        """
        return self.client.submit(_itself, data, pure=False)

    def _no_workers(self) -> str:
        return f"the cluster at {self.address} has no workers left; games go on when some come back"


def _itself(data: Any) -> Any:
    return data


@contextmanager
def dask(address: str) -> Iterator[tuple[Executor, int, ClusterWatch]]:
    """The executor of a Dask cluster, its number of threads, and who watches it."""
    try:
        from distributed import Client
    except ImportError:
        raise PodiumError("--cluster needs Dask: pip install 'podium[cluster]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except Exception as error:  # of many kinds: an address that is none, no answer, encryption without certificates
        raise PodiumError(f"cannot reach a Dask scheduler at {address}: {type(error).__name__}: {error}") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise PodiumError(f"the cluster at {address} has no workers")
        # games are played once: the same task submitted again is another game for the schedule, never a cached one
        yield client.get_executor(pure=False), threads, ClusterWatch(client, address)
