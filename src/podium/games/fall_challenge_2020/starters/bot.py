"""A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one."""

from contextlib import suppress
from dataclasses import dataclass

CAPACITY = 10
ENOUGH_SPELLS = 8


@dataclass
class Action:
    """A line of the prompt."""

    number: int
    kind: str
    deltas: list[int]
    price: int
    place: int
    castable: bool

    def after(self, inventory: list[int]) -> list[int]:
        """The inventory once it is done."""
        return [have + delta for have, delta in zip(inventory, self.deltas, strict=True)]

    def is_possible(self, inventory: list[int]) -> bool:
        """Whether there is enough of everything, and room."""
        return min(self.after(inventory)) >= 0 and sum(self.after(inventory)) <= CAPACITY

    def gain(self) -> int:
        """What casting it is worth, where an ingredient of tier t is worth t + 1."""
        return sum((tier + 1) * delta for tier, delta in enumerate(self.deltas))


def decide(actions: list[Action], inventory: list[int]) -> str:
    """One answer."""
    orders = [a for a in actions if a.kind == "BREW" and a.is_possible(inventory)]
    if orders:
        return f"BREW {max(orders, key=lambda order: order.price).number}"
    own = [a for a in actions if a.kind == "CAST"]
    tome = [a for a in actions if a.kind == "LEARN" and a.place <= inventory[0]]
    if tome and len(own) < ENOUGH_SPELLS:
        return f"LEARN {tome[0].number}"
    spells = [a for a in own if a.castable and a.is_possible(inventory) and a.gain() > 0]
    if spells:
        return f"CAST {max(spells, key=Action.gain).number}"
    return "REST"


def read_action() -> Action:
    """An action's line."""
    number, kind, *words = input().split()
    *deltas, price, place, _tax, castable, _repeatable = map(int, words)
    return Action(int(number), kind, deltas, price, place, bool(castable))


def main() -> None:
    """Play one game."""
    while True:
        actions = [read_action() for _ in range(int(input()))]
        (*inventory, _rupees), _other = (list(map(int, input().split())) for _ in range(2))
        print(decide(actions, inventory), flush=True)


with suppress(EOFError):  # the game is over
    main()
