"""Compiled code on disk, found again by the next process.

Each compiled kernel is one file, named by a digest of all that its machine code depends on: byte code and captured
values (`podium.kernel.dependencies`), the types of its arguments, the versions of Python and its libraries, the
processor, and the mode (with bounds checks or not). An edit therefore recompiles what can see it and nothing else, an
old file can never be taken for a new one, and working copies with equal sources share their code. Nothing has to be
invalidated, no file is ever changed, and writers cannot disturb each other; the least recently used files are deleted
when they take up too much space.

Beside the kernels in Numba's own form (`podium.kernel.compiler`) lie those that run without Numba
(`podium.kernel.aot`), and lists of what each kernel depended on when it was compiled (`podium.kernel.explain`).

What is loaded runs as code. So the folder, every symbolic link on the way to it and each file must belong to the user
(links may be root's), and the folder is closed to others; where there is no such place, the code lives in a private
temporary folder until the process ends.
"""

import atexit
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

MOST_BYTES = 1 << 30
BYTES_AFTER_PRUNING = MOST_BYTES * 3 // 4
DAY = 24 * 3600.0  # seconds
PRIVATE = 0o700
ROOT = 0  # the user who owns the system, its links included
DIGEST_BYTES = 16
SUFFIX, AOT_SUFFIX, PARTS_SUFFIX = ".kernel", ".aot", ".parts"
SUFFIXES = (SUFFIX, AOT_SUFFIX, PARTS_SUFFIX, ".ready")  # the last as earlier versions wrote it
TEMPORARY = "tmp-"


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
    place = folder.absolute()
    if any(_is_link_of_somebody_else(path) for path in (place, *place.parents)):
        return False
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid != os.getuid() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    if stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(PRIVATE)
    return True


def _is_link_of_somebody_else(path: Path) -> bool:
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return False
    return stat.S_ISLNK(status.st_mode) and status.st_uid not in (os.getuid(), ROOT)


def key(*texts: str) -> str:
    """A digest of texts, to name a file by."""
    return blake2b("\0".join(texts).encode(), digest_size=DIGEST_BYTES).hexdigest()


def store(path: Path, payload: bytes) -> None:
    """Write compiled code to a file, sealed by its digest. Where the disk is full nothing is stored."""
    write(path, blake2b(payload, digest_size=DIGEST_BYTES).digest() + payload)
    _note_written(len(payload), path.parent)


def load(path: Path) -> bytes | None:
    """Compiled code, complete; None if there is none, or none of the user's. A damaged file is deleted."""
    data = _own_bytes(path)
    if data is None:
        return None
    seal, payload = data[:DIGEST_BYTES], data[DIGEST_BYTES:]
    with suppress(OSError):
        if blake2b(payload, digest_size=DIGEST_BYTES).digest() != seal:
            path.unlink()
            return None
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)  # for pruning: it is used
    return payload


def _own_bytes(path: Path) -> bytes | None:
    """The content of a regular file that belongs to the user; None if there is none."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            status = os.fstat(file.fileno())
            is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()
            return file.read() if is_own else None
    except OSError:
        return None


def built_folder(name: str, wanted: str, build: Callable[[Path], None]) -> Path:
    """A folder in that of compiled code, with a file `wanted` in it; `build` fills a new one if it is missing.

    It appears when it is complete. One that is not wholly the user's is not used, but built anew.
    """
    folder = root() / name
    if _is_own_folder(folder, wanted):
        return folder
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=TEMPORARY) as scratch:
        made = Path(scratch) / name
        made.mkdir(mode=PRIVATE)
        build(made)
        if not _is_own_folder(folder, wanted):  # another process may have been faster
            _set_aside(folder)
            made.rename(folder)
    return folder


def _is_own_folder(folder: Path, wanted: str) -> bool:
    """Whether a folder holds a file, and it and all that is in it belongs to the user."""
    try:
        owners = {os.lstat(path).st_uid for path in (folder, *folder.rglob("*"))}
    except OSError:
        return False
    return owners == {os.getuid()} and not folder.is_symlink() and (folder / wanted).is_file()


def _set_aside(path: Path) -> None:
    """Rename what must not be used: a folder of somebody else cannot always be deleted."""
    if path.is_dir() and not path.is_symlink():
        os.replace(path, tempfile.mkdtemp(dir=path.parent, prefix=TEMPORARY))
    else:
        path.unlink(missing_ok=True)


def write(path: Path, data: bytes) -> None:
    """Put a complete file in place, or none where the disk is full."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


def files(folder: Path) -> list[Path]:
    """The files in a folder that this module has written."""
    return [path for path in folder.iterdir() if path.suffix in SUFFIXES or path.name.startswith(TEMPORARY)]


def clear(folder: Path) -> tuple[int, int]:
    """Delete all compiled code; returns the number of files and of bytes."""
    count = total = 0
    for path in files(folder):
        with suppress(OSError):
            size = path.stat().st_size
            path.unlink()
            count, total = count + 1, total + size
    return count, total


_unchecked = {"bytes": MOST_BYTES // 16}  # so that the first kernel compiled by a process looks at the folder's size


def _note_written(size: int, folder: Path) -> None:
    """Look at the folder's size now and then."""
    _unchecked["bytes"] += size
    if _unchecked["bytes"] > MOST_BYTES // 16:
        _unchecked["bytes"] = 0
        prune(folder)


def prune(folder: Path, most: int = MOST_BYTES, target: int = BYTES_AFTER_PRUNING) -> None:
    """Delete the least recently used files, if all together have more than `most` bytes, until `target` are left.

    Files that another process deletes at the same time are skipped.
    """
    found: list[tuple[float, int, Path]] = []
    for path in files(folder):
        with suppress(OSError):
            status = path.stat()
            found.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in found)
    if total <= most:
        return
    for _, size, path in sorted(found):
        if total <= target:
            return
        with suppress(OSError):
            path.unlink()
            total -= size
