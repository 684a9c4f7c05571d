"""Bots in the repository of a contest: the bosses of its leagues, and the starter AIs.

`boss:2` is `config/level2/Boss.*`, `boss` the one of the league that is played; `starter:py` is the file of that
extension in `starterAIs`. Sources are compiled once into the cache, in a folder named after their content.
"""

import re
import shutil
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

from podium.errors import PodiumError, unknown
from podium.kernel.cache import built_folder
from podium.referees.contest_folder import near_config

BOSS, STARTER = "boss", "starter"
COMPILE_SECONDS = 120
INTERPRETERS = {".py": sys.executable, ".py3": sys.executable, ".js": "node", ".rb": "ruby", ".php": "php"}
COMPILERS = {
    ".c": ("gcc", "-O2", "-o", "{out}/bot", "{source}", "-lm"),
    ".cpp": ("g++", "-O2", "-std=c++17", "-o", "{out}/bot", "{source}"),
    ".rs": ("rustc", "-O", "-o", "{out}/bot", "{source}"),
    ".java": ("javac", "-encoding", "UTF-8", "-d", "{out}", "{source}"),
}
JAVA_CLASS = re.compile(r"\bclass\s+(\w+)")
JAVA_PUBLIC = re.compile(r"\bpublic\s+(?:final\s+)?class\s+(\w+)")


def contest_bot(path: Path, league: int, spec: str) -> tuple[str, ...] | None:
    """The command of a bot beside a jar or in a project's folder; None if the text names no such bot."""
    kind, _, which = spec.partition(":")
    if kind not in (BOSS, STARTER):
        return None
    config = near_config(path)
    if config is None:
        raise PodiumError(f"{spec!r}: there is no folder `config` near {path}, so no bots of the contest are known")
    files = bosses(config) if kind == BOSS else starters(config)
    name = f"{kind}:{which or (league or 1 if kind == BOSS else 'py')}"
    if name not in files:
        raise unknown(f"bot of {path.name}", name, files)
    return command_of(files[name])


def bosses(config: Path) -> dict[str, Path]:
    """The bosses by name; where a league has none, the common one plays."""
    levels = sorted(level.name.removeprefix("level") for level in config.glob("level*") if level.is_dir())
    found = {}
    for level in levels or ["1"]:
        files = [*sorted((config / f"level{level}").glob("Boss.*")), *sorted(config.glob("Boss.*"))]
        if files:
            found[f"{BOSS}:{level}"] = files[0]
    return found


def starters(config: Path) -> dict[str, Path]:
    """The starter AIs by name; the extension tells them apart."""
    files = sorted(file for file in (config.parent / "starterAIs").glob("*") if file.stem.lower() == STARTER)
    return {f"{STARTER}:{file.suffix.removeprefix('.')}": file for file in files}


def command_of(source: Path) -> tuple[str, ...]:
    """The command that runs a source file, which is compiled if need be; PodiumError if its language is not known."""
    if source.suffix in INTERPRETERS:
        return (_tool(INTERPRETERS[source.suffix], source), str(source.absolute()))
    if source.suffix not in COMPILERS:
        raise unknown("language", source.suffix, [*INTERPRETERS, *COMPILERS])
    if source.suffix == ".java":
        main = _main_class(source)
        folder = _compiled(source, f"{main}.class", _java_file(source))
        return (_tool("java", source), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", str(folder), main)
    return (str(_compiled(source, "bot", source.name) / "bot"),)


def _tool(name: str, source: Path) -> str:
    found = shutil.which(name)
    if found is None:
        raise PodiumError(f"{source} needs {name}, which was not found")
    return found


def _java_file(source: Path) -> str:
    """The name that javac wants the file to have: that of its public class."""
    public = JAVA_PUBLIC.search(source.read_text(encoding="utf-8", errors="replace"))
    return f"{public[1]}.java" if public else source.name


def _main_class(source: Path) -> str:
    before, found, _ = source.read_text(encoding="utf-8", errors="replace").partition("static void main")
    classes = JAVA_CLASS.findall(before)
    if not found or not classes:
        raise PodiumError(f"{source} has no class with a method main")
    return str(classes[-1])


def _compiled(source: Path, wanted: str, name: str) -> Path:
    """The folder into which a source file, called `name`, was compiled; it holds a file `wanted`."""
    program, *words = COMPILERS[source.suffix]
    text = source.read_bytes()

    def build(out: Path) -> None:
        copy = out.with_name(name)  # beside the folder, not in it
        copy.write_bytes(text)
        argv = [_tool(program, source), *(word.format(out=out, source=copy) for word in words)]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=COMPILE_SECONDS)
        if done.returncode or not (out / wanted).is_file():
            raise PodiumError(f"{source} cannot be compiled:\n{done.stderr.strip()[-1000:]}")

    digest = blake2b(text + source.suffix.encode(), digest_size=8).hexdigest()
    return built_folder(f"contest-bot-{digest}", wanted, build)
