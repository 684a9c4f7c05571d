"""Learning anew: a network with random weights learns from all games of one or several runs of a learner.

In a run the student goes on from generation to generation and learns from the latest games only: it is always good
against players like itself, and forgets those unlike. One that begins anew and sees the games of all generations at
once, with steps that grow shorter until the end, has seen them all. What that is worth for Zuniq is in docs/learner.md.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

from podium.errors import PodiumError
from podium.games import load
from podium.lab.examples import Batches, Examples, joined, load_examples
from podium.lab.jobs import learning_of
from podium.lab.learner import EXAMPLES, Plan, read_plan, refuse_other_inputs
from podium.lab.tasks import Progress
from podium.lab.training import Losses, Schedule, new_model, train
from podium.search.network import save_network


@dataclass(frozen=True)
class Lesson:
    """How to learn."""

    game: str
    seed: int = 1
    hidden: tuple[int, ...] = Plan.hidden
    steps: int = 6000
    batch: int = Plan.batch
    rate: float = 2e-3
    omen_weight: float = Plan.omen_weight
    search_share: float = Plan.search_share
    symmetric: bool = Plan.symmetric


def files_of(game: str, folders: list[Path]) -> list[Path]:
    """The examples of runs, file by file; PodiumError if one has none, or is no run of that game as it is now."""
    inputs = learning_of(load(game)).inputs
    found = []
    for folder in folders:
        paths = sorted(folder.glob(EXAMPLES))
        if not paths:
            raise PodiumError(f"{folder} holds no examples of self-play; `podium train` makes them")
        read_plan(folder, game)
        refuse_other_inputs(folder, inputs)
        found += paths
    return found


def examples_in(paths: list[Path], progress: Progress) -> tuple[Examples, int]:
    """All examples of files, and of how many games they are."""
    parts, games = [], 0
    for path in paths:
        examples, of = load_examples(path)
        parts.append(examples)
        games += of
        progress.add(1)
    return joined(parts), games


def relearn(lesson: Lesson, folders: list[Path], path: Path, progress: Progress) -> Losses:
    """Learn from all games of runs, and write the network to a file for a bot."""
    game = load(lesson.game)
    learning = learning_of(game)
    if not path.parent.is_dir():
        raise PodiumError(f"cannot write {path}: there is no folder {path.parent}")  # now, not after learning
    paths = files_of(lesson.game, folders)
    examples, games = examples_in(paths, Progress(progress.look, "reading file", len(paths)))
    shape = (learning.inputs, *lesson.hidden, game.codes)
    model = new_model(shape, learning.omens, lesson.seed, learning.usually_on)
    batches = Batches(examples, learning, game.codes, lesson.search_share, lesson.symmetric)
    schedule = Schedule(lesson.steps, lesson.batch, lesson.rate, auxiliary_weight=lesson.omen_weight)
    losses = train(model, batches, schedule, lesson.seed, progress.add)
    about = {
        "game": lesson.game,
        "lesson": asdict(lesson),
        "runs": [folder.name for folder in folders],
        "games": games,
        "examples": len(examples),
        "losses": asdict(losses),
    }
    save_network(path, shape, model.network_weights, about, exact=False)
    return losses
