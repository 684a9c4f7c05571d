"""A referee's process: it dies with the arena, and leaves nothing behind."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from podium.arena import orphans
from podium.arena.signals import signals_held_back
from podium.referees.messages import ForeignError


class RefereeProcess:
    """A program in a session of its own, behind pipes. The caller ends it."""

    def __init__(self, argv: Sequence[str], listens: bool = True) -> None:
        """Start it; ForeignError if it cannot start. One that does not listen has an empty standard input."""
        self.mark = orphans.new_mark()
        self._ended = False
        try:
            with signals_held_back():
                self.popen = subprocess.Popen(
                    list(argv),
                    stdin=subprocess.PIPE if listens else subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env={**os.environ, orphans.MARK: self.mark},
                    start_new_session=True,
                    preexec_fn=orphans.die_with_parent,
                )
                orphans.started(self.popen.pid)
        except OSError as error:
            raise ForeignError(f"cannot start {argv[0]}: {error.strerror or error}") from None

    @property
    def pid(self) -> int:
        """Its number."""
        return self.popen.pid

    def end(self) -> None:
        """Kill it with all its children; ending it again does nothing."""
        if self._ended:
            return
        self._ended = True
        family = orphans.descendants(self.pid) if self.popen.returncode is None else set()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self.popen.wait()
        orphans.ended(self.pid)
        orphans.kill_left_behind(self.pid, self.mark, family)
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if pipe:
                with suppress(OSError):
                    pipe.close()
