"""`podium train`: a network that learns a game by playing itself."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from podium.arena.runner import workers
from podium.cli.common import GameName, Seed, console, errors
from podium.cli.running import Cluster, Jobs, duration, jobs_of
from podium.errors import PodiumError
from podium.games import load
from podium.kernel.minds import pair, read_values
from podium.lab.learner import Generation, Learner, Plan
from podium.lab.selfplay import PRACTICE
from podium.lab.tasks import Look
from podium.lab.yardstick import Rating


def command(
    game: GameName,
    hours: Annotated[
        float, typer.Option(min=0, max=10_000, help="Stop after so long; 0: only when interrupted.")
    ] = 0.0,
    generations: Annotated[int, typer.Option(min=0, help="Stop at this generation; 0: at none.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; learned-GAME by default.")] = None,
    seed: Seed = 1,
    start: Annotated[str, typer.Option(help="A network file to begin with instead of random weights.")] = "",
    hidden: Annotated[str, typer.Option(help="Units of the hidden layers.")] = ",".join(map(str, Plan.hidden)),
    games: Annotated[int, typer.Option(min=1, help="Games of self-play in a generation.")] = Plan.games,
    job: Annotated[int, typer.Option(min=1, help="Games that a worker plays at a time.")] = Plan.job,
    window: Annotated[int, typer.Option(min=1, help="Generations to learn from.")] = Plan.window,
    steps: Annotated[int, typer.Option(min=1, help="Steps of training in a generation.")] = Plan.steps,
    batch: Annotated[int, typer.Option(min=1, help="Positions of a step.")] = Plan.batch,
    rate: Annotated[float, typer.Option(min=0, help="Length of a step.")] = Plan.rate,
    omens: Annotated[float, typer.Option(min=0, help="Weight of foretelling the end of the game.")] = Plan.omen_weight,
    search_share: Annotated[
        float, typer.Option(min=0, max=1, help="Part of the search's own value in the value to learn.")
    ] = Plan.search_share,
    symmetries: Annotated[bool, typer.Option(help="Learn positions under all symmetries.")] = Plan.symmetric,
    gate: Annotated[
        float, typer.Option(min=0, max=1, help="Points for the student to take over; 0: always.")
    ] = Plan.gate,
    gate_games: Annotated[int, typer.Option(min=2, help="Games of the gate.")] = Plan.gate_games,
    practice: Annotated[
        list[str] | None,
        typer.Option("--practice", metavar="NAME=VALUE", help="A parameter of self-play; may be repeated."),
    ] = None,
    rate_every: Annotated[
        int, typer.Option(min=0, help="Measure the first and every so many generations against fixed bots; 0: never.")
    ] = 10,
    rate_games: Annotated[int, typer.Option(min=2, help="Games against each of these.")] = 40,
    rate_nodes: Annotated[int, typer.Option(min=1, help="Nodes a move in these games.")] = 200,
    export: Annotated[
        Path | None,
        typer.Option(help="Learn no more; write the network of the last generation (or --generations) for a bot."),
    ] = None,
    jobs: Jobs = 0,
    cluster: Cluster = "",
) -> None:
    """Let a network learn a game by playing itself; the same command goes on after an interruption."""
    rules = load(game)
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
    learner = Learner(out or Path(f"learned-{rules.name}"), plan)
    console.print(f"{rules.title}: generation {len(learner.log)} in {learner.folder}, taught by {learner.teacher}")
    if export:
        number = generations or len(learner.log)
        learner.export(number, export)
        console.print(f"generation {number} is in {export}")
        return
    end = time.monotonic() + hours * 3600 if hours else float("inf")
    with errors.status("") as status, workers(jobs_of(jobs), cluster) as team:
        look = watcher(learner, end, status.update)
        while time.monotonic() < end and not (generations and len(learner.log) >= generations):
            one = learner.generation(team, look)
            console.print(sentence(one))
            if rate_every and (one.number == 1 or one.number % rate_every == 0):
                console.print(ratings(learner.rate(team, one.number, rate_games, rate_nodes, look)))
            learner.draw()


def layers_of(text: str) -> tuple[int, ...]:
    """The widths of hidden layers, from `128,64`."""
    try:
        layers = tuple(int(part) for part in text.split(","))
    except ValueError:
        layers = ()
    if not layers or min(layers) < 1:
        raise PodiumError(f"hidden layers are written as their widths, for example 128,64, not {text!r}")
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
    """A generation as a line."""
    losses = ", ".join(f"{name} {value:.3f}" for name, value in one.losses.items())
    score = "no gate" if one.score is None else f"{one.score:.1%} against {one.teacher}"
    return (
        f"{one.number:4d}  {one.games / one.seconds:6.1f} games/s  {one.examples:,} examples  {losses}  "
        f"{score}{', takes over' if one.passed else ''}"
    )


def ratings(found: list[Rating]) -> str:
    """Results against fixed opponents as a line."""
    results = ", ".join(f"{one.opponent} {one.won}/{one.drawn}/{one.lost}" for one in found)
    return f"      won/drawn/lost with {found[0].nodes:,} nodes a move: {results}" if found else ""
