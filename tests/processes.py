"""Starting the program under test as a terminal would, and waiting for what it does."""

import os
import signal
import time
from pathlib import Path

PATIENCE = 120.0  # seconds; a loaded machine may need most of them


def as_in_a_terminal():
    """For `preexec_fn`: Ctrl-C is heard, also when the tests themselves run in the background, where it is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until(condition):
    """Wait for something that comes soon on a quiet machine."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def worked(pid):
    """The processor time of a process so far, in seconds: how far it has come, however busy the machine is."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
