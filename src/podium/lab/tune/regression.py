"""A quadratic model of Elo over the settings, fitted to the games of many of them.

The strength of a setting z (its coordinates, see `space`) over the baseline bot, in log-odds of winning:

    f(z) - f(base),  f(z) = sum_i b_i z_i + sum_i c_i z_i^2 + sum_{i<j} d_ij z_i z_j

with squares of numbers only, and products of coordinates of different parameters. Where a parabola is too stiff, bumps
are added (radial basis functions around some places of the space), which together are a Gaussian process over it
(Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, chapter 2). A trial is one block of games; its
score is a share of points with the mean 1 / (1 + e^-(f(one) - f(other))), and its variance is that of a game times a
dispersion that is found from the residuals: games of a block share their seed, and draws make it smaller. This is
quasi-likelihood (Wedderburn, 1974).

Many coefficients and few games: each group of coefficients (linear, squares, products, bumps) has a normal prior whose
width is estimated from the games too, by the evidence (MacKay, "Bayesian interpolation", 1992). The squares are assumed
to be alike, since most numbers have their best value somewhere inside: they share one more coefficient, the bowl. Its
prior is wide, while, without bumps, those of products and of differences between squares are narrow: there are many of
them, and together their noise would carry the optimum into a corner of the space. So coefficients without evidence stay
near zero, the model's optimum is not the luckiest trial, and its intervals are those of the
posterior distribution.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from podium.arena.stats.intervals import EloInterval, Z
from podium.lab.tune.space import SearchSpace, Setting

LINEAR, SQUARE, PRODUCT, BOWL, BUMP = range(5)  # the groups of coefficients
GROUPS = 5
ELO = 400 / np.log(10)  # of a unit of log-odds
PLAIN = np.array([30.0, 5.0, 3.0, 40.0, 20.0]) / ELO  # the widths of the groups' priors without evidence,
WITH_BUMPS = np.full(GROUPS, 20.0) / ELO  # and in a model with bumps, which bend together with all others
CREDENCE = 2.0  # imagined coefficients of that width in each group
OPPONENT = 400.0 / ELO  # the width of the prior of an opponent's strength
STEPS = 10
ROUNDS = 3  # in each step
SETTLED = 1e-3  # a smaller change of a coefficient counts as none
SAME_WIDTH = 0.02  # a smaller change of the logarithm of a width counts as none
LONGEST_STEP = 2.0  # of a coefficient
FAR = 30.0  # log-odds beyond which nothing changes any more
CERTAIN = 1e-6
LEAST_DISPERSION = 0.05
DRAWS = 100  # samples of the posterior distribution, for intervals of the optimum
GRID = np.linspace(-1, 1, 7)  # values among which each number of an optimum is chosen, again and again,
SWEEPS = (1.0, 0.3, 0.1, 0.03)  # ever closer to the last one
WIDTH = 0.8  # of a bump, in half ranges and for each parameter


@dataclass(frozen=True)
class Trial:
    """A block of games of one setting against another setting, or against an opponent."""

    one: Setting
    other: Setting | None  # None: the opponent of that number
    opponent: int  # 0: the baseline bot, 1, ...: others
    score: float  # of the first, from 0 to 1


class Basis:
    """The basis functions of the model over a space, with `bumps` radial ones."""

    def __init__(self, space: SearchSpace, bumps: int = 0) -> None:
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
        """The basis functions at rows of coordinates, a row for each."""
        products = coordinates[:, self.left] * coordinates[:, self.right]
        bowl = (coordinates[:, self.numbers] ** 2).sum(axis=1, keepdims=True)
        columns = [coordinates, products, bowl]
        if self.centres is not None:
            squares = (coordinates**2).sum(axis=1)[:, None] + (self.centres**2).sum(axis=1)
            gaps = squares - 2 * coordinates @ self.centres.T
            columns.append(np.exp(-gaps / (2 * WIDTH**2 * coordinates.shape[1])))
        return np.hstack(columns)


class FittedModel:
    """The posterior distribution of the coefficients."""

    def __init__(self, basis: Basis, mean: np.ndarray, covariance: np.ndarray, dispersion: float) -> None:
        self.basis, self.mean, self.covariance, self.dispersion = basis, mean, covariance, dispersion
        self.space = basis.space
        self._base = basis.of(self.space.coded([self.space.base]))

    def strength(self, settings: Sequence[Setting]) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of the gain of settings, in log-odds."""
        return self._strength(self.space.coded(settings))

    def _strength(self, coordinates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = self.basis.of(coordinates) - self._base
        return rows @ self.mean, np.sqrt(np.einsum("ij,jk,ik->i", rows, self.covariance, rows))

    def gains(self, settings: Sequence[Setting]) -> list[EloInterval]:
        """The gain of each setting over the baseline bot."""
        return [
            EloInterval(float(ELO * mean), float(ELO * (mean - Z * width)), float(ELO * (mean + Z * width)))
            for mean, width in zip(*self.strength(settings), strict=True)
        ]

    def difference(self, one: Setting, other: Setting) -> EloInterval:
        """The gain of one setting over another."""
        row = np.diff(self.basis.of(self.space.coded([other, one])), axis=0)[0]
        mean, width = ELO * float(row @ self.mean), ELO * float(np.sqrt(row @ self.covariance @ row))
        return EloInterval(mean, mean - Z * width, mean + Z * width)

    def best(self) -> Setting:
        """The setting whose expected strength is the largest."""
        return self._settings(self._maximum(self.mean[None]))[0]

    def likely_best(self, number: int, random: np.random.Generator) -> list[Setting]:
        """The optima of `number` samples from the posterior distribution."""
        root = np.linalg.cholesky(self.covariance + 1e-9 * np.eye(len(self.mean)))
        return self._settings(self._maximum(self.mean + random.standard_normal((number, len(self.mean))) @ root.T))

    def _settings(self, coordinates: np.ndarray) -> list[Setting]:
        columns = [
            each.decoded(coordinates[:, self.space.owners == index]) for index, each in enumerate(self.space.dimensions)
        ]
        return list(zip(*columns, strict=True))

    def _maximum(self, coefficients: np.ndarray) -> np.ndarray:
        """The best coordinates for each row of coefficients: the best of a pool, improved one parameter at a time."""
        pool = self.space.pool
        best: np.ndarray = pool[(self.basis.of(pool) @ coefficients.T).argmax(axis=0)]
        for width in SWEEPS:
            for index in range(len(self.space.dimensions)):
                best = self._improved(best, coefficients, index, width)
        return best

    def _improved(self, best: np.ndarray, coefficients: np.ndarray, index: int, width: float) -> np.ndarray:
        """The coordinates with the best value of one parameter within a width."""
        own = np.flatnonzero(self.space.owners == index)
        choices = self.space.dimensions[index].choices()
        values = best[:, None, own] + width * GRID[None, :, None] if choices is None else choices[None]
        tried = np.repeat(best[:, None], values.shape[1], axis=1)
        tried[:, :, own] = values.clip(-1, 1)
        rows = self.basis.of(tried.reshape(-1, best.shape[1])).reshape(*tried.shape[:2], -1)
        improved: np.ndarray = tried[np.arange(len(best)), np.einsum("ijk,ik->ij", rows, coefficients).argmax(axis=1)]
        return improved


def fit(space: SearchSpace, trials: Sequence[Trial], bumps: int = 0) -> FittedModel:
    """The posterior distribution of the coefficients after some trials, in a model with `bumps` radial functions."""
    basis = Basis(space, bumps)
    others = max((trial.opponent for trial in trials), default=0)
    size, usual = len(basis.group), WITH_BUMPS if bumps else PLAIN
    if not trials:
        return FittedModel(basis, np.zeros(size), np.diag(usual[basis.group] ** 2), 1.0)
    ones = basis.of(space.coded([trial.one for trial in trials]))
    met = [trial.other for trial in trials]
    base = basis.of(space.coded([space.base]))
    rows = ones - (basis.of(space.coded([other or space.base for other in met])) if any(met) else base)
    if others:
        opponents = np.array([trial.opponent for trial in trials])
        rows = np.hstack([rows, -(opponents[:, None] == np.arange(1, others + 1)).astype(float)])
    scores = np.array([trial.score for trial in trials])
    mean, covariance, dispersion = _posterior(rows, scores, basis.group, usual)
    return FittedModel(basis, mean[:size], covariance[:size, :size], dispersion)


def _posterior(
    rows: np.ndarray, scores: np.ndarray, group: np.ndarray, usual: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Mean, covariance and dispersion, by Newton's method; each step also estimates the widths of the priors."""
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
        told = size - float((np.diag(covariance) / prior).sum())  # effective number of fitted coefficients
        errors = float(((scores - expected) ** 2 / spread).sum())
        dispersion = max(errors / max(len(scores) - told, 1.0), LEAST_DISPERSION)
        if np.abs(mean - before).max() < SETTLED:
            break
    return mean, covariance, dispersion


def _widths(
    means: np.ndarray, variances: np.ndarray, group: np.ndarray, widths: np.ndarray, usual: np.ndarray
) -> np.ndarray:
    """The variances of the groups by the evidence; each group has a few imagined coefficients of the usual width."""
    told = np.bincount(group, 1 - variances / widths[group], GROUPS).clip(0)
    squares = np.bincount(group, means**2, GROUPS)
    return np.asarray((squares + CREDENCE * usual**2) / (told + CREDENCE))
