"""`podium relearn`: train a network from random weights on all games of runs of `podium train`."""

from pathlib import Path
from typing import Annotated

import typer

from podium.arena.bounds import MOST
from podium.cli.console import console, errors
from podium.cli.options import GameName, Seed, numeric
from podium.cli.train import BATCH, HIDDEN, LEARNING_RATE, layers_of
from podium.games import load
from podium.lab.learn.retraining import RetrainingPlan, retrain
from podium.lab.learn.tasks import Progress
from podium.model.params import Parameter

STEPS = Parameter("steps", RetrainingPlan.steps, "Training steps.", 1, MOST)


def command(
    game: GameName,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Folders of runs of `podium train`.")],
    export: Annotated[Path, typer.Option(metavar="FILE", help="File to write the network to.")] = Path("network.npz"),
    hidden: Annotated[str, typer.Option(metavar="N,N", help=HIDDEN)] = ",".join(map(str, RetrainingPlan.hidden)),
    steps: Annotated[int, numeric(STEPS)] = RetrainingPlan.steps,
    batch: Annotated[int, numeric(BATCH)] = RetrainingPlan.batch,
    learning_rate: Annotated[float, numeric(LEARNING_RATE, metavar="RATE")] = RetrainingPlan.learning_rate,
    seed: Seed = 1,
) -> None:
    """Train a network from random weights on all games of training runs; takes minutes, and plays no game."""
    rules = load(game)
    plan = RetrainingPlan(rules.name, seed, layers_of(hidden), steps, batch, learning_rate)
    with errors.status("") as status:
        progress = Progress(lambda doing, done, of: status.update(f"{doing} {done:,} of {of:,}"), "step", steps)
        losses = retrain(plan, runs, export, progress)
    shown = f"value {losses.value:.3f}, policy {losses.policy:.3f}, auxiliary {losses.auxiliary:.3f}"
    console.print(f"{export}: a network for {rules.title}, trained for {steps:,} steps: {shown}")
