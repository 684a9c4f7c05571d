"""Positions as lines of text: words such as `wanderer:7,3,4,28,1,2`, in any order.

| word | meaning |
| --- | --- |
| `maze:NAME` | the maze, blanks in its name written as `_` |
| `settings:LONELY,GROUP,SPAWN_TIME,LIFE_TIME` | the four drawn numbers |
| `turn:N`, `seat:N` | the turn to be played, and whose position it is |
| `explorer:SEAT,X,Y,SANITY,PLANS,LIGHTS` | an explorer still in the game |
| `out:SEAT,X,Y,SCORE` | an explorer that is out |
| `slashed:SEAT` | its slasher has appeared |
| `wanderer:ID,X,Y,TIMER,STATE,TARGET` | as in the protocol |
| `slasher:ID,X,Y,TIMER,STATE,TARGET,X,Y` | the same, then the remembered cell, `-1,-1` for none |
| `plan:SEAT,TURNS`, `light:SEAT`, `yell:CASTER,VICTIM` | effects in force |
| `yelled:CASTER,VICTIM` | a YELL of the game so far |
| `shelter:X,Y,ENERGY` | a shelter that is not empty |
"""

from collections.abc import Sequence
from typing import Any

from podium.errors import MalformedError, unknown
from podium.games.code_of_kutulu.mazes import MAZES, NAMES, NO_CELL, PACKAGE
from podium.games.code_of_kutulu.setup import empty_state, set_hash
from podium.games.code_of_kutulu.state import FIRST_MINION_ID, MOST_MINIONS, NOBODY, SEATS
from podium.model.package_data import package_data

STORED = package_data(PACKAGE, "positions.txt")
FIELDS = {
    "settings": 4,
    "turn": 1,
    "seat": 1,
    "explorer": 6,
    "out": 4,
    "slashed": 1,
    "wanderer": 6,
    "slasher": 8,
    "plan": 2,
    "light": 1,
    "yell": 2,
    "yelled": 2,
    "shelter": 3,
}
NOWHERE = (-1, -1)


def stored_positions() -> list[str]:
    """Positions from real games, a line each."""
    return [line for line in STORED.read_text().splitlines() if line and not line.startswith("#")]


def write(state: Any, seat: int) -> str:
    """A position as a line."""
    maze = MAZES[state.maze]

    def place(cell: int) -> str:
        x, y = maze.points[cell] if cell != NO_CELL else NOWHERE
        return f"{x},{y}"

    words = [
        f"maze:{maze.name.replace(' ', '_')}",
        f"settings:{state.lonely},{state.group},{state.spawn_time},{state.life_time}",
        f"turn:{state.turn}",
        f"seat:{seat}",
    ]
    for s in range(SEATS):
        at = place(state.cell[s])
        if state.living >> s & 1:
            words.append(f"explorer:{s},{at},{state.sanity[s]},{state.plans[s]},{state.lights[s]}")
        else:
            words.append(f"out:{s},{at},{state.score[s]}")
    words += [f"slashed:{s}" for s in range(SEATS) if state.slashed >> s & 1]
    for i in range(int(state.minions)):
        common = f"{state.number[i]},{place(state.where[i])},{state.timer[i]},{state.mode[i]},{state.target[i]}"
        words.append(f"slasher:{common},{place(state.remembered[i])}" if state.slasher[i] else f"wanderer:{common}")
    words += [f"plan:{s},{state.plan_left[s]}" for s in range(SEATS) if state.plan_left[s]]
    words += [f"light:{s}" for s in range(SEATS) if state.lights_on >> s & 1]
    for name, pairs in (("yell", int(state.yells)), ("yelled", int(state.yelled))):
        words += [f"{name}:{bit // SEATS},{bit % SEATS}" for bit in range(SEATS * SEATS) if pairs >> bit & 1]
    for index, cell in enumerate(maze.shelters):
        if state.shelter[index]:
            words.append(f"shelter:{place(cell)},{state.shelter[index]}")
    return " ".join(words)


def read(words: Sequence[str]) -> tuple[Any, int]:
    """The state of a line's words, without a generator, and the seat whose position it is."""
    maze = -1
    found: dict[str, list[list[int]]] = {name: [] for name in FIELDS}
    for word in words:
        name, _, text = word.partition(":")
        if name == "maze":
            title = text.replace("_", " ")
            if title not in NAMES:
                raise unknown("maze", title, NAMES)
            maze = NAMES[title]
        elif name in FIELDS:
            found[name].append(_numbers(word, text, FIELDS[name]))
        else:
            raise unknown("word of a position", name, [*FIELDS, "maze"])
    if maze < 0 or not all(len(found[name]) == 1 for name in ("settings", "turn", "seat")):
        raise MalformedError("a position needs maze:, settings:, turn: and seat:, each once")
    (seat,) = found["seat"][0]
    state = empty_state(maze, *found["settings"][0])
    _Filler(state, found).fill()
    if not state.living >> seat & 1:
        raise MalformedError(f"seat {seat} has no explorer in the position")
    state.first = state.mover = seat
    set_hash(state)
    return state, seat


def _numbers(word: str, text: str, count: int) -> list[int]:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(-1 <= number < 1000 for number in numbers):
        raise MalformedError(f"expected {count} numbers after {word.partition(':')[0]}:, but got {word!r}")
    return numbers


class _Filler:
    """Puts the words of a position into a state."""

    def __init__(self, state: Any, found: dict[str, list[list[int]]]) -> None:
        self.state = state
        self.found = found

    def cell(self, x: int, y: int) -> int:
        cell = MAZES[self.state.maze].cells.get((x, y))
        if cell is None:
            raise MalformedError(f"{x},{y} is no walkable cell of {MAZES[self.state.maze].name}")
        return int(cell)

    def seat(self, seat: int) -> int:
        if not 0 <= seat < SEATS:
            raise MalformedError(f"seats are 0 to {SEATS - 1}, not {seat}")
        return seat

    def fill(self) -> None:
        state, found = self.state, self.found
        state.turn = found["turn"][0][0]
        state.living = 0
        self.seat(found["seat"][0][0])
        for seat, x, y, sanity, plans, lights in found["explorer"]:
            state.living |= 1 << self.seat(seat)
            state.cell[seat], state.sanity[seat] = self.cell(x, y), sanity
            state.plans[seat], state.lights[seat] = plans, lights
        for seat, x, y, score in found["out"]:
            state.cell[self.seat(seat)], state.sanity[seat], state.score[seat] = self.cell(x, y), 0, score
        for (seat,) in found["slashed"]:
            state.slashed |= 1 << self.seat(seat)
        minions = [(0, [*fields, *NOWHERE]) for fields in found["wanderer"]]
        minions += [(1, fields) for fields in found["slasher"]]
        self.minions(sorted(minions, key=lambda minion: minion[1][0]))
        self.effects()

    def minions(self, minions: list[tuple[int, list[int]]]) -> None:
        state = self.state
        if len(minions) > MOST_MINIONS:
            raise MalformedError(f"{len(minions)} minions; there are never more than {MOST_MINIONS}")
        state.minions = len(minions)
        for i, (slasher, (number, x, y, timer, mode, target, far_x, far_y)) in enumerate(minions):
            state.slasher[i], state.number[i], state.where[i] = slasher, number, self.cell(x, y)
            if not 0 <= mode <= 4 or not NOBODY <= target < SEATS or not 0 <= timer < 256:
                raise MalformedError(f"minion {number} has an impossible timer, state or target")
            state.timer[i], state.mode[i], state.target[i] = timer, mode, target
            state.remembered[i] = NO_CELL if (far_x, far_y) == NOWHERE else self.cell(far_x, far_y)
            state.next_id = max(int(state.next_id), number + 1, FIRST_MINION_ID)

    def effects(self) -> None:
        state, found = self.state, self.found
        for seat, turns in found["plan"]:
            state.plan_left[self.seat(seat)] = turns
        for (seat,) in found["light"]:
            state.lights_on |= 1 << self.seat(seat)
        for caster, victim in found["yell"]:
            state.yells |= 1 << (SEATS * self.seat(caster) + self.seat(victim))
        for caster, victim in found["yelled"]:
            state.yelled |= 1 << (SEATS * self.seat(caster) + self.seat(victim))
        shelters = MAZES[state.maze].shelters
        for x, y, energy in found["shelter"]:
            if self.cell(x, y) not in shelters:
                raise MalformedError(f"there is no shelter at {x},{y}")
            state.shelter[shelters.index(self.cell(x, y))] = energy
