"""The compiler, imported when something has to be compiled.

Importing Numba takes longer than all the rest of a bot's start. Most processes need it anyway and import it with the
first kernel. A process that only plays, as `podium bot` does, asks for a quick start (PODIUM_QUICK=1): its kernels run
from ahead-of-time code (`podium.kernel.aot`), and Numba is imported only if there is none. Register Numba extensions
in a function decorated with `@when_compiling`; it runs once Numba is imported:

    @when_compiling
    def register_clock() -> None:
        from podium.kernel.numba_internals import overload

        @overload(now)
        def _now(): ...
"""

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FunctionType
from typing import Any

from podium.errors import PodiumError

REMEDY = "install one that it declares, for example with pip install --upgrade podium"
# Settings of Numba may change the code that it makes; ahead-of-time code exists for the default settings only.
QUICK = os.environ.get("PODIUM_QUICK") == "1" and not any(name.startswith("NUMBA_") for name in os.environ)

Extension = Callable[[], None]

_extensions: dict[str, dict[str, FunctionType]] = {}  # by module, by name; the last one of a name counts
_waiting: list[Extension] = []
_imported: list[Any] = []  # the module `podium.kernel.compiler`, once it is imported


def when_compiling(extension: Extension) -> Extension:
    """Decorate a function that registers something with Numba: it is called now, or once Numba is imported."""
    if isinstance(extension, FunctionType) and "<locals>" not in extension.__qualname__:
        _extensions.setdefault(extension.__module__, {})[extension.__qualname__] = extension
    if QUICK and not _imported:
        _waiting.append(extension)
    else:
        extension()
    return extension


def extensions_of(module: str) -> Sequence[FunctionType]:
    """The functions of a module that register something with Numba."""
    return tuple(_extensions.get(module, {}).values())


def compiler() -> Any:
    """The module `podium.kernel.compiler`, after everything that waited for Numba has been registered."""
    if not _imported:
        try:
            _imported.append(import_module("podium.kernel.compiler"))
        except (ImportError, AttributeError) as error:
            raise PodiumError(f"Podium does not run with this version of Numba ({error}): {REMEDY}") from error
        while _waiting:
            _waiting.pop(0)()
    return _imported[0]


def is_imported() -> bool:
    """Whether the compiler has been imported."""
    return bool(_imported)
