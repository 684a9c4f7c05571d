"""The schedule: pairings, seats and seeds.

A **pairing** is a set of bots that play at one table. It is played in **blocks**: one seed with every seating that
matters. Two bots in two seats swap them; two bots in four seats take the 6 ways to share them, or the 4 in which one
bot plays three copies of the other; a full table of different bots rotates, so that each bot has each seat once. The
block of a round has the same seed in every pairing. Entrants are given by their numbers in the store.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from podium.arena.entrants.entrant import Entrant
from podium.arena.tournament.worker import Fixture, seed_of


class SeatSharing(Enum):
    """How two bots share more than two seats."""

    HALF = "half"  # half of the seats each
    ONE = "one"  # the first bot has one seat, copies of the second the others


@dataclass(frozen=True)
class Pairing:
    """Bots that play each other, and the seatings of a block."""

    key: str  # of the bots' fingerprints
    seatings: tuple[tuple[int, ...], ...]  # the entrant in each seat, by its number

    @property
    def bots(self) -> tuple[int, ...]:
        """The entrants at the table."""
        return tuple(sorted(set(self.seatings[0])))


def whole_blocks(games: int, block: int) -> int:
    """A number of games, rounded up to whole blocks."""
    return -(-games // block) * block


def shared_seatings(
    first: int, second: int, seats: int, sharing: SeatSharing = SeatSharing.HALF
) -> tuple[tuple[int, ...], ...]:
    """The seatings of a block of two bots."""
    sizes = {1} if sharing is SeatSharing.ONE else {seats // 2, seats - seats // 2}
    return tuple(
        tuple(first if seat in chosen else second for seat in range(seats))
        for size in sorted(sizes)
        for chosen in combinations(range(seats), size)
    )


def rotations(bots: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The seatings of a block of as many bots as seats: all rotations."""
    return tuple(tuple(bots[(seat + turn) % len(bots)] for seat in range(len(bots))) for turn in range(len(bots)))


def head_to_head(
    entrants: Mapping[int, Entrant], first: int, second: int, seats: int, sharing: SeatSharing = SeatSharing.HALF
) -> Pairing:
    """The pairing of two bots."""
    key = f"{entrants[first].fingerprint},{entrants[second].fingerprint}"
    if seats > 2 and sharing is SeatSharing.ONE:
        key += ",one"
    return Pairing(key, shared_seatings(first, second, seats, sharing))


def table(entrants: Mapping[int, Entrant], bots: Sequence[int]) -> Pairing:
    """The pairing of as many bots as seats, in the order of their fingerprints, not of their names."""
    bots = sorted(bots, key=lambda index: entrants[index].fingerprint)
    if len(bots) == 2:
        return head_to_head(entrants, bots[0], bots[1], 2)
    return Pairing(",".join(entrants[index].fingerprint for index in bots), rotations(bots))


def pairings(
    entrants: Mapping[int, Entrant], seats: int, playing: Iterable[int], against: int | None = None
) -> list[Pairing]:
    """All pairings of a round robin, or of a gauntlet against one of the bots.

    With fewer bots than seats each two of them share a table; otherwise each set of as many bots as seats plays.
    """
    playing = sorted(playing)
    size = seats if len(playing) >= seats else 2
    groups = [group for group in combinations(playing, size) if against is None or against in group]
    return [pairing_of(entrants, group, seats) for group in groups]


def ladder(entrants: Mapping[int, Entrant], seats: int, ranking: Sequence[int], round_: int) -> list[Pairing]:
    """The pairings of one round of a ladder: neighbours in the ranking, the cuts shifted by one from round to round."""
    size = seats if len(ranking) >= seats else 2
    start = (round_ % size) if len(ranking) > size else 0
    groups = [ranking[first : first + size] for first in range(start, len(ranking) - size + 1, size)]
    if start:
        groups.insert(0, ranking[:size])
    if ranking[-1] not in groups[-1]:
        groups.append(ranking[-size:])
    return [pairing_of(entrants, group, seats) for group in groups]


def pairing_of(entrants: Mapping[int, Entrant], group: Sequence[int], seats: int) -> Pairing:
    """The pairing of a group of bots: as many as there are seats, or two that share them."""
    if len(group) == seats:
        return table(entrants, group)
    first, second = sorted(group, key=lambda index: entrants[index].fingerprint)
    return head_to_head(entrants, first, second, seats)


def fixtures(
    pairings: Sequence[Pairing],
    seed: int,
    done: Callable[[Fixture], bool],
    rounds: Iterable[int],
) -> Iterator[Fixture]:
    """The games of some rounds without those that are done: all pairings of a round, then the next round."""
    for number in rounds:
        game_seed = seed_of(seed, number)
        for pairing in pairings:
            for part, seats in enumerate(pairing.seatings):
                fixture = Fixture(pairing.key, number, part, seats, game_seed)
                if not done(fixture):
                    yield fixture
