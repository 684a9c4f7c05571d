"""The files of a training run: its plan, its log, the networks of its generations.

| file | content |
| --- | --- |
| `plan.json` | the plan; the same plan continues the run |
| `generation-0007.npz` | the network after generation 7 |
| `examples-0007-003.npz` | the examples of the fourth self-play job of generation 7 |
| `openings-0007.jsonl` | the positions in which the games of generation 7's gate begin |
| `student.npz` | the student with the state of its optimizer, and the log once more |
| `log.jsonl` | a line for each generation |
| `ratings.jsonl` | a line for each match of a generation against a fixed opponent |
| `matches.db` | the store with all games of gate and ladder |
| `curves.svg` | losses and scores over generations |

Files are written whole or not at all, but for the logs, which may end in half a line after a sudden end. Plans of
earlier versions are read too: some of their fields had other names.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.model.params import Value
from podium.search.network import load_network
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS

PLAN, LOG, STUDENT, CURVES, MATCHES = "plan.json", "log.jsonl", "student.npz", "curves.svg", "matches.db"
EXAMPLES = "examples-*.npz"  # the files of all jobs
FORMER_NAMES = {  # of the plan's fields
    "practice": "self_play",
    "omen_weight": "auxiliary_weight",
    "rate": "learning_rate",
    "search_share": "root_value_weight",
    "symmetric": "symmetries",
}


@dataclass(frozen=True)
class TrainingPlan:
    """What a training run does; the same plan continues the same run."""

    game: str
    seed: int = 1
    hidden: tuple[int, ...] = (128, 64)  # units of the hidden layers
    games: int = 1600  # of self-play in a generation
    job: int = 100  # games of a self-play job
    window: int = 20  # generations whose examples are learnt from
    steps: int = 300  # training steps in a generation
    batch: int = 1024  # examples of a training step
    learning_rate: float = 1e-3
    auxiliary_weight: float = 0.5  # of the auxiliary loss
    root_value_weight: float = 0.3  # of the root value in the value target; the rest is the game's result
    symmetries: bool = True  # learn each position under a random symmetry of the game
    gate: float = 0.6  # share of the points with which the student becomes the teacher; 0: it always does
    gate_games: int = 200
    self_play: dict[str, Value] = field(default_factory=dict)  # changed self-play parameters
    start: str = ""  # a network file to begin with; empty: random weights

    def text(self) -> str:
        """As the text of its file."""
        data = {**asdict(self), "self_play": SELF_PLAY_PARAMS.canonical(self.self_play)}
        return json.dumps(data, sort_keys=True, indent=1)


@dataclass(frozen=True)
class Generation:
    """What the log says of a generation."""

    number: int
    teacher: int  # the generation whose network played the games
    games: int
    examples: int
    losses: dict[str, float]
    score: float | None  # of the student against the teacher, in the gate; None without a gate
    passed: bool  # whether the student became the teacher
    seconds: float
    low: float | None = None  # the 95 % interval of the score
    high: float | None = None
    run: str = ""  # of the store: the match of the gate


def generation_file(folder: Path, number: int) -> Path:
    """The file of the network after a generation."""
    return folder / f"generation-{number:04d}.npz"


def examples_file(folder: Path, number: int, job: int) -> Path:
    """The file of the examples of a self-play job of a generation."""
    return folder / f"examples-{number:04d}-{job:03d}.npz"


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def read_plan(folder: Path, game: str = "") -> TrainingPlan:
    """The plan of a run; PodiumError if the folder holds none, or one of another game than the one named.

    Fields that an older plan lacks have their defaults.
    """
    path = folder / PLAN
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        plan = TrainingPlan(**{FORMER_NAMES.get(name, name): value for name, value in data.items()})
    except FileNotFoundError:
        raise PodiumError(f"{folder} holds no training run: there is no {path}") from None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise PodiumError(f"{path} is not the plan of a training run: {error}") from None
    if game and plan.game != game:
        raise PodiumError(f"{folder} is a run of {plan.game}, not of {game}")
    return plan


def refuse_other_inputs(folder: Path, inputs: int) -> None:
    """PodiumError if the networks of a run have another number of inputs than the game has now."""
    path = generation_file(folder, 0)
    if path.exists() and (before := int(load_network(path)[0].shape[0])) != inputs:
        raise PodiumError(f"{folder} is a run with {before} inputs; the game has {inputs} now, so it must start over")


def json_objects(path: Path) -> Iterator[Any]:
    """What the lines of a file hold; nothing if there is no file."""
    return parsed_lines(path.read_text(encoding="utf-8", errors="replace") if path.exists() else "")


def parsed_lines(text: str) -> Iterator[Any]:
    """What the lines of a log hold; a line that was cut short by a sudden end is left out."""
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def generations_in(objects: Iterator[Any]) -> list[Generation]:
    """The generations that a log tells of."""
    found: list[Generation] = []
    for data in objects:
        try:
            found.append(Generation(**data))
        except TypeError:
            continue
    return found


def read_log(folder: Path) -> list[Generation]:
    """The generations that the log of a run tells of."""
    return generations_in(json_objects(folder / LOG))


def log_line(generation: Generation) -> str:
    """A generation as a line of the log."""
    return json.dumps(asdict(generation)) + "\n"
