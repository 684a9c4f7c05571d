"""A bot that plays any legal move."""

import random
from contextlib import suppress


def read_prompt() -> tuple[dict[str, list[str]], list[str]]:
    """The fields of the state by name, the own seat among them, and the legal answers."""
    fields: dict[str, list[str]] = {}
    while "legal" not in fields:
        name, *values = input().split()
        fields[name] = values
    return fields, [input() for _ in range(int(fields.pop("legal")[0]))]


def main() -> None:
    """Play one game."""
    while True:
        _fields, legal = read_prompt()
        print(random.choice(legal), flush=True)


with suppress(EOFError):  # the game is over
    main()
