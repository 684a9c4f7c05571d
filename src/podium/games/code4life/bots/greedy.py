"""`greedy`: completes cheap samples, one errand after the other, and takes no notice of the opponent's plans.

A baseline, in plain Python: three samples are drawn, diagnosed, filled with molecules in the order of what they still
miss, and produced. Samples that the pool cannot complete go to the cloud, and cheap ones are taken from it.
"""

from typing import Any

from podium.games.code4life.bots.base import Code4LifeBot
from podium.games.code4life.catalogue import (
    CAPACITY,
    DIAGNOSIS,
    DISTANCE,
    KIND_COST,
    LABORATORY,
    MOLECULES,
    ROUNDS,
    SAMPLES,
    START_POS,
    TRAY,
    TYPES,
    unpack,
)
from podium.games.code4life.state import (
    CONNECT_TRAY,
    DIAGNOSED,
    DOWNLOAD,
    DRAW,
    GOTO,
    KIND_MASK,
    PRODUCE,
    TAKE,
    WAIT,
    pool_plus_one,
)
from podium.games.code4life.view import ME
from podium.games.game import BotKind, Budget
from podium.model.params import Parameter, ParamSpec

PARAMS = ParamSpec(
    "code4life greedy parameters",
    Parameter("rank_2_from", 7, "total expertise from which samples of rank 2 are drawn", low=0, high=100),
    Parameter("rank_3_from", 13, "total expertise from which samples of rank 3 are drawn", low=0, high=100),
)


class Greedy(Code4LifeBot):
    """Completes cheap samples."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(params, seed)
        self.rank_2_from = int(params.rank_2_from)
        self.rank_3_from = int(params.rank_3_from)

    def choose(self, budget: Budget) -> int:
        """The next step of the errand, by where the robot stands."""
        state = self.state
        if state.eta[ME] > 0:
            return WAIT
        errand = Errand(state)
        location = int(state.location[ME])
        if location == START_POS:
            return GOTO + SAMPLES
        if location == SAMPLES:
            return self._at_samples(errand)
        if location == DIAGNOSIS:
            return errand.at_diagnosis()
        return errand.at_molecules() if location == MOLECULES else errand.at_laboratory()

    def _at_samples(self, errand: "Errand") -> int:
        if len(errand.tray) == TRAY:
            return GOTO + DIAGNOSIS
        expertise = sum(errand.expertise)
        return DRAW + 1 + (expertise >= self.rank_2_from) + (expertise >= self.rank_3_from)


class Errand:
    """What a robot has and misses."""

    def __init__(self, state: Any) -> None:
        self.storage = unpack(state.storage[ME])
        self.expertise = unpack(state.expertise[ME])
        self.left = [count - 1 for count in unpack(pool_plus_one(state))]
        self.space = CAPACITY - sum(self.storage)
        self.tray = [int(sample) for sample in state.tray[ME][: state.carried[ME]]]
        self.cloud = [int(sample) for sample in state.cloud[: state.clouded]]
        self.rounds = ROUNDS - int(state.played)

    def missing(self, sample: int) -> list[int]:
        """Molecules still to be taken for a sample."""
        cost = unpack(KIND_COST[sample & KIND_MASK])
        return [max(0, cost[t] - self.expertise[t] - self.storage[t]) for t in range(len(TYPES))]

    def possible(self, sample: int) -> bool:
        """Whether the pool and the space suffice to complete a sample."""
        missing = self.missing(sample)
        return sum(missing) <= self.space and all(m <= max(0, n) for m, n in zip(missing, self.left, strict=True))

    def ready(self) -> list[int]:
        """Slots of the samples that could be produced now."""
        return [slot for slot, sample in enumerate(self.tray) if not any(self.missing(sample))]

    def at_diagnosis(self) -> int:
        """Diagnose, drop what is impossible, take what is possible, go on."""
        for slot, sample in enumerate(self.tray):
            if not sample & DIAGNOSED:
                return CONNECT_TRAY + slot
        for slot, sample in enumerate(self.tray):
            if not self.possible(sample):
                return CONNECT_TRAY + slot
        offers = [slot for slot, sample in enumerate(self.cloud) if self.possible(sample)]
        if len(self.tray) < TRAY and offers:
            return DOWNLOAD + min(offers, key=lambda slot: sum(self.missing(self.cloud[slot])))
        if not self.tray:
            return GOTO + SAMPLES
        return GOTO + (LABORATORY if len(self.ready()) == len(self.tray) else MOLECULES)

    def at_molecules(self) -> int:
        """Take molecules for the sample that misses least, then for the next, while there is time to deliver."""
        wanted = self._wanted()
        deliver = int(DISTANCE[MOLECULES, LABORATORY]) + max(1, len(self.ready()))
        if wanted >= 0 and self.rounds > deliver:
            return TAKE + wanted
        if self.ready():
            return GOTO + LABORATORY
        return GOTO + (SAMPLES if len(self.tray) < TRAY else DIAGNOSIS)

    def _wanted(self) -> int:
        """A type to take now, or -1. Molecules kept for a cheaper sample are not counted for a dearer one."""
        kept = list(self.storage)
        for sample in sorted(self.tray, key=lambda sample: sum(self.missing(sample))):
            if not sample & DIAGNOSED or not self.possible(sample):
                continue
            cost = unpack(KIND_COST[sample & KIND_MASK])
            needs = [max(0, cost[t] - self.expertise[t]) for t in range(len(TYPES))]
            missing = [max(0, needs[t] - kept[t]) for t in range(len(TYPES))]
            if sum(missing) <= self.space:
                for t in range(len(TYPES)):
                    if missing[t] and self.left[t] > 0:
                        return t
            kept = [max(0, kept[t] - needs[t]) for t in range(len(TYPES))]
        return -1

    def at_laboratory(self) -> int:
        """Produce, then go on with the samples that are left, or for new ones."""
        ready = self.ready()
        if ready:
            return PRODUCE + ready[0]
        if any(sample & DIAGNOSED and self.possible(sample) for sample in self.tray):
            return GOTO + MOLECULES
        return GOTO + (SAMPLES if len(self.tray) < TRAY else DIAGNOSIS)


KINDS = (BotKind("greedy", "completes cheap samples, heedless of the opponent", PARAMS, Greedy),)
