"""Examples to learn from: positions with their targets; files of them, and batches for training."""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.game import Learning
from podium.lab.learn.training import Targets, dense

SOLVER_SHARE = 0.5  # of a batch: solver examples, of which there are many times more than of games
FORMER_NAMES = {"value_sign": "sense", "auxiliary_targets": "omens"}  # of columns, in files of earlier versions


@dataclass(frozen=True)
class Examples:
    """Many examples, a row each. Those of the solver have no policy: their value alone is learnt."""

    inputs: Any  # int16 [example, place]: indices of the inputs that are on, then -1
    legal: Any  # uint8 [example, bytes]: bits of the legal moves
    policy: Any  # float16 [example, move]: shares of the visits
    search: Any  # float32: the root value of the search, for the side to move
    result: Any  # float32: the game's result, for the side to move
    value_sign: Any  # int8: the sign applied to the network's value
    auxiliary_targets: Any  # uint8 [example, bytes]: bits of how the game ended

    def __len__(self) -> int:
        return len(self.search)

    def save(self, path: Path, games: int) -> None:
        """Write a file, whole or not at all; `games` is the number of games that the examples come from."""
        unfinished = path.with_suffix(".unfinished.npz")
        np.savez_compressed(unfinished, games=games, **{one.name: getattr(self, one.name) for one in fields(self)})
        unfinished.replace(path)


def load_examples(path: Path) -> tuple[Examples, int]:
    """The examples of a file, and the number of games that they come from."""
    try:
        with np.load(path, allow_pickle=False) as data:
            columns = [
                one.name if one.name in data else FORMER_NAMES.get(one.name, one.name) for one in fields(Examples)
            ]
            return Examples(*(data[column] for column in columns)), int(data["games"])
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise PodiumError(f"{path} does not hold examples of self-play: {error}") from None


def joined(parts: Sequence[Examples]) -> Examples:
    """The examples of several parts, in their order."""
    return Examples(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Examples)))


class Batches:
    """Draws batches of examples, each position under a random symmetry of the game.

    If there are solver examples, they are half of each batch.
    """

    def __init__(
        self, examples: Examples, learning: Learning, moves: int, root_value_weight: float, symmetries: bool = True
    ) -> None:
        """`root_value_weight` is the weight of the search's root value in the value target; the rest is the result."""
        self.examples, self.learning = examples, learning
        played = examples.policy.any(axis=1)
        self.kinds = [kind for kind in (np.flatnonzero(played), np.flatnonzero(~played)) if len(kind)]
        value = (1 - root_value_weight) * examples.result + root_value_weight * examples.search
        self.values = examples.value_sign * value
        if symmetries and learning.symmetries:
            to_moves, inputs, targets = learning.symmetries()
        else:
            sizes = moves, learning.inputs, learning.auxiliary_targets
            to_moves, inputs, targets = (np.arange(size)[None] for size in sizes)
        # -1 (no input) stays -1; targets are gathered, so their permutations are inverted
        self.inputs = np.concatenate([inputs, np.full((len(inputs), 1), -1)], axis=1)
        self.moves, self.targets = np.argsort(to_moves, axis=1), np.argsort(targets, axis=1)

    def __call__(self, random: np.random.Generator, size: int) -> tuple[Any, Targets]:
        """A batch: the inputs as a matrix, and the targets."""
        examples, learning = self.examples, self.learning
        chosen = self._choose(random, size)
        symmetry = random.integers(len(self.moves), size=size)[:, None]
        legal = np.unpackbits(examples.legal[chosen], axis=1, count=self.moves.shape[1]).astype(bool)
        bits = examples.auxiliary_targets[chosen]
        ends = np.unpackbits(bits, axis=1, count=learning.auxiliary_targets).astype(np.float32)
        rows = np.arange(size)[:, None]
        moves = self.moves[symmetry[:, 0]]
        targets = Targets(
            self.values[chosen],
            examples.policy[chosen].astype(np.float32)[rows, moves],
            legal[rows, moves],
            ends[rows, self.targets[symmetry[:, 0]]],
        )
        return dense(self.inputs[symmetry, examples.inputs[chosen]], learning.inputs), targets

    def _choose(self, random: np.random.Generator, size: int) -> Any:
        """The numbers of the examples of a batch."""
        if len(self.kinds) == 1:
            return self.kinds[0][random.integers(len(self.kinds[0]), size=size)]
        solved = int(SOLVER_SHARE * size)
        parts = zip(self.kinds, (size - solved, solved), strict=True)
        return np.concatenate([kind[random.integers(len(kind), size=number)] for kind, number in parts])
