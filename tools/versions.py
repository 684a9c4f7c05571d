"""Tries Podium with the oldest and the newest versions of Python and of the libraries that it declares.

For each Python that is found and each set of libraries a virtual environment is made (once; it is used again), the
tests are run in it, a bot plays for a judge twice: compiled, and from ahead-of-time code, and every champion is packed
and its file compared with it, by the environment's own NumPy. Run it before a release and in CI:

    python tools/versions.py                                    # everything
    python tools/versions.py --python 3.13 --set newest         # one environment
    python tools/versions.py --tests tests/kernel tests/search  # only some tests

It needs network access to a package index, and about ten minutes for each environment with all tests.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
SETS = ("oldest", "newest")
# The lower bounds of pyproject.toml, or the first versions that exist for a newer Python.
COMMON = ("rich==13.0.*", "typer==0.12.*", "starlette==0.46.*", "uvicorn==0.29.*", "httpx==0.27.*")
OLDEST = {
    "3.11": ("numba==0.60.*", "numpy==1.26.*", "scipy==1.11.*", "msgspec==0.18.*", *COMMON),
    "3.12": ("numba==0.60.*", "numpy==1.26.*", "scipy==1.11.*", "msgspec==0.18.*", *COMMON),
    "3.13": ("numba==0.61.*", "numpy==2.1.*", "scipy==1.14.*", "msgspec==0.19.*", *COMMON),
}
FOR_TESTS = ("pytest", "pytest-xdist", "hypothesis", "setuptools>=77", "httpx")
SHOWN = ("numba", "llvmlite", "numpy", "scipy")
GAME, CHAMPION = "zuniq", "champion"
ANSWERS = 200  # of each champion that are compared with those of its packed file
COMPILED = "podium: compiling"  # begins the line on standard error of a bot that waits for the compiler


@dataclass(frozen=True)
class Environment:
    """A Python with a set of libraries."""

    version: str  # of Python
    libraries: str  # oldest or newest
    folder: Path

    @property
    def name(self) -> str:
        """For people."""
        return f"Python {self.version}, {self.libraries} libraries"

    @property
    def python(self) -> str:
        """The interpreter."""
        return str(self.folder / "bin" / "python")

    def run(self, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run Python there, with this working copy and a cache for all environments."""
        variables = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        variables["PODIUM_CACHE_DIR"] = str(self.folder.parent / "cache")
        command = [self.python, *arguments]
        return subprocess.run(command, cwd=ROOT, env=variables, input=text, text=True, capture_output=True, check=False)


def interpreter(version: str) -> str | None:
    """The Python of a version: on the path, or installed by pyenv."""
    found = shutil.which(f"python{version}")
    if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
        return found
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return str(installed[-1]) if installed else None


def declared() -> list[str]:
    """The libraries that pyproject.toml declares, with their bounds."""
    import tomllib

    return list(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])


def build(environment: Environment, interpreter: str) -> str:
    """Make an environment, unless it is there; returns "" or what went wrong."""
    done = environment.folder / "done"
    if done.exists():
        return ""
    shutil.rmtree(environment.folder, ignore_errors=True)
    subprocess.run([interpreter, "-m", "venv", str(environment.folder)], check=True)
    pins = OLDEST[environment.version] if environment.libraries == "oldest" else ()
    command = [environment.python, "-m", "pip", "install", "--quiet", *declared(), *pins, *FOR_TESTS]
    installed = subprocess.run(command, text=True, capture_output=True, check=False)
    if installed.returncode:
        return f"pip: {installed.stderr.strip().splitlines()[-1]}"
    done.touch()
    return ""


def versions(environment: Environment) -> str:
    """The versions of the libraries that matter most."""
    script = f"from importlib.metadata import version\nprint(*(f'{{n}} {{version(n)}}' for n in {SHOWN}), sep=', ')"
    return environment.run("-c", script).stdout.strip()


def play_for_a_judge(environment: Environment) -> str:
    """Let a bot answer its first prompt twice; returns "" or what went wrong."""
    ask = f"from podium.games import load\nprint(*load({GAME!r}).new_referee(1).requests()[0].lines, sep='\\n')"
    prompt = environment.run("-c", ask).stdout
    answers = []
    for _ in range(2):
        done = environment.run("-m", "podium", "bot", GAME, CHAMPION, "--nodes", "50", text=prompt)
        if done.returncode or not done.stdout.strip():
            return f"podium bot ended with {done.returncode}: {done.stderr.strip()[-500:]}"
        answers.append(done.stdout)
    if answers[0] != answers[1]:
        return f"podium bot answered {answers[0]!r}, and {answers[1]!r} from ahead-of-time code"
    if COMPILED in done.stderr or "cannot be" in done.stderr:
        return f"podium bot had no ahead-of-time code: {done.stderr.strip()[-500:]}"
    return ""


def pack_the_champions(environment: Environment) -> str:
    """Compare every champion with its packed file; returns "" or what went wrong."""
    games = sorted(path.parent.name for path in ROOT.glob("src/podium/games/*/referee.py"))
    for game in games:
        file = str(environment.folder / f"{game}.py")
        words = ("pack", game, CHAMPION, "-o", file, "--verify", str(ANSWERS), "--python", environment.python)
        done = environment.run("-m", "podium", *words)
        if done.returncode:
            return f"podium {' '.join(words)}: {done.stderr.strip()[-500:]}"
    return ""


def test(environment: Environment, tests: Sequence[str]) -> str:
    """Run tests; returns "" or the end of what they print."""
    done = environment.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)
    return "" if done.returncode == 0 else "\n".join(done.stdout.splitlines()[-30:]) + done.stderr[-500:]


def main() -> int:
    """Try the environments that the command line names; 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", nargs="+", default=PYTHONS, choices=PYTHONS, help="versions of Python")
    parser.add_argument("--set", nargs="+", default=SETS, choices=SETS, help="versions of the libraries")
    parser.add_argument("--tests", nargs="*", default=["tests"], help="tests to run (default: all; none: only a bot)")
    parser.add_argument("--folder", type=Path, default=Path("/tmp/podium-versions"), help="where environments are kept")
    options = parser.parse_args()
    failures = 0
    for version in options.python:
        for libraries in options.set:
            environment = Environment(version, libraries, options.folder / f"{version}-{libraries}")
            began = time.monotonic()
            found = interpreter(version)
            problem = build(environment, found) if found else "there is no such Python on this machine"
            problem = problem or play_for_a_judge(environment)
            problem = problem or pack_the_champions(environment)
            problem = problem or (test(environment, options.tests) if options.tests else "")
            failures += bool(problem)
            seconds = time.monotonic() - began
            known = versions(environment) if found else ""
            print(f"{environment.name} ({known}): {problem or 'passed'}, {seconds:.0f} s", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
