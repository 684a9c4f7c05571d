"""Signals that ask this process to end, held back while something is done that must not be left half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)  # the alarm repeats one of the others


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Note signals that ask this process to end, and obey them afterwards.

    One that came while a program is started would fall into Python code of the child between fork and exec and be lost
    for the arena, or leave a program behind that nobody knows of. (Blocking them would not do: the kernel gives a
    signal to any thread that takes it, and Python then runs its handler in the main one.)
    """
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread alone
        yield
        return
    noted: list[int] = []
    usual = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    for number in usual:
        signal.signal(number, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
        for came in noted:
            signal.raise_signal(came)


def signal_name(number: int) -> str:
    """The name of a signal; not every number has one."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
