"""The moves that `writeup` considers are those of the write-up's lists, module by module."""

from collections import Counter

import numpy as np

from podium.games.code4life.bots.moves import code4life_candidates
from podium.games.code4life.bots.params import WRITEUP_PARAMS
from podium.games.code4life.catalogue import (
    DIAGNOSIS,
    KIND_COST,
    KIND_HEALTH,
    LABORATORY,
    MOLECULES,
    SAMPLE_KINDS,
    SAMPLES,
    unpack,
)
from podium.games.code4life.rules import code4life_is_over, code4life_mover, code4life_play
from podium.games.code4life.state import (
    CONNECT_TRAY,
    DIAGNOSED,
    DOWNLOAD,
    DRAW,
    GOTO,
    KIND_MASK,
    MOST_MOVES,
    PRODUCE,
    TAKE,
    WAIT,
)
from podium.kernel import JIT
from podium.kernel.random import draw_below, generator
from tests.games.code4life.test_search import positions


class Sample:
    """A sample as a player sees it, with what it misses; one that a search has diagnosed itself stays unknown."""

    def __init__(self, state, seat, code):
        kind = code & KIND_MASK
        self.diagnosed, self.known = bool(code & DIAGNOSED), kind < SAMPLE_KINDS
        self.health = int(KIND_HEALTH[kind])
        mine, his = unpack(state.storage[seat]), unpack(state.storage[1 - seat])
        have = [a + b for a, b in zip(mine, unpack(state.expertise[seat]), strict=True)]
        missing = [max(0, cost - had) for cost, had in zip(unpack(KIND_COST[kind]), have, strict=True)]
        left = [max(0, 5 - a - b) for a, b in zip(mine, his, strict=True)]
        self.missing = sum(missing)
        self.ready = self.diagnosed and self.known and not self.missing
        self.producible = self.diagnosed and self.known and all(m <= n for m, n in zip(missing, left, strict=True))
        self.fits = self.missing <= 10 - sum(mine)

    def order(self):
        """(MoleculesAvailable && EnoughSpaceToTake ? 100 : MoleculesAvailable ? 1 : 0) - MissingMolecules * 1e-3.

        Where the write-up does not say: unknown samples come between producible and other ones.
        """
        if not self.known:
            return 0.5
        return (100 if self.producible and self.fits else 1 if self.producible else 0) - self.missing * 1e-3


def possible_moves(state, seat):
    """`Possible_Moves(state, id)` of the write-up, sentence by sentence; samples of equal order keep their places."""
    tray = [Sample(state, seat, int(code)) for code in state.tray[seat, : state.carried[seat]]]
    other = [Sample(state, 1 - seat, int(code)) for code in state.tray[1 - seat, : state.carried[1 - seat]]]
    cloud = [Sample(state, seat, int(code)) for code in state.cloud[: state.clouded]]
    score, other_score, place = int(state.score[seat]), int(state.score[1 - seat]), int(state.location[seat])
    other_producible = sum(sample.health for sample in other if sample.producible)
    winning = score + sum(sample.health for sample in tray if sample.ready) > other_score + other_producible
    may_wait = winning and state.location[1 - seat] != SAMPLES
    ready = [slot for slot, sample in enumerate(tray) if sample.ready]
    if state.eta[seat] > 0:
        return {WAIT}
    if place == SAMPLES:
        expertise = sum(unpack(state.expertise[seat]))
        return {DRAW + (1 if expertise < 9 else 2 if expertise < 12 else 3)} if len(tray) < 3 else {GOTO + DIAGNOSIS}
    if place == DIAGNOSIS:
        unknown = [slot for slot, sample in enumerate(tray) if not sample.diagnosed]
        if unknown:
            return {CONNECT_TRAY + unknown[0]}
        worst = {CONNECT_TRAY + sorted_slots(tray)[-1]} if tray else set()
        best = {DOWNLOAD + sorted_slots(cloud)[0]} if len(tray) < 3 and cloud else set()
        if not any(sample.producible for sample in tray + cloud) and other_score + other_producible >= score:
            return worst or {GOTO + SAMPLES}
        moves = {GOTO + MOLECULES} if len(tray) == 3 else {GOTO + SAMPLES}
        return moves | best | worst | ({GOTO + LABORATORY} if ready else set())
    if place == MOLECULES:
        storages = zip(unpack(state.storage[0]), unpack(state.storage[1]), strict=True)
        left = [5 - mine - his for mine, his in storages]
        takes = {TAKE + index for index in range(5) if left[index] > 0}
        onward = LABORATORY if ready else SAMPLES if len(tray) < 3 else DIAGNOSIS
        has_space = sum(unpack(state.storage[seat])) < 10
        return (takes if has_space else set()) | {GOTO + onward} | ({WAIT} if may_wait else set())
    if place == LABORATORY:
        if ready:
            return {PRODUCE + ready[0]} | ({WAIT} if may_wait else set())
        fills_up = len(tray) < 3 <= len(tray) + len(cloud) and any(sample.producible for sample in cloud)
        return {GOTO + MOLECULES, GOTO + SAMPLES} | ({GOTO + DIAGNOSIS} if fills_up else set())
    return {GOTO + SAMPLES}


def sorted_slots(samples):
    """The slots of samples, best first."""
    return sorted(range(len(samples)), key=lambda slot: -samples[slot].order())


def test_the_moves_are_those_of_the_write_up():
    """On the way of games, and in the rounds that a search imagines from there, with samples that it does not know."""
    params, out, random, met = WRITEUP_PARAMS.params(), np.zeros(MOST_MOVES, np.int64), generator(1), Counter()
    for seed in range(12 if JIT else 1):
        for state in positions(seed, params, step=3):
            for _ in range(10 if JIT else 3):
                if code4life_is_over(state):
                    break
                seat = int(code4life_mover(state))
                count = code4life_candidates(state, params, out)
                found = possible_moves(state, seat)
                assert set(out[:count].tolist()) == found
                met[int(state.location[seat]), len(found) > 1] += not state.eta[seat]
                code4life_play(state, out[draw_below(random, count)])
    assert not JIT or all(met[place, True] > 30 for place in (DIAGNOSIS, MOLECULES, LABORATORY))
