"""`shelter`: rests on filled shelters, and waits near them for the next filling. An opponent of another style.

It is `greedy` with one more attraction: of the shelters that would heal more than the turns alone on the way and on
them cost, the nearest one pulls. One that stands empty counts from its next filling on. No search.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots import greedy
from podium.games.code_of_kutulu.bots.greedy import Greedy, cell_value
from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL, SHELTER_CELL, SHELTERS, walk
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import (
    MOST_SANITY,
    SEATS,
    SHELTER_ENERGY,
    SHELTER_HEAL,
    SHELTER_RHYTHM,
    WAIT,
)
from podium.games.game import BotKind
from podium.kernel import kernel
from podium.model.params import Parameter, ParamSpec, adjusted

PARAMS = ParamSpec(
    "code of kutulu shelter parameters",
    Parameter("pull", 6.0, "points per step that a shelter worth a rest is nearer than pull_range", low=0),
    Parameter("pull_range", 25, "longest wait in turns for a rest, on the way or for the filling", low=0, high=63),
    Parameter("alone", 0.5, "share of what a turn alone costs that is taken off the gain of a rest", low=0, high=1),
    Parameter("least_gain", 5.0, "sanity that a rest must gain", low=0, high=250),
    *adjusted(greedy.PARAMS, shelter=0.0),
)


@kernel
def turns_to_filling(state: Any) -> Any:
    """How many turns it takes until shelters heal after their next filling, at the end of turns 50, 100 and 150."""
    turn = np.int64(state.turn)
    fillings: Any = max(1, (turn + SHELTER_RHYTHM - 1) // SHELTER_RHYTHM)
    return fillings * SHELTER_RHYTHM - turn + 2


@kernel
def shared_energy(state: Any, seat: Any, index: Any, energy: Any) -> Any:
    """The part of a shelter's energy for a seat: those who stand on it already use it up with me."""
    users = 1
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            users += state.cell[other] == SHELTER_CELL[state.maze, index]
    return energy // users


@kernel
def rest_value(state: Any, params: Any, seat: Any, cell: Any) -> float:
    """The pull of the best shelter that is worth a rest, for a seat that stands on a cell."""
    best = 0.0
    missing = MOST_SANITY - np.int64(state.sanity[seat])
    price = params.alone * (np.int64(state.lonely) - np.int64(state.group))
    for index in range(SHELTERS[state.maze]):
        distance = walk(state.maze, cell, SHELTER_CELL[state.maze, index])
        energy, wait = np.int64(state.shelter[index]), distance
        if energy <= distance // 4:  # used up by others before I am there
            energy, wait = np.int64(SHELTER_ENERGY), max(distance, turns_to_filling(state))
        energy = shared_energy(state, seat, index, energy)
        gain = min(SHELTER_HEAL * energy, missing + wait) - price * (energy + distance)
        if wait <= params.pull_range and gain >= params.least_gain:
            best = max(best, params.pull * (params.pull_range - distance))
    return best


@kernel
def restful_step(state: Any, params: Any, seat: Any) -> Any:
    """The direction of the best cell around, or WAIT."""
    here = np.int64(state.cell[seat])
    best, value = WAIT, cell_value(state, params, seat, here) + rest_value(state, params, seat, here)
    for direction in range(4):
        there = np.int64(NEIGHBOUR[state.maze, here, direction])
        if there != NO_CELL:
            other = cell_value(state, params, seat, there) + rest_value(state, params, seat, there)
            if other > value:
                best, value = direction, other
    return best


class ShelterUser(Greedy):
    """Goes to the best cell next to it, towards a rest."""

    def step(self) -> int:
        """The best step, with shelters in mind."""
        return int(restful_step(self.state, self.params, self.seat))

    def warm_up(self) -> None:
        """Compile by valuing the start of some game, too."""
        super().warm_up()
        restful_step(initial_state(0), self.params, 0)


KINDS = (
    BotKind("shelter", "like greedy, and rests on filled shelters or waits there for the filling", PARAMS, ShelterUser),
)
