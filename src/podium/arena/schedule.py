"""Who meets whom, in which seats, with which seeds.

A **meeting** is a set of bots that sit at one table. It is played in **blocks**: one seed with every seating that
matters. Two bots in two seats swap them; two bots in four seats take the 6 ways to share them, or the 4 in which one
bot meets three copies of the other; a full table of different bots moves round, so that everybody sits everywhere.
The block of a round has the same seed in every meeting. Entrants are known by their numbers in the store.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from podium.arena.entrants import Entrant
from podium.arena.work import Fixture, seed_of


class Sharing(Enum):
    """How two bots share more than two seats."""

    HALF = "half"  # half of the seats each
    ONE = "one"  # the first bot has one seat, copies of the second the others


@dataclass(frozen=True)
class Meeting:
    """Bots that play each other, and their seatings."""

    key: str  # of the bots' fingerprints
    seatings: tuple[tuple[int, ...], ...]  # the entrant in each seat, by its number

    @property
    def bots(self) -> tuple[int, ...]:
        """The entrants at the table."""
        return tuple(sorted(set(self.seatings[0])))


def shared_seatings(
    first: int, second: int, seats: int, sharing: Sharing = Sharing.HALF
) -> tuple[tuple[int, ...], ...]:
    """The seatings of a block of two bots."""
    sizes = {1} if sharing is Sharing.ONE else {seats // 2, seats - seats // 2}
    return tuple(
        tuple(first if seat in chosen else second for seat in range(seats))
        for size in sorted(sizes)
        for chosen in combinations(range(seats), size)
    )


def rotations(bots: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The seatings of a block of as many bots as seats: the table moves round."""
    return tuple(tuple(bots[(seat + turn) % len(bots)] for seat in range(len(bots))) for turn in range(len(bots)))


def duel(
    entrants: Mapping[int, Entrant], first: int, second: int, seats: int, sharing: Sharing = Sharing.HALF
) -> Meeting:
    """The meeting of two bots."""
    key = f"{entrants[first].fingerprint},{entrants[second].fingerprint}"
    if seats > 2 and sharing is Sharing.ONE:
        key += ",one"
    return Meeting(key, shared_seatings(first, second, seats, sharing))


def table(entrants: Mapping[int, Entrant], bots: Sequence[int]) -> Meeting:
    """The meeting of as many bots as seats, in the order of their fingerprints, however they were named."""
    bots = sorted(bots, key=lambda index: entrants[index].fingerprint)
    if len(bots) == 2:
        return duel(entrants, bots[0], bots[1], 2)
    return Meeting(",".join(entrants[index].fingerprint for index in bots), rotations(bots))


def meetings(
    entrants: Mapping[int, Entrant], seats: int, playing: Iterable[int], against: int | None = None
) -> list[Meeting]:
    """All meetings of a round robin, or of a gauntlet against one of the bots.

    With fewer bots than seats every two of them share the table; otherwise every full table of different bots meets.
    """
    playing = sorted(playing)
    size = seats if len(playing) >= seats else 2
    groups = [group for group in combinations(playing, size) if against is None or against in group]
    return [meeting_of(entrants, group, seats) for group in groups]


def ladder(entrants: Mapping[int, Entrant], seats: int, ranking: Sequence[int], round_: int) -> list[Meeting]:
    """The meetings of one round of a ladder: neighbours in the ranking, the cuts shifted by one from round to round."""
    size = seats if len(ranking) >= seats else 2
    start = (round_ % size) if len(ranking) > size else 0
    groups = [ranking[first : first + size] for first in range(start, len(ranking) - size + 1, size)]
    if start:
        groups.insert(0, ranking[:size])
    if ranking[-1] not in groups[-1]:
        groups.append(ranking[-size:])
    return [meeting_of(entrants, group, seats) for group in groups]


def meeting_of(entrants: Mapping[int, Entrant], group: Sequence[int], seats: int) -> Meeting:
    """The meeting of a group of bots: as many as there are seats, or two that share them."""
    if len(group) == seats:
        return table(entrants, group)
    first, second = sorted(group, key=lambda index: entrants[index].fingerprint)
    return duel(entrants, first, second, seats)


def fixtures(
    meetings: Sequence[Meeting],
    seed: int,
    done: Callable[[Fixture], bool],
    rounds: Iterable[int],
) -> Iterator[Fixture]:
    """The games of rounds, all meetings of a round before the next, without those that are done."""
    for number in rounds:
        game_seed = seed_of(seed, number)
        for meeting in meetings:
            for part, seats in enumerate(meeting.seatings):
                fixture = Fixture(meeting.key, number, part, seats, game_seed)
                if not done(fixture):
                    yield fixture
