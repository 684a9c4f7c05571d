"""Short names for referees, kept in a file `referees.toml` beside the store.

[osmose]
referee = "/home/me/contest/target/referee-1.0.jar"
players = 2
league = 4

[osmose.set]            # parameters of the game, if any
[osmose.properties]     # Java system properties, if any
"""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from podium.errors import PodiumError, unknown
from podium.files import writing
from podium.referees.names import CONTRACTS, ENGINE, PROPERTY, SCHEME, SETTING, RefereeName, named, parse

FILE = "referees.toml"
VARIABLE = "PODIUM_REFEREES"  # another file
NAME = re.compile(r"[A-Za-z][\w-]*")


def file_of(store: Path | None = None) -> Path:
    """The file of short names: beside a store, or in the current folder."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else (store.parent if store else Path()) / FILE


def registered(file: Path) -> dict[str, RefereeName]:
    """The referees with a short name; none if there is no file."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PodiumError(f"cannot read {file}: {error}") from None
    return {name: _referee(file, name, entry) for name, entry in data.items()}


def find(name: str, file: Path) -> RefereeName:
    """The referee of a short name, which is also its title; PodiumError if there is none."""
    known = registered(file)
    if name not in known:
        raise unknown(f"referee in {file}", name, known)
    found = known[name]
    return found if "title" in dict(found.given) else found.with_options(title=name)


def add(file: Path, name: str, referee: RefereeName) -> None:
    """Give a referee a short name, replacing a referee that had it."""
    if not NAME.fullmatch(name):
        raise PodiumError(f"a short name is made of letters, digits, _ and -, and begins with a letter; not {name!r}")
    write(file, {**registered(file), name: referee})


def remove(file: Path, name: str) -> None:
    """Remove a short name; PodiumError if there is no such name."""
    known = registered(file)
    if known.pop(name, None) is None:
        raise unknown(f"referee in {file}", name, known)
    write(file, known)


def write(file: Path, referees: Mapping[str, RefereeName]) -> None:
    """Write all short names; the file is replaced atomically."""
    text = "\n".join(_entry(name, referee) for name, referee in sorted(referees.items()))
    made = file.with_name(f".{file.name}.new")
    with writing(file):
        made.write_text(text, encoding="utf-8")
        made.replace(file)


def _entry(name: str, referee: RefereeName) -> str:
    where = f"{referee.contract}:{referee.target}" if referee.contract else referee.target
    lines = [f"[{name}]", f"referee = {_toml(where)}"]
    lines += [f"{key} = {_toml(value)}" for key, value in referee.given]
    for table, pairs in (("set", referee.settings), ("properties", referee.properties)):
        if pairs:
            lines += ["", f"[{name}.{table}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in pairs)]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A simple value in TOML, whose strings are those of JSON except for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _referee(file: Path, name: str, entry: Any) -> RefereeName:
    if not isinstance(entry, dict) or not isinstance(entry.get("referee"), str):
        raise PodiumError(f'{file}: [{name}] needs a line referee = "path/to/referee.jar"')
    where = entry["referee"].removeprefix(f"{SCHEME}:")
    contract, colon, target = where.partition(":")
    if not (colon and contract in CONTRACTS):
        contract, target = ENGINE, where
    if contract == ENGINE:
        target = str((file.parent / target).absolute())
    options = {key: str(value) for key, value in entry.items() if key not in ("referee", "set", "properties")}
    for table, prefix in (("set", SETTING), ("properties", PROPERTY)):
        pairs = entry.get(table, {})
        if not isinstance(pairs, dict):
            raise PodiumError(f"{file}: [{name}.{table}] is a table")
        options |= {f"{prefix}{key}": str(value) for key, value in pairs.items()}
    return named(contract, target, options)


def absolute(name: str) -> RefereeName:
    """The referee of a full name, with absolute paths of its jar and of its scene.js."""
    found = parse(name)
    scene = dict(found.given).get("scene")
    if scene:
        found = found.with_options(scene=str(Path(str(scene)).absolute()))
    return replace(found, target=str(Path(found.target).absolute())) if found.contract == ENGINE else found
