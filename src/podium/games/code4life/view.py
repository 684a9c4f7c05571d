"""The state as a player knows it, read from the prompts.

The player itself is always seat 0 of its own state, whatever its seat is for the referee. What a prompt does not say is
kept from earlier ones: the number of the round, who diagnosed a sample (it decides who gets a sample of the cloud that
both want), and whose answers the referee handles first (whoever got the smaller id when both drew in one round).
Projects that are gone are recognised by expertise, which never decreases.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.code4life.catalogue import KIND_BY_LINE, MODULES, PROJECTS, TRAY, TYPES, UNKNOWN, pack
from podium.games.code4life.rules import (
    CLOUD,
    DIAGNOSED,
    DIAGNOSER,
    ID_SHIFT,
    SEATS,
    add_to_cloud,
    add_to_tray,
)
from podium.games.code4life.setup import set_projects, unknown_state
from podium.kernel import kernel

ROUND_HEAD = 4  # lines before the sample lines
PLAYER_WORDS = 13
SAMPLE_WORDS = 10
HIGHEST_ID = (1 << 22) - 1
HIGHEST_COUNT = 63  # what packed counts allow; real ones stay far below
LONGEST = 4  # journey, in rounds
ME, OPPONENT, IN_CLOUD = 0, 1, -1


class View:
    """Follows one game from a player's seat."""

    def __init__(self) -> None:
        self.start = unknown_state()
        self.rounds = 0  # played before the next prompt
        self.prompts = 0  # read
        self.first = ME
        self.highest_id = -1
        self.projects: list[list[int]] = []
        self.diagnosed: set[int] = set()  # ids
        self.opponents: set[int] = set()  # those of them that the opponent diagnosed

    def read(self, lines: Sequence[str]) -> Any:
        """The state at a prompt; the first prompt begins with the project lines."""
        if lines and len(lines[0].split()) == 1:
            count = _numbers(lines[0], 1)[0]
            if not 0 <= count <= PROJECTS or len(lines) <= count:
                raise PodiumError(f"expected at most {PROJECTS} projects and a line for each, but got {lines[0]!r}")
            self.projects = [_numbers(line, len(TYPES)) for line in lines[1 : 1 + count]]
            set_projects(self.start, self.projects)
            lines = lines[1 + count :]
        if len(lines) < ROUND_HEAD or len(lines) != ROUND_HEAD + _numbers(lines[3], 1)[0]:
            raise PodiumError(f"a prompt has {ROUND_HEAD} lines and one for each sample, not {len(lines)} lines")
        state = self.start.copy()
        expertise = [_read_player(state, seat, lines[seat]) for seat in range(SEATS)]
        state["played"] = self.rounds
        state["open"] = sum(1 << index for index, need in enumerate(self.projects) if not _met(need, expertise))
        self.rounds += 1
        self.prompts += 1
        samples = [_read_sample(line) for line in lines[ROUND_HEAD:]]
        self._follow(samples)
        for place, room in ((ME, TRAY), (OPPONENT, TRAY), (IN_CLOUD, CLOUD)):
            if sum(carrier == place for _, carrier in samples) > room:
                raise PodiumError(f"at most {room} samples can be in one place")
        if samples:
            known = [sample | DIAGNOSER * (sample >> ID_SHIFT in self.opponents) for sample, _ in samples]
            distribute(state, np.array(known), np.array([carrier for _, carrier in samples]))
        state["first"] = self.first
        state["next_id"] = self.highest_id + 1
        return state

    def _follow(self, samples: list[tuple[int, int]]) -> None:
        """Keep what this prompt shows and later ones will not."""
        new = {carrier: sample >> ID_SHIFT for sample, carrier in samples if (sample >> ID_SHIFT) > self.highest_id}
        if self.prompts > 1 and ME in new and OPPONENT in new:
            self.first = ME if new[ME] < new[OPPONENT] else OPPONENT
        self.highest_id = max([self.highest_id, *(sample >> ID_SHIFT for sample, _ in samples)])
        for sample, carrier in samples:
            number = sample >> ID_SHIFT
            if sample & DIAGNOSED and number not in self.diagnosed:
                self.diagnosed.add(number)
                if carrier == OPPONENT:
                    self.opponents.add(number)


@kernel
def distribute(state: Any, samples: Any, carriers: Any) -> None:
    """Put samples where they belong: 0 and 1 are the trays, anything else is the cloud."""
    for index in range(samples.size):
        if carriers[index] == ME or carriers[index] == OPPONENT:
            add_to_tray(state, carriers[index], samples[index])
        else:
            add_to_cloud(state, samples[index])


def _met(need: list[int], expertise: list[list[int]]) -> bool:
    """Whether somebody's expertise fulfils a project."""
    return any(all(h >= n for h, n in zip(have, need, strict=True)) for have in expertise)


def _numbers(line: str, count: int) -> list[int]:
    words = line.split()
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(0 <= number < 2**31 for number in numbers):
        raise PodiumError(f"expected {count} numbers, but got {line!r}")
    return numbers


def _read_player(state: Any, seat: int, line: str) -> list[int]:
    """Read a robot's line into the state; return its expertise."""
    words = line.split()
    if len(words) != PLAYER_WORDS or words[0] not in MODULES:
        raise PodiumError(f"expected a module, eta, score, five molecules and five expertises, but got {line!r}")
    eta, score, *counts = _numbers(" ".join(words[1:]), PLAYER_WORDS - 1)
    if eta > LONGEST or max(counts) > HIGHEST_COUNT:
        raise PodiumError(f"a robot cannot be in this condition: {line!r}")
    expertise = counts[len(TYPES) :]
    state["location"][seat] = MODULES.index(words[0])
    state["eta"][seat] = eta
    state["score"][seat] = score
    state["storage"][seat] = pack(counts[: len(TYPES)])
    state["expertise"][seat] = pack(expertise)
    return expertise


def _read_sample(line: str) -> tuple[int, int]:
    """A sample (without its diagnoser) and its carrier."""
    words = line.split()
    if len(words) != SAMPLE_WORDS or words[1] not in ("0", "1", "-1") or words[2] not in ("1", "2", "3"):
        raise PodiumError(f"expected id, carrier, rank, gain, health and five costs, but got {line!r}")
    number = _numbers(words[0], 1)[0]
    if number > HIGHEST_ID:
        raise PodiumError(f"sample id {number} is too high")
    identity = number << ID_SHIFT
    if words[3] == "0":
        return identity | (UNKNOWN + int(words[2]) - 1), int(words[1])
    kind = KIND_BY_LINE.get((words[2], words[3], *words[4:]))
    if kind is None:
        raise PodiumError(f"no sample of the game is like this: {line!r}")
    return identity | DIAGNOSED | kind, int(words[1])
