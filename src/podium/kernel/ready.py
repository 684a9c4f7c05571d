"""Kernels that run without the compiler, for a process that must be there in time.

Ready code lies in the cache: a kernel's machine code for certain types of arguments, with a door in front of it (see
`podium.kernel.compiler`, which makes it). To run a kernel,

 1. its arguments are laid out in a row of 64-bit words: a number is itself, a record its address, an array what Numba
    knows of one, a tuple its parts;
 2. their types lead to a door, at first through the index of ready code: the same sources, types, versions and
    processor, see `podium.kernel.cache`;
 3. the door is called, and a number comes back.

Where any of this is not possible the compiler is called, which knows everything. What it had to be called for is noted,
and `prepare` makes it ready for the next process.
"""

import os
import platform
import struct
from array import array
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_void_p
from functools import cache, update_wrapper
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from podium.kernel.cache import DIGEST_BYTES, READY, READY_INDEX, index, keep, kept, root
from podium.kernel.lazy import compiler
from podium.kernel.records import text_of

STATUS_WORD, RESULT_WORD, WORDS_OF_RESULT = 0, 1, 2
DOOR = "podium_{}"  # the name of the function, for a digest
MOST_LAID = 256  # arguments that are remembered
SIGNED, UNSIGNED = range(-(2**63), 2**63), 2**64 - 1

Kind = Any  # what a type of arguments is known by in this process
Words = Sequence[int]
Door = tuple[Callable[[int], None], str]  # the function, and what it leaves as a result


class StrangeError(TypeError):
    """An argument that only the compiler knows how to pass."""


# ---- Arguments as words

_laid: dict[int, tuple[Any, Kind, Words]] = {}  # by id: the argument itself, so that no other comes to have its id
_dtypes: dict[int, np.dtype] = {}  # by id


def lay(argument: Any, words: "array[int]") -> Kind:
    """Append an argument to a row of words, and return its kind. StrangeError if that is not known."""
    kind = type(argument)
    if kind is int:
        if argument not in SIGNED:
            raise StrangeError
        words.append(argument)
        return kind
    known = _laid.get(id(argument))
    if known is None:
        known = argument, *_lay(argument)
        if isinstance(argument, np.ndarray | np.void | tuple):
            if len(_laid) >= MOST_LAID:
                _laid.clear()
            _laid[id(argument)] = known
    words.extend(known[2])
    return known[1]


def forget_arguments() -> None:
    """Let go of the arguments that are remembered."""
    _laid.clear()


def _lay(argument: Any) -> tuple[Kind, Words]:
    """The kind and the words of an argument."""
    if isinstance(argument, np.void):
        return _known(argument.dtype), [np.frombuffer(argument, np.uint8).ctypes.data]
    if isinstance(argument, np.ndarray):
        if not argument.flags.carray or not argument.ndim:
            raise StrangeError
        shape = [argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides]
        return (f"array {argument.ndim}d", _known(argument.dtype)), [0, 0, *shape]  # nobody owns its memory
    if isinstance(argument, tuple):
        words = array("q")
        kinds = tuple([lay(part, words) for part in argument])
        return (type(argument), kinds), words
    if isinstance(argument, bool | np.bool_):
        return bool, [int(argument)]
    if isinstance(argument, float):  # also of NumPy
        return float, struct.unpack("q", struct.pack("d", argument))
    if isinstance(argument, np.integer):
        number = int(argument)
        return argument.dtype.char, [number if number in SIGNED else number - UNSIGNED - 1]
    raise StrangeError


def _known(dtype: np.dtype) -> int:
    _dtypes[id(dtype)] = dtype
    return id(dtype)


def text_of_kind(kind: Kind) -> str:
    """A kind as a text that means the same in every process."""
    if isinstance(kind, int):
        return text_of(_dtypes[kind])
    if isinstance(kind, type):
        return f"{kind.__module__}.{kind.__qualname__}"
    return f"({' '.join(map(text_of_kind, kind))})" if isinstance(kind, tuple) else str(kind)


# ---- Code


@cache
def environment() -> str:
    """What ready code depends on besides sources and types; the compilers' versions are told by their files."""
    import llvmlite
    import llvmlite.binding as llvm

    found = find_spec("numba")
    folder = Path(found.origin).parent if found and found.origin else Path()
    files = folder / "_version.py", folder / "__init__.py", Path(__file__).with_name("compiler.py")
    compilers = blake2b(b"".join(file.read_bytes() for file in files), digest_size=8).hexdigest()
    versions = f"{platform.python_version()} {compilers} {llvmlite.__version__} {np.__version__}"
    return f"{versions} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


class Code:
    """The ready code of this process."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine()
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self.new_object = llvm.ObjectFileRef.from_data
        self.lock = Lock()
        self.doors: dict[str, Door] = {}

    def door(self, name: str) -> Door | None:
        """The function of that name and what it returns; None if there is no such code."""
        with self.lock:
            if name not in self.doors:
                payload = kept(root() / f"{name}{READY}")
                if payload is None:
                    return None
                result, _, code = payload.partition(b"\n")
                self.engine.add_object_file(self.new_object(code))
                self.engine.finalize_object()
                address = self.engine.get_function_address(DOOR.format(name))
                self.doors[name] = CFUNCTYPE(None, c_void_p)(address), result.decode()
            return self.doors[name]


@cache
def code(process: int) -> Code:
    """The ready code of this process."""
    return Code()


def restored(word: int, result: str) -> Any:
    """What a kernel returned."""
    if result == "none":
        return None
    if result == "bool":
        return bool(word)
    if result == "float":
        return struct.unpack("d", struct.pack("q", word))[0]
    return word if result == "int 1" else word & UNSIGNED


# ---- Kernels

_missed: list[tuple["Ready", Sequence[Any], str]] = []  # kernels with the arguments, and the key, they had no code for


class Ready:
    """A kernel that runs from ready code where there is some for its arguments, and else through the compiler."""

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any], registered: Callable[[], str]) -> None:
        update_wrapper(self, function)
        self.function, self.name = function, f"{function.__module__}.{function.__qualname__}"
        self._make, self._registered = make, registered
        self._dispatcher: Any = None
        self._doors: dict[tuple[Kind, ...], Door | None] = {}

    @property
    def dispatcher(self) -> Any:
        """What compiles it; the compiler is called, if it is not there yet."""
        if self._dispatcher is None:
            self._dispatcher = self._make()
        return self._dispatcher

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Steps 1 to 3."""
        if named:
            return self.dispatcher(*arguments, **named)
        words = array("q", [0] * WORDS_OF_RESULT)
        try:
            kinds = tuple([lay(argument, words) for argument in arguments])
        except StrangeError:
            return self.dispatcher(*arguments)
        if kinds not in self._doors:
            self._doors[kinds] = self._find(kinds, arguments)
        found = self._doors[kinds]
        if found is None:
            return self.dispatcher(*arguments)
        door, result = found
        door(words.buffer_info()[0])
        if words[STATUS_WORD]:
            raise RuntimeError(f"the kernel {self.name} failed with the status {words[STATUS_WORD]}")
        return restored(words[RESULT_WORD], result)

    def _find(self, kinds: tuple[Kind, ...], arguments: Sequence[Any]) -> Door | None:
        """The door for kinds of arguments; None if there is none, which is noted."""
        place = f"{self.function.__code__.co_filename} {self.name}"  # working copies differ
        text = f"{place} {text_of_kind(kinds)} {environment()} {self._registered()}"
        key = blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
        name = index(root(), os.getpid(), READY_INDEX).get(key)
        found = code(os.getpid()).door(name) if name else None
        if found is None:
            _missed.append((self, arguments, key))
        return found


def prepare() -> None:
    """Make ready what this process had to call the compiler for; it takes some seconds, if there is anything."""
    while _missed:
        kernel, arguments, key = _missed.pop()
        made = compiler().make_ready(kernel, arguments)
        if made is not None:
            name, payload, files = made
            keep(root() / f"{name}{READY}", payload)
            index(root(), os.getpid(), READY_INDEX).put(key, name, tuple(map(Path, files)))
    index(root(), os.getpid(), READY_INDEX).save()
