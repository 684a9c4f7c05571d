"""Java machines for referees of CodinGame's engine: found, started with the right flags, kept warm between games.

A referee's own program plays one game and ends, and starting it takes longer than the game. So a small launcher of ours
(`Launcher.java` beside this file, compiled once if there is a `javac`) plays game after game in one machine, with
classes loaded anew for each, because referees keep static state. A machine is given up after a game that failed, left
threads behind or was abandoned, and when it has grown; without a compiler every game has a machine of its own.
"""

import atexit
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from podium.errors import PodiumError
from podium.kernel.cache import root
from podium.referees.channel import PATIENCE, ProcessChannel
from podium.referees.messages import ForeignError, Reader

MAIN_CLASS = "com.codingame.gameengine.core.RefereeMain"
ENGINE = "META-INF/maven/com.codingame.gameengine/core/pom.properties"
LAUNCHER = Path(__file__).with_name("Launcher.java")
BEGIN = b"[[PODIUM_GAME] 0]\n"
MOST_GAMES = 1000  # of one machine
MEMORY = 512  # MB of a machine's heap
GROWTH = 384  # MB beyond the heap at which a machine is given up
COMPILE_SECONDS = 120.0
DONE_SECONDS = 20.0  # from the scores to the end of the referee's program
COMMON_FLAGS = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8")
# Engines before 4.5 reach into java.lang; a machine's own messages must not stand among the referee's.
MODULE_FLAGS = ("--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xlog:disable", "-Xlog:all=warning:stderr")


@dataclass(frozen=True)
class Machine:
    """What a machine for a referee is started with."""

    class_path: tuple[str, ...]
    properties: tuple[tuple[str, str], ...] = ()  # of the system
    memory: int = MEMORY
    java: str = "java"
    patience: float = PATIENCE
    warm: bool = True

    def flags(self) -> list[str]:
        """The machine's options for its version of Java."""
        modules = MODULE_FLAGS if java_version(self.java) >= 9 else ()
        properties = (f"-D{name}={value}" for name, value in (("game.mode", "multi"), *self.properties))
        return [*modules, *COMMON_FLAGS, f"-Xmx{self.memory}m", *properties]

    def command(self, launcher: Path | None) -> list[str]:
        """The words that start it, for many games with the launcher, for one without."""
        entries = (str(launcher), *self.class_path) if launcher else self.class_path
        main = ("Launcher", MAIN_CLASS) if launcher else (MAIN_CLASS,)
        return [java_program(self.java), *self.flags(), "-cp", os.pathsep.join(entries), *main]

    def channel(self) -> ProcessChannel:
        """A machine at the beginning of a game: an idle one of this process, or a new one."""
        launcher = launcher_folder(self.java) if self.warm else None
        if launcher is None:
            return ProcessChannel(self.command(None), self.patience)
        for warm in _taken(self):
            if warm.is_alive:
                warm.begin()
                return warm
            warm.close()
        fresh = WarmMachine(self, self.command(launcher))
        fresh.begin()
        return fresh


class WarmMachine(ProcessChannel):
    """A Java machine that plays one game after the other."""

    def __init__(self, machine: Machine, argv: Sequence[str]) -> None:
        super().__init__(argv, machine.patience)
        self.machine = machine
        self.games = 0
        self._leased = False

    def begin(self) -> None:
        """Begin a game."""
        self.games += 1
        self._leased = True
        self.send(BEGIN)

    def release(self, well: bool) -> None:
        """Keep it for the next game of this process if this one left it as it was."""
        if not self._leased:
            return
        self._leased = False
        if well and self._is_fit():
            _idle.setdefault(self.machine, []).append(self)
        else:
            self.close()

    def _is_fit(self) -> bool:
        patience, self.patience = self.patience, DONE_SECONDS
        try:
            reader = Reader(self.line)
            while (message := reader.read()) is not None:
                if message.name == "PODIUM_DONE":
                    small = self.resident() < self.machine.memory + GROWTH
                    return message.lines == ["well 0"] and small and self.games < MOST_GAMES
        except ForeignError:
            return False
        finally:
            self.patience = patience
        return False

    def resident(self) -> float:
        """MB of memory that it holds; 0 where that cannot be told."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _taken(machine: Machine) -> Iterator["WarmMachine"]:
    """The idle machines, one after the other, each taken out of the others' reach: threads may share them."""
    idle = _idle.setdefault(machine, [])
    with suppress(IndexError):
        while True:
            yield idle.pop()


_idle: dict[Machine, list[WarmMachine]] = {}  # the warm machines of this process that play no game


@atexit.register
def end_idle_machines() -> None:
    """End the machines that wait for a game."""
    for machines in _idle.values():
        while machines:
            machines.pop().close()


@cache
def java_program(java: str) -> str:
    """The full path of the Java program."""
    path = shutil.which(java)
    if path is None:
        raise PodiumError(f"a referee in a jar needs Java, but {java!r} was not found; install a JDK of version 17")
    return path


@cache
def java_version(java: str) -> int:
    """The major version of a Java program."""
    try:
        run = subprocess.run([java_program(java), "-version"], capture_output=True, text=True, timeout=COMPILE_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        raise PodiumError(f"{java} does not start: {error}") from None
    found = re.search(r'version "(?:1\.)?(\d+)', run.stderr + run.stdout)
    if not found:
        raise PodiumError(f"{java} -version tells no version: {(run.stderr or run.stdout).strip()[:200]!r}")
    return int(found[1])


@cache
def launcher_folder(java: str) -> Path | None:
    """The folder of the compiled launcher; None where it cannot be compiled."""
    compiler = Path(java_program(java)).resolve().with_name("javac")
    found = str(compiler) if compiler.is_file() else shutil.which("javac")
    folder = root() / f"launcher-{hashlib.blake2b(LAUNCHER.read_bytes(), digest_size=8).hexdigest()}"
    if (folder / "Launcher.class").is_file():
        return folder
    if found is None:
        return None
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        words = [found, "--release", "8", "-Xlint:-options", "-d", made, str(LAUNCHER)]
        if java_version(java) < 9:
            del words[1:4]
        try:
            subprocess.run(words, check=True, capture_output=True, timeout=COMPILE_SECONDS)
            shutil.copytree(made, folder, dirs_exist_ok=True, copy_function=_replace)
        except (OSError, subprocess.SubprocessError):
            return None
    return folder


def _replace(source: str, target: str) -> str:
    """Move a file into place at once: another process may be loading it."""
    os.replace(source, target)
    return target


def class_path_of(path: Path) -> tuple[str, ...]:
    """The class path that a jar, or the folder of a Maven project, stands for; PodiumError if no engine is in it."""
    if path.is_dir():
        project = path / "target" if (path / "target").is_dir() else path
        jars = [jar for jar in sorted(project.glob("*.jar")) if not re.search(r"-(sources|javadoc|tests)$", jar.stem)]
        jars = [jar for jar in jars if not jar.name.startswith("original-")]
        jars = [
            jar for jar in jars if _holds(jar, MAIN_CLASS)
        ] or jars  # a fork may build a fat jar beside the thin one
        if not jars and (project / "classes").is_dir():
            jars = [project / "classes"]
        if len(jars) != 1:
            told = ", ".join(jar.name for jar in jars) or "none"
            raise PodiumError(f"{path} should hold one jar of a referee, but has {told}; name the jar itself")
        path = jars[0]
    if not path.exists():
        raise PodiumError(f"there is no referee {path}")
    if _holds(path, MAIN_CLASS):
        return (str(path.absolute()),)
    libraries = [jar for folder in ("dependency", "lib") for jar in sorted((path.parent / folder).glob("*.jar"))]
    if any(_holds(jar, MAIN_CLASS) for jar in libraries):
        return tuple(str(part.absolute()) for part in (path, *libraries))
    if _holds(path, "Referee"):
        raise PodiumError(f"{path.name} is a referee of the old kind; try 'referee:old:java -jar {path}'")
    raise PodiumError(
        f"{path} holds no {MAIN_CLASS}, nor does a folder `dependency` or `lib` beside it; in the referee's repository "
        "run `mvn package dependency:copy-dependencies` and name the jar in `target`"
    )


def _holds(path: Path, name: str) -> bool:
    entry = name.replace(".", "/") + ".class"
    if path.is_dir():
        return (path / entry).is_file()
    return _entry(path, entry) is not None


def _entry(jar: Path, name: str) -> bytes | None:
    try:
        with zipfile.ZipFile(jar) as opened:
            return opened.read(name)
    except KeyError:
        return None
    except (OSError, zipfile.BadZipFile) as error:
        raise PodiumError(f"cannot read {jar}: {error}") from None


def engine_version(class_path: Sequence[str]) -> str:
    """The version of CodinGame's engine in a class path, where it tells."""
    for part in class_path:
        text = _entry(Path(part), ENGINE) if Path(part).is_file() else None
        found = re.search(rb"^version=(\S+)", text or b"", re.M)
        if found:
            return found[1].decode()
    return ""
