"""Which settings to play next, and which one is the best so far: three methods, each a pure function of the trials.

* `design`: settings from a Latin hypercube play each other, and a regression estimates the effect of every parameter.
  For many parameters at once, and to learn which of them matter.
* `surface`: the optima of two samples from the posterior play each other: Thompson sampling on both sides, as in
  "self-sparring" (Sui and others, "Multi-dueling Bandits with Dependent Arms", 2017), with a Gaussian process. So games
  go to where the optimum may still be. For up to six parameters.
* `spsa`: two settings on either side of the current one play each other, and the current one moves a little towards the
  winner: simultaneous perturbation (Spall 1992) as engine testers use it, with the mean of the later steps as its
  answer (Polyak and Juditsky 1992). For numbers that are nearly right already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from podium.errors import PodiumError
from podium.lab.tune.regression import FittedModel, Trial, fit
from podium.lab.tune.space import SearchSpace, Setting

FEW_DIMENSIONS = 6  # up to this number of parameters, `surface` is the default method

LEAST_BATCH = 16
BATCH_SHARE = 6  # a sixth of the blocks played so far is planned at once

BUMPS = 16  # radial basis functions in the model of a surface
BASE_EVERY = 4  # one of this many blocks of a surface is against the baseline bot

REACH = 0.3  # size of the first perturbation, as a fraction of the range
REACH_DECAY = 0.101  # Spall's exponents
PACE = 0.02  # size of the first steps, as a fraction of the range
PACE_DECAY = 0.602
STEADY = 100  # trials after which the steps shrink
NO_STEP = 1e-9
LATER = 0.5  # the answer is the mean over this share of the steps, the last ones


class Method(Enum):
    """How settings are chosen."""

    DESIGN = "design"
    SURFACE = "surface"
    SPSA = "spsa"


@dataclass(frozen=True)
class ProposedBlock:
    """A block to play: a setting against another one, or against an opponent (0: the baseline bot)."""

    one: Setting
    other: Setting | None = None
    opponent: int = 0


def usual_method(space: SearchSpace) -> Method:
    """The default method for a space."""
    return Method.SURFACE if len(space.dimensions) <= FEW_DIMENSIONS else Method.DESIGN


def check(method: Method, space: SearchSpace, opponents: int) -> None:
    """PodiumError if a method cannot tune these parameters, or not against these opponents."""
    if method is not Method.SPSA:
        return
    for each in space.dimensions:
        if each.words:
            raise PodiumError(f"spsa tunes numbers only, and {each.name} is a choice: use another method")
    if opponents:
        raise PodiumError("spsa lets settings play each other: --against needs another method")


def batch(method: Method, first: int) -> int:
    """The number of blocks to plan together, the first of which has this place in the schedule.

    It grows with the number of trials, since a few more change little; for SPSA it stays small, as steps that are
    planned together start from the same setting.
    """
    return LEAST_BATCH if method is Method.SPSA else max(LEAST_BATCH, first // BATCH_SHARE)


def propose(
    method: Method, space: SearchSpace, trials: Sequence[Trial], first: int, number: int, opponents: int, seed: int
) -> list[ProposedBlock]:
    """The next blocks, which have the places from `first` on in the schedule.

    `opponents` is the number of opponents besides the baseline bot; if there are any, all settings play them in turn.
    """
    random = np.random.default_rng([seed & (2**64 - 1), first])
    if method is Method.SPSA:
        return _perturbed(space, trials, first, number, random)
    if method is Method.SURFACE:
        return _sampled(space, trials, first, number, opponents, random)
    return _spread(space, first, number, opponents, random)


def _spread(
    space: SearchSpace, first: int, number: int, opponents: int, random: np.random.Generator
) -> list[ProposedBlock]:
    """Settings that cover the space evenly."""
    ones = space.draw(random, number)
    if opponents:
        return [ProposedBlock(one, None, 1 + place % opponents) for place, one in enumerate(ones, first)]
    others = space.draw(random, number)
    return [ProposedBlock(one, None if one == other else other) for one, other in zip(ones, others, strict=True)]


def answer(method: Method, space: SearchSpace, trials: Sequence[Trial]) -> tuple[Setting, FittedModel]:
    """The best setting after some trials, and the model that estimates its gain."""
    if not trials:
        return space.base, fit(space, [])
    model = fit(space, trials, BUMPS if method is Method.SURFACE else 0)
    if method is Method.SPSA:
        path = _path(space, trials)
        return space.at(path[int(len(path) * (1 - LATER)) :].mean(axis=0)), model
    return model.best(), model


def _sampled(
    space: SearchSpace, trials: Sequence[Trial], first: int, number: int, opponents: int, random: np.random.Generator
) -> list[ProposedBlock]:
    """Settings that may be the optimum, against each other and now and then against the baseline bot."""
    if not trials:
        return _spread(space, first, number, opponents, random)
    model = fit(space, trials, BUMPS)
    ones = [space.other(setting, random) for setting in model.likely_best(number, random)]
    if opponents:
        return [ProposedBlock(one, None, 1 + place % opponents) for place, one in enumerate(ones, first)]
    blocks = []
    for place, (one, other) in enumerate(zip(ones, ones[1:] + ones[:1], strict=True), first):
        blocks.append(ProposedBlock(one, None if place % BASE_EVERY == 0 or one == other else other))
    return blocks


def _perturbed(
    space: SearchSpace, trials: Sequence[Trial], first: int, number: int, random: np.random.Generator
) -> list[ProposedBlock]:
    """Pairs of settings on either side of the current one, in random directions."""
    present = _path(space, trials)[-1]
    blocks = []
    for place in range(first, first + number):
        signs = np.where(random.random(len(present)) < 0.5, -1.0, 1.0)
        steps = np.array([_reach(space, index, place) for index in range(len(present))])
        centre = np.clip(present, steps, 1 - steps)
        one, other = (space.at(centre + side * signs * steps) for side in (1, -1))
        blocks.append(ProposedBlock(one, other))
    return blocks


def _reach(space: SearchSpace, index: int, place: int) -> float:
    """The size of a perturbation as a fraction of the range; for whole numbers at least to the next one."""
    each = space.dimensions[index]
    reach: float = REACH / (1 + place) ** REACH_DECAY
    return min(0.5, max(reach, 0.5 / (each.high - each.low) if each.whole and not each.log else 0.0))


def _path(space: SearchSpace, trials: Sequence[Trial]) -> np.ndarray:
    """The current setting before each trial and after the last one: rows of coordinates from 0 to 1.

    A step is proportional to the distance between the settings that were really played, after rounding.
    """
    dimensions = space.dimensions
    start = np.array([each.places([each.base])[0] for each in dimensions]).clip(0, 1)
    if not trials:
        return start[None]
    ones, others = (
        np.array([each.places(values) for each, values in zip(dimensions, zip(*side, strict=True), strict=True)]).T
        for side in ([trial.one for trial in trials], [trial.other or space.base for trial in trials])
    )
    half = (ones - others) / 2
    pace = PACE / (1 + np.arange(len(trials)) / STEADY) ** PACE_DECAY
    pull = (pace * (2 * np.array([trial.score for trial in trials]) - 1))[:, None]
    moves = np.divide(pull, half, out=np.zeros_like(half), where=np.abs(half) > NO_STEP)
    path = [start.tolist()]
    for move in moves.tolist():
        path.append([min(max(place + step, 0.0), 1.0) for place, step in zip(path[-1], move, strict=True)])
    return np.array(path)
