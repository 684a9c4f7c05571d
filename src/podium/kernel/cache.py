"""The folder of compiled code.

Numba stores a compiled function together with everything it calls, and does not notice when a callee in another
file changes. So the folder's name is a hash of every file that can end up inside a kernel (sources and data of
`kernel`, `search` and `games`), of the versions and of the mode: an edited rule can never be served from an old
folder. Folders of earlier sources are pruned.
"""

import hashlib
import os
import platform
import shutil
import tempfile
import time
from pathlib import Path

import numba
from numba import config

PACKAGE = Path(__file__).resolve().parent.parent
ROOMS_WITH_KERNELS = ("kernel", "search", "games")
NEVER_IN_A_KERNEL = {".md", ".js", ".pyc", ".svg", ".png"}

KEPT_FOLDERS = 6
KEPT_SECONDS = 24 * 3600


def source_hash(package: Path = PACKAGE) -> str:
    """A hash of all that kernels are made of: the files, Python and Numba."""
    digest = hashlib.blake2b(digest_size=10)
    digest.update(f"{numba.__version__} {platform.python_version()} {platform.machine()}".encode())
    for room in ROOMS_WITH_KERNELS:
        for path in sorted((package / room).rglob("*")):
            if path.is_file() and path.suffix not in NEVER_IN_A_KERNEL:
                digest.update(str(path.relative_to(package)).encode() + b"\0")
                digest.update(path.read_bytes())
    return digest.hexdigest()


def root() -> Path:
    """The folder that holds the folders: PODIUM_CACHE_DIR, else the user's cache, else a temporary one."""
    chosen = os.environ.get("PODIUM_CACHE_DIR")
    if chosen:
        return Path(chosen)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "podium"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / f"podium-cache-{os.getuid()}"
    return home


def configure() -> Path:
    """Point Numba at the folder for the present sources and mode; prune old folders."""
    mode = "checked" if config.BOUNDSCHECK else "fast"
    folder = root() / f"{source_hash()}-{mode}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    config.CACHE_DIR = str(folder)
    prune(folder.parent)
    return folder


def prune(parent: Path) -> None:
    """Delete the folders that are neither among the most recently used nor used within a day.

    A folder that another process is deleting at the same time is left to it.
    """
    try:
        folders = sorted((f for f in parent.iterdir() if f.is_dir()), key=lambda f: -f.stat().st_mtime)
    except OSError:
        return
    for folder in folders[KEPT_FOLDERS:]:
        try:
            if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
