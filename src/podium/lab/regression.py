"""What the games of many settings say about all of them: a quadratic model of Elo over the settings.

The strength of a setting z (its coordinates, see `space`) over the bot as it is, in log-odds of winning:

    f(z) - f(base),  f(z) = sum_i b_i z_i + sum_i c_i z_i^2 + sum_{i<j} d_ij z_i z_j

with squares of numbers only, and products of coordinates of different parameters. Where a parabola is too stiff, bumps
are added (radial basis functions around some places of the space), which together are a Gaussian process over it
(Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, chapter 2). A trial is one block of games; its
score is a share of points with the mean 1 / (1 + e^-(f(one) - f(other))), and its variance is that of a game times a
dispersion that is found from the residuals: games of a block share their seed, and draws make it smaller. This is
quasi-likelihood (Wedderburn, 1974).

Many coefficients and few games: each group of coefficients (linear, squares, products, bumps) has a normal prior whose
width is found from the games too, by the evidence (MacKay, "Bayesian interpolation", 1992). The squares are thought to
be alike, since most numbers have their best value somewhere inside: they share one more coefficient, the bowl. Before
games speak the bowl may be deep, while, without bumps, products and what sets squares apart are thought small: there
are many of them, and what chance makes of them together would carry the optimum into a corner of the space. So what the
games do not show stays near nothing, the model's optimum is not the luckiest trial, and its intervals are those of the
posterior law.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from podium.arena.statistics import Z
from podium.lab.space import Setting, Space

LINEAR, SQUARE, PRODUCT, BOWL, BUMP = range(5)  # the groups of coefficients
GROUPS = 5
ELO = 400 / np.log(10)  # of a unit of log-odds
PLAIN = np.array([30.0, 5.0, 3.0, 40.0, 20.0]) / ELO  # the widths of the groups' priors before games speak,
WITH_BUMPS = np.full(GROUPS, 20.0) / ELO  # and in a model with bumps, which bend together with all others
CREDENCE = 2.0  # coefficients that this is worth
OPPONENT = 400.0 / ELO  # the width of what is thought of the strength of another opponent
STEPS = 10
ROUNDS = 3  # in each step
SETTLED = 1e-3  # a change of a coefficient that is none
SAME_WIDTH = 0.02  # a change of the logarithm of a width that is none
LONGEST_STEP = 2.0  # of a coefficient
FAR = 30.0  # log-odds beyond which nothing changes any more
CERTAIN = 1e-6
LEAST_DISPERSION = 0.05
DRAWS = 100  # of the posterior law, for intervals of the optimum
GRID = np.linspace(-1, 1, 7)  # values among which each number of an optimum is chosen, again and again,
SWEEPS = (1.0, 0.3, 0.1, 0.03)  # ever closer to the last one
WIDTH = 0.8  # of a bump, in half ranges and for each parameter


@dataclass(frozen=True)
class Trial:
    """A block of games of one setting against another setting, or against an opponent."""

    one: Setting
    other: Setting | None  # None: the opponent of that number
    opponent: int  # 0: the bot as it is, 1, ...: others
    score: float  # of the first, from 0 to 1


class Terms:
    """The terms of the model over a space, with so many bumps."""

    def __init__(self, space: Space, bumps: int = 0) -> None:
        self.space = space
        owners = space.owners
        numbers = [i for i, owner in enumerate(owners) if not space.dimensions[owner].words]
        products = [(i, j) for i in range(len(owners)) for j in range(i + 1, len(owners)) if owners[i] != owners[j]]
        pairs = [(i, i) for i in numbers] + products
        self.left, self.right = np.array(pairs, int).reshape(-1, 2).T
        self.numbers = np.array(numbers, int)
        self.centres = space.coded(space.draw(np.random.default_rng(bumps), bumps)) if bumps else None
        sizes = (len(owners), len(numbers), len(products), 1, bumps)
        self.group = np.repeat([LINEAR, SQUARE, PRODUCT, BOWL, BUMP], sizes)

    def of(self, coordinates: np.ndarray) -> np.ndarray:
        """The terms of settings, a row for each."""
        products = coordinates[:, self.left] * coordinates[:, self.right]
        bowl = (coordinates[:, self.numbers] ** 2).sum(axis=1, keepdims=True)
        terms = [coordinates, products, bowl]
        if self.centres is not None:
            squares = (coordinates**2).sum(axis=1)[:, None] + (self.centres**2).sum(axis=1)
            gaps = squares - 2 * coordinates @ self.centres.T
            terms.append(np.exp(-gaps / (2 * WIDTH**2 * coordinates.shape[1])))
        return np.hstack(terms)


@dataclass(frozen=True)
class Gain:
    """How much stronger than the bot as it is, in Elo, with the 95 % interval."""

    elo: float
    low: float
    high: float


class Fit:
    """The posterior law of the coefficients."""

    def __init__(self, terms: Terms, mean: np.ndarray, covariance: np.ndarray, dispersion: float) -> None:
        self.terms, self.mean, self.covariance, self.dispersion = terms, mean, covariance, dispersion
        self.space = terms.space
        self._base = terms.of(self.space.coded([self.space.base]))

    def strength(self, settings: Sequence[Setting]) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of the gain of settings, in log-odds."""
        return self._strength(self.space.coded(settings))

    def _strength(self, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        terms = self.terms.of(coordinates) - self._base
        return terms @ self.mean, np.sqrt(np.einsum("ij,jk,ik->i", terms, self.covariance, terms))

    def gains(self, settings: Sequence[Setting]) -> list[Gain]:
        """The gain of each setting."""
        return [
            Gain(float(ELO * mean), float(ELO * (mean - Z * width)), float(ELO * (mean + Z * width)))
            for mean, width in zip(*self.strength(settings), strict=True)
        ]

    def difference(self, one: Setting, other: Setting) -> Gain:
        """How much stronger one setting is than another."""
        terms = np.diff(self.terms.of(self.space.coded([other, one])), axis=0)[0]
        mean, width = ELO * float(terms @ self.mean), ELO * float(np.sqrt(terms @ self.covariance @ terms))
        return Gain(mean, mean - Z * width, mean + Z * width)

    def best(self) -> Setting:
        """The setting whose expected strength is the largest."""
        return self._settings(self._maximum(self.mean[None]))[0]

    def likely_best(self, number: int, random: np.random.Generator) -> list[Setting]:
        """Where the optimum may be: that of each of so many draws from the posterior law."""
        root = np.linalg.cholesky(self.covariance + 1e-9 * np.eye(len(self.mean)))
        return self._settings(self._maximum(self.mean + random.standard_normal((number, len(self.mean))) @ root.T))

    def _settings(self, coordinates: np.ndarray) -> list[Setting]:
        columns = [
            each.decoded(coordinates[:, self.space.owners == index]) for index, each in enumerate(self.space.dimensions)
        ]
        return list(zip(*columns, strict=True))

    def _maximum(self, coefficients: np.ndarray) -> np.ndarray:
        """The best coordinates for each row of coefficients: of a pool, then by one parameter after the other."""
        pool = self.space.pool
        best = pool[(self.terms.of(pool) @ coefficients.T).argmax(axis=0)]
        for width in SWEEPS:
            for index in range(len(self.space.dimensions)):
                best = self._improved(best, coefficients, index, width)
        return best

    def _improved(self, best: np.ndarray, coefficients: np.ndarray, index: int, width: float) -> np.ndarray:
        """The same coordinates with one parameter chosen anew."""
        own = np.flatnonzero(self.space.owners == index)
        choices = self.space.dimensions[index].choices()
        values = best[:, None, own] + width * GRID[None, :, None] if choices is None else choices[None]
        tried = np.repeat(best[:, None], values.shape[1], axis=1)
        tried[:, :, own] = values.clip(-1, 1)
        terms = self.terms.of(tried.reshape(-1, best.shape[1])).reshape(*tried.shape[:2], -1)
        return tried[np.arange(len(best)), np.einsum("ijk,ik->ij", terms, coefficients).argmax(axis=1)]


def fit(space: Space, trials: Sequence[Trial], bumps: int = 0) -> Fit:
    """The law of the coefficients after some trials, in a model with so many bumps."""
    terms = Terms(space, bumps)
    others = max((trial.opponent for trial in trials), default=0)
    size, usual = len(terms.group), WITH_BUMPS if bumps else PLAIN
    if not trials:
        return Fit(terms, np.zeros(size), np.diag(usual[terms.group] ** 2), 1.0)
    ones = terms.of(space.coded([trial.one for trial in trials]))
    met = [trial.other for trial in trials]
    base = terms.of(space.coded([space.base]))
    rows = ones - (terms.of(space.coded([other or space.base for other in met])) if any(met) else base)
    if others:
        opponents = np.array([trial.opponent for trial in trials])
        rows = np.hstack([rows, -(opponents[:, None] == np.arange(1, others + 1)).astype(float)])
    scores = np.array([trial.score for trial in trials])
    mean, covariance, dispersion = _posterior(rows, scores, terms.group, usual)
    return Fit(terms, mean[:size], covariance[:size, :size], dispersion)


def _posterior(
    rows: np.ndarray, scores: np.ndarray, group: np.ndarray, usual: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Mean, covariance and dispersion: Newton's steps, and in each of them the widths of the priors."""
    size, own = rows.shape[1], len(group)
    widths = usual**2
    mean, covariance = np.zeros(size), np.eye(size)
    dispersion = 1.0
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-np.clip(rows @ mean, -FAR, FAR)))
        spread = np.maximum(expected * (1 - expected), CERTAIN)
        curvature = (rows * spread[:, None]).T @ rows
        pull = rows.T @ (scores - expected) + curvature @ mean
        before = mean
        for _ in range(ROUNDS):
            prior = np.concatenate([widths[group], np.full(size - own, OPPONENT**2)])
            covariance = np.linalg.inv(curvature / dispersion + np.diag(1 / prior))
            mean = covariance @ pull / dispersion
            wanted = _widths(mean[:own], np.diag(covariance)[:own], group, widths, usual)
            settled = np.abs(np.log(wanted / widths)).max() < SAME_WIDTH
            widths = wanted
            if settled:
                break
        mean = before + np.clip(mean - before, -LONGEST_STEP, LONGEST_STEP)
        told = size - float((np.diag(covariance) / prior).sum())  # coefficients that the trials tell
        errors = float(((scores - expected) ** 2 / spread).sum())
        dispersion = max(errors / max(len(scores) - told, 1.0), LEAST_DISPERSION)
        if np.abs(mean - before).max() < SETTLED:
            break
    return mean, covariance, dispersion


def _widths(
    means: np.ndarray, variances: np.ndarray, group: np.ndarray, widths: np.ndarray, usual: np.ndarray
) -> np.ndarray:
    """The variances of the groups that the evidence speaks for; each has a few imagined usual coefficients too."""
    told = np.bincount(group, 1 - variances / widths[group], GROUPS).clip(0)
    squares = np.bincount(group, means**2, GROUPS)
    return np.asarray((squares + CREDENCE * usual**2) / (told + CREDENCE))
