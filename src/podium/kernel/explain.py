"""Why a kernel is compiled: what has changed since it was last compiled for the same types.

Beside each compiled kernel lies a list of the parts that it depends on, each with a digest. When a kernel is not found
in the cache, the list of its last compilation tells which parts are new, gone or different.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from podium.kernel.cache import PARTS_SUFFIX, key, root, write
from podium.kernel.notices import notice

VARIABLE = "PODIUM_EXPLAIN"  # set to 1: say for each kernel that is compiled why it is
MOST_SHOWN = 5  # parts


def is_wanted() -> bool:
    """Whether the user wants explanations."""
    return os.environ.get(VARIABLE) == "1"


def _path(kernel: str, types: str) -> Path:
    return root() / f"{key(kernel, types)}{PARTS_SUFFIX}"


def store_parts(kernel: str, types: str, parts: dict[str, str]) -> None:
    """Remember what a kernel depended on when it was compiled."""
    write(_path(kernel, types), json.dumps(parts).encode())


def reason(kernel: str, types: str, parts: dict[str, str]) -> str:
    """Why the cache has no code for a kernel with these parts."""
    before: dict[str, str] = {}
    with suppress(OSError, ValueError):
        before = dict(json.loads(_path(kernel, types).read_bytes()))
    if not before:
        return "it has not been compiled for these types of arguments yet"
    changed = [name for name, digest in parts.items() if name in before and before[name] != digest]
    changed += [f"{name} (new)" for name in parts if name not in before]
    changed += [f"{name} (no longer used)" for name in before if name not in parts]
    if not changed:
        return "its compiled code is no longer in the cache"
    more = f" and {len(changed) - MOST_SHOWN} more" if len(changed) > MOST_SHOWN else ""
    return f"changed: {'; '.join(changed[:MOST_SHOWN])}{more}"


def explain(kernel: str, types: str, parts: dict[str, str]) -> None:
    """Say on standard error why a kernel is compiled, if the user wants to know."""
    if is_wanted():
        notice(f"{kernel} is compiled: {reason(kernel, types, parts)}")
