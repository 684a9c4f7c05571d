"""A bot for Wondev Woman that steps as high as it can, and builds what it can climb."""

from contextlib import suppress

STEPS = {
    "N": (0, -1),
    "E": (1, 0),
    "S": (0, 1),
    "W": (-1, 0),
    "NE": (1, -1),
    "SE": (1, 1),
    "SW": (-1, 1),
    "NW": (-1, -1),
}
FULL = 4
LAST_CHOICE = -100


def worth(action: str, grid: list[str], units: list[list[int]]) -> int:
    """How much an action is liked."""
    kind, unit, first, second = action.split()
    if kind != "MOVE&BUILD":
        return LAST_CHOICE
    x, y = units[int(unit)]
    x, y = x + STEPS[first][0], y + STEPS[first][1]
    height = int(grid[y][x])
    built = int(grid[y + STEPS[second][1]][x + STEPS[second][0]]) + 1
    climbable = built < FULL and built <= height + 1
    return 10 * height + (built if climbable else -1)


def main() -> None:
    """Play one game."""
    size, units = int(input()), int(input())
    while True:
        grid = [input() for _ in range(size)]
        own = [list(map(int, input().split())) for _ in range(units)]
        _enemies = [list(map(int, input().split())) for _ in range(units)]
        actions = [input() for _ in range(int(input()))]
        print(max(actions, key=lambda action: worth(action, grid, own), default="ACCEPT-DEFEAT"), flush=True)


with suppress(EOFError):  # the game is over
    main()
