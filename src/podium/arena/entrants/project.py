"""A user's project: the file `podium.toml` in the current folder or above, and its bots.

    game = "zuniq"                  # of `podium match v2 v1`
    store = "games.db"              # beside this file
    bot = "mine"                    # whose revisions `git:HEAD~1` names; by default the only bot with a build

    [limits]                        # options of runs: time, nodes, seed, jobs, ...
    time = 100

    [bots]
    rave = "champion:rave=on"       # any text that names a bot; files are found beside this one
    mine = { run = "cmd:./mybot --fast", build = "make mybot" }

A bot with a build command is built before it plays. A revision of the repository (`git:HEAD~1`, `git:v1.2:mine`) is
checked out to a folder of its own beside the store, built there once, and kept.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fcntl import LOCK_EX, flock
from functools import lru_cache
from pathlib import Path
from typing import Any

from podium.arena.entrants.bot_names import COMMAND, PACKED, PYTHON, is_name, require_text
from podium.errors import PodiumError, unknown

FILE = "podium.toml"
GIT = "git:"
BUILT = ".podium-built"  # a file in the folder of a revision whose build has ended well
LAST_LINES = 15  # of a failing build
SHORT = 10  # digits of a commit in names
KEYS = ("game", "store", "bot", "limits", "bots")
NOT_A_LIMIT = ("store", "settings", "handicaps", "positions")  # options that are no plain values


@dataclass(frozen=True)
class ProjectBot:
    """A bot of a project."""

    name: str
    run: str  # the text that names it, with paths from the project's folder
    build: str = ""  # a command of the shell


@dataclass(frozen=True)
class Project:
    """What the file says."""

    folder: Path
    game: str = ""
    store: Path | None = None
    bot: str = ""
    limits: Mapping[str, Any] = field(default_factory=dict)
    bots: Mapping[str, ProjectBot] = field(default_factory=dict)

    def main_bot(self) -> ProjectBot:
        """The bot whose revisions are meant if none is named."""
        if self.bot:
            return self.named(self.bot)
        built = [bot for bot in self.bots.values() if bot.build] or list(self.bots.values())
        if len(built) == 1:
            return built[0]
        raise PodiumError(f'which bot? write git:REVISION:NAME, or bot = "NAME" in {self.folder / FILE}')

    def named(self, name: str) -> ProjectBot:
        """The bot of that name; PodiumError if there is none."""
        if name not in self.bots:
            raise unknown(f"bot of {self.folder / FILE}", name, self.bots)
        return self.bots[name]


def find_project() -> Project | None:
    """The project of the current folder, or of the nearest one above it; None if there is none."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        file = folder / FILE
        with suppress(OSError):
            if file.is_file():
                return _read(file, file.stat().st_mtime_ns)
    return None


@lru_cache(8)
def _read(file: Path, changed: int) -> Project:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PodiumError(f"cannot read {file}: {error}") from None
    for key in data:
        if key not in KEYS:
            raise unknown(f"key in {file}", key, KEYS)
    for key, kind in (("game", str), ("store", str), ("bot", str), ("limits", dict), ("bots", dict)):
        if not isinstance(data.get(key, kind()), kind):
            raise PodiumError(f"{file}: {key} is a {'table' if kind is dict else 'text'}, not {data[key]!r}")
    for name in data.get("limits", {}):
        if name in NOT_A_LIMIT:
            raise PodiumError(f"{file}: {name} is an option of a command, not a limit")
    bots = {name: _bot(file, name, entry) for name, entry in data.get("bots", {}).items()}
    store = file.parent / data["store"] if data.get("store") else None
    return Project(file.parent, data.get("game", ""), store, data.get("bot", ""), data.get("limits", {}), bots)


def _bot(file: Path, name: str, entry: Any) -> ProjectBot:
    if not is_name(name):
        raise PodiumError(f"{file}: {name!r} is no name of a bot: letters, digits and . _ + -, a letter first")
    table = {"run": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict) or not {*table} <= {"run", "build"} or not isinstance(table.get("run"), str):
        raise PodiumError(f'{file}: {name} is written "BOT" or {{ run = "BOT", build = "COMMAND" }}, not {entry!r}')
    if not isinstance(table.get("build", ""), str):
        raise PodiumError(f"{file}: the build command of {name} is a text, not {table['build']!r}")
    return ProjectBot(name, table["run"], table.get("build", ""))


def is_of_project(text: str) -> bool:
    """Whether a text names a bot of the project or a revision of it."""
    require_text(text)
    project = find_project()
    return text.startswith(GIT) or bool(project and text in project.bots)


def resolved(text: str, store: Path) -> str:
    """The text that names a bot, for one that names a bot of the project or a revision (which are built); else itself.

    Resolving twice changes nothing.
    """
    if not is_of_project(text):
        return text
    project = find_project()
    if project is None:
        raise PodiumError(f"{text!r} needs a project file {FILE} here or above, which says how to build a revision")
    if text.startswith(GIT):
        revision, _, name = text.removeprefix(GIT).partition(":")
        return _revision(project, revision, project.named(name) if name else project.main_bot(), store)
    bot = project.bots[text]
    _build(bot.build, project.folder)
    return f"{bot.name}={_placed(bot.run, project.folder)}"


def _placed(run: str, folder: Path) -> str:
    """A text that names a bot, with the files that it names in a folder."""
    if run.startswith(PYTHON):
        path, colon, rest = run.removeprefix(PYTHON).partition(":")
        return f"{PYTHON}{folder / path}{colon}{rest}" if (folder / path).exists() else run
    if run.startswith(PACKED):
        return f"{PACKED}{folder / run.removeprefix(PACKED)}"
    if not run.startswith(COMMAND):
        return run
    words = shlex.split(run.removeprefix(COMMAND))
    placed = [str(folder / word) if (folder / word).exists() and not word.startswith("-") else word for word in words]
    if placed and placed[0] == words[0] and "/" in words[0]:
        placed[0] = str(folder / words[0])  # which is said not to be there
    return COMMAND + shlex.join(placed)


def _revision(project: Project, revision: str, bot: ProjectBot, store: Path) -> str:
    """A bot as it was in a revision of the repository, built in a folder of its own."""
    commit = _commit(project.folder, revision)
    top = Path(_git(project.folder, "rev-parse", "--show-toplevel").strip())
    builds = Path(f"{store.absolute()}-builds")
    folder = builds / commit[:SHORT]
    inside = folder / project.folder.resolve().relative_to(top.resolve())
    built = folder / f"{BUILT}-{bot.name}"
    if not built.exists():
        with _alone(builds, commit):
            if not built.exists():
                _check_out(top, commit, folder)
                try:
                    _build(bot.build, inside)
                    built.touch()
                except BaseException:
                    shutil.rmtree(folder, ignore_errors=True)
                    raise
    return f"{bot.name}-{commit[:SHORT]}={_placed(bot.run, inside)}"


def _commit(folder: Path, revision: str) -> str:
    try:
        _git(folder, "rev-parse", "--git-dir")
    except PodiumError:
        raise PodiumError(f"git:{revision}: {folder} is in no git repository") from None
    try:
        if revision.startswith("-"):
            raise PodiumError("an option")
        return _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
    except PodiumError:
        raise PodiumError(f"git:{revision}: the repository of {folder} has no revision {revision!r}") from None


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise PodiumError("git: was not found; a revision of a bot needs it") from None
    except subprocess.CalledProcessError as error:
        raise PodiumError(f"git {words[0]}: {error.stderr.strip()}") from None
    return done.stdout


@contextmanager
def _alone(builds: Path, commit: str) -> Iterator[None]:
    """Let one process at a time make the folder of a revision."""
    try:
        builds.mkdir(parents=True, exist_ok=True)
        with open(builds / f"{commit[:SHORT]}.lock", "w") as lock:
            flock(lock, LOCK_EX)
            yield
    except OSError as error:
        raise PodiumError(f"cannot use {builds}: {error.strerror or error}") from None


def _check_out(top: Path, commit: str, folder: Path) -> None:
    """Write the files of a commit to a new folder; what an interrupted build has left there is deleted."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with subprocess.Popen(["git", "-C", str(top), "archive", commit], stdout=subprocess.PIPE) as archive:
            assert archive.stdout
            with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
                tar.extractall(folder, filter="data")
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, tarfile.TarError | OSError):
            raise PodiumError(f"cannot check out {commit[:SHORT]}: {error}") from None
        raise


def _build(command: str, folder: Path) -> None:
    """Run a build command; PodiumError with its last lines if it fails. An interruption ends all that it started."""
    if not command:
        return
    with subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode:
        lines = re.sub(r"\n\s*\n", "\n", output).strip().splitlines()[-LAST_LINES:]
        told = "\n".join(f"  {line}" for line in lines)
        ended = f"the build command {command!r} in {folder} ended with status {process.returncode}"
        raise PodiumError(f"{ended}:\n{told}" if told else f"{ended} and printed nothing")
