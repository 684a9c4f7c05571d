"""`podium train`: a network that learns a game by playing itself."""

import time
from pathlib import Path
from typing import Annotated

import typer

from podium.arena.runner import workers
from podium.cli.common import GameName, Seed, console, errors, load_game
from podium.cli.running import Cluster, Jobs, duration, jobs_of
from podium.lab.learner import Learner, Plan


def command(
    game: GameName,
    hours: Annotated[
        float, typer.Option(min=0, max=10_000, help="Stop after so long; 0: only when interrupted.")
    ] = 0.0,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; learned-GAME by default.")] = None,
    seed: Seed = 1,
    games: Annotated[int, typer.Option(min=1, help="Games of self-play in a generation.")] = Plan.games,
    gate: Annotated[
        float, typer.Option(min=0, max=1, help="Points for the student to take over; 0: always.")
    ] = Plan.gate,
    jobs: Jobs = 0,
    cluster: Cluster = "",
) -> None:
    """Let a network learn a game by playing itself; the same command goes on after an interruption."""
    rules = load_game(game)
    learner = Learner(out or Path(f"learned-{rules.name}"), Plan(rules.name, seed, games=games, gate=gate))
    console.print(f"{rules.title}: generation {len(learner.log)} in {learner.folder}, taught by {learner.teacher}")
    end = time.monotonic() + hours * 3600 if hours else float("inf")
    with errors.status("") as status, workers(jobs_of(jobs), cluster) as team:

        def look(doing: str, done: int, of: int) -> None:
            left = f", {duration(end - time.monotonic())} left" if hours else ""
            status.update(f"generation {len(learner.log) + 1}: {doing} {done:,} of {of:,}{left}")

        while time.monotonic() < end:
            one = learner.generation(team, look)
            losses = ", ".join(f"{name} {value:.3f}" for name, value in one.losses.items())
            score = "no gate" if one.score is None else f"{one.score:.1%} against {one.teacher}"
            console.print(
                f"{one.number:4d}  {one.games / one.seconds:6.1f} games/s  {one.examples:,} examples  {losses}  "
                f"{score}{', takes over' if one.passed else ''}"
            )


command.__name__ = "train"
