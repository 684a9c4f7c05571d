"""`podium train`: train a network by self-play."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from podium.arena.bounds import MOST
from podium.arena.tournament.runner import jobs_of, workers
from podium.cli import signal_handled
from podium.cli.console import console, errors
from podium.cli.formatting import duration
from podium.cli.options import Cluster, GameName, Jobs, Seed, numeric
from podium.cli.run_view import interrupted
from podium.errors import PodiumError
from podium.files import writing
from podium.games import load
from podium.lab.learn.learner import Learner
from podium.lab.learn.run_folder import Generation, TrainingPlan, read_plan
from podium.lab.learn.strength import LadderPlan, LadderResult
from podium.lab.learn.tasks import ProgressCallback
from podium.model.params import Parameter, pair, read_values
from podium.search.network import MOST_LAYERS, WIDEST
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS

HOURS = Parameter("hours", 0.0, "Stop after this many hours; 0: only when interrupted.", 0, 10_000)
GENERATIONS = Parameter("generations", 0, "Stop after this generation; 0: never.", 0, MOST)
HIDDEN = "Units of the hidden layers."
MOST_HIDDEN = MOST_LAYERS - 2  # all but the inputs and the moves
GAMES = Parameter("games", TrainingPlan.games, "Self-play games per generation.", 1, MOST)
JOB = Parameter("job", TrainingPlan.job, "Self-play games per task sent to a worker.", 1, MOST)
WINDOW = Parameter("window", TrainingPlan.window, "Replay window: generations whose examples are used.", 1, MOST)
STEPS = Parameter("steps", TrainingPlan.steps, "Training steps per generation.", 1, MOST)
BATCH = Parameter("batch", TrainingPlan.batch, "Batch size.", 1, 1_000_000)
LEARNING_RATE = Parameter(
    "learning-rate", TrainingPlan.learning_rate, "Learning rate; it falls to a tenth along a cosine.", 0, 1
)
AUXILIARY = Parameter(
    "auxiliary-weight", TrainingPlan.auxiliary_weight, "Weight of the auxiliary loss (0: none).", 0, 1000
)
ROOT_VALUE = Parameter(
    "root-value-weight",
    TrainingPlan.root_value_weight,
    "Weight of the root value in the value target (0: game result only).",
    0,
    1,
)
GATE = Parameter(
    "gate", TrainingPlan.gate, "Score against the teacher with which the student replaces it; 0: no gate.", 0, 1
)
GATE_GAMES = Parameter("gate-games", TrainingPlan.gate_games, "Games of the gate match, played in pairs.", 2, MOST)
LADDER_EVERY = Parameter(
    "ladder-every",
    LadderPlan.every,
    "Play the first and every Nth generation against fixed opponents; 0: never.",
    0,
    MOST,
)
LADDER_GAMES = Parameter("ladder-games", LadderPlan.games, "Games against each fixed opponent.", 2, MOST)
LADDER_NODES = Parameter("ladder-nodes", LadderPlan.nodes, "Nodes per move against fixed opponents.", 1, MOST)


def command(
    game: GameName,
    hours: Annotated[float, numeric(HOURS, metavar="HOURS")] = 0.0,
    generations: Annotated[int, numeric(GENERATIONS)] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of the run; learned-GAME by default.")
    ] = None,
    seed: Seed = 1,
    start: Annotated[
        str, typer.Option(metavar="FILE", help="Start from this network file instead of random weights.")
    ] = "",
    hidden: Annotated[str, typer.Option(metavar="N,N", help=HIDDEN)] = ",".join(map(str, TrainingPlan.hidden)),
    games: Annotated[int, numeric(GAMES)] = TrainingPlan.games,
    job: Annotated[int, numeric(JOB)] = TrainingPlan.job,
    window: Annotated[int, numeric(WINDOW)] = TrainingPlan.window,
    steps: Annotated[int, numeric(STEPS)] = TrainingPlan.steps,
    batch: Annotated[int, numeric(BATCH)] = TrainingPlan.batch,
    learning_rate: Annotated[float, numeric(LEARNING_RATE, metavar="RATE")] = TrainingPlan.learning_rate,
    auxiliary_weight: Annotated[float, numeric(AUXILIARY, metavar="WEIGHT")] = TrainingPlan.auxiliary_weight,
    root_value_weight: Annotated[float, numeric(ROOT_VALUE, metavar="WEIGHT")] = TrainingPlan.root_value_weight,
    symmetries: Annotated[
        bool, typer.Option(help="Learn each position under a random symmetry of the game.")
    ] = TrainingPlan.symmetries,
    gate: Annotated[float, numeric(GATE, metavar="SCORE")] = TrainingPlan.gate,
    gate_games: Annotated[int, numeric(GATE_GAMES)] = TrainingPlan.gate_games,
    self_play: Annotated[
        list[str] | None,
        typer.Option("--self-play", metavar="NAME=VALUE", help="A self-play parameter; may be repeated."),
    ] = None,
    ladder_every: Annotated[int, numeric(LADDER_EVERY)] = LadderPlan.every,
    ladder_games: Annotated[int, numeric(LADDER_GAMES)] = LadderPlan.games,
    ladder_nodes: Annotated[int, numeric(LADDER_NODES)] = LadderPlan.nodes,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Do not train; write the network of the last generation (or --generations) for a bot."
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Store for the games of gate and ladder; FOLDER/matches.db by default."),
    ] = None,
    jobs: Jobs = 0,
    cluster: Cluster = "",
) -> None:
    """Train a network by self-play, as AlphaZero does; the same command continues after an interruption.

    Each student plays its teacher (the gate), and some play fixed opponents (the ladder). These are ordinary matches:
    `podium runs --store FOLDER/matches.db` lists them.
    """
    rules = load(game)
    folder = out or Path(f"learned-{Path(rules.name).stem}")  # the name of a game may be a path
    if export:
        _export(folder, rules.name, generations, export)
        return
    plan = TrainingPlan(
        rules.name,
        seed,
        hidden=layers_of(hidden),
        games=games,
        job=min(job, games),
        window=window,
        steps=steps,
        batch=batch,
        learning_rate=learning_rate,
        auxiliary_weight=auxiliary_weight,
        root_value_weight=root_value_weight,
        symmetries=symmetries,
        gate=gate,
        gate_games=gate_games,
        start=start,
        self_play=read_values(
            "self-play parameter", SELF_PLAY_PARAMS, (pair("parameter", text) for text in self_play or ())
        ),
    )
    with writing(folder):
        learner = Learner(folder, plan, store)
        console.print(f"{rules.title}: generation {len(learner.log)} in {learner.folder}, taught by {learner.teacher}")
        ladder = LadderPlan(ladder_every, ladder_games, ladder_nodes)
        _train(learner, ladder, generations, hours, (jobs_of(jobs), cluster))


def _export(folder: Path, game: str, generation: int, path: Path) -> None:
    """Write the network of a generation, or of the last one."""
    learner = Learner(folder, read_plan(folder, game))
    number = generation or len(learner.log)
    with writing(path):
        learner.export(number, path)
    console.print(f"generation {number} is in {path}")


def _train(learner: Learner, ladder: LadderPlan, generations: int, hours: float, where: tuple[int, str]) -> None:
    """Train until a generation or a time is reached, or Ctrl-C ends it."""
    end = time.monotonic() + hours * 3600 if hours else math.inf
    try:
        with errors.status("") as status, workers(*where) as team:
            for done in learner.run(team, watcher(learner, end, status.update), ladder, generations, end):
                console.print(generation_text(done) if isinstance(done, Generation) else ladder_text(done))
    except KeyboardInterrupt as stop:
        signal_handled()
        raise interrupted(stop) from None


def layers_of(text: str) -> tuple[int, ...]:
    """The widths of hidden layers, from `128,64`."""
    try:
        layers = tuple(int(part) for part in text.split(","))
    except ValueError:
        layers = ()
    if not 1 <= len(layers) <= MOST_HIDDEN or not all(1 <= width <= WIDEST for width in layers):
        known = f"at most {MOST_HIDDEN} layers of at most {WIDEST} units"
        raise PodiumError(f"hidden layers are written as their widths, for example 128,64, not {text!r}; {known}")
    return layers


def watcher(learner: Learner, end: float, show: Callable[[str], None]) -> ProgressCallback:
    """Shows the progress: what is being done, how much of it, how fast, and the time until the run ends."""
    begun: tuple[str, int, float] = ("", 0, 0.0)  # what, how much was done then, and when that was

    def progress(doing: str, done: int, of: int) -> None:
        nonlocal begun
        present = time.monotonic()
        if begun[0] != doing or done < begun[1]:
            begun = doing, done, present
        rate = (done - begun[1]) / max(present - begun[2], 1e-9)
        pace = f", {rate:,.1f} games/s, {duration((of - done) / rate)} to go" if rate and done < of else ""
        left = f"; the run ends in {duration(max(0.0, end - present))}" if end < math.inf else ""
        show(f"generation {len(learner.log) + 1}: {doing} {done:,} of {of:,}{pace}{left}")

    return progress


def generation_text(one: Generation) -> str:
    """A generation as a line, and the result of its gate as a second one."""
    losses = ", ".join(f"{name} {value:.3f}" for name, value in one.losses.items())
    text = f"{one.number:4d}  {one.games / one.seconds:.1f} games/s, {one.examples:,} examples, {losses}"
    if one.score is None:
        return text
    interval = "" if one.low is None or one.high is None else f" (95 %: {one.low:.1%} to {one.high:.1%})"
    passed = ", takes over" if one.passed else ""
    return f"{text}\n      gate{f' {one.run}' * bool(one.run)}: {one.score:.1%}{interval} against {one.teacher}{passed}"


def ladder_text(found: list[LadderResult]) -> str:
    """Results against fixed opponents as a line."""
    results = ", ".join(f"{one.opponent} {one.won}/{one.drawn}/{one.lost}" for one in found)
    return f"      won/drawn/lost with {found[0].nodes:,} nodes a move: {results}" if found else ""
