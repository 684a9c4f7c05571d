"""Examples of self-play: positions with what was found out about them; files of them, and batches to train on."""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.game import Learning
from podium.lab.training import Targets, dense

LESSON_SHARE = 0.5  # of a batch: what the solver teaches, which is many times as much as what games do


@dataclass(frozen=True)
class Examples:
    """Many examples, a row each."""

    inputs: Any  # int16 [example, place]: indices of the inputs that are on, then -1
    legal: Any  # uint8 [example, bytes]: bits of the legal moves
    policy: Any  # float16 [example, move]
    search: Any  # float32: the search's value for the side to move
    result: Any  # float32: the game's result for the side to move
    sense: Any  # int8: what a network's value is multiplied by
    omens: Any  # uint8 [example, bytes]: bits of how the game ended

    def __len__(self) -> int:
        return len(self.search)

    def save(self, path: Path, games: int) -> None:
        """Write a file, whole or not at all; it knows of how many games it is."""
        unfinished = path.with_suffix(".unfinished.npz")
        np.savez_compressed(unfinished, games=games, **{one.name: getattr(self, one.name) for one in fields(self)})
        unfinished.replace(path)


def load_examples(path: Path) -> tuple[Examples, int]:
    """The examples of a file, and of how many games they are."""
    try:
        with np.load(path, allow_pickle=False) as data:
            return Examples(**{one.name: data[one.name] for one in fields(Examples)}), int(data["games"])
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise PodiumError(f"{path} does not hold examples of self-play: {error}") from None


def joined(parts: Sequence[Examples]) -> Examples:
    """All examples of several, those of the earlier first."""
    return Examples(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Examples)))


class Batches:
    """Draws batches of examples, each position under a symmetry of the game drawn at random.

    Half of a batch are lessons of the solver (which have no policy), if there are any.
    """

    def __init__(
        self, examples: Examples, learning: Learning, moves: int, search_share: float, symmetric: bool = True
    ) -> None:
        """`search_share` is the part of the search's own value in the value to learn; the rest is the game's result."""
        self.examples, self.learning = examples, learning
        played = examples.policy.any(axis=1)
        self.kinds = [kind for kind in (np.flatnonzero(played), np.flatnonzero(~played)) if len(kind)]
        self.values = examples.sense * ((1 - search_share) * examples.result + search_share * examples.search)
        if symmetric and learning.symmetries:
            to_moves, inputs, omens = learning.symmetries()
        else:
            to_moves, inputs, omens = (np.arange(n)[None] for n in (moves, learning.inputs, learning.omens))
        # -1, no input, stays what it is; and targets are gathered, so their permutations are turned round
        self.inputs = np.concatenate([inputs, np.full((len(inputs), 1), -1)], axis=1)
        self.moves, self.omens = np.argsort(to_moves, axis=1), np.argsort(omens, axis=1)

    def __call__(self, random: np.random.Generator, size: int) -> tuple[Any, Targets]:
        """A batch: inputs as a matrix, and the targets."""
        examples, learning = self.examples, self.learning
        chosen = self._choose(random, size)
        turn = random.integers(len(self.moves), size=size)[:, None]
        legal = np.unpackbits(examples.legal[chosen], axis=1, count=self.moves.shape[1]).astype(bool)
        ends = np.unpackbits(examples.omens[chosen], axis=1, count=learning.omens).astype(np.float32)
        rows = np.arange(size)[:, None]
        moves, omens = self.moves[turn[:, 0]], self.omens[turn[:, 0]]
        targets = Targets(
            self.values[chosen],
            examples.policy[chosen].astype(np.float32)[rows, moves],
            legal[rows, moves],
            ends[rows, omens],
        )
        return dense(self.inputs[turn, examples.inputs[chosen]], learning.inputs), targets

    def _choose(self, random: np.random.Generator, size: int) -> Any:
        """The examples of a batch."""
        if len(self.kinds) == 1:
            return self.kinds[0][random.integers(len(self.kinds[0]), size=size)]
        lessons = int(LESSON_SHARE * size)
        parts = zip(self.kinds, (size - lessons, lessons), strict=True)
        return np.concatenate([kind[random.integers(len(kind), size=number)] for kind, number in parts])
