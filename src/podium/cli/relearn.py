"""`podium relearn`: a network learns anew from all games that runs of `podium train` have played."""

from pathlib import Path
from typing import Annotated

import typer

from podium.arena.numbers import MOST
from podium.cli.common import GameName, Seed, console, errors, numeric
from podium.cli.train import BATCH, HIDDEN, layers_of
from podium.games import load
from podium.kernel.minds import Parameter
from podium.lab.relearning import Lesson, relearn
from podium.lab.tasks import Progress

STEPS = Parameter("steps", Lesson.steps, "Steps of training.", 1, MOST)
RATE = Parameter("rate", Lesson.rate, "Length of the first step; the last is a tenth of it.", 0, 1)


def command(
    game: GameName,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Folders of runs of `podium train`.")],
    export: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the network.")] = Path("network.npz"),
    hidden: Annotated[str, typer.Option(metavar="N,N", help=HIDDEN)] = ",".join(map(str, Lesson.hidden)),
    steps: Annotated[int, numeric(STEPS)] = Lesson.steps,
    batch: Annotated[int, numeric(BATCH)] = Lesson.batch,
    rate: Annotated[float, numeric(RATE, metavar="RATE")] = Lesson.rate,
    seed: Seed = 1,
) -> None:
    """Let a network with random weights learn from all games of runs; it takes minutes, and no game is played."""
    rules = load(game)
    lesson = Lesson(rules.name, seed, layers_of(hidden), steps, batch, rate)
    with errors.status("") as status:
        progress = Progress(lambda doing, done, of: status.update(f"{doing} {done:,} of {of:,}"), "step", steps)
        losses = relearn(lesson, runs, export, progress)
    told = f"value {losses.value:.3f}, policy {losses.policy:.3f}, auxiliary {losses.auxiliary:.3f}"
    console.print(f"{export}: a network of {rules.title} that has learnt in {steps:,} steps: {told}")
