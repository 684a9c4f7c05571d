"""A game as a contest's site tells it: answers, names, and mostly the result."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from podium.errors import PodiumError

SEED_NAMES = ("seed", "gameSeed")


@dataclass(frozen=True)
class ReplayFrame:
    """One step of one seat."""

    seat: int
    stdout: str  # what it printed; empty: nothing in time, or nobody was asked
    stderr: str = ""
    summary: str = ""  # the referee's words for people


@dataclass(frozen=True)
class SiteReplay:
    """A game as the contest's site tells it."""

    source: str  # the file, and its place there if it holds several
    game_id: int
    frames: tuple[ReplayFrame, ...]
    scores: tuple[float, ...]  # by seat; empty if the file does not tell them
    finish: tuple[int, ...]  # the seats in order of finish, the winner first
    names: tuple[str, ...]  # of the players, by seat
    parameters: Mapping[str, str]  # what the referee was given, the seed among them
    title: str = ""  # of the contest, where the wrapping tells it
    league: int | None = None

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.names)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat from 1; seats with equal scores share one."""
        places = {seat: place for place, seat in enumerate(self.finish)}
        ranks = [0] * self.seats
        for seat in range(self.seats):
            ranks[seat] = 1 + sum(
                places[other] < places[seat] and self.scores[other] != self.scores[seat] for other in range(self.seats)
            )
        return tuple(ranks)

    @property
    def seed(self) -> int:
        """The seed of the game. A text that is no number of 64 bits counts as 0, as the referees read it."""
        for name in SEED_NAMES:
            if name in self.parameters:
                text = self.parameters[name].strip()
                number = int(text) if re.fullmatch(r"[+-]?\d{1,19}", text) else 0
                return number if -(2**63) <= number < 2**63 else 0
        raise PodiumError(f"{self.source} has no seed among its parameters ({', '.join(self.parameters) or 'none'})")
