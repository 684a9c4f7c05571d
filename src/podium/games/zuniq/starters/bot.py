"""A bot for Zuniq that draws any legal wall."""

import random

# A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
SIZE = 11
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
NAMES = [f"{row}{column}h" for row in "ABCDEF" for column in "12345"]
NAMES += [f"{row}{column}v" for row in "ABCDE" for column in "123456"]

Square = tuple[int, int]


def square(name: str) -> Square:
    """Where a wall lies on the board."""
    row, column = "ABCDEF".index(name[0]), int(name[1]) - 1
    return (2 * row, 2 * column + 1) if name[2] == "h" else (2 * row + 1, 2 * column)


def sides(wall: Square) -> tuple[Square, Square]:
    """The cells on both sides of a wall."""
    row, column = wall
    return ((row - 1, column), (row + 1, column)) if row % 2 == 0 else ((row, column - 1), (row, column + 1))


def zone_size(cell: Square, drawn: set[Square]) -> int:
    """How many cells are closed off together with a cell; 0 if the outside can be reached."""
    seen, waiting = {cell}, [cell]
    while waiting:
        row, column = waiting.pop()
        if not (0 <= row < SIZE and 0 <= column < SIZE):
            return 0
        for down, right in STEPS:
            neighbour = (row + 2 * down, column + 2 * right)
            if (row + down, column + right) not in drawn and neighbour not in seen:
                seen.add(neighbour)
                waiting.append(neighbour)
    return len(seen)


def is_legal(wall: Square, drawn: set[Square], sizes: set[int]) -> bool:
    """Whether a wall may be drawn, given all walls and the sizes of all zones."""
    first, second = sides(wall)
    if wall in drawn or zone_size(first, drawn) > 0:
        return False
    after = drawn | {wall}
    return zone_size(first, after) not in sizes and zone_size(second, after) not in sizes


def main() -> None:
    """Play one game."""
    drawn: set[Square] = set()
    sizes: set[int] = set()

    def draw(name: str) -> None:
        drawn.add(square(name))
        sizes.update({zone_size(side, drawn) for side in sides(square(name))} - {0})

    while (line := input()) != "Quit":
        if line != "Start":
            draw(line[:3])
        choice = random.choice([name for name in NAMES if is_legal(square(name), drawn, sizes)])
        draw(choice)
        print(choice, flush=True)


main()
