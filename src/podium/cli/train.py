"""`podium train`: a network that learns a game by playing itself."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from podium.arena.numbers import MOST
from podium.arena.runner import Workers, workers
from podium.cli import heard
from podium.cli.common import GameName, Seed, console, errors, numeric
from podium.cli.running import Cluster, Jobs, duration, interrupted, jobs_of
from podium.errors import PodiumError
from podium.games import load
from podium.kernel.minds import Parameter, pair, read_values
from podium.lab.learner import Generation, Learner, Plan, read_plan
from podium.lab.selfplay import PRACTICE
from podium.lab.tasks import Look
from podium.lab.yardstick import Rating
from podium.search.network import MOST_LAYERS, WIDEST

HOURS = Parameter("hours", 0.0, "Stop after so long; 0: only when interrupted.", 0, 10_000)
GENERATIONS = Parameter("generations", 0, "Stop at this generation; 0: at none.", 0, MOST)
HIDDEN = "Units of the hidden layers."
MOST_HIDDEN = MOST_LAYERS - 2  # all but the inputs and the moves
GAMES = Parameter("games", Plan.games, "Games of self-play in a generation.", 1, MOST)
JOB = Parameter("job", Plan.job, "Games that a worker plays at a time.", 1, MOST)
WINDOW = Parameter("window", Plan.window, "Generations to learn from.", 1, MOST)
STEPS = Parameter("steps", Plan.steps, "Steps of training in a generation.", 1, MOST)
BATCH = Parameter("batch", Plan.batch, "Positions of a step.", 1, 1_000_000)
RATE = Parameter("rate", Plan.rate, "Length of a step.", 0, 1)
OMENS = Parameter("omens", Plan.omen_weight, "Weight of foretelling the end of the game.", 0, 1000)
SHARE = Parameter("search-share", Plan.search_share, "Part of the search's own value in the value to learn.", 0, 1)
GATE = Parameter("gate", Plan.gate, "Points for the student to take over; 0: always.", 0, 1)
GATE_GAMES = Parameter("gate-games", Plan.gate_games, "Games of the gate.", 2, MOST)
RATE_EVERY = Parameter(
    "rate-every", 10, "Measure the first and every so many generations against fixed bots; 0: never.", 0, MOST
)
RATE_GAMES = Parameter("rate-games", 40, "Games against each of these.", 2, MOST)
RATE_NODES = Parameter("rate-nodes", 200, "Nodes a move in these games.", 1, MOST)


def command(
    game: GameName,
    hours: Annotated[float, numeric(HOURS, metavar="HOURS")] = 0.0,
    generations: Annotated[int, numeric(GENERATIONS)] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of the run; learned-GAME by default.")
    ] = None,
    seed: Seed = 1,
    start: Annotated[
        str, typer.Option(metavar="FILE", help="A network file to begin with instead of random weights.")
    ] = "",
    hidden: Annotated[str, typer.Option(metavar="N,N", help=HIDDEN)] = ",".join(map(str, Plan.hidden)),
    games: Annotated[int, numeric(GAMES)] = Plan.games,
    job: Annotated[int, numeric(JOB)] = Plan.job,
    window: Annotated[int, numeric(WINDOW)] = Plan.window,
    steps: Annotated[int, numeric(STEPS)] = Plan.steps,
    batch: Annotated[int, numeric(BATCH)] = Plan.batch,
    rate: Annotated[float, numeric(RATE, metavar="RATE")] = Plan.rate,
    omens: Annotated[float, numeric(OMENS, metavar="WEIGHT")] = Plan.omen_weight,
    search_share: Annotated[float, numeric(SHARE, metavar="SHARE")] = Plan.search_share,
    symmetries: Annotated[bool, typer.Option(help="Learn positions under all symmetries.")] = Plan.symmetric,
    gate: Annotated[float, numeric(GATE, metavar="SHARE")] = Plan.gate,
    gate_games: Annotated[int, numeric(GATE_GAMES)] = Plan.gate_games,
    practice: Annotated[
        list[str] | None,
        typer.Option("--practice", metavar="NAME=VALUE", help="A parameter of self-play; may be repeated."),
    ] = None,
    rate_every: Annotated[int, numeric(RATE_EVERY)] = 10,
    rate_games: Annotated[int, numeric(RATE_GAMES)] = 40,
    rate_nodes: Annotated[int, numeric(RATE_NODES)] = 200,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Learn no more; write the network of the last generation (or --generations) for a bot."
        ),
    ] = None,
    jobs: Jobs = 0,
    cluster: Cluster = "",
) -> None:
    """Let a network learn a game by playing itself; the same command goes on after an interruption."""
    rules = load(game)
    folder = out or Path(f"learned-{rules.name}")
    if export:
        learner = Learner(folder, read_plan(folder, rules.name))
        number = generations or len(learner.log)
        learner.export(number, export)
        console.print(f"generation {number} is in {export}")
        return
    plan = Plan(
        rules.name,
        seed,
        hidden=layers_of(hidden),
        games=games,
        job=min(job, games),
        window=window,
        steps=steps,
        batch=batch,
        rate=rate,
        omen_weight=omens,
        search_share=search_share,
        symmetric=symmetries,
        gate=gate,
        gate_games=gate_games,
        start=start,
        practice=read_values("parameter of self-play", PRACTICE, (pair("parameter", text) for text in practice or ())),
    )
    learner = Learner(folder, plan)
    console.print(f"{rules.title}: generation {len(learner.log)} in {learner.folder}, taught by {learner.teacher}")
    end = time.monotonic() + hours * 3600 if hours else float("inf")

    def measure(one: Generation, team: Workers, look: Look) -> None:
        if rate_every and (one.number == 1 or one.number % rate_every == 0):
            console.print(ratings(learner.rate(team, one.number, rate_games, rate_nodes, look)))

    try:
        with errors.status("") as status, workers(jobs_of(jobs), cluster) as team:
            look = watcher(learner, end, status.update)
            for one in learner.log[-1:]:
                measure(one, team, look)  # what an interruption kept from being measured
            while time.monotonic() < end and not (generations and len(learner.log) >= generations):
                one = learner.generation(team, look)
                console.print(sentence(one))
                measure(one, team, look)
                learner.draw()
    except KeyboardInterrupt as stop:
        heard()
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


def watcher(learner: Learner, end: float, show: Callable[[str], None]) -> Look:
    """Shows what is being done: how much of it, how fast, and how long the run still goes."""
    begun: tuple[str, int, float] = ("", 0, 0.0)  # what, how much was done then, and when that was

    def look(doing: str, done: int, of: int) -> None:
        nonlocal begun
        present = time.monotonic()
        if begun[0] != doing or done < begun[1]:
            begun = doing, done, present
        rate = (done - begun[1]) / max(present - begun[2], 1e-9)
        pace = f", {rate:,.1f} games/s, {duration((of - done) / rate)} to go" if rate and done < of else ""
        left = f"; the run ends in {duration(max(0.0, end - present))}" if end < float("inf") else ""
        show(f"generation {len(learner.log) + 1}: {doing} {done:,} of {of:,}{pace}{left}")

    return look


def sentence(one: Generation) -> str:
    """A generation as a line, and the result of its gate as a second one."""
    losses = ", ".join(f"{name} {value:.3f}" for name, value in one.losses.items())
    told = f"{one.number:4d}  {one.games / one.seconds:.1f} games/s, {one.examples:,} examples, {losses}"
    if one.score is None:
        return told
    return f"{told}\n      gate: {one.score:.1%} against {one.teacher}{', takes over' if one.passed else ''}"


def ratings(found: list[Rating]) -> str:
    """Results against fixed opponents as a line."""
    results = ", ".join(f"{one.opponent} {one.won}/{one.drawn}/{one.lost}" for one in found)
    return f"      won/drawn/lost with {found[0].nodes:,} nodes a move: {results}" if found else ""
