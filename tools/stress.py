"""Stress tests of what the arena promises (docs/reliability.md), for as long as you like.

    python -m tools.stress --seconds 600 --seed 1 [--json]

Each test is repeated with other random choices and reports what went wrong: a game lost or stored twice, a process left
behind, an exception other than PodiumError. The same seed makes the same choices. The exit code is 1 after a failure.
"""

import io
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random

from tools.common import parser, print_table

from podium.arena import bounds
from podium.arena.analysis.stored_runs import stored_report
from podium.arena.entrants.entrant import entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import LatePolicy, TimeControl
from podium.arena.processes import reaper
from podium.arena.processes.stdio import play_on_stdio
from podium.arena.store.store import Store
from podium.arena.store.stored_game import stored_game
from podium.arena.tournament.match import Match
from podium.arena.tournament.worker import Fixture, play_fixture
from podium.cli.console import console, errors, print_json
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Budget, Ending, Game
from podium.games.loop import play_bots

GAME = "zuniq"
SHOWN = 20  # failures that are printed
BOT = "random"  # a bot that every game has
GAMES = 2000  # of a run that is killed
MOST_KILLS = 6  # of one run, before it may end
ENDINGS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE = 120.0  # seconds for a process to end
EDGES = ["inf", "-inf", "nan", "1e400", "-1", str(2**63), str(-(2**63) - 1), str(2**200), "9" * 5000, "²", "0x10", ""]
WORDS = ["", "-1", "0", "7", "255", "99999999999999999999", "1e9", "x", "²", "\x00", "[/]"]

# Programs that read prompts and do their worst; each gets the whole of standard input.
HOSTILE = {
    "crash": "raise SystemError",
    "end": "pass",
    "hang": "import time; time.sleep(600)",
    "spin": "while True: pass",
    "flood": "while True: print('x' * 100000)",
    "lines": "while True: print('0')",
    "garbage": "import os\nwhile True: os.write(1, bytes(range(128, 256)) + b'\\n')",
    "long": "print('9' * 9000, flush=True); input(); input()",
    "zeros": "print('MOVE ' + '0' * 5000 + '1', flush=True); input(); input()",
    "blanks": "print('WAIT' + ' \\x85' * 3000, flush=True); input(); input()",
    "nul": "import os; os.write(1, b'\\0\\n'); input(); input()",
    "closes": "import os, time; os.close(1); time.sleep(600)",
    "deaf": "import os, time; os.close(0); time.sleep(600)",
    "signal": "import os; os.kill(os.getpid(), 40)",
    "stops": "import os; os.kill(os.getpid(), 19)",
    "memory": "print(len(bytearray(1 << 34)))",
    "errors": "import os\nwhile True: os.write(2, b'e' * 65536)",
    "child": "import subprocess, time; subprocess.Popen(['sleep', '600']); time.sleep(600)",
    "session": "import subprocess, time; subprocess.Popen(['setsid', 'sleep', '600']); time.sleep(600)",
    "bare": "import subprocess, time; subprocess.Popen(['env', '-i', 'setsid', 'sleep', '600']); time.sleep(600)",
    "orphan": "import subprocess; subprocess.run(['sh', '-c', 'env -i setsid sleep 600 &'])",
}


@dataclass
class StressTest:
    """The repetitions of one test, and its failures."""

    name: str
    unit: str  # what is counted
    trials: int = 0
    failures: list[str] = field(default_factory=list)


@dataclass
class Workbench:
    """What the tests work with: a game, a folder for stores, and a random generator."""

    game: Game
    folder: Path
    random: Random
    _whole: dict[tuple[str, int, int], str] = field(default_factory=dict)

    def command(self, *words: str) -> list[str]:
        """A command of this package."""
        return [sys.executable, "-P", "-m", "podium", *words]

    def whole(self) -> dict[tuple[str, int, int], str]:
        """The signatures of the games of an undisturbed run, by their places in the schedule."""
        if not self._whole:
            with Match(self.game.name, BOT, BOT, games=GAMES, nodes=1, store=self.folder / "whole.db") as match:
                match.play(jobs=1)
                self._whole = {game.place: game.signature for game in match.session.store.games(match.run)}
        return self._whole

    def store(self) -> Path:
        """A small store of its own."""
        path = self.folder / "small.db"
        if not path.exists():
            with Match(self.game.name, BOT, BOT, games=8, nodes=1, store=path) as match:
                match.play(jobs=1)
        copy = self.folder / f"copy{self.random.getrandbits(40)}.db"
        shutil.copy(path, copy)
        return copy


def kills(bench: Workbench) -> Iterator[str]:
    """Kill a run in all ways, again and again, then let it end: its games must be those of an undisturbed run."""
    random, whole = bench.random, bench.whole()
    path = bench.folder / f"killed{random.getrandbits(40)}.db"
    jobs = str(random.choice((1, 2)))
    words = ("match", bench.game.name, BOT, BOT, "--nodes", "1", "--games", str(GAMES), "--jobs", jobs, "--json")
    for kill in range(MOST_KILLS + 1):
        process = subprocess.Popen(
            bench.command(*words, "--store", str(path)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as in a terminal
        )
        try:
            _, said = process.communicate(timeout=random.uniform(0.5, 5.0) if kill < MOST_KILLS else PATIENCE)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(random.choice(ENDINGS))
            _, said = process.communicate(timeout=PATIENCE)
            yield ""
        if b"Traceback" in said:
            yield f"a killed run says {said.decode(errors='replace')[-300:]!r}"
        if not _ends(process.pid):
            yield f"processes of a killed run with {jobs} jobs live on: {_members(process.pid)}"
    if process.returncode:
        yield f"the last start of a killed run fails: {said.decode(errors='replace')[-300:]!r}"
        return
    with Store(path, create=False) as store:
        found = [(game.place, game.signature) for game in store.games(store.run(1))]
    if len(found) != len(dict(found)):
        yield f"{len(found) - len(dict(found))} games are stored twice"
    if dict(found) != whole:
        yield f"of {len(whole)} games {len(whole.keys() - dict(found).keys())} are lost, or some differ"


def hostile(bench: Workbench) -> Iterator[str]:
    """Play against a hostile program: the game must end with a result, and no process may remain."""
    name = bench.random.choice(list(HOSTILE))
    path = bench.folder / f"{name}.py"
    path.write_text(HOSTILE[name])
    who = entrant(bench.game, f"cmd:{sys.executable} -S -E {path}")
    seats = (0,) + (1,) * (bench.game.seats - 1)
    time_control = TimeControl(milliseconds=200.0, startup=3000.0, policy=LatePolicy.STRICT, nodes=1)
    conditions = Conditions(bench.game.name, {}, time_control, memory=1024, suspend=bench.random.random() < 0.3)
    before = _sleepers()
    game = play_fixture(conditions, {0: who, 1: entrant(bench.game, BOT)}, Fixture("m", 0, 0, seats, 1))
    yield ""
    if game.ending is Ending.ANNULLED:
        yield f"{name}: the referee failed: {game.sentence}"
    if not game.faults and not game.irregularities:
        yield f"{name}: nobody noticed anything"
    if not _soon(lambda: _sleepers() <= before):
        yield f"{name}: processes are left behind"


def edges(bench: Workbench) -> Iterator[str]:
    """Give extreme numbers to options: they must be accepted, or refused with a sentence."""
    option = bench.random.choice(
        [bounds.TIME, bounds.NODES, bounds.RESERVE, bounds.STARTUP, bounds.MEMORY, bounds.SEED, bounds.GAMES]
    )
    edge = bench.random.choice(EDGES)
    words = ["match", bench.game.name, BOT, BOT, f"--{option.name}={edge}"]
    words += ["--store", str(bench.folder / "edge.db")]
    if option is not bounds.GAMES:
        words += ["--games", "2"]
    done = subprocess.run(bench.command(*words), capture_output=True, timeout=PATIENCE, check=False)
    yield ""
    if b"Traceback" in done.stderr or done.returncode not in (0, 2):
        yield f"--{option.name}={edge[:30]} ends with {done.returncode}: {done.stderr.decode()[-200:]!r}"


def stores(bench: Workbench) -> Iterator[str]:
    """Open a store with changed bytes or values: it must be shown, or refused with a sentence."""
    path, random = bench.store(), bench.random
    if random.random() < 0.5:
        data = bytearray(path.read_bytes())
        for _ in range(random.randint(1, 30)):
            data[random.randrange(len(data))] = random.randrange(256)
        path.write_bytes(data)
    else:
        _change_a_value(path, random)
    yield from _must_be_a_sentence(lambda: _look_through(bench.game, path), "a changed store")
    path.unlink()


def _change_a_value(path: Path, random: Random) -> None:
    connection = sqlite3.connect(path)
    with connection:
        table = random.choice(["runs", "bots", "entries", "games", "records"])
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        value = random.choice([None, -1, 2**40, 1e300, "", "[]", "{}", "[[1]]", "[1e999]", "x", b"\xff", b""])
        with suppress(sqlite3.Error):  # what the table itself refuses
            connection.execute(f"UPDATE OR IGNORE {table} SET {random.choice(columns)} = ?", (value,))
    connection.close()


def _look_through(game: Game, path: Path) -> None:
    with Store(path, create=False) as store:
        for run, _, _ in store.runs():
            stored_report(store, run)
            for stored in store.games(run):
                stored_game(store, stored).replay(game)


def prompts(bench: Workbench) -> Iterator[str]:
    """Send a bot malformed prompts: it must answer, or refuse with a sentence."""
    lines, random = _real_lines(bench), bench.random
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(lines))
        words = lines[place].split(" ")
        words[random.randrange(len(words))] = random.choice(WORDS)
        lines[place : place + random.choice((0, 1, 1, 1, 2))] = [" ".join(words)]
    with _told("".join(f"{line}\n" for line in lines)):
        yield from _must_be_a_sentence(lambda: play_on_stdio(bench.game.name, BOT, nodes=1), "a changed prompt")


def _real_lines(bench: Workbench) -> list[str]:
    """What seat 0 is sent in a game."""
    game = bench.game
    lines: list[str] = []
    bots = [game.kind(BOT).bot(seed=seat) for seat in range(game.seats)]
    play_bots(
        game.new_referee(bench.random.getrandbits(40)),
        bots,
        Budget(0, nodes=1),
        lambda requests, _: lines.extend(line for one in requests if one.seat == 0 for line in one.lines),
    )
    return lines


@contextmanager
def _told(text: str) -> Iterator[None]:
    usual = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO(text), io.StringIO()
    try:
        yield
    finally:
        sys.stdin, sys.stdout = usual


def _must_be_a_sentence(work: Callable[[], None], what: str) -> Iterator[str]:
    try:
        work()
    except PodiumError:
        pass
    except Exception as error:
        yield f"{what}: {type(error).__name__}: {error}"
    yield ""


def _ends(group: int) -> bool:
    return _soon(lambda: not _members(group))


def _members(group: int) -> list[str]:
    """The command lines of the processes of a group that still run; what has ended may wait long to be noticed."""
    found = []
    for folder in reaper.PROC.glob("[0-9]*"):
        with suppress(OSError, ValueError):
            state, _, number = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(number) == group and state != "Z":
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:100])
    return found


def _sleepers() -> set[int]:
    """The children that hostile programs start."""
    found = set()
    for folder in reaper.PROC.glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes() == b"sleep\x00600\x00":
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def _soon(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


# name, unit, function, repetitions per round: short ones are repeated more often
TESTS: Sequence[tuple[str, str, Callable[[Workbench], Iterator[str]], int]] = (
    ("kills", "kills of a run", kills, 1),
    ("hostile programs", "games", hostile, 5),
    ("edge numbers", "commands", edges, 2),
    ("changed stores", "stores", stores, 50),
    ("changed prompts", "games", prompts, 50),
)


def run(
    game: Game, folder: Path, seconds: float, seed: int, look: Callable[[list[StressTest]], None]
) -> list[StressTest]:
    """Run all tests in turn for `seconds`, each at least once; this process must belong to the arena alone."""
    reaper.adopt_orphans()
    bench = Workbench(game, folder, Random(seed))
    found = [StressTest(name, unit) for name, unit, _, _ in TESTS]
    end = time.monotonic() + seconds
    while time.monotonic() < end or not all(test.trials for test in found):
        for test, (_, _, trial, times) in zip(found, TESTS, strict=True):
            for failure in chain.from_iterable(trial(bench) for _ in range(times)):
                test.trials += not failure
                test.failures += [failure] if failure else []
            look(found)
    return found


def main() -> None:
    """Run and print."""
    options = parser(__doc__, 60.0, "duration in seconds")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, errors.status("stress tests ...") as status:

        def look(found: list[StressTest]) -> None:
            status.update(", ".join(f"{test.name} {test.trials:,}" for test in found))

        found = run(load(GAME), Path(folder), given.seconds, given.seed, look)
    if given.json:
        print_json({"tests": [vars(test) for test in found]})
    else:
        rows = [(test.name, f"{test.trials:,} {test.unit}", f"{len(test.failures):,}") for test in found]
        print_table(("test", "trials", "failures"), rows)
        for text in [failure for test in found for failure in test.failures][:SHOWN]:
            console.print(text, style="red")
    sys.exit(any(test.failures for test in found))


if __name__ == "__main__":
    main()
