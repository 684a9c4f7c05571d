"""The overhead of the arena, apart from the bots: time per prompt, speed-up by two jobs, large stores.

python -m tools.arena_speed [--seconds 2] [--json]
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from tools.common import parser, print_table, three_digits

from podium.arena.game.limits import TimeControl
from podium.arena.game.play import play_game
from podium.arena.game.players import InProcessPlayer, Player, ProgramPlayer
from podium.arena.game.record import Recorder
from podium.arena.game.turn import Turn
from podium.arena.tournament.match import Match
from podium.arena.tournament.schedule import fixtures
from podium.arena.tournament.worker import Fixture, Stopwatch, play_fixture, play_seated
from podium.cli.compilation import compilation_shown
from podium.cli.console import errors, print_json
from podium.games import load, names
from podium.games.game import Bot, Budget, Game

FIRST = "random"  # a bot that every game has
QUICK = "zuniq"  # the game of the figures that one game is enough for
STORED = 10_000
NODES = 200  # of the bots whose games are played by one and by two jobs
ROUNDS_OF_JOBS = 3
LONGEST_PROMPT = 150.0  # microseconds, the targets
SHORT_PROMPT = 25.0  # where a prompt is a word
OTHER_PROMPT = 100.0
SPEED_UP = 1.8
SHORT = 10  # characters of a prompt that is but a word
ANSWER_SECONDS = 1.0
TAKEN_UP = 10.0  # microseconds: a million games in ten seconds

# Answers from a list as fast as the language allows; one read takes a whole prompt where it is one short line.
SCRIPT = """
import os, sys
answers = open(sys.argv[1], "rb").read().splitlines(True)
for answer in answers:
    os.read(0, 65536)
    os.write(1, answer)
os.read(0, 65536)
"""


@dataclass(frozen=True)
class Figure:
    """A measured figure and its target."""

    name: str
    value: float
    unit: str
    target: float
    at_least: bool = False  # the target is a lower bound, not an upper one
    note: str = ""

    @property
    def reached(self) -> bool:
        """Whether the target is reached."""
        return self.value >= self.target if self.at_least else self.value <= self.target


class Scripted(Bot):
    """Answers at once, from a list."""

    def __init__(self, answers: Sequence[str]) -> None:
        self.answers = iter(answers)

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """The next answer of the list."""
        return next(self.answers)


def _recorded(game: Game) -> list[list[str]]:
    """The answers of every seat in one game of random bots."""
    answers: list[list[str]] = [[] for _ in range(game.seats)]
    bots = [game.kind(FIRST).bot(seed=seat) for seat in range(game.seats)]

    def watch(turn: Turn) -> None:
        answers[turn.request.seat].append(turn.line or "")

    play_game(game.new_referee(1), bots, TimeControl(nodes=1), watch)
    return answers


def prompts_in_process(game: Game, seconds: float) -> Figure:
    """Processor time per prompt of a whole stored game between bots that answer at once."""
    answers = _recorded(game)
    prompts = sum(map(len, answers))
    times: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Match(game.name, FIRST, FIRST, nodes=1, store=Path(folder, "bench.db")) as match,
    ):
        session, bots = match.session, match.pairing.seatings[0]
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or len(times) < 3:
            start = time.process_time()
            players: list[Player] = [InProcessPlayer(Scripted(lines)) for lines in answers]
            fixture = Fixture(match.pairing.key, len(times), 0, bots, 1)
            handicaps = [1.0] * game.seats
            played = play_seated(
                session.conditions, fixture, game.new_referee(1), players, handicaps, Stopwatch(), Recorder()
            )
            session.store.add(session.run, [played])
            times.append(time.process_time() - start)
    middle = statistics.median(times)
    note = f"median of {len(times):,} games of {prompts} prompts; {1 / middle:,.0f} games/s"
    target = SHORT_PROMPT if _is_short(game) else OTHER_PROMPT
    return Figure(f"{game.name}: prompt in process", middle / prompts * 1e6, "µs", target, note=note)


def _is_short(game: Game) -> bool:
    """Whether its prompts are single words rather than pages."""
    return sum(len(line) for request in game.new_referee(1).requests() for line in request.lines) <= SHORT


def prompts_of_a_program(game: Game, seconds: float) -> Figure:
    """Time per prompt of a program that answers at once, without its own processor time."""
    answers = _recorded(game)
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "bot.py")
        script.write_text(SCRIPT)
        commands = []
        for seat, lines in enumerate(answers):
            Path(folder, f"answers{seat}").write_text("".join(f"{line}\n" for line in lines))
            commands.append((sys.executable, "-S", "-E", str(script), f"{folder}/answers{seat}"))
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or not times:
            players = [ProgramPlayer(argv, 0, 1) for argv in commands]
            last = 0.0

            def watch(turn: Turn) -> None:
                nonlocal last
                present = time.perf_counter()
                if last:
                    times.append((present - last) * 1e6 - (turn.cpu_ms or 0.0) * 1e3)
                last = present

            try:
                play_game(game.new_referee(1), players, TimeControl(10_000.0), watch)
            finally:
                for player in players:
                    player.close(())
    note = f"median of {len(times):,} turns; the program's own processor time is taken off"
    return Figure(f"{game.name}: prompt of a program", statistics.median(times), "µs", LONGEST_PROMPT, note=note)


def two_jobs(game: Game, seconds: float) -> Figure:
    """How many times the games of one job two jobs play."""
    thinker = next((name for name in reversed(list(game.bots)) if name != FIRST), FIRST)
    rates: dict[int, list[float]] = {1: [], 2: []}
    busy = 0.0
    for number in range(ROUNDS_OF_JOBS):
        for jobs in (1, 2):
            rate, busy = _rate(jobs, game, thinker, seconds, number)
            rates[jobs].append(rate)
    ratios = [two / one for one, two in zip(rates[1], rates[2], strict=True)]
    speeds = f"{max(rates[1]):.1f} and {max(rates[2]):.1f} games/s of {thinker} at {NODES} nodes"
    note = f"{speeds}; best of {ROUNDS_OF_JOBS}; two workers are busy {busy / 2:.0%} of the time"
    return Figure(f"{game.name}: two jobs against one", max(ratios), "times", SPEED_UP, at_least=True, note=note)


def _rate(jobs: int, game: Game, thinker: str, seconds: float, seed: int) -> tuple[float, float]:
    """Games per second of a number of jobs, stored, and the mean number of games in progress.

    Each worker has been used before the clock starts.
    """
    marks: list[tuple[float, float]] = []  # when a game ended, and how long it took
    with (
        tempfile.TemporaryDirectory() as folder,
        Match(game.name, thinker, FIRST, nodes=NODES, seed=seed, store=Path(folder, "bench.db")) as match,
    ):
        match.prepare()
        session = match.session
        first = time.perf_counter()
        with session.team(jobs, "") as team:
            session.play(
                team,
                fixtures([match.pairing], seed, session.is_done, count()),
                lambda games: marks.extend((time.perf_counter(), took) for took in games.seconds.tolist()),
                lambda: bool(marks) and marks[-1][0] - first > 2 * seconds,
                lambda: None,
            )
    late = [mark for mark in marks if mark[0] - first > seconds]  # workers have started and loaded their kernels
    if len(late) < 2:
        return 0.0, 0.0
    elapsed = late[-1][0] - late[0][0]
    return (len(late) - 1) / elapsed, min(2.0, sum(took for _, took in late[1:]) / elapsed)


def large_store(game: Game) -> list[Figure]:
    """How long `podium show` and continuing a run take in a store of 10,000 games."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.db")
        with Match(game.name, FIRST, FIRST, games=STORED, nodes=1, store=path) as match:
            session = match.session
            block = [
                play_fixture(session.conditions, session.entrants, Fixture(match.pairing.key, 0, part, bots, 1))
                for part, bots in enumerate(match.pairing.seatings)
            ]
            copies = [replace(game, round=number) for number in range(STORED // len(block)) for game in block]
            session.store.add(session.run, copies)
        start = time.process_time()
        with Match(game.name, FIRST, FIRST, games=STORED, nodes=1, store=path) as match:
            taken = (time.process_time() - start) / match.tally.counted * 1e6
        note = f"processor time of {STORED:,} games that are read and counted; a million take {taken:.0f} s"
        figures = [Figure("reading and counting a stored game", taken, "µs", TAKEN_UP, note=note)]
        base = [sys.executable, "-P", "-m", "podium"]
        going_on = ["match", game.name, FIRST, FIRST, "--nodes", "1", "--games", str(STORED)]
        commands = {"podium show": ["show", "r1"], "continuing a match": going_on}
        for name, words in commands.items():
            subprocess.run([*base, *words, "--store", str(path)], check=True, capture_output=True)
            start, before = time.perf_counter(), _children_seconds()
            subprocess.run([*base, *words, "--store", str(path)], check=True, capture_output=True)
            elapsed, own = time.perf_counter() - start, _children_seconds() - before
            note = f"the whole command; {own:.2f} s of processor time"
            figures.append(Figure(f"{name} with {STORED:,} games", elapsed, "s", ANSWER_SECONDS, note=note))
    return figures


def _children_seconds() -> float:
    """The processor time of all programs that this one has started and waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def figures(games: Sequence[Game], quick: Game, seconds: float) -> list[Figure]:
    """All figures; those that one game is enough for are measured on a quick one."""
    found = [prompts_in_process(game, seconds) for game in games if FIRST in game.bots]
    found.append(prompts_of_a_program(quick, seconds))
    found.append(two_jobs(quick, seconds))
    return [*found, *large_store(quick)]


def main() -> None:
    """Measure and print; the exit code is 0 whether targets are reached or not."""
    options = parser(__doc__, 2.0, "seconds for each figure").parse_args()
    with compilation_shown(), errors.status("measuring the arena ..."):
        found = figures([load(name) for name in names()], load(QUICK), options.seconds)
    if options.json:
        print_json({"figures": [{**vars(figure), "reached": figure.reached} for figure in found]})
        return
    rows = [
        (
            figure.name,
            f"{three_digits(figure.value)} {figure.unit}",
            f"{'>=' if figure.at_least else '<='} {figure.target:g} {figure.unit}",
            "reached" if figure.reached else "missed",
            figure.note,
        )
        for figure in found
    ]
    print_table(("figure", "measured", "target", "", "how"), rows, "overhead of the arena")


if __name__ == "__main__":
    main()
