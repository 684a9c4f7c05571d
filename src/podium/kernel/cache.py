"""Compiled code, kept on disk and found again by the next process.

Each compiled kernel is one file, named by a digest of all that its machine code depends on: the sources that the kernel
can see (`podium.kernel.sources`), the types of its arguments, the versions of Python and its libraries, the processor,
and the mode (with bounds checks or not). An edit therefore recompiles what can see it and nothing else, an old file
can never be taken for a new one, and working copies with equal sources share their code. Nothing has to be invalidated,
no file is ever changed, and writers cannot disturb each other; the files that were not used for longest are deleted
when there are too many bytes of them.

Following the sources of a hundred kernels takes half a second. So an index remembers for each kernel its digest and the
files that were followed, each with its size and times as the file system keeps them: while these are the same, so is
the digest.

What is loaded is unpickled, which runs code. So the folder must belong to the user and be closed to others; where
there is no such place, the code lives in a private temporary folder until the process ends.
"""

import atexit
import hashlib
import json
import os
import pickle
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config, types
from numba.core import caching
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from podium.kernel.sources import Follower, Name

MOST_BYTES = 1 << 30
KEPT_BYTES = MOST_BYTES * 3 // 4  # after pruning
DAY = 24 * 3600.0
PRIVATE = 0o700
DIGEST_BYTES = 16
START = time.time_ns()  # sources that were written later may not be those that this process has loaded
SUFFIX = ".kernel"
INDEX = "index-{}.json"
ENTRIES_TO_A_SAVE = 24

Stamp = list[int]  # of a file: size, time of the last change of content and of status, number


def root() -> Path:
    """The folder of compiled code: PODIUM_CACHE_DIR, else in the user's cache, else a private temporary one."""
    return _root(os.environ.get("PODIUM_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "", os.getpid())


@cache
def _root(chosen: str, process: int) -> Path:
    try:
        if chosen:
            folder = Path(chosen) if os.environ.get("PODIUM_CACHE_DIR") else Path(chosen) / "podium"
        else:
            folder = Path.home() / ".cache" / "podium"
        if is_private(folder):
            return folder
    except (OSError, RuntimeError):  # no home
        pass
    folder = Path(tempfile.mkdtemp(prefix="podium-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def is_private(folder: Path) -> bool:
    """Whether a folder, made if it is missing, is the user's, writable, and closed to everybody else."""
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.getuid() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    if stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(PRIVATE)
    return True


def environment() -> str:
    """What all compiled code depends on besides sources and types."""
    versions = f"{platform.python_version()} {numba.__version__} {llvmlite.__version__} {np.__version__}"
    return f"{versions} {platform.machine()} {config.BOUNDSCHECK} {config.OPT} {config.DEBUGINFO_DEFAULT}"


def write(path: Path, data: bytes) -> None:
    """Put a file in place whole, or not at all: a full disk costs only time."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="tmp-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


class Index:
    """Remembers the digest of each kernel's sources while the files that it can see stay as they are."""

    def __init__(self, folder: Path) -> None:
        package = str(Path(__file__).resolve().parent.parent)
        self.path = folder / INDEX.format(hashlib.blake2b(package.encode(), digest_size=6).hexdigest())
        self.stamps: dict[str, Stamp] = {}
        self.entries: dict[str, tuple[str, list[str]]] = {}  # by kernel, types and so on: digest, files
        self.seen: set[str] = set()  # files that were looked at in this process
        self.unsaved = 0
        self._load()
        atexit.register(self.save)

    def _load(self) -> None:
        with suppress(OSError, ValueError, TypeError, KeyError):
            data = json.loads(self.path.read_bytes())
            stamps, entries = dict(data["files"]), {key: (str(d), list(f)) for key, (d, f) in data["entries"].items()}
            self.stamps, self.entries = stamps, entries

    def get(self, key: str) -> str | None:
        """The digest under a key, if it still holds."""
        for file in self.entries.get(key, ("", []))[1]:
            self._look(file)
        return self.entries.get(key, (None, []))[0]

    def put(self, key: str, digest: str, files: tuple[Path, ...]) -> None:
        """Remember a digest, made of these files as they are now."""
        for file in files:
            self._look(str(file))
        self.entries[key] = (digest, [str(file) for file in files])
        self.unsaved += 1
        if self.unsaved >= ENTRIES_TO_A_SAVE:  # a worker that is told to stop has no time to save at its end
            self.save()

    def _look(self, file: str) -> None:
        """Forget what was made of a file, if it has changed; look at each file once."""
        if file not in self.seen:
            self.seen.add(file)
            stamp = stamp_of(file)
            if self.stamps.get(file) != stamp:
                self.stamps[file] = stamp
                self.entries = {key: entry for key, entry in self.entries.items() if file not in entry[1]}

    def save(self) -> None:
        """Write what was learnt."""
        if self.unsaved:
            self.unsaved = 0
            used = {file for _, files in self.entries.values() for file in files}
            data = {"files": {file: self.stamps[file] for file in used}, "entries": self.entries}
            write(self.path, json.dumps(data).encode())


def stamp_of(file: str) -> Stamp:
    """How a file looks to the file system; the time of its status cannot be set back by hand."""
    try:
        status = os.stat(file)
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


@cache
def index(folder: Path, process: int) -> Index:
    """The index of this process."""
    return Index(folder)


def records_in(kind: Any) -> Iterator[Any]:
    """The record types that a type is made of."""
    if isinstance(kind, types.Record):
        yield kind
    elif isinstance(kind, types.Array):
        yield from records_in(kind.dtype)
    elif isinstance(kind, types.BaseTuple):
        for part in kind.types:
            yield from records_in(part)


class KernelCache(caching._Cache):
    """The compiled versions of one kernel; takes the place of Numba's own cache."""

    def __init__(
        self,
        function: Callable[..., Any],
        implementations: Callable[[Name, set[Any]], Iterator[Name]],
        registered: Callable[[], str],
        record_of: Callable[[Any], Any],
    ) -> None:
        self.function = function
        self.implementations, self.registered, self.record_of = implementations, registered, record_of

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(root())

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """Where the compiled kernel for a signature is kept; None if it is not."""
        name, folder = self.function, root()
        kinds = " ".join(map(str, signature))
        # with its file: another working copy has the same names, and perhaps not the same sources
        place = f"{name.__code__.co_filename} {name.__module__}.{name.__qualname__}"
        key = f"{place} {kinds} {environment()} {self.registered()}"
        key = hashlib.blake2b(key.encode(), digest_size=DIGEST_BYTES).hexdigest()
        known = index(folder, os.getpid())
        sources = known.get(key)
        if sources is None:
            records = {record for kind in signature for record in records_in(kind)}
            follower = Follower(self.implementations, records)
            found = follower.follow((name.__module__, name.__name__), self.record_of)
            if not found.files or any(file.stat().st_mtime_ns >= START for file in found.files):
                return None
            known.put(key, found.digest, found.files)
            sources = found.digest
        text = f"{name.__module__}.{name.__qualname__} {kinds} {environment()} {codegen.magic_tuple()} {sources}"
        digest = hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
        return folder / f"{digest}{SUFFIX}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel for a signature, or None. What cannot be loaded is deleted and compiled again."""
        # The compiler's own declarations take a quarter of a second to load, and what is compiled needs none of them.
        rtsys.initialize(target_context)
        path = self._path(signature, target_context.codegen())
        if path is None or not path.exists():
            return None
        try:
            data = path.read_bytes()
            if hashlib.blake2b(data[DIGEST_BYTES:], digest_size=DIGEST_BYTES).digest() != data[:DIGEST_BYTES]:
                raise ValueError("damaged")
            result = CompileResult._rebuild(target_context, *pickle.loads(data[DIGEST_BYTES:]))
            if time.time() - path.stat().st_mtime > DAY:
                os.utime(path)  # for pruning: it is used
        except Exception:  # whatever unpickling damaged data raises
            with suppress(OSError):
                path.unlink()
            return None
        return result

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a compiled kernel."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        path = self._path(signature, data.codegen)
        if path is None:
            return
        payload = caching.dumps(data._reduce())
        write(path, hashlib.blake2b(payload, digest_size=DIGEST_BYTES).digest() + payload)
        _note_written(len(payload), path.parent)

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """Not offered."""

    def flush(self) -> None:
        """Nothing is ever out of date."""


_written = {"bytes": MOST_BYTES // 16}  # so that the first kernel compiled by a process looks at the folder's size


def _note_written(size: int, folder: Path) -> None:
    """Look at the folder's size now and then."""
    _written["bytes"] += size
    if _written["bytes"] > MOST_BYTES // 16:
        _written["bytes"] = 0
        prune(folder)


def prune(folder: Path, most: int = MOST_BYTES, kept: int = KEPT_BYTES) -> None:
    """Delete the files that were not used for longest, if there are too many bytes of them.

    What another process deletes at the same time is left to it.
    """
    files: list[tuple[float, int, Path]] = []
    total = 0
    for path in folder.iterdir():
        with suppress(OSError):
            status = path.stat()
            if path.suffix == SUFFIX or path.name.startswith("tmp-"):
                files.append((status.st_mtime, status.st_size, path))
                total += status.st_size
    if total <= most:
        return
    for _, size, path in sorted(files):
        if total <= kept:
            return
        with suppress(OSError):
            path.unlink()
            total -= size
