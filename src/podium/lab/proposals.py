"""Which settings to play next, and which one is the best so far: three methods, each a pure function of the trials.

* `design`: settings from all over the space play each other, and a regression reads what every parameter does. For many
  parameters at once, and for knowing what matters.
* `surface`: the optima of two draws from what is known so far play each other: Thompson's sampling on both sides, as in
  "self-sparring" (Sui and others, "Multi-dueling Bandits with Dependent Arms", 2017), with a Gaussian process. So games
  go to where the optimum may still be. For up to six parameters.
* `spsa`: two settings on either side of the present one play each other, and the winner pulls it a little: Spall's
  simultaneous perturbation (1992) as engine testers use it, with the mean of the later steps as its answer (Polyak and
  Juditsky, 1992). For numbers that are nearly right already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from podium.errors import PodiumError
from podium.lab.regression import Fit, Trial, fit
from podium.lab.space import Setting, Space

FEW_DIMENSIONS = 6  # for which a surface is the best method

LEAST_BATCH = 16
BATCH_SHARE = 6  # of what was played is planned at once

BUMPS = 16  # of the model of a surface
BASE_EVERY = 4  # contests of a surface one is against the bot as it is

REACH = 0.3  # of a perturbation at first, in parts of the range
REACH_DECAY = 0.101  # Spall's exponents
PACE = 0.02  # of the steps at first, in parts of the range
PACE_DECAY = 0.602
STEADY = 100  # trials before the steps grow shorter
NO_STEP = 1e-9
LATER = 0.5  # the part of the steps whose mean is the answer


class Method(Enum):
    """How settings are chosen."""

    DESIGN = "design"
    SURFACE = "surface"
    SPSA = "spsa"


@dataclass(frozen=True)
class Contest:
    """A block to play: a setting against another one, or against an opponent (0: the bot as it is)."""

    one: Setting
    other: Setting | None = None
    opponent: int = 0


def usual_method(space: Space) -> Method:
    """What suits a space."""
    return Method.SURFACE if len(space.dimensions) <= FEW_DIMENSIONS else Method.DESIGN


def check(method: Method, space: Space, opponents: int) -> None:
    """PodiumError if a method does not suit what is to be tuned."""
    if method is not Method.SPSA:
        return
    for each in space.dimensions:
        if each.words:
            raise PodiumError(f"spsa tunes numbers only, and {each.name} is a choice: use another method")
    if opponents:
        raise PodiumError("spsa lets settings play each other: --against needs another method")


def batch(method: Method, first: int) -> int:
    """How many contests to plan together, the first of which has this place in the schedule.

    More and more, where the next few change little; always few for steps that must not be taken too far at once.
    """
    return LEAST_BATCH if method is Method.SPSA else max(LEAST_BATCH, first // BATCH_SHARE)


def propose(
    method: Method, space: Space, trials: Sequence[Trial], first: int, number: int, opponents: int, seed: int
) -> list[Contest]:
    """The next contests, which have the places from `first` on in the schedule.

    `opponents` is how many there are besides the bot as it is; if there are any, all settings play them in turn.
    """
    random = np.random.default_rng([seed & (2**64 - 1), first])
    if method is Method.SPSA:
        return _perturbed(space, trials, first, number, random)
    if method is Method.SURFACE:
        return _sampled(space, trials, first, number, opponents, random)
    return _spread(space, first, number, opponents, random)


def _spread(space: Space, first: int, number: int, opponents: int, random: np.random.Generator) -> list[Contest]:
    """Settings from all over the space."""
    ones = space.draw(random, number)
    if opponents:
        return [Contest(one, None, 1 + place % opponents) for place, one in enumerate(ones, first)]
    others = space.draw(random, number)
    return [Contest(one, None if one == other else other) for one, other in zip(ones, others, strict=True)]


def answer(method: Method, space: Space, trials: Sequence[Trial]) -> tuple[Setting, Fit]:
    """The best setting after some trials, and the model that says what it gains."""
    if not trials:
        return space.base, fit(space, [])
    model = fit(space, trials, BUMPS if method is Method.SURFACE else 0)
    if method is Method.SPSA:
        path = _path(space, trials)
        return space.at(path[int(len(path) * (1 - LATER)) :].mean(axis=0)), model
    return model.best(), model


def _sampled(
    space: Space, trials: Sequence[Trial], first: int, number: int, opponents: int, random: np.random.Generator
) -> list[Contest]:
    """Settings that may be the best, against each other; and now and then one against the bot as it is."""
    if not trials:
        return _spread(space, first, number, opponents, random)
    model = fit(space, trials, BUMPS)
    ones = [space.other(setting, random) for setting in model.likely_best(number, random)]
    if opponents:
        return [Contest(one, None, 1 + place % opponents) for place, one in enumerate(ones, first)]
    contests = []
    for place, (one, other) in enumerate(zip(ones, ones[1:] + ones[:1], strict=True), first):
        contests.append(Contest(one, None if place % BASE_EVERY == 0 or one == other else other))
    return contests


def _perturbed(
    space: Space, trials: Sequence[Trial], first: int, number: int, random: np.random.Generator
) -> list[Contest]:
    """Settings on either side of the present one, in random directions."""
    present = _path(space, trials)[-1]
    contests = []
    for place in range(first, first + number):
        signs = np.where(random.random(len(present)) < 0.5, -1.0, 1.0)
        steps = np.array([_reach(space, index, place) for index in range(len(present))])
        centre = np.clip(present, steps, 1 - steps)
        one, other = (space.at(centre + side * signs * steps) for side in (1, -1))
        contests.append(Contest(one, other))
    return contests


def _reach(space: Space, index: int, place: int) -> float:
    """How far a perturbation goes, in parts of the range; for whole numbers at least to the next one."""
    each = space.dimensions[index]
    reach = REACH / (1 + place) ** REACH_DECAY
    return min(0.5, max(reach, 0.5 / (each.high - each.low) if each.whole and not each.log else 0.0))


def _path(space: Space, trials: Sequence[Trial]) -> np.ndarray:
    """Where the present setting was before each trial, and is now: a row for each, from 0 to 1.

    What is pulled along is the distance that was really played, after whole numbers were rounded.
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
