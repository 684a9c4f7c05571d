"""AlphaZero on a few cores: a network plays itself, a student learns from the games, and takes over when it is better.

The loop is the one of the Zuniq write-up (and of Silver et al. 2017). A generation:
 1. Self-play: the teacher plays itself. The games are jobs for any executor, and each job's examples are a file.
 2. Training: the student goes on learning from a sample of the examples of the last generations.
 3. Gate: student and teacher play a match (`podium.lab.learn.strength`). With `gate` of the points (write-up: 60 %) the
    student becomes the teacher. Of 200 games an equal network passes once in 300 times; of 40, once in 8.
 4. The generation is logged: parentage, losses, the result of the gate with its interval and its run in the store.

All of it is a function of the seed and of the files: a learner that is killed at any moment continues with the same
command, comes to the same weights, and loses at most the jobs and games that were under way.
"""

import math
import time
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from podium.arena.entrants.entrant import entrant
from podium.arena.game.players import can_join
from podium.arena.tournament.report import MatchReport
from podium.arena.tournament.runner import Workers
from podium.arena.tournament.worker import seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.lab.learn.curves import curves_svg
from podium.lab.learn.examples import Batches, Examples, joined, load_examples
from podium.lab.learn.run_folder import (
    CURVES,
    LOG,
    MATCHES,
    PLAN,
    STUDENT,
    Generation,
    TrainingPlan,
    examples_file,
    generation_file,
    generations_in,
    log_line,
    parsed_lines,
    read_log,
    read_plan,
    refuse_other_inputs,
    write_whole,
)
from podium.lab.learn.selfplay_jobs import SelfPlayJob, Weights, learning_of, play_job
from podium.lab.learn.strength import (
    LadderPlan,
    LadderResult,
    NetworkMatch,
    add_to_ladder,
    network_player,
    read_ladder,
    write_openings,
)
from podium.lab.learn.tasks import Progress, ProgressCallback, run_all
from podium.lab.learn.training import Losses, Model, Schedule, new_model, train
from podium.model.ruleset import rules_of
from podium.search.network import load_network, save_network
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS

LADDER_OPENINGS = "openings-ladder.jsonl"
OPENINGS_OF_THE_LADDER = 500  # games beyond twice as many begin in the same positions again
TRAINING_SEED, GATE_SEED, LADDER_SEED = -1, -2, -3  # what sets the seeds of the parts of a generation apart


class Learner:
    """A training run in a folder."""

    def __init__(self, folder: Path, plan: TrainingPlan, store: Path | None = None) -> None:
        """Begin the run, or continue the one in the folder.

        Matches of its networks are kept in `store`, by default in a file of the folder.
        """
        self.game = load(plan.game)
        self.learning = learning_of(self.game)
        if plan.gate and self.game.view is None:
            raise PodiumError(f"{self.game.title} has no view, so its networks cannot play a gate; --gate 0 has none")
        self.folder, self.plan, self.store = folder, plan, store or folder / MATCHES
        self.self_play = SELF_PLAY_PARAMS.canonical({**self.learning.self_play, **plan.self_play})
        self.shape = (self.learning.inputs, *plan.hidden, rules_of(self.game).move_codes)
        self.log: list[Generation] = []
        path = folder / PLAN
        if not path.exists():
            self.model = self._begin()
        elif read_plan(folder, plan.game).text() == plan.text():
            self.model = self._continue()
        else:
            raise PodiumError(f"{folder} holds a run with another plan ({path}); name another folder with --out")

    def _begin(self) -> Model:
        """The student before the first generation; the folder is made once all that the plan names is found."""
        model = new_model(self.shape, self.learning.auxiliary_targets, self.plan.seed, self.learning.usually_on)
        about: dict[str, Any] = {"generation": 0}
        if self.plan.start:
            network, about = load_network(Path(self.plan.start))
            if tuple(network.shape) != self.shape:
                raise PodiumError(f"{self.plan.start} has the shape {network.shape.tolist()}, not {self.shape}")
            model.network_weights[:] = network.weights
        self.folder.mkdir(parents=True, exist_ok=True)
        save_network(generation_file(self.folder, 0), self.shape, model.network_weights, about)
        write_whole(self.folder / PLAN, self.plan.text())
        return model

    def _continue(self) -> Model:
        """The student of the last complete generation, and the log up to it."""
        refuse_other_inputs(self.folder, self.learning.inputs)
        path = self.folder / STUDENT
        logged = {one.number: one for one in read_log(self.folder)}
        if not path.exists() and not logged:
            return self._begin()
        try:
            with np.load(path, allow_pickle=False) as data:
                targets = self.learning.auxiliary_targets
                model = Model(self.shape, targets, data["weights"], data["momentum"], data["second"])
                model.steps, number = int(data["steps"]), int(data["generation"])
                kept = generations_in(parsed_lines(str(data["log"]))) if "log" in data else []
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise PodiumError(
                f"{path} is not the student of a training run: {error}; without it and {LOG} the same command learns "
                "again from the games that were played"
            ) from None
        known = {one.number: one for one in kept} | logged
        self.log = [known.get(one) or self._from_network(one) for one in range(1, number + 1)]
        if [*logged.values()] != self.log:  # a sudden end has cut it
            write_whole(self.folder / LOG, "".join(map(log_line, self.log)))
        return model

    def _from_network(self, number: int) -> Generation:
        """A generation that an earlier version has described in the file of its network."""
        path = generation_file(self.folder, number)
        _, about = load_network(path)
        try:
            told = {each.name: about[each.name] for each in fields(Generation) if each.name in about}
            return Generation(**{**told, "losses": asdict(Losses(**told["losses"]))})
        except (KeyError, TypeError) as error:
            raise PodiumError(f"{path} does not describe its generation, nor does {LOG}: {error}") from None

    @property
    def teacher(self) -> int:
        """The generation that teaches: the last one that passed the gate."""
        return next((one.number for one in reversed(self.log) if one.passed), 0)

    def run(
        self,
        workers: Workers,
        progress: ProgressCallback,
        ladder: LadderPlan,
        generations: int,
        end: float = math.inf,
    ) -> Iterator[Generation | list[LadderResult]]:
        """Train until there is this number of generations (0: no limit), or until the time `end` (time.monotonic).

        Yields each generation when its gate is decided, and its results on the ladder.
        """
        unmeasured = self.log[-1:]  # what an interruption kept from being measured
        while True:
            for one in unmeasured:
                if ladder.includes(one.number):
                    yield self.measure(workers, one.number, ladder, progress)
                self.draw()
            if time.monotonic() >= end or (generations and len(self.log) >= generations):
                return
            unmeasured = [self.generation(workers, progress)]
            yield unmeasured[0]

    def generation(self, workers: Workers, progress: ProgressCallback) -> Generation:
        """Play, train and test one generation; `progress` is called with the present step and its progress."""
        begun = time.time()
        number, teacher = len(self.log) + 1, self.teacher
        games, examples = self._play(workers, number, teacher, progress)
        progress("learning", 0, 1)
        losses = asdict(self._train(number))
        parentage = {"number": number, "teacher": teacher, "games": games, "examples": examples, "losses": losses}
        about = {**parentage, "game": self.plan.game, "plan": asdict(self.plan)}
        save_network(generation_file(self.folder, number), self.shape, self.model.network_weights, about)
        gate = self._compete(workers, number, teacher, progress) if self.plan.gate else None
        passed = gate is None or gate.score >= self.plan.gate
        score, (low, high), run = (gate.score, gate.score_interval, gate.run) if gate else (None, (None, None), "")
        done = Generation(
            number, teacher, games, examples, losses, score, passed, time.time() - begun, low=low, high=high, run=run
        )
        self._log(done)
        return done

    def _play(self, workers: Workers, number: int, teacher: int, progress: ProgressCallback) -> tuple[int, int]:
        """Step 1: the jobs whose files are not there yet; the numbers of games and examples of all jobs."""
        plan, jobs = self.plan, -(-self.plan.games // self.plan.job)
        missing = [job for job in range(jobs) if not examples_file(self.folder, number, job).exists()]
        network, _ = load_network(generation_file(self.folder, teacher))
        weights = Weights(self.shape, network.weights)
        tasks = (
            (job, SelfPlayJob(plan.game, self.self_play, plan.job, seed_of(plan.seed, number, job))) for job in missing
        )
        games = Progress(progress, "self-play", jobs * plan.job, (jobs - len(missing)) * plan.job)
        games.tell()
        for job, examples in run_all(workers, play_job, tasks, weights, games):
            examples.save(examples_file(self.folder, number, job), plan.job)
            games.add(plan.job)
        return jobs * plan.job, len(self._examples(number))

    def _examples(self, number: int) -> Examples:
        return joined([load_examples(path)[0] for path in sorted(self.folder.glob(f"examples-{number:04d}-*.npz"))])

    def _train(self, number: int) -> Losses:
        """Step 2: the student learns from the generations in the window."""
        plan = self.plan
        first = max(1, number - plan.window + 1)
        examples = joined([self._examples(one) for one in range(first, number + 1)])
        batches = Batches(examples, self.learning, self.shape[-1], plan.root_value_weight, plan.symmetries)
        schedule = Schedule(plan.steps, plan.batch, plan.learning_rate, auxiliary_weight=plan.auxiliary_weight)
        return train(self.model, batches, schedule, seed_of(plan.seed, number, TRAINING_SEED))

    def _compete(self, workers: Workers, number: int, teacher: int, progress: ProgressCallback) -> MatchReport:
        """Step 3: the match of the student against the teacher."""
        seed = seed_of(self.plan.seed, number, GATE_SEED)
        openings = self.folder / f"openings-{number:04d}.jsonl"
        write_openings(self.game, openings, -(-self.plan.gate_games // 2), seed)
        simulations = int(SELF_PLAY_PARAMS.params(self.self_play).simulations)
        bots = self._player(number), self._player(teacher)
        match = NetworkMatch(self.plan.game, *bots, simulations, seed, openings)
        return match.play(self.plan.gate_games, self.store, workers, progress, "gate")

    def _player(self, number: int) -> str:
        """The network of a generation as a bot."""
        return network_player(f"generation-{number}", generation_file(self.folder, number), self.self_play)

    def _log(self, done: Generation) -> None:
        """Step 4: the student with the log, then the line of the log: whatever the log tells is there."""
        self.log.append(done)
        model, unfinished = self.model, self.folder / "student.unfinished.npz"
        np.savez(
            unfinished,
            weights=model.weights,
            momentum=model.momentum,
            second=model.second,
            steps=model.steps,
            generation=done.number,
            log=np.array("".join(map(log_line, self.log))),
        )
        unfinished.replace(self.folder / STUDENT)
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(log_line(done))

    def measure(
        self, workers: Workers, number: int, ladder: LadderPlan, progress: ProgressCallback
    ) -> list[LadderResult]:
        """Play a generation against the game's fixed opponents, unless that was done; the results."""
        known = {result.measured: result for result in read_ladder(self.folder)}
        found = []
        for opponent in self.learning.opponents:
            result = known.get((number, opponent, ladder.nodes))
            if result is None:
                result = self._against(workers, number, opponent, ladder, progress)
                add_to_ladder(self.folder, result)
            found.append(result)
        self.draw()
        return found

    def _against(
        self, workers: Workers, number: int, opponent: str, ladder: LadderPlan, progress: ProgressCallback
    ) -> LadderResult:
        """The result of a generation against one opponent; both begin in the same positions in every generation."""
        seed = seed_of(self.plan.seed, LADDER_SEED)
        openings = self.folder / LADDER_OPENINGS
        write_openings(self.game, openings, OPENINGS_OF_THE_LADDER, seed)
        start = openings if can_join(self.game, entrant(self.game, opponent)) else None
        match = NetworkMatch(self.plan.game, self._player(number), opponent, ladder.nodes, seed, start)
        report = match.play(ladder.games, self.store, workers, progress, f"against {opponent}")
        low, high = report.score_interval
        return LadderResult(
            number, opponent, ladder.nodes, report.won, report.drawn, report.lost, low=low, high=high, run=report.run
        )

    def export(self, number: int, path: Path) -> None:
        """Write the network of a generation for a bot, in half the size; the file says how it was made."""
        network, about = load_network(generation_file(self.folder, number))
        save_network(path, network.shape, network.weights, about, exact=False)

    def draw(self) -> None:
        """Draw the curves so far."""
        losses = [(one.number, one.losses) for one in self.log]
        (self.folder / CURVES).write_text(curves_svg(losses, read_ladder(self.folder)), encoding="utf-8")
