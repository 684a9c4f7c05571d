"""The compiler, imported when something has to be compiled.

Importing Numba takes longer than all the rest of a bot's start. Most processes need it anyway and import it with the
first kernel. A process that only plays, as `podium bot` does, asks for a quick start (PODIUM_QUICK=1): its kernels run
from ready code (`podium.kernel.ready`), and the compiler comes when there is none. Whoever wants to tell the compiler
something therefore does so in a function that is called when it is there:

    @when_compiling
    def tell_the_clock() -> None:
        from numba.extending import overload

        @overload(now)
        def _now(): ...
"""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

# Settings of Numba may change what code has to be like, and ready code knows only one way.
QUICK = os.environ.get("PODIUM_QUICK") == "1" and not any(name.startswith("NUMBA_") for name in os.environ)

Tell = Callable[[], None]

_waiting: list[Tell] = []
_arrived: list[Any] = []  # the module, once it is there


def when_compiling(tell: Tell) -> Tell:
    """Decorate what tells the compiler something: it is called now, or when the compiler is there."""
    if QUICK and not _arrived:
        _waiting.append(tell)
    else:
        tell()
    return tell


def compiler() -> Any:
    """The module `podium.kernel.compiler`, with everything told that was to be told."""
    if not _arrived:
        _arrived.append(import_module("podium.kernel.compiler"))
        while _waiting:
            _waiting.pop(0)()
    return _arrived[0]
