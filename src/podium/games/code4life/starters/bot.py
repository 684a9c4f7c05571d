"""A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other."""

from contextlib import suppress
from dataclasses import dataclass

TYPES = "ABCDE"
MOST_MOLECULES = 10
MOST_SAMPLES = 3
UNKNOWN = -1


@dataclass
class Robot:
    """A player."""

    target: str
    eta: int
    storage: list[int]
    expertise: list[int]


@dataclass
class Sample:
    """A sample; the costs are UNKNOWN until it is diagnosed."""

    number: int
    carrier: int
    costs: list[int]

    def missing(self, robot: Robot) -> list[int]:
        """How many molecules of each type a robot still needs for it."""
        return [max(0, c - e - s) for c, e, s in zip(self.costs, robot.expertise, robot.storage, strict=True)]


def at(robot: Robot, module: str, action: str) -> str:
    """The action if the robot stands at the module, otherwise go there."""
    return action if robot.target == module else f"GOTO {module}"


def decide(me: Robot, available: list[int], samples: list[Sample]) -> str:
    """One action."""
    if me.eta > 0:
        return "WAIT"
    mine = [sample for sample in samples if sample.carrier == 0]
    if not mine or (me.target == "SAMPLES" and len(mine) < MOST_SAMPLES):
        return at(me, "SAMPLES", "CONNECT 1")
    for sample in mine:
        if UNKNOWN in sample.costs:
            return at(me, "DIAGNOSIS", f"CONNECT {sample.number}")
    mine.sort(key=lambda sample: sum(sample.missing(me)))
    if sum(mine[0].missing(me)) == 0:
        return at(me, "LABORATORY", f"CONNECT {mine[0].number}")
    for sample in mine:
        missing = sample.missing(me)
        there = all(need <= left for need, left in zip(missing, available, strict=True))
        if there and sum(me.storage) + sum(missing) <= MOST_MOLECULES:
            wanted = next(letter for letter, need in zip(TYPES, missing, strict=True) if need)
            return at(me, "MOLECULES", f"CONNECT {wanted}")
    return at(me, "DIAGNOSIS", f"CONNECT {mine[0].number}")  # into the cloud


def read_robot() -> Robot:
    """A player's line."""
    target, *words = input().split()
    eta, _score, *rest = map(int, words)
    return Robot(target, eta, rest[:5], rest[5:])


def read_sample() -> Sample:
    """A sample's line."""
    number, carrier, _rank, _gain, _health, *costs = input().split()
    return Sample(int(number), int(carrier), list(map(int, costs)))


def main() -> None:
    """Play one game."""
    _projects = [input() for _ in range(int(input()))]
    while True:
        me, _other = read_robot(), read_robot()
        available = list(map(int, input().split()))
        samples = [read_sample() for _ in range(int(input()))]
        print(decide(me, available, samples), flush=True)


with suppress(EOFError):  # the game is over
    main()
