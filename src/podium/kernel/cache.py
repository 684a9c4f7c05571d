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

Beside the kernels in the compiler's own form (`podium.kernel.compiler`) lie those that need no compiler to run
(`podium.kernel.ready`), with an index of their own.

What is loaded runs as code. So the folder must belong to the user and be closed to others; where there is no such
place, the code lives in a private temporary folder until the process ends.
"""

import atexit
import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

MOST_BYTES = 1 << 30
KEPT_BYTES = MOST_BYTES * 3 // 4  # after pruning
DAY = 24 * 3600.0
PRIVATE = 0o700
DIGEST_BYTES = 16
START = time.time_ns()  # sources that were written later may not be those that this process has loaded
SUFFIX = ".kernel"
READY = ".ready"
COMPILED_INDEX, READY_INDEX = "index", "ready"
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


def keep(path: Path, payload: bytes) -> None:
    """Put compiled code in place, sealed by its digest."""
    write(path, hashlib.blake2b(payload, digest_size=DIGEST_BYTES).digest() + payload)
    _note_written(len(payload), path.parent)


def kept(path: Path) -> bytes | None:
    """Compiled code, whole; None if there is none. What is damaged is deleted."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    seal, payload = data[:DIGEST_BYTES], data[DIGEST_BYTES:]
    with suppress(OSError):
        if hashlib.blake2b(payload, digest_size=DIGEST_BYTES).digest() != seal:
            path.unlink()
            return None
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)  # for pruning: it is used
    return payload


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


Entries = dict[str, tuple[str, list[str]]]  # by kernel, types and so on: digest, files


class Index:
    """Remembers the digest of each kernel's sources while the files that it can see stay as they are."""

    def __init__(self, folder: Path, name: str = COMPILED_INDEX) -> None:
        package = str(Path(__file__).resolve().parent.parent)
        self.path = folder / f"{name}-{hashlib.blake2b(package.encode(), digest_size=6).hexdigest()}.json"
        self.stamps, self.entries = self._stored()
        self.seen: set[str] = set()  # files that were looked at in this process
        self.unsaved = 0
        atexit.register(self.save)

    def _stored(self) -> tuple[dict[str, Stamp], Entries]:
        with suppress(OSError, ValueError, TypeError, LookupError, AttributeError):
            data = json.loads(self.path.read_bytes())
            files = list(data["files"])
            return dict(data["files"]), {
                key: (str(digest), [files[place] for place in places])
                for key, (digest, places) in data["entries"].items()
            }
        return {}, {}

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
            if self.stamps.get(file) != stamp or is_too_new(stamp):
                self.stamps[file] = stamp
                self.entries = {key: entry for key, entry in self.entries.items() if file not in entry[1]}

    def save(self) -> None:
        """Write what was learnt, beside what others have learnt meanwhile of files as they are."""
        if not self.unsaved:
            return
        self.unsaved = 0
        with suppress(OSError), self.path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._merge(*self._stored())
            write(self.path, json.dumps(self._data()).encode())

    def _merge(self, stamps: dict[str, Stamp], entries: Entries) -> None:
        for key, (digest, files) in entries.items():
            if all(self.stamps.setdefault(file, stamps[file]) == stamps[file] for file in files):
                self.entries.setdefault(key, (digest, files))

    def _data(self) -> dict[str, Any]:
        """As it is stored, each name of a file once."""
        used = {file: place for place, file in enumerate({f: 0 for _, files in self.entries.values() for f in files})}
        return {
            "files": {file: self.stamps[file] for file in used},
            "entries": {key: (digest, [used[file] for file in files]) for key, (digest, files) in self.entries.items()},
        }


def is_too_new(stamp: Stamp) -> bool:
    """Whether a file was written since this process began, which may have loaded what was there before."""
    return not stamp or stamp[1] >= START


def stamp_of(file: str) -> Stamp:
    """How a file looks to the file system; the time of its status cannot be set back by hand."""
    try:
        status = os.stat(file)
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


@cache
def index(folder: Path, process: int, name: str = COMPILED_INDEX) -> Index:
    """An index of this process."""
    return Index(folder, name)


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
            if path.suffix in (SUFFIX, READY) or path.name.startswith("tmp-"):
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
