"""Processes that programs leave behind, found by three marks.

* Their family: whoever descends from a program when it is to end.
* Their environment: all descendants of a program inherit a mark, in whatever session they hide; this is how
  continuous integration servers find theirs. The mark names the process of the arena, so that a later one can sweep
  what a killed one left.
* Their parent: a process of the arena adopts the orphans of its descendants (a "child subreaper" of Linux), so that
  one that cut both ties turns up as a child that nobody started.
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

MARK = "PODIUM_GAME"  # in the environment of a program and of all its children
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PROC = Path("/proc")
START_TIME = 19  # its place in /proc/PID/stat, behind the name

_prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)  # Linux has it, and nobody else
_adopting: list[set[int]] = []  # if not empty: who were children already when this process began to adopt
_started: set[int] = set()  # programs that are running


def die_with_parent() -> None:
    """For the child between fork and exec: be killed when its parent ends, however that ends."""
    if _prctl:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def can_adopt() -> bool:
    """Whether this system lets a process adopt the orphans of its descendants, and find them."""
    return _prctl is not None and PROC.is_dir()


def adopt_orphans() -> None:
    """Let this process adopt the orphans of its descendants, and kill them after each game.

    Only for a process that belongs to the arena alone: a child that somebody else starts in it would be killed too.
    """
    if not _adopting and can_adopt() and _prctl and _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
        _adopting.append(children(os.getpid()))


def new_mark() -> str:
    """A mark for a program started by this process."""
    return f"{_arena(os.getpid())}.{uuid.uuid4().hex}"


@cache
def _arena(process: int) -> str:
    return f"{process}.{_start_time(process)}"


def _start_time(process: int) -> int:
    """When a process was started, in ticks since the machine was; 0 if there is none."""
    try:
        return int((PROC / str(process) / "stat").read_text().rpartition(")")[2].split()[START_TIME])
    except (OSError, ValueError, IndexError):
        return 0


def started(process: int) -> None:
    """Note that a program runs, which is nobody's orphan."""
    _started.add(process)


def ended(process: int) -> None:
    """Note that a program has been waited for."""
    _started.discard(process)


def children(process: int) -> set[int]:
    """The children of a process, of all its threads."""
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
    """Kill those of a family that are not in the group of their program, which was killed, and all that bear its mark.

    Returns how many there were.
    """
    killed = {process for process in family if _group(process) not in (program, 0) and _kill(process)}
    return len(killed | _kill_marked(lambda value: value == mark))


def kill_adopted() -> int:
    """Kill the orphans that this process has adopted; how many there were. Nothing where it adopts none."""
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
    """The processes that Python itself starts for a pool."""
    from multiprocessing import forkserver, resource_tracker

    pids = (
        getattr(resource_tracker._resource_tracker, "_pid", None),
        getattr(forkserver._forkserver, "_forkserver_pid", None),
    )
    return {pid for pid in pids if pid}


def sweep() -> int:
    """Kill what programs of an arena left behind that is no more (it was killed itself); how many there were."""

    def is_stale(value: str) -> bool:
        process, _, rest = value.partition(".")
        time, _, _ = rest.partition(".")
        if not process.isdigit() or not time.isdigit():
            return False
        found, noted = _start_time(int(process)), int(time)
        return found != noted if noted else not found  # an arena that does not know when it was started notes 0

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
