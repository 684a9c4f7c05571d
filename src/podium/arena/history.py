"""How the rating of each version went, as a league grew.

A rating is a place among those who played so far, with their mean at 0: when a strong newcomer enters, all others would
seem to fall. So each moment is moved to where its bots stand in the end, on average; what is left is what was learned
about them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from podium.arena.planning import Belief, believed
from podium.arena.played import Played
from podium.arena.ratings import ELO
from podium.arena.statistics import Z

MOST_MOMENTS = 12  # each is a fit of all games so far: 0.15 s for all of them in a league of 10,000 games


@dataclass(frozen=True)
class Moment:
    """The ratings after so many games."""

    games: int
    ended: float  # when the last of them did, in seconds since 1970
    ratings: dict[str, float]  # Elo of the bots that had played, by their names
    errors: dict[str, float]  # half of the 95 % interval


@dataclass
class History:
    """The ratings of a league at a few moments; what was found once is kept while the league grows."""

    _found: dict[int, Belief] = field(default_factory=dict)  # after so many games

    def moments(self, games: Played, ended: Sequence[float], names: Mapping[int, str]) -> tuple[Moment, ...]:
        """The ratings after a part of the games, for a few evenly spaced parts and for all of them."""
        ends = _ends(len(games))
        self._found = {end: self._found.get(end) or believed(games.chosen(slice(end)), ()) for end in ends}
        return tuple(_moment(self._found[end], self._found[ends[-1]], end, ended[end - 1], names) for end in ends)


def _ends(games: int) -> list[int]:
    """After how many games to look: so that nearly all of them stay the same when there are more."""
    step = 1
    while games > MOST_MOMENTS * step:
        step *= 2
    return sorted({*range(step, games + 1, step), games} - {0})


def _moment(belief: Belief, last: Belief, games: int, ended: float, names: Mapping[int, str]) -> Moment:
    final = dict(zip(last.bots, last.strength, strict=True))
    shift = np.mean([final[bot] for bot in belief.bots]) - belief.strength.mean() - last.strength.mean()
    centred = belief.covariance - belief.covariance.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    errors = Z * ELO * np.sqrt(np.maximum(np.diag(centred), 0.0))
    return Moment(
        games,
        ended,
        {names[bot]: float((value + shift) * ELO) for bot, value in zip(belief.bots, belief.strength, strict=True)},
        {names[bot]: float(value) for bot, value in zip(belief.bots, errors, strict=True)},
    )
