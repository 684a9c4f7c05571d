"""The ratings of a league over time.

Ratings are relative to the mean of the bots that have played, so a strong newcomer would make all others seem to fall.
Each snapshot is therefore shifted so that the mean of its bots equals their mean in the last one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from podium.arena.stats.intervals import Z
from podium.arena.stats.rating_data import RatedGames
from podium.arena.stats.ratings import ELO
from podium.arena.tournament.planning import Posterior, posterior_of

MOST_SNAPSHOTS = 12  # each fits all games so far: 0.15 s for all of them in a league of 10,000 games


@dataclass(frozen=True)
class RatingSnapshot:
    """The ratings after the first `games` games of a league."""

    games: int
    ended: float  # end of the last of them, in seconds since 1970
    ratings: dict[str, float]  # Elo of the bots that had played, by name
    errors: dict[str, float]  # half of the 95 % interval


@dataclass
class RatingHistory:
    """The ratings of a growing league at a few points; earlier fits are kept."""

    _found: dict[int, Posterior] = field(default_factory=dict)  # by number of games

    def state(self) -> list[Any]:
        """The earlier fits as plain data."""
        return [
            [games, list(fit.bots), fit.strength.tolist(), fit.covariance.tolist()]
            for games, fit in self._found.items()
        ]

    def restore(self, state: list[Any]) -> None:
        """Keep the fits that a state tells of."""
        self._found = {
            games: Posterior(bots, np.array(strength), np.array(covariance))
            for games, bots, strength, covariance in state
        }

    def fit(self, games: RatedGames) -> None:
        """Make the fits of all snapshots that are not known from before."""
        ends = _ends(len(games))
        self._found = {end: self._found.get(end) or posterior_of(games.chosen(slice(end)), ()) for end in ends}

    def snapshots(
        self, games: RatedGames, ended: Sequence[float], names: Mapping[int, str]
    ) -> tuple[RatingSnapshot, ...]:
        """Snapshots after evenly spaced numbers of games, and after all of them."""
        self.fit(games)
        ends = list(self._found)
        return tuple(_snapshot(self._found[end], self._found[ends[-1]], end, ended[end - 1], names) for end in ends)


def _ends(games: int) -> list[int]:
    """The numbers of games to take snapshots at; nearly all stay the same while the league grows."""
    step = 1
    while games > MOST_SNAPSHOTS * step:
        step *= 2
    return sorted({*range(step, games + 1, step), games} - {0})


def _snapshot(
    posterior: Posterior, last: Posterior, games: int, ended: float, names: Mapping[int, str]
) -> RatingSnapshot:
    final = dict(zip(last.bots, last.strength, strict=True))
    shift = np.mean([final[bot] for bot in posterior.bots]) - posterior.strength.mean() - last.strength.mean()
    centred = posterior.covariance - posterior.covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    errors = Z * ELO * np.sqrt(np.maximum(np.diag(centred), 0.0))
    return RatingSnapshot(
        games,
        ended,
        {
            names[bot]: float((value + shift) * ELO)
            for bot, value in zip(posterior.bots, posterior.strength, strict=True)
        },
        {names[bot]: float(value) for bot, value in zip(posterior.bots, errors, strict=True)},
    )
