"""Runs a packed bot: its modules, data files and machine code come from memory, nothing is written to the disk.

A file of a bot contains this module and a *payload*: one line that lists names and sizes, and then the contents.
"""

import builtins
import ctypes
import io
import mmap
import os
import sys
from importlib.machinery import ModuleSpec
from struct import pack_into, unpack_from
from types import ModuleType
from typing import Any

READ_AND_RUN = 5  # of mprotect
LIBRARIES = (None, "libm.so.6", "libc.so.6")  # where functions of the C library are found; None: in this process
HOME = "/packed/"  # where the modules say that they lie; no such folder exists
CODE, MODULE, PACKAGE, FILE = "code", "module", "package", "file"  # kinds of contents


class Packed:
    """The contents of a packed file."""

    def __init__(self) -> None:
        self.about: Any = {}  # the game, the bot, and the table of machine code
        self.sources: Any = {}  # by module
        self.packages: Any = set()
        self.files: Any = {}  # by name
        self.address = 0  # of the machine code
        self.memory: Any = None  # that it lies in
        self.paths: Any = {}  # of data files that have been asked for

    def read(self, payload: bytes) -> None:
        """Take the contents of a payload, and make the machine code ready to run."""
        end = payload.index(b"\n")
        self.about, contents = eval(payload[:end])
        place = end + 1
        for kind, name, size in contents:
            content = payload[place : place + size]
            place += size
            if kind == CODE:
                self.load_code(joined_tables(content, self.about["tables"]))
            elif kind == FILE:
                self.files[name] = content
            else:
                self.sources[name] = content.decode()
            if kind == PACKAGE:
                self.packages.add(name)

    def load_code(self, content: bytes) -> None:
        """Place the machine code in memory, and fill in the addresses that it needs."""
        writable, words, imports = self.about["writable"], self.about["words"], self.about["imports"]
        self.memory = mmap.mmap(-1, len(content), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.memory.write(content)
        base = self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for place in words:
            pack_into("<Q", self.memory, place, unpack_from("<Q", self.memory, place)[0] + base)
        for number, name in enumerate(imports):
            pack_into("<Q", self.memory, writable + 8 * number, address_of(name))
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        if protect(base, writable, READ_AND_RUN):
            stop("this system does not let a program load machine code")

    def path_of(self, name: str) -> str:
        """A path under which a data file can be opened; it lies in memory."""
        if name not in self.paths:
            if name not in self.files:
                return name
            number = os.memfd_create(name.replace("/", "-"))
            os.write(number, self.files[name])
            self.paths[name] = f"/proc/self/fd/{number}"
        found: str = self.paths[name]
        return found

    def open(self, file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        """What `open` does, for files beside the bot's own modules from memory."""
        if isinstance(file, (str, os.PathLike)) and "r" in mode:
            name = os.path.join(HOME, os.fspath(file))
            if name in self.files:
                file = self.path_of(name)
                options.pop("opener", None)  # of pathlib before Python 3.10, which opens its own path
        return OPEN(file, mode, *arguments, **options)

    # ---- Modules: what Python asks a finder and a loader

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Where a module comes from; None if it is not one of the packed file."""
        if name not in self.sources:
            return None
        return ModuleSpec(name, self, origin=f"<packed {name}>", is_package=name in self.packages)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> None:
        """Python makes the module itself."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of a module."""
        name = module.__name__
        module.__file__ = HOME + "{}{}.py".format(name.replace(".", "/"), "/__init__" * (name in self.packages))
        exec(compile(self.sources[name], module.__file__, "exec"), module.__dict__)

    def get_source(self, name: str) -> Any:
        """The source of a module."""
        return self.sources.get(name)


def joined_tables(content: bytes, tables: Any) -> bytes:
    """Machine code with its tables of 16-bit words as they were: first all low bytes, then the changes of the high."""
    if not tables:
        return content
    import numpy as np

    memory = np.frombuffer(bytearray(content), np.uint8)
    for start, size in tables:
        low, changes = memory[start : start + size].copy().reshape(2, -1)
        memory[start : start + size : 2] = low
        memory[start + 1 : start + size : 2] = np.cumsum(changes, dtype=np.uint8)
    return memory.tobytes()


def address_of(name: str) -> int:
    """The address of a function of the C library."""
    for library in LIBRARIES:
        try:
            return ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value or 0
        except (AttributeError, OSError):
            continue
    stop("the C library has no function " + name)
    return 0


def missing_flags(needed: str) -> Any:
    """What this processor lacks of what the machine code needs; nothing if the system does not say."""
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("flags"):
                    return sorted({*needed.split()} - {*line.split()})
    except OSError:
        pass
    return []


def stop(reason: str) -> None:
    """End with a sentence."""
    sys.stderr.write(f"packed bot: {reason}\n")
    sys.exit(1)


PACKED = Packed()
OPEN = open


def run(payload: bytes) -> None:
    """Play with the bot of a payload."""
    if sys.platform != "linux" or sys.maxsize < 2**32 or os.uname().machine != "x86_64":
        stop("it runs on Linux on a 64-bit processor of Intel or AMD only")
    if sys.version_info < (3, 8):  # noqa: UP036 - a judge's Python may be older than ours
        stop("it needs Python 3.8 or newer")
    PACKED.read(payload)
    missing = missing_flags(PACKED.about["flags"])
    if missing:
        stop("this processor lacks {}; pack the bot with --cpu x86-64".format(", ".join(missing)))
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        stop(f"it needs NumPy, and this Python has none that works: {error}")
    sys.meta_path.insert(0, PACKED)
    setattr(builtins, "open", PACKED.open)  # noqa: B010 - assigned, it would be an error for the type checker
    setattr(io, "open", PACKED.open)  # noqa: B010 - which pathlib calls
    from podium.pack.standalone.main import main

    main(sys.argv[1:])
