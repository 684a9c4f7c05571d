"""`hoarder`: the champion's play around a hoard of one type of molecules, which the opponent then cannot have.

An opponent of another style than the searching bots: what it hoards it neither uses nor gives back for many rounds. The
type is the one that the opponent's samples miss most when the robot first comes to MOLECULES.
"""

from typing import Any

from podium.games.code4life.bots.base import Code4LifeBot
from podium.games.code4life.bots.champion import Champion
from podium.games.code4life.bots.moves import any_ready
from podium.games.code4life.bots.params import CHAMPION_PARAMS
from podium.games.code4life.catalogue import CAPACITY, DIAGNOSIS, KIND_COST, LABORATORY, MOLECULES, TYPES, unpack
from podium.games.code4life.packed_counts import UNIT
from podium.games.code4life.state import CONNECT_TRAY, DIAGNOSED, GOTO, KIND_MASK, TAKE, left_in_pool
from podium.games.code4life.view import ME, OPPONENT
from podium.games.game import BotKind, Budget
from podium.kernel import copy_of
from podium.model.params import Parameter, ParamSpec

NO_TYPE = -1
PARAMS = ParamSpec(
    "code4life hoarder parameters",
    Parameter("hoard", 4, "molecules of one type that are kept", low=0, high=5),
    Parameter("hoard_rounds", 100, "rounds for which they are kept, from the first visit of MOLECULES", 0, 200),
)


class Hoarder(Code4LifeBot):
    """Plays as the champion would if the hoard were the opponent's."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(params, seed)
        self.champion = Champion(CHAMPION_PARAMS.params(), seed)
        self.hoarded = NO_TYPE
        self.until = 0  # the round in which the hoard is released

    def choose(self, budget: Budget) -> int:
        """A molecule for the hoard while one is to be had, else the champion's choice."""
        state = self.state
        at_molecules = bool(state.location[ME] == MOLECULES and state.eta[ME] == 0)
        if self.hoarded == NO_TYPE and at_molecules:
            self.hoarded = most_missed(state)
            self.until = int(state.played) + int(self.params.hoard_rounds)
        if self.hoarded == NO_TYPE or state.played >= self.until:
            return self.as_champion(state, budget)
        storage, hoard = unpack(state.storage[ME]), int(self.params.hoard)
        room = at_molecules and sum(storage) < CAPACITY
        if room and storage[self.hoarded] < hoard and unpack(left_in_pool(state))[self.hoarded]:
            return TAKE + self.hoarded
        believed = without_hoard(state, self.hoarded, min(storage[self.hoarded], hoard))
        move = self.as_champion(believed, budget)
        if TAKE <= move < CONNECT_TRAY and not room:
            return GOTO + (LABORATORY if any_ready(believed, ME) else DIAGNOSIS)
        return move

    def as_champion(self, state: Any, budget: Budget) -> int:
        """What the champion plays in a state of this game."""
        self.champion.view = self.view
        real, self.view.state = self.view.state, state
        move = self.champion.choose(budget)
        self.view.state, self.thoughts = real, self.champion.thoughts
        return move


def without_hoard(state: Any, kind: int, count: int) -> Any:
    """A copy of the state in which the opponent has the hoard: out of reach, as it shall be."""
    believed = copy_of(state)
    believed.storage[ME] -= UNIT[kind] * UNIT.dtype.type(count)
    believed.storage[OPPONENT] += UNIT[kind] * UNIT.dtype.type(count)
    return believed


def most_missed(state: Any) -> int:
    """The type that the opponent's diagnosed samples miss most; of equal ones that of which most are left."""
    have = [s + e for s, e in zip(unpack(state.storage[OPPONENT]), unpack(state.expertise[OPPONENT]), strict=True)]
    missing = [0] * len(TYPES)
    for sample in state.tray[OPPONENT][: state.carried[OPPONENT]].tolist():
        if sample & DIAGNOSED:
            cost = unpack(KIND_COST[sample & KIND_MASK])
            missing = [m + max(0, c - h) for m, c, h in zip(missing, cost, have, strict=True)]
    left = unpack(left_in_pool(state))
    return max(range(len(TYPES)), key=lambda kind: (missing[kind], left[kind]))


KINDS = (BotKind("hoarder", "the champion around a hoard of molecules of one type", PARAMS, Hoarder),)
