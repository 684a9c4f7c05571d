"""What a player knows of Code 4 Life, from its prompts.

The player is always seat 0 of the state, whatever its seat for the referee. What a prompt does not show is kept from
earlier ones: the number of the round, the player that diagnosed a sample (which decides who gets a sample of the cloud
that both want), and the player whose answers the referee handles first (the one that got the smaller id when both drew
in one round). Completed projects and deliveries are recognised by expertise, which never decreases.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Self

import numpy as np

from podium.games import view
from podium.games.code4life.catalogue import (
    KIND_BY_LINE,
    KIND_COST,
    KIND_RANK,
    MODULES,
    PROJECTS,
    TRAY,
    TYPES,
    UNKNOWN,
    pack,
)
from podium.games.code4life.packed_counts import covers
from podium.games.code4life.protocol import ROUND_HEAD, answer_of, opening_lines, prompt, read_answer
from podium.games.code4life.setup import set_projects, unknown_state
from podium.games.code4life.state import (
    CLOUD,
    DIAGNOSED,
    DIAGNOSER,
    ID_SHIFT,
    KIND_MASK,
    SEATS,
    add_to_cloud,
    add_to_tray,
    left_in_pool,
)
from podium.games.game import IllegalError, MalformedError
from podium.games.parsing import read_int, read_ints
from podium.kernel import copy_of, kernel
from podium.kernel.records import packed_bytes

PLAYER_WORDS = 13
SAMPLE_WORDS = 10
HIGHEST_ID = (1 << 22) - 1
HIGHEST_COUNT = 63  # what packed counts allow; real ones stay far below
LONGEST = 4  # journey, in rounds
ME, OPPONENT, IN_CLOUD = 0, 1, -1


def seen(state: Any, seat: int) -> Any:
    """The state with unknown pools and undiagnosed samples, and without the choice that the other has made."""
    known = copy_of(state)
    known.pool = unknown_state().pool
    for samples in (known.tray[ME], known.tray[OPPONENT], known.cloud):
        for place, sample in enumerate(samples.tolist()):
            if sample & KIND_MASK and not sample & DIAGNOSED:
                samples[place] = sample & ~KIND_MASK | UNKNOWN + KIND_RANK[sample & KIND_MASK] - 1
    if seat != ME:
        known.chosen = known.choice = 0
    known.hash = 0
    known.hash = int.from_bytes(blake2b(packed_bytes(known), digest_size=8).digest(), "little")
    return known


class View(view.View):
    """The view of one player in one game."""

    def __init__(self) -> None:
        self.seat = ME
        self.rounds = 0  # played before the next prompt
        self.delivery = 0  # the round of the last delivery
        self._start = unknown_state()
        self._prompts = 0  # read
        self._first = ME
        self._highest_id = -1
        self._projects: list[list[int]] = []
        self._expertise = -1  # in all, at the last prompt
        self._diagnosed: set[int] = set()  # ids
        self._opponents: set[int] = set()  # those of them that the opponent diagnosed
        self._reached: dict[int, int] = {}  # by id of my samples: the round of taking it, or when it last was in reach

    @classmethod
    def of(cls, state: Any, seat: int) -> Self:
        """The view of a player that is sent the state as its first prompt."""
        view = cls()
        view.rounds = int(state.played)
        view.read([*opening_lines(state), *prompt(state, seat)])
        return view

    def read(self, lines: Sequence[str]) -> None:
        """Bring the state up to date with a prompt; the first one begins with the project lines."""
        if lines and len(lines[0].split()) == 1:
            lines = self._read_projects(lines)
        if len(lines) < ROUND_HEAD or len(lines) != ROUND_HEAD + read_int(lines[3], "the number of samples"):
            raise MalformedError(f"a prompt has {ROUND_HEAD} lines and one for each sample, not {len(lines)} lines")
        state = self._start.copy()
        expertise = [_read_player(state, seat, lines[seat]) for seat in range(SEATS)]
        state["played"] = self.rounds
        state["open"] = sum(1 << index for index, need in enumerate(self._projects) if not _met(need, expertise))
        if sum(expertise[ME]) != self._expertise:
            self._expertise, self.delivery = sum(expertise[ME]), self.rounds
        self.rounds += 1
        self._prompts += 1
        samples = [_read_sample(line) for line in lines[ROUND_HEAD:]]
        self._note(samples)
        for place, room in ((ME, TRAY), (OPPONENT, TRAY), (IN_CLOUD, CLOUD)):
            if sum(carrier == place for _, carrier in samples) > room:
                raise MalformedError(f"at most {room} samples can be in one place")
        if samples:
            known = [sample | DIAGNOSER * (sample >> ID_SHIFT in self._opponents) for sample, _ in samples]
            distribute(state, np.array(known), np.array([carrier for _, carrier in samples]))
        state["first"] = self._first
        state["next_id"] = self._highest_id + 1
        self.state = state
        self._note_reach()

    def rounds_out_of_reach(self) -> list[int]:
        """For each sample of my tray, the rounds since it was taken or could last be paid with what is to be had."""
        tray = self.state.tray[ME][: self.state.carried[ME]].tolist()
        return [int(self.state.played) - self._reached[sample >> ID_SHIFT] for sample in tray]

    def _note_reach(self) -> None:
        """Note the samples of my tray that the pool and my own molecules can pay; others keep their round."""
        state, played = self.state, int(self.state.played)
        to_be_had = np.uint64(left_in_pool(state)) + state.storage[ME] + state.expertise[ME]
        before, self._reached = self._reached, {}
        for sample in state.tray[ME][: state.carried[ME]].tolist():
            unknown = not sample & DIAGNOSED
            payable = unknown or covers(to_be_had, KIND_COST[sample & KIND_MASK])
            identity = sample >> ID_SHIFT
            self._reached[identity] = played if payable else before.get(identity, played)

    def answer_of(self, move: int) -> str:
        """A move as the protocol writes it."""
        return answer_of(self.state, ME, move)

    def move_of(self, line: str) -> int | None:
        """The move, if it is a legal one."""
        try:
            return read_answer(self.state, ME, line)
        except (MalformedError, IllegalError):
            return None

    def _read_projects(self, lines: Sequence[str]) -> Sequence[str]:
        """Read the lines that come once; return the others."""
        count = read_int(lines[0], "the number of projects", 0, PROJECTS)
        if len(lines) <= count:
            raise MalformedError(f"{count} projects were announced, but {len(lines) - 1} lines follow")
        self._projects = [read_ints(line, "a project", len(TYPES), 0, HIGHEST_COUNT) for line in lines[1 : 1 + count]]
        set_projects(self._start, self._projects)
        return lines[1 + count :]

    def _note(self, samples: list[tuple[int, int]]) -> None:
        """Keep what this prompt shows and later ones will not."""
        new = {carrier: sample >> ID_SHIFT for sample, carrier in samples if (sample >> ID_SHIFT) > self._highest_id}
        if self._prompts > 1 and ME in new and OPPONENT in new:
            self._first = ME if new[ME] < new[OPPONENT] else OPPONENT
        self._highest_id = max([self._highest_id, *(sample >> ID_SHIFT for sample, _ in samples)])
        for sample, carrier in samples:
            identity = sample >> ID_SHIFT
            if sample & DIAGNOSED and identity not in self._diagnosed:
                self._diagnosed.add(identity)
                if carrier == OPPONENT:
                    self._opponents.add(identity)


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


def _read_player(state: Any, seat: int, line: str) -> list[int]:
    """Read a robot's line into the state; return its expertise."""
    words = line.split()
    if len(words) != PLAYER_WORDS or words[0] not in MODULES:
        raise MalformedError(f"expected a module, eta, score, five molecules and five expertises, but got {line!r}")
    eta, score = read_int(words[1], "an eta", 0, LONGEST), read_int(words[2], "a score")
    counts = [read_int(word, "molecules and expertise", 0, HIGHEST_COUNT) for word in words[3:]]
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
        raise MalformedError(f"expected id, carrier, rank, gain, health and five costs, but got {line!r}")
    identity = read_int(words[0], "a sample's id", 0, HIGHEST_ID) << ID_SHIFT
    if words[3] == "0":
        return identity | (UNKNOWN + int(words[2]) - 1), int(words[1])
    kind = KIND_BY_LINE.get((words[2], words[3], *words[4:]))
    if kind is None:
        raise MalformedError(f"no sample of the game is like this: {line!r}")
    return identity | DIAGNOSED | kind, int(words[1])
