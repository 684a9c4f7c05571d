"""Kernels that run without the compiler, for a process that must start quickly.

Ahead-of-time code lies in the cache: the machine code of a kernel for certain types of arguments, with a trampoline in
front of it (made by `podium.kernel.compiler`). To run a kernel,

 1. its arguments are marshalled into a row of 64-bit words (`podium.kernel.marshalling`);
 2. their types lead to a trampoline, the first time through a digest of all that the code depends on, which names its
    file in the cache (`podium.kernel.dependencies`, `podium.kernel.cache`);
 3. the trampoline is called, and a number comes back.

Where any of this is not possible Numba is imported and does it. If loading fails in any way, the process goes on with
Numba and says so once. What has no code yet is noted, and `build_missing` compiles it for the next process.
"""

import os
import platform
from array import array
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_void_p
from functools import cache, update_wrapper
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any

import numpy as np

from podium.kernel.cache import AOT_SUFFIX, key, load, root, store
from podium.kernel.dependencies import Dependencies, UnknownValueError, options_of
from podium.kernel.lazy import compiler
from podium.kernel.marshalling import (
    Kind,
    UnsupportedArgumentError,
    marshal,
    records_in_kind,
    text_of_kind,
    unmarshal,
)
from podium.kernel.notices import notice

STATUS_WORD, RESULT_WORD, WORDS_OF_RESULT = 0, 1, 2
TRAMPOLINE = "podium_{}"  # the name of the function, for a digest
IMPOSSIBLE = b"none\n"  # in the place of code: this kernel needs Numba

Trampoline = tuple[Callable[[int], None], str]  # the function, and what it leaves as a result


# ---- Code


@cache
def environment() -> str:
    """What ahead-of-time code depends on besides functions, values and types.

    The version of Numba is read from its files: importing it is what has to be avoided.
    """
    import llvmlite
    import llvmlite.binding as llvm

    found = find_spec("numba")
    folder = Path(found.origin).parent if found and found.origin else Path()
    own = [Path(__file__).with_name(name) for name in ("compiler.py", "numba_internals.py")]
    files = folder / "_version.py", folder / "__init__.py", *own
    compilers = blake2b(b"".join(file.read_bytes() for file in files), digest_size=8).hexdigest()
    versions = f"{platform.python_version()} {compilers} {llvmlite.__version__} {np.__version__}"
    return f"{versions} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


class LoadedCode:
    """The ahead-of-time code that this process has loaded."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self.new_object = llvm.ObjectFileRef.from_data
        self.lock = Lock()
        self.trampolines: dict[str, Trampoline] = {}

    def load(self, name: str, payload: bytes) -> Trampoline:
        """The function of that name in the payload, and what it returns."""
        with self.lock:
            if name not in self.trampolines:
                result, _, code = payload.partition(b"\n")
                self.engine.add_object_file(self.new_object(code))
                self.engine.finalize_object()
                address = self.engine.get_function_address(TRAMPOLINE.format(name))
                if not address:
                    raise RuntimeError(f"there is no function {TRAMPOLINE.format(name)} in the code")
                self.trampolines[name] = CFUNCTYPE(None, c_void_p)(address), result.decode()
            return self.trampolines[name]


@cache
def loaded_code(process: int) -> LoadedCode:
    """The ahead-of-time code of this process."""
    return LoadedCode()


# ---- Kernels

_missing: dict[str, tuple["AotKernel", tuple[Kind, ...], Sequence[Any]]] = {}  # by digest: what had no code yet
_kernels: list["AotKernel"] = []
_failed: list[bool] = []  # that ahead-of-time code cannot be used in this process


class AotKernel:
    """A kernel that runs from ahead-of-time code if there is some for its arguments, and else through Numba."""

    def __init__(self, function: FunctionType, make: Callable[[], Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self.name = function, f"{function.__module__}.{function.__qualname__}"
        self.podium_options = self.targetoptions = options  # the latter is where Numba looks what to inline
        self._make = make
        self._dispatcher: Any = None
        self._trampolines: dict[tuple[Kind, ...], Trampoline | None] = {}
        _kernels.append(self)

    @property
    def dispatcher(self) -> Any:
        """What compiles it; Numba is imported, if it is not there yet."""
        if self._dispatcher is None:
            self._dispatcher = self._make()
        return self._dispatcher

    @property
    def has_looked(self) -> bool:
        """Whether it has looked for code since the start, or since it has forgotten what it found."""
        return bool(self._trampolines)

    def forget(self) -> None:
        """Look for code again on the next call: something that it calls has been defined anew."""
        self._trampolines.clear()

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Marshal, call, restore: steps 1 to 3 of the module."""
        if named:
            return self.dispatcher(*arguments, **named)
        words = array("q", [0] * WORDS_OF_RESULT)
        try:
            kinds = tuple([marshal(argument, words) for argument in arguments])
        except UnsupportedArgumentError:
            return self.dispatcher(*arguments)
        if kinds not in self._trampolines:
            self._trampolines[kinds] = self._find(kinds, arguments)
        found = self._trampolines[kinds]
        if found is None:
            return self.dispatcher(*arguments)
        trampoline, result = found
        trampoline(words.buffer_info()[0])
        if words[STATUS_WORD]:
            raise RuntimeError(f"the kernel {self.name} failed with the status {words[STATUS_WORD]}")
        return unmarshal(words[RESULT_WORD], result)

    def digest(self, kinds: tuple[Kind, ...]) -> str:
        """What the code for kinds of arguments is stored under. UnknownValueError if it cannot be stored."""
        dependencies = Dependencies(self.py_func, records_in_kind(kinds))
        return key(self.name, text_of_kind(kinds), environment(), options_of(self), dependencies.digest)

    def _find(self, kinds: tuple[Kind, ...], arguments: Sequence[Any]) -> Trampoline | None:
        """The trampoline for kinds of arguments; None if there is none, which is noted."""
        if _failed:
            return None
        try:
            name = self.digest(kinds)
            payload = load(root() / f"{name}{AOT_SUFFIX}")
            if payload is None:
                _missing[name] = self, kinds, arguments
                return None
            return None if payload == IMPOSSIBLE else loaded_code(os.getpid()).load(name, payload)
        except UnknownValueError:
            return None
        except Exception as error:  # whatever another version of llvmlite does differently: the game goes on
            give_up("used", error)
            return None


def give_up(what: str, error: Exception) -> None:
    """Do without ahead-of-time code in this process, and say so once."""
    if not _failed:
        _failed.append(True)
        detail = f"{type(error).__name__}: {error}".splitlines()[0]
        notice(f"ahead-of-time code cannot be {what} ({detail}); everything runs through Numba, which starts slower")


def is_used() -> bool:
    """Whether a kernel of this process has looked for ahead-of-time code."""
    return any(kernel.has_looked for kernel in _kernels)


def forget_all() -> None:
    """Let all kernels look for their code again."""
    for kernel in _kernels:
        kernel.forget()


def build_missing() -> None:
    """Compile ahead of time what this process had to call Numba for; this may take some seconds, and never fails."""
    if _missing and not _failed:
        text = f"compiling {len(_missing)} kernels ahead of time, so that the next start is quick"
        notice(text if len(_missing) > 1 else text.replace("kernels", "kernel"))
    while _missing and not _failed:
        name, (kernel, kinds, arguments) = _missing.popitem()
        try:
            if kernel.digest(kinds) == name:  # nothing was changed or defined anew since the call
                payload = compiler().compile_ahead(kernel, arguments, name)
                store(root() / f"{name}{AOT_SUFFIX}", payload or IMPOSSIBLE)
        except Exception as error:  # whatever another version of Numba or LLVM does differently
            give_up("compiled", error)
