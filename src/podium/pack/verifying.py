"""A packed bot compared with the bot that it was made from: the same prompts, the same nodes, the same answers.

The packed file runs as it will at a judge's: in an empty folder, without environment, by an interpreter that finds
NumPy and nothing else that is installed.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from podium.arena.entrants.bot_names import bot_kind
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Answer, Bot, Budget, Referee, Request
from podium.games.loop import play_turn, requests_of

NODES = 100  # per answer
CLEAN = (
    "import sys; sys.path.append(sys.argv.pop(1)); sys.argv.pop(0); "
    "exec(compile(open(sys.argv[0], encoding='utf-8').read(), sys.argv[0], 'exec'), {'__name__': '__main__'})"
)


@contextmanager
def clean_command(file: Path, python: str = "") -> Iterator[tuple[list[str], Path]]:
    """The command that runs a file by a Python that knows only NumPy, and an empty folder to run it in."""
    with tempfile.TemporaryDirectory(prefix="podium-clean-") as folder:
        libraries, empty = Path(folder) / "libraries", Path(folder) / "empty"
        libraries.mkdir()
        empty.mkdir()
        for path in Path(str(np.__file__)).parents[1].glob("numpy*"):
            (libraries / path.name).symlink_to(path)
        if python:
            yield [python, "-I", str(file.absolute())], empty
        else:
            yield [sys.executable, "-I", "-S", "-c", CLEAN, str(libraries), str(file.absolute())], empty


class PackedProgram:
    """A packed bot as a process that answers prompts."""

    def __init__(self, command: Sequence[str], folder: Path, seed: int, nodes: int) -> None:
        words = [*command, "--seed", str(seed), "--nodes", str(nodes)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env={}, text=True)

    def reply(self, request: Request) -> str:
        """Its answer to a prompt; PodiumError if it has ended."""
        assert self.process.stdin and self.process.stdout and self.process.stderr
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in request.lines))
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise PodiumError(f"the packed bot has ended: {self.process.stderr.read().strip()[-500:]}")
        return line.rstrip("\n")

    def close(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.communicate()


@dataclass
class Verification:
    """How many answers were compared, and which differ."""

    positions: int = 0
    differences: list[str] = field(default_factory=list)


def verify_pack(
    game: str, bot: str, file: Path, positions: int = 200, nodes: int = NODES, python: str = ""
) -> Verification:
    """Play games with a bot, and compare each answer with that of its packed file."""
    rules = load(game)
    kind, changes = bot_kind(rules, bot)
    found, seed = Verification(), 0
    with clean_command(file, python) as (command, folder):
        while found.positions < positions:
            seed += 1
            bots = [kind.bot(changes, seed) for _ in range(rules.seats)]
            programs = [PackedProgram(command, folder, seed, nodes) for _ in range(rules.seats)]
            referee = rules.new_referee(seed)
            try:
                for turn in compared_turns(referee, bots, programs, nodes):
                    found.positions += len(turn)
                    found.differences += [f"seed {seed}, {difference}" for difference in turn if difference]
                    if found.positions >= positions:
                        break
            finally:
                referee.close()
                for program in programs:
                    program.close()
    return found


def compared_turns(
    referee: Referee, bots: Sequence[Bot], programs: Sequence[PackedProgram], nodes: int
) -> Iterator[list[str]]:
    """Play a game turn by turn: how each answer of a program differs from that of its bot, "" if it does not.

    It ends with the first difference, for the two then know different games.
    """
    differences: list[str] = []
    while not any(differences) and (requests := requests_of(referee)):
        answers, differences = [], []
        for request in requests:
            wanted = bots[request.seat].reply(request.lines, Budget(nodes=nodes))
            answered = programs[request.seat].reply(request)
            answers.append(Answer(wanted))
            place = f"turn {referee.turn}, seat {request.seat}"
            differences.append("" if answered == wanted else f"{place}: {answered!r}, but {wanted!r} unpacked")
        yield differences
        play_turn(referee, requests, answers)
