"""The opening book of Zuniq: what to draw at plies 1 to 5, up to symmetry.

The winner computed a book of 6,963 positions and left using the board's symmetries as something that "could be done".
Here a position stands for all its images, so about half of that suffices: for White every reply to its own moves,
for Black every move of White's. A file is a CSV table: the walls of the position, the wall to draw, its value (in
[-1, 1], for the side to move) and the simulations that it was found with.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from podium.errors import PodiumError
from podium.games.zuniq.board import NAMES, NUMBERS, WALLS
from podium.games.zuniq.symmetry import back, canonical, names_of
from podium.model.package_data import package_data

SHIPPED = "book.csv"
COLUMNS = ["walls", "move", "value", "simulations"]
LAST_PLY = 5  # of the book; the write-up's

Position = tuple[int, ...]  # drawn walls, canonical


@dataclass(frozen=True)
class Entry:
    """The wall to draw in a canonical position."""

    move: int
    value: float
    simulations: int


Book = dict[Position, Entry]


class Shelf(Mapping[Position, Entry]):
    """A book whose lines are read when they are looked up: a bot needs five of three thousand, and it is in a hurry."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        self.rows = {line.partition(",")[0]: (number, line) for number, line in enumerate(lines[1:], 2)}

    def __getitem__(self, position: Position) -> Entry:
        number, line = self.rows[names_of(position)]
        return _entry(self.path, number, line.split(","))[1]

    def __iter__(self) -> Iterator[Position]:
        return (tuple(NUMBERS[name] for name in names.split()) for names in self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def shipped() -> Shelf:
    """The book that comes with the program; empty if it was never made."""
    return Shelf(package_data("podium.games.zuniq", SHIPPED))


def read(path: Path) -> Book:
    """A book from its file."""
    book: Book = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            if next(rows, None) != COLUMNS:
                raise PodiumError(f"{path} is not a book: its first line must be {','.join(COLUMNS)}")
            for number, row in enumerate(rows, 2):
                position, entry = _entry(path, number, row)
                book[position] = entry
    except UnicodeDecodeError:
        raise PodiumError(f"{path} is not a book: it is not text") from None
    except OSError as error:
        raise PodiumError(f"cannot read {path}: {error.strerror}") from None
    return book


def _entry(path: Path, number: int, row: list[str]) -> tuple[Position, Entry]:
    try:
        names, move, value, simulations = row
        position = tuple(NUMBERS[name] for name in names.split())
        entry = Entry(NUMBERS[move], float(value), int(simulations))
    except (ValueError, KeyError):
        raise PodiumError(f"{path}, line {number}: not an entry of a book: {','.join(row)!r}") from None
    if canonical(position)[0] != position or entry.move in position:
        raise PodiumError(f"{path}, line {number}: not a canonical position with a free wall: {','.join(row)!r}")
    return position, entry


def write_header(file: TextIO) -> None:
    """The first line of a book's file."""
    csv.writer(file, lineterminator="\n").writerow(COLUMNS)


def write_entry(file: TextIO, position: Position, entry: Entry) -> None:
    """One line of a book's file."""
    row = [names_of(position), NAMES[entry.move], f"{entry.value:.4f}", entry.simulations]
    csv.writer(file, lineterminator="\n").writerow(row)


def find(book: Mapping[Position, Entry], walls: Iterable[int]) -> tuple[int, Entry] | None:
    """The wall to draw after these walls, and the entry that says so."""
    position, symmetry = canonical(walls)
    entry = book.get(position)
    return None if entry is None else (back(entry.move, symmetry), entry)


def wanted(book: Book, last_ply: int = LAST_PLY) -> Iterator[list[Position]]:
    """The positions that a book should hold, ply by ply: each layer follows from the entries of the last but one.

    The caller adds the entries of a layer to the book before it asks for the next. So what is there when a run is
    stopped is a whole book of fewer plies.
    """
    layer: set[Position] = {()}
    following = _after_any(layer)
    for _ in range(last_ply):
        yield sorted(layer)
        layer, following = following, _after_any({canonical((*walls, book[walls].move))[0] for walls in layer})


def _after_any(positions: set[Position]) -> set[Position]:
    """All positions one wall further. So early in the game every wall that is not drawn is legal, or closes a single
    cell that the search will not be asked about again."""
    return {canonical((*walls, wall))[0] for walls in positions for wall in range(WALLS) if wall not in walls}
