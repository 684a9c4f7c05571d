"""What the operating system offers, and what is done where it does not.

The arena is at home on Linux. Elsewhere (macOS) matches of bots in this process and of programs work too; what is
missing is done by simpler means, or left out, which one sentence says.
"""

import os
import subprocess
import sys
import threading
import time

from podium.arena import orphans

LOOK_SECONDS = 1.0  # between two looks whether a process lives, where nothing tells


def cores() -> int:
    """How many processors this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def end_of(program: "subprocess.Popen[bytes]") -> int:
    """A descriptor that can be read once a program has ended; the caller closes it."""
    if hasattr(os, "pidfd_open"):
        return os.pidfd_open(program.pid)
    ours, theirs = os.pipe()

    def wait() -> None:
        program.wait()
        os.close(theirs)

    threading.Thread(target=wait, daemon=True).start()
    return ours


def wait_for_end(process: int) -> None:
    """Wait until a process has ended that need not be a child of this one."""
    while is_alive(process):
        time.sleep(LOOK_SECONDS)


def is_alive(process: int) -> bool:
    """Whether there is a process of that number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def caveats() -> list[str]:
    """What this system cannot do for matches with programs, in one sentence at most."""
    missing = [] if orphans.can_adopt() else ["kill all that programs leave behind when they hide it"]
    missing += [] if orphans.PROC.is_dir() else ["tell how long programs waited for a processor"]
    if not missing:
        return []
    return [f"this system ({sys.platform}) is not Linux: the arena cannot {' nor '.join(missing)}"]
