"""AlphaZero on a few cores: a network plays itself, a student learns from the games, and takes over when it is better.

The loop is the one of the Zuniq write-up (and of Silver et al. 2017). A generation:
 1. The teacher plays itself; the games are jobs for any executor, and each job's examples are a file.
 2. The student goes on learning from a sample of the examples of the last generations.
 3. They compete over pairs of games with the same opening and the seats swapped. At `gate` of the points (write-up:
    60 %) the student becomes the teacher. Of 200 games an equal network passes once in 300 times; of 40, once in 8.
 4. The generation is written down: weights, parentage, losses, the result of the gate.

All of it is a function of the seed and of the files: a learner that is killed at any moment goes on with the same
command, and loses at most the jobs that were under way.
"""

import json
import time
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from podium.arena.runner import Workers
from podium.arena.work import seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.kernel.minds import Value
from podium.lab.curves import picture
from podium.lab.examples import Batches, Examples, joined, load_examples
from podium.lab.jobs import Gate, SelfPlay, Weights, learning_of, play_gate, play_itself
from podium.lab.tasks import Look, Progress, run_all
from podium.lab.training import Losses, Model, Schedule, new_model, train
from podium.lab.yardstick import Rating, add_rating, play_trial, read_ratings, trials
from podium.search.network import load_network, save_network

PLAN, LOG, STUDENT, CURVES = "plan.json", "log.jsonl", "student.npz", "curves.svg"
EXAMPLES = "examples-*.npz"  # the files of all jobs


@dataclass(frozen=True)
class Plan:
    """What a run of learning is; the same plan finds the same run."""

    game: str
    seed: int = 1
    hidden: tuple[int, ...] = (128, 64)  # units of the hidden layers
    games: int = 1600  # of self-play in a generation
    job: int = 100  # games of a job
    window: int = 20  # generations to learn from
    steps: int = 300  # of training in a generation
    batch: int = 1024
    rate: float = 1e-3
    omen_weight: float = 0.5
    search_share: float = 0.3  # of the search's own value in the value to learn
    symmetric: bool = True
    gate: float = 0.6  # of the points; 0: the student always takes over
    gate_games: int = 200
    practice: dict[str, Value] = field(default_factory=dict)  # changed parameters of self-play
    start: str = ""  # a network file to begin with; empty: random weights


@dataclass(frozen=True)
class Generation:
    """What is written down of a generation."""

    number: int
    teacher: int  # the generation whose network played the games
    games: int
    examples: int
    losses: dict[str, float]
    score: float | None  # of the student against the teacher
    passed: bool
    seconds: float


def generation_file(folder: Path, number: int) -> Path:
    """The weights after a generation."""
    return folder / f"generation-{number:04d}.npz"


def _text_of(plan: Plan) -> str:
    return json.dumps(asdict(plan), sort_keys=True, indent=1)


def read_plan(folder: Path, game: str = "") -> Plan:
    """The plan of a stored run, of that game if one is named; what it does not tell, because it is older, is what it
    was by default."""
    path = folder / PLAN
    try:
        plan = Plan(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise PodiumError(f"{folder} holds no run of learning: there is no {path}") from None
    except (OSError, ValueError, TypeError) as error:
        raise PodiumError(f"{path} is not the plan of a run of learning: {error}") from None
    if game and plan.game != game:
        raise PodiumError(f"{folder} is a run of {plan.game}, not of {game}")
    return plan


def refuse_other_inputs(folder: Path, inputs: int) -> None:
    """Refuse a run whose networks see another number of inputs than the game has now."""
    path = generation_file(folder, 0)
    if path.exists() and (before := int(load_network(path)[0].shape[0])) != inputs:
        raise PodiumError(f"{folder} is a run with {before} inputs; the game has {inputs} now, so it must begin anew")


def read_log(folder: Path) -> list[Generation]:
    """The generations that a log tells of; a line cut short by a sudden end is left out."""
    path = folder / LOG
    found: list[Generation] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []:
        try:
            found.append(Generation(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def _line_of(one: Generation) -> str:
    return json.dumps(asdict(one)) + "\n"


def _write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


class Learner:
    """A run of learning in a folder."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin, or go on with what is there."""
        game = load(plan.game)
        self.learning = learning_of(game)
        self.folder, self.plan = folder, plan
        self.practice = {**self.learning.practice, **plan.practice}
        self.shape = (self.learning.inputs, *plan.hidden, game.codes)
        self.log: list[Generation] = []
        path = folder / PLAN
        if not path.exists():
            self.model = self._begin()
        elif _text_of(read_plan(folder, plan.game)) == _text_of(plan):
            self.model = self._go_on()
        else:
            raise PodiumError(f"{folder} holds a run with another plan ({path}); name another folder with --out")

    def _begin(self) -> Model:
        """The student before the first generation, and a folder for it; what the plan needs is there before it is."""
        model = new_model(self.shape, self.learning.omens, self.plan.seed, self.learning.usually_on)
        about: dict[str, Any] = {"generation": 0}
        if self.plan.start:
            network, about = load_network(Path(self.plan.start))
            if tuple(network.shape) != self.shape:
                raise PodiumError(f"{self.plan.start} has the shape {network.shape.tolist()}, not {self.shape}")
            model.network_weights[:] = network.weights
        self.folder.mkdir(parents=True, exist_ok=True)
        save_network(generation_file(self.folder, 0), self.shape, model.network_weights, about)
        _write_whole(self.folder / PLAN, _text_of(self.plan))
        return model

    def _go_on(self) -> Model:
        """The student of the last complete generation. What the log does not tell of it, the networks do."""
        refuse_other_inputs(self.folder, self.learning.inputs)
        path = self.folder / STUDENT
        logged = {one.number: one for one in read_log(self.folder)}
        if not path.exists() and not logged:
            return self._begin()
        try:
            with np.load(path, allow_pickle=False) as data:
                model = Model(self.shape, self.learning.omens, data["weights"], data["momentum"], data["second"])
                model.steps, number = int(data["steps"]), int(data["generation"])
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise PodiumError(
                f"{path} is not the student of a run of learning: {error}; without it and {LOG} the same command "
                "learns again from the games that were played"
            ) from None
        self.log = [logged.get(one) or self._told_by_network(one) for one in range(1, number + 1)]
        if [*logged.values()] != self.log:  # a sudden end has cut it
            _write_whole(self.folder / LOG, "".join(map(_line_of, self.log)))
        return model

    def _told_by_network(self, number: int) -> Generation:
        """What is written down of a generation in its network's file."""
        path = generation_file(self.folder, number)
        _, about = load_network(path)
        try:
            told = {each.name: about[each.name] for each in fields(Generation)}
            return Generation(**{**told, "losses": asdict(Losses(**told["losses"]))})
        except (KeyError, TypeError) as error:
            raise PodiumError(f"{path} does not tell of its generation, nor does {LOG}: {error}") from None

    @property
    def teacher(self) -> int:
        """The generation that teaches: the last that passed the gate."""
        return next((one.number for one in reversed(self.log) if one.passed), 0)

    def _weights(self, number: int) -> Weights:
        network, _ = load_network(generation_file(self.folder, number))
        return Weights(self.shape, network.weights)

    def generation(self, team: Workers, look: Look) -> Generation:
        """One generation; `look` is told what is being done, and how much of how much is done."""
        begun = time.time()
        number, teacher = len(self.log) + 1, self.teacher
        teaching = self._weights(teacher)
        games, examples = self._play(team, number, teaching, look)
        look("learning", 0, 1)
        losses = self._learn(number)
        score = self._compete(team, number, teaching, look)
        passed = score is None or score >= self.plan.gate
        done = Generation(number, teacher, games, examples, asdict(losses), score, passed, time.time() - begun)
        self._write(done)
        return done

    def _play(self, team: Workers, number: int, weights: Weights, look: Look) -> tuple[int, int]:
        """Step 1: the jobs whose files are not there yet."""
        plan = self.plan
        jobs = -(-plan.games // plan.job)
        missing = [job for job in range(jobs) if not self._examples_file(number, job).exists()]

        def tasks() -> Iterator[tuple[int, SelfPlay]]:
            for job in missing:
                yield job, SelfPlay(plan.game, self.practice, plan.job, seed_of(plan.seed, number, job))

        progress = Progress(look, "self-play", jobs * plan.job, (jobs - len(missing)) * plan.job)
        progress.tell()
        for job, examples in run_all(team, play_itself, tasks(), weights, progress):
            examples.save(self._examples_file(number, job), plan.job)
            progress.add(plan.job)
        return jobs * plan.job, len(self._examples(number))

    def _examples_file(self, number: int, job: int) -> Path:
        return self.folder / f"examples-{number:04d}-{job:03d}.npz"

    def _examples(self, number: int) -> Examples:
        return joined([load_examples(path)[0] for path in sorted(self.folder.glob(f"examples-{number:04d}-*.npz"))])

    def _learn(self, number: int) -> Losses:
        """Step 2."""
        plan = self.plan
        first = max(1, number - plan.window + 1)
        examples = joined([self._examples(one) for one in range(first, number + 1)])
        batches = Batches(examples, self.learning, self.shape[-1], plan.search_share, plan.symmetric)
        schedule = Schedule(plan.steps, plan.batch, plan.rate, auxiliary_weight=plan.omen_weight)
        return train(self.model, batches, schedule, seed_of(plan.seed, number, -1))

    def _compete(self, team: Workers, number: int, teacher: Weights, look: Look) -> float | None:
        """Step 3: the student's share of the points; None without a gate."""
        plan = self.plan
        if not plan.gate:
            return None
        student = Weights(self.shape, self.model.network_weights.copy())
        pairs = -(-plan.gate_games // 2)
        size = max(1, pairs // 10)
        tasks = (
            (
                first,
                Gate(
                    plan.game,
                    self.practice,
                    min(size, pairs - first),
                    seed_of(plan.seed, number, first, -2),
                ),
            )
            for first in range(0, pairs, size)
        )
        points, progress = 0.0, Progress(look, "gate", 2 * pairs)
        for _, results in run_all(team, play_gate, tasks, (student, teacher), progress):
            points += sum(0.5 + 0.5 * result for pair in results for result in pair)
            progress.add(2 * len(results))
        return points / progress.done

    def _write(self, done: Generation) -> None:
        """Step 4: first the weights, then the log: what the log tells is there."""
        about = {**asdict(done), "game": self.plan.game, "plan": asdict(self.plan)}
        save_network(generation_file(self.folder, done.number), self.shape, self.model.network_weights, about)
        unfinished = self.folder / "student.unfinished.npz"
        model = self.model
        np.savez(
            unfinished,
            weights=model.weights,
            momentum=model.momentum,
            second=model.second,
            steps=model.steps,
            generation=done.number,
        )
        unfinished.replace(self.folder / STUDENT)
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(_line_of(done))
        self.log.append(done)

    def rate(self, team: Workers, number: int, games: int, nodes: int, look: Look) -> list[Rating]:
        """Measure a generation against the game's fixed opponents, unless that was done; what was reached."""
        weights, found = self._weights(number), []
        for opponent in self.learning.opponents:
            rating = Rating(number, opponent, nodes)
            known = [one for one in read_ratings(self.folder) if one.measured == rating.measured]
            if not known:
                jobs = enumerate(trials(self.plan.game, self.practice, rating, games, seed_of(self.plan.seed, -3)))
                progress = Progress(look, f"against {opponent}", games)
                for _, results in run_all(team, play_trial, jobs, weights, progress):
                    rating = rating.with_results(*results)
                    progress.add(sum(results))
                add_rating(self.folder, rating)
            found.append(known[0] if known else rating)
        self.draw()
        return found

    def export(self, number: int, path: Path) -> None:
        """Write the network of a generation for a bot: in half the size, with what made it."""
        network, about = load_network(generation_file(self.folder, number))
        save_network(path, network.shape, network.weights, about, exact=False)

    def draw(self) -> None:
        """Draw the curves so far."""
        losses = [(one.number, one.losses) for one in self.log]
        (self.folder / CURVES).write_text(picture(losses, read_ratings(self.folder)), encoding="utf-8")
