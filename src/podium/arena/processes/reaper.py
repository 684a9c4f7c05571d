"""Finds and kills the processes that programs leave behind, by three traces; `Program.close` calls it.

* Family: the descendants of a program when it is about to be ended.
* Environment: all descendants of a program inherit a variable, also in another session; continuous integration servers
  find theirs the same way. Its value names the process of the arena, so that a later arena can sweep what a killed one
  left.
* Parent: a process of the arena adopts the orphans of its descendants (a "child subreaper" of Linux), so that one
  without the other two traces appears as a child that the arena did not start.
"""

import ctypes
import os
import signal
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing import active_children
from pathlib import Path

MARK = "PODIUM_GAME"  # the variable in the environment of a program and its descendants
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PROC = Path("/proc")
START_TIME = 19  # index of the field in /proc/PID/stat, counted after the name

_prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)  # only Linux has it
_adopting: list[set[int]] = []  # if not empty: the children that this process had when it began to adopt
_started: set[int] = set()  # running programs of the arena


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends, for whatever reason; for a child right after its fork."""
    if _prctl:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def can_adopt() -> bool:
    """Whether a process can adopt the orphans of its descendants on this system, and find them."""
    return _prctl is not None and PROC.is_dir()


def adopt_orphans() -> None:
    """Let this process adopt the orphans of its descendants; `kill_adopted` then kills them after each game.

    Only for a process that runs nothing but the arena: children started by other code would be killed too.
    """
    if not _adopting and can_adopt() and _prctl and _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
        _adopting.append(children(os.getpid()))


def new_mark() -> str:
    """A value of MARK for a program that this process starts."""
    return f"{_arena(os.getpid())}.{uuid.uuid4().hex}"


@cache
def _arena(process: int) -> str:
    return f"{process}.{_start_time(process)}"


def _start_time(process: int) -> int:
    """The start time of a process in ticks since boot; 0 if there is no such process."""
    try:
        return int((PROC / str(process) / "stat").read_text().rpartition(")")[2].split()[START_TIME])
    except (OSError, ValueError, IndexError):
        return 0


def register(process: int) -> None:
    """Register a running program, so that it is not taken for an orphan."""
    _started.add(process)


def unregister(process: int) -> None:
    """Unregister a program that has ended."""
    _started.discard(process)


def children(process: int) -> set[int]:
    """The children of all threads of a process."""
    found: set[int] = set()
    for file in (PROC / str(process) / "task").glob("*/children"):
        with suppress(OSError, ValueError):
            found |= {int(word) for word in file.read_text().split()}
    return found


def descendants(process: int) -> set[int]:
    """The children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = [process]
    while waiting:
        fresh = children(waiting.pop()) - found
        found |= fresh
        waiting += fresh
    return found


def _group(process: int) -> int:
    try:
        return os.getpgid(process)
    except OSError:
        return 0


def kill_left_behind(program: int, mark: str, family: set[int]) -> int:
    """Kill the descendants outside the program's process group, which was killed, and all that carry its mark.

    Returns the number of killed processes.
    """
    killed = {process for process in family if _group(process) not in (program, 0) and _kill(process)}
    return len(killed | _kill_marked(lambda value: value == mark))


def kill_adopted() -> int:
    """Kill the orphans that this process has adopted, and return their number; 0 if it does not adopt."""
    if not _adopting:
        return 0
    own = _adopting[0] | _started | {process.pid for process in active_children() if process.pid}
    killed = 0
    for process in children(os.getpid()) - own - _helpers():
        killed += _kill(process)
        with suppress(ChildProcessError):
            os.waitpid(process, 0)
    return killed


def _helpers() -> set[int]:
    """The helper processes that Python itself starts for a pool."""
    from multiprocessing import forkserver, resource_tracker

    pids = (
        getattr(resource_tracker._resource_tracker, "_pid", None),
        getattr(forkserver._forkserver, "_forkserver_pid", None),
    )
    return {pid for pid in pids if pid}


def sweep() -> int:
    """Kill what the programs of an arena left behind that was itself killed; returns the number of processes."""

    def is_stale(value: str) -> bool:
        process, _, rest = value.partition(".")
        time, _, _ = rest.partition(".")
        if not process.isdigit() or not time.isdigit():
            return False
        found, noted = _start_time(int(process)), int(time)
        return found != noted if noted else not found  # 0: the arena did not know its own start time

    return len(_kill_marked(is_stale))


def _kill_marked(wanted: Callable[[str], bool]) -> set[int]:
    killed = set()
    head = f"{MARK}=".encode()
    for name in os.listdir(PROC) if PROC.is_dir() else ():
        if name.isdigit():
            with suppress(OSError):
                environment = (PROC / name / "environ").read_bytes()
                if head in environment:
                    value = environment.partition(head)[2].partition(b"\0")[0].decode("ascii", "replace")
                    if wanted(value) and _kill(int(name)):
                        killed.add(int(name))
    return killed


def _kill(process: int) -> bool:
    try:
        os.kill(process, signal.SIGKILL)
    except OSError:
        return False
    return True
