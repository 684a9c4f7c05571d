"""How long a program waited for a processor that others had: what the machine took from an answer.

Linux counts it for every thread (`schedstat`: time on a processor, time in the queue for one, times it was put on one).
Where that is not told, nothing is known, and nothing is excused.
"""

import os
from functools import cache
from threading import get_native_id

from podium.kernel.clock import MILLISECOND

LONGEST = 100  # bytes of the file


class Queue:
    """The queue for a processor, as one thread has known it; that of a program is its first one."""

    def __init__(self, thread: str) -> None:
        """Watch `thread-self`, or a process by its number."""
        try:
            self._file: int | None = os.open(f"/proc/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = None

    def waited(self) -> float:
        """How many ms it has waited so far; 0 where nobody knows."""
        if self._file is None:
            return 0.0
        try:
            return int(os.pread(self._file, LONGEST, 0).split()[1]) / MILLISECOND
        except (OSError, ValueError, IndexError):  # it has ended
            return 0.0

    def close(self) -> None:
        """Look no more; closing it again does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


@cache
def _queue_of(thread: int) -> Queue:
    return Queue("thread-self")


def own_waiting() -> float:
    """How many ms the present thread has waited so far."""
    return _queue_of(get_native_id()).waited()


def taken_away(before: float, after: float) -> float:
    """What was waited between two looks; 0 where the second one saw nothing any more."""
    return max(0.0, after - before)
