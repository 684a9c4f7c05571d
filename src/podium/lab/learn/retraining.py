"""Retraining: a network with random weights learns from all games of one or several training runs.

In a run the student goes on from generation to generation and learns from the latest games only: it is always good
against players like itself, and forgets unlike ones. A network that starts from random weights and sees the games of
all generations at once, with a learning rate that falls until the end, forgets none. docs/learner.md says what that
gained in Zuniq.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

from podium.errors import PodiumError
from podium.games import load
from podium.lab.learn.examples import Batches, Examples, joined, load_examples
from podium.lab.learn.run_folder import EXAMPLES, TrainingPlan, read_plan, refuse_other_inputs
from podium.lab.learn.selfplay_jobs import learning_of
from podium.lab.learn.tasks import Progress
from podium.lab.learn.training import Losses, Schedule, new_model, train
from podium.model.ruleset import rules_of
from podium.search.network import save_network


@dataclass(frozen=True)
class RetrainingPlan:
    """How a network is trained anew."""

    game: str
    seed: int = 1
    hidden: tuple[int, ...] = TrainingPlan.hidden
    steps: int = 6000
    batch: int = TrainingPlan.batch
    learning_rate: float = 2e-3
    auxiliary_weight: float = TrainingPlan.auxiliary_weight
    root_value_weight: float = TrainingPlan.root_value_weight
    symmetries: bool = TrainingPlan.symmetries


def files_of(game: str, folders: list[Path]) -> list[Path]:
    """The files of examples of runs; PodiumError if one has none, or is no run of that game as it is now."""
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
    """All examples of files, and the number of games that they come from."""
    parts, games = [], 0
    for path in paths:
        examples, of = load_examples(path)
        parts.append(examples)
        games += of
        progress.add(1)
    return joined(parts), games


def retrain(plan: RetrainingPlan, folders: list[Path], path: Path, progress: Progress) -> Losses:
    """Train a network on all games of runs, and write it to a file for a bot."""
    game = load(plan.game)
    learning = learning_of(game)
    if not path.parent.is_dir():
        raise PodiumError(f"cannot write {path}: there is no folder {path.parent}")  # now, not after learning
    paths = files_of(plan.game, folders)
    examples, games = examples_in(paths, Progress(progress.report, "reading file", len(paths)))
    shape = (learning.inputs, *plan.hidden, rules_of(game).move_codes)
    model = new_model(shape, learning.auxiliary_targets, plan.seed, learning.usually_on)
    batches = Batches(examples, learning, rules_of(game).move_codes, plan.root_value_weight, plan.symmetries)
    schedule = Schedule(plan.steps, plan.batch, plan.learning_rate, auxiliary_weight=plan.auxiliary_weight)
    losses = train(model, batches, schedule, plan.seed, progress.add)
    about = {
        "game": plan.game,
        "plan": asdict(plan),
        "runs": [folder.name for folder in folders],
        "games": games,
        "examples": len(examples),
        "losses": asdict(losses),
    }
    save_network(path, shape, model.network_weights, about, exact=False)
    return losses
