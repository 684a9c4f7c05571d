"""JVMs for referees of CodinGame's engine: located, started with the right flags, and kept warm between games.

A referee's main class plays one game and exits, and starting a JVM takes longer than the game. So a small launcher
(`Launcher.java` beside this file, compiled once if there is a `javac`) plays game after game in one JVM, with a class
loader for each game, because referees keep static state. A JVM is discarded after a game that failed, left threads
behind or was abandoned, and when its memory has grown; without `javac` every game starts a JVM.
"""

import atexit
import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from podium.errors import PodiumError
from podium.kernel.cache import built_folder
from podium.referees.channel import PATIENCE, ProcessChannel
from podium.referees.messages import ExternalRefereeError, Reader

MAIN_CLASS = "com.codingame.gameengine.core.RefereeMain"
ENGINE = "META-INF/maven/com.codingame.gameengine/core/pom.properties"
LAUNCHER = Path(__file__).with_name("Launcher.java")
BEGIN = b"[[PODIUM_GAME] 0]\n"
MOST_GAMES = 1000  # of one JVM
MEMORY = 512  # MB of heap
GROWTH = 384  # MB beyond the heap at which a JVM is discarded
COMPILE_SECONDS = 120.0
DONE_SECONDS = 20.0  # from the scores to the end of the referee's program
COMMON_FLAGS = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8")
# Engines before 4.5 reach into java.lang; messages of the JVM must not mix with the referee's on standard output.
MODULE_FLAGS = ("--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xlog:disable", "-Xlog:all=warning:stderr")


@dataclass(frozen=True)
class JvmSpec:
    """How to start a JVM for a referee."""

    class_path: tuple[str, ...]
    properties: tuple[tuple[str, str], ...] = ()  # Java system properties
    memory: int = MEMORY
    java: str = "java"
    patience: float = PATIENCE
    warm: bool = True

    def flags(self) -> list[str]:
        """The options of the JVM, for its version of Java."""
        modules = MODULE_FLAGS if java_version(self.java) >= 9 else ()
        properties = (f"-D{name}={value}" for name, value in (("game.mode", "multi"), *self.properties))
        return [*modules, *COMMON_FLAGS, f"-Xmx{self.memory}m", *properties]

    def command(self, launcher: Path | None) -> list[str]:
        """The command line: with the launcher for many games, without it for one."""
        entries = (str(launcher), *self.class_path) if launcher else self.class_path
        main = ("Launcher", MAIN_CLASS) if launcher else (MAIN_CLASS,)
        return [java_program(self.java), *self.flags(), "-cp", os.pathsep.join(entries), *main]

    def channel(self) -> ProcessChannel:
        """A channel to a JVM at the start of a game: an idle JVM of this process, or a new one."""
        launcher = launcher_folder(self.java) if self.warm else None
        if launcher is None:
            return ProcessChannel(self.command(None), self.patience)
        for warm in _take_idle(self):
            if warm.is_alive:
                warm.begin()
                return warm
            warm.close()
        fresh = WarmJvm(self, self.command(launcher))
        fresh.begin()
        return fresh


class WarmJvm(ProcessChannel):
    """A JVM that plays one game after the other."""

    def __init__(self, spec: JvmSpec, argv: Sequence[str]) -> None:
        super().__init__(argv, spec.patience)
        self.spec = spec
        self.games = 0
        self._leased = False

    def begin(self) -> None:
        """Begin a game in it."""
        self.games += 1
        self._leased = True
        self.send(BEGIN)

    def release(self, reusable: bool) -> None:
        """Keep it for the next game of this process if it is reusable and still healthy, else close it."""
        if not self._leased:
            return
        self._leased = False
        if reusable and self._is_healthy():
            _idle.setdefault(self.spec, []).append(self)
        else:
            self.close()

    def _is_healthy(self) -> bool:
        patience, self.patience = self.patience, DONE_SECONDS
        try:
            reader = Reader(self.line)
            while (message := reader.read()) is not None:
                if message.name == "PODIUM_DONE":
                    small = self.resident() < self.spec.memory + GROWTH
                    return message.lines == ["well 0"] and small and self.games < MOST_GAMES
        except ExternalRefereeError:
            return False
        finally:
            self.patience = patience
        return False

    def resident(self) -> float:
        """Its resident memory in MB; 0 where the system does not report it."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _take_idle(spec: JvmSpec) -> Iterator["WarmJvm"]:
    """The idle JVMs, each removed from the pool before it is returned: several threads may draw from it."""
    idle = _idle.setdefault(spec, [])
    with suppress(IndexError):
        while True:
            yield idle.pop()


_idle: dict[JvmSpec, list[WarmJvm]] = {}  # JVMs of this process that play no game now


@atexit.register
def end_idle_jvms() -> None:
    """End the JVMs that wait for a game."""
    for jvms in _idle.values():
        while jvms:
            jvms.pop().close()


@cache
def java_program(java: str) -> str:
    """The full path of the Java program; PodiumError if there is none."""
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
        raise PodiumError(f"{java} -version does not show a version: {(run.stderr or run.stdout).strip()[:200]!r}")
    return int(found[1])


@cache
def launcher_folder(java: str) -> Path | None:
    """The folder of the compiled launcher; None if it cannot be compiled."""
    compiler = Path(java_program(java)).resolve().with_name("javac")
    found = str(compiler) if compiler.is_file() else shutil.which("javac")
    words = [found or "javac", "--release", "8", "-Xlint:-options", str(LAUNCHER)]
    if java_version(java) < 9:
        del words[1:4]

    def build(folder: Path) -> None:
        subprocess.run([*words, "-d", str(folder)], check=True, capture_output=True, timeout=COMPILE_SECONDS)

    name = f"launcher-{hashlib.blake2b(LAUNCHER.read_bytes(), digest_size=8).hexdigest()}"
    try:
        return built_folder(name, "Launcher.class", build)
    except (OSError, subprocess.SubprocessError):
        return None


def class_path_of(path: Path) -> tuple[str, ...]:
    """The class path of a jar, or of the folder of a Maven project; PodiumError if it does not contain the engine."""
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
            found = ", ".join(jar.name for jar in jars) or "none"
            raise PodiumError(f"{path} should hold one jar of a referee, but has {found}; name the jar itself")
        path = jars[0]
    if not path.exists():
        raise PodiumError(f"there is no referee {path}")
    if _holds(path, MAIN_CLASS):
        return (str(path.absolute()),)
    libraries = [jar for folder in ("dependency", "lib") for jar in sorted((path.parent / folder).glob("*.jar"))]
    if any(_holds(jar, MAIN_CLASS) for jar in libraries):
        return tuple(str(part.absolute()) for part in (path, *libraries))
    if _holds(path, "Referee"):
        raise PodiumError(f"{path.name} speaks the line protocol; try 'referee:old:java -jar {path}'")
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
    """The version of CodinGame's engine in a class path; "" if it is not recorded there."""
    for part in class_path:
        text = _entry(Path(part), ENGINE) if Path(part).is_file() else None
        found = re.search(rb"^version=(\S+)", text or b"", re.M)
        if found:
            return found[1].decode()
    return ""
