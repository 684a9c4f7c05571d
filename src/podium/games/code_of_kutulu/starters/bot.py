"""A bot for Code of Kutulu that keeps away from minions and close to other explorers."""

from contextlib import suppress

FAR = 6  # a minion farther away than this is no concern
FEAR = 3  # how much more a step away from a minion counts than a step towards an explorer

Place = tuple[int, int]


def distance(one: Place, other: Place) -> int:
    """Steps between two places, as if there were no walls."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def decide(maze: list[str], me: Place, others: list[Place], minions: list[Place]) -> str:
    """One answer."""

    def worth(place: Place) -> int:
        danger = min([FAR, *(distance(place, minion) for minion in minions)])
        company = min((distance(place, other) for other in others), default=0)
        return FEAR * danger - company

    x, y = me
    around = [me, (x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    inside = [(x, y) for x, y in around if 0 <= y < len(maze) and 0 <= x < len(maze[0])]
    best = max((place for place in inside if maze[place[1]][place[0]] != "#"), key=worth)
    return "WAIT" if best == me else f"MOVE {best[0]} {best[1]}"


def main() -> None:
    """Play one game."""
    _width, height = int(input()), int(input())
    maze = [input() for _ in range(height)]
    _settings = list(map(int, input().split()))
    while True:
        entities = [input().split() for _ in range(int(input()))]
        places = [(kind, (int(x), int(y))) for kind, _number, x, y, *_rest in entities]
        explorers = [place for kind, place in places if kind == "EXPLORER"]
        minions = [place for kind, place in places if kind in ("WANDERER", "SLASHER")]
        print(decide(maze, explorers[0], explorers[1:], minions), flush=True)


with suppress(EOFError):  # the game is over
    main()
