"""Columns of finished games in memory, for counting (not the store's table: that is `GameRow` in `game_row.py`).

They are the same for games that were just played and for those that are read from the store, a million of them in
seconds: what many games share is looked at once, and the rest is arithmetic on whole columns.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arena.store.game_row import MOST_ROUNDS, GameResult, GameRow

# The columns of `GameRow` that a row holds, in this order, before its result.
NAMES = ("id", "round", "part", "signature", "started", "seconds", "asked", "times")
OF_GAMES = ("id", "round", "part", "signature", "started", "seconds", "answers")  # one value a game
OF_ANSWERS = ("asked", "times")  # one value an answer
LARGEST_HASH = 2**64 - 1
SEATS = 256  # that a byte of `asked` can name


@dataclass(frozen=True)
class GameColumns:
    """Finished games in the order in which they came."""

    id: np.ndarray
    round: np.ndarray
    part: np.ndarray
    signature: np.ndarray  # as a number
    started: np.ndarray
    seconds: np.ndarray
    result: np.ndarray  # its place among the results
    results: Sequence[GameResult]
    answers: np.ndarray  # how many a game has
    asked: np.ndarray  # the seat of each answer, game after game
    times: np.ndarray  # ms of each answer

    def __len__(self) -> int:
        return len(self.id)

    def chosen(self, which: np.ndarray) -> "GameColumns":
        """The games for which `which` is true."""
        if which.all():
            return self
        found, result = np.unique(self.result[which], return_inverse=True)
        answered = np.repeat(which, self.answers)
        return GameColumns(
            **{name: getattr(self, name)[which] for name in OF_GAMES},
            **{name: getattr(self, name)[answered] for name in OF_ANSWERS},
            result=result,
            results=[self.results[place] for place in found.tolist()],
        )

    def of_results(self, fits: Callable[[GameResult], bool]) -> np.ndarray:
        """For each game whether its result fits."""
        fitting: np.ndarray = np.array([fits(result) for result in self.results], bool)[self.result]
        return fitting

    def counted(self, order: np.ndarray | slice = slice(None)) -> Iterator[tuple[GameResult, int, int]]:
        """The results of games in an order, each with how many games had it and the number of the first of them."""
        places, first, counts = np.unique(self.result[order], return_index=True, return_counts=True)
        for index in np.argsort(first).tolist():
            yield self.results[places[index]], int(counts[index]), int(self.id[order][first[index]])

    def by_pairing(self) -> Iterator[tuple[str, "GameColumns"]]:
        """The games of each pairing."""
        pairings = np.array([result.pairing for result in self.results])
        for pairing in dict.fromkeys(pairings.tolist()):
            yield pairing, self.chosen((pairings == pairing)[self.result])

    def rounds(self) -> Iterator[tuple[str, int, np.ndarray]]:
        """The rounds of all games, by pairing and part."""
        pairings = np.unique([result.pairing for result in self.results], return_inverse=True)[1]
        pairing = pairings[self.result]
        order = np.lexsort((self.part, pairing))
        changes = (np.diff(pairing[order]) != 0) | (np.diff(self.part[order]) != 0)
        for some in np.split(order, np.flatnonzero(changes) + 1) if len(order) else ():
            yield self.results[self.result[some[0]]].pairing, int(self.part[some[0]]), self.round[some]

    def times_of_bots(self) -> dict[int, np.ndarray]:
        """How long the answers of each bot took, in ms."""
        places = {bot: place for place, bot in enumerate(dict.fromkeys(b for r in self.results for b in r.bots))}
        nobody = len(places)
        owners = np.full((len(self.results), SEATS), nobody, np.min_scalar_type(nobody))  # of the seats
        for row, result in zip(owners, self.results, strict=True):
            row[: len(result.bots)] = [places[bot] for bot in result.bots]
        who = owners.ravel()[np.repeat(self.result * SEATS, self.answers) + self.asked]
        times = self.times[np.argsort(who, kind="stable")]
        ends = np.cumsum(np.bincount(who, minlength=len(places)))
        return dict(zip(places, np.split(times, ends), strict=False))


def columns_of(games: Sequence[GameRow]) -> GameColumns:
    """Games that were just played."""
    return columns_from(
        [(*(getattr(game, name) for name in NAMES), game.result) for game in games], lambda result: result
    )


def columns_from(rows: Sequence[Sequence[Any]], result_of: Callable[[Any], GameResult]) -> GameColumns:
    """Games from rows; the last value of each stands for a result. ValueError or TypeError if one is none."""
    columns = list(zip(*rows, strict=True)) or [()] * (len(NAMES) + 1)
    ids, rounds, parts, signatures, started, seconds, asked, times, texts = columns
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    answers = _numbers("q", map(len, asked))
    if not {*map(type, signatures)} <= {str} or (_numbers("q", map(len, times)) != 4 * answers).any():
        raise ValueError("signatures, or times and answers, are not what they should be")
    if rows and not (min(rounds) >= 0 and max(rounds) < MOST_ROUNDS and min(parts) >= 0):
        raise ValueError("a round or a part is not what it should be")
    return GameColumns(
        id=_numbers("q", ids),
        round=_numbers("q", rounds),
        part=_numbers("q", parts),
        signature=_numbers("Q", [int(text, 16) & LARGEST_HASH for text in signatures]).view(np.int64),
        started=_numbers("d", started),
        seconds=_numbers("d", seconds),
        result=_numbers("q", map(places.__getitem__, texts)),
        results=[result_of(text) for text in places],
        answers=answers,
        asked=np.frombuffer(b"".join(asked), np.uint8),
        times=np.frombuffer(b"".join(times), np.float32),
    )


def _numbers(kind: str, values: Any) -> np.ndarray:
    """A column; unlike NumPy's own ways, an array takes no text and no fraction for a whole number."""
    return np.frombuffer(array(kind, values), np.dtype(kind))


def joined(batches: Sequence[GameColumns]) -> GameColumns:
    """Several batches of games as one."""
    if len(batches) == 1:
        return batches[0]
    columns = {name: np.concatenate([getattr(batch, name) for batch in batches]) for name in OF_GAMES + OF_ANSWERS}
    before = np.cumsum([0, *(len(batch.results) for batch in batches[:-1])])
    result = np.concatenate([batch.result + offset for batch, offset in zip(batches, before, strict=True)])
    return GameColumns(**columns, result=result, results=[result for batch in batches for result in batch.results])
