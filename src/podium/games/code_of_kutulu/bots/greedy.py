"""`greedy`: run from minions, towards explorers. The baseline that the contest's forum put into the Silver league.

No search: each cell that can be reached in this turn is valued by the minions, explorers and shelters around it, as
they stand now. PLAN, LIGHT and YELL follow simple rules.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL, SHELTER_CELL, SHELTERS, crow, sees, walk
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import (
    COMPANY_RADIUS,
    LIGHT,
    PLAN,
    PLAN_RADIUS,
    RUSHING,
    SEATS,
    SPAWNING,
    STALKING,
    WAIT,
    WANDERING,
    YELL,
)
from podium.games.code_of_kutulu.view import View, legal_choices
from podium.games.game import BotKind, Budget
from podium.games.view import RuleBot
from podium.kernel import kernel
from podium.model.params import Parameter, ParamSpec

PARAMS = ParamSpec(
    "code of kutulu greedy parameters",
    Parameter("spook", 20.0, "sanity lost to a wanderer that steps onto the cell (rules: 20)", low=0),
    Parameter("fear", 2.0, "points per step that an awake wanderer is nearer than fear_range", low=0),
    Parameter("fear_range", 6, "distance in steps within which wanderers count", low=0, high=45),
    Parameter("shared_fear", 0.4, "factor for a wanderer to which another explorer is nearer", low=0, high=1),
    Parameter("sight", 12.0, "points lost in the line of sight of a stalking or rushing slasher", low=0),
    Parameter("loneliness", 1.5, "points lost per step beyond company to the nearest explorer", low=0),
    Parameter("crowd", 0.1, "points lost per step to each explorer", low=0),
    Parameter("exits", 0.7, "points per walkable neighbour of the cell: dead ends are traps", low=0),
    Parameter("shelter", 0.5, "points per step that a filled shelter is nearer than 10, when sanity is missing", low=0),
    Parameter("plan_below", 215, "sanity below which a PLAN is used", low=0, high=251),
    Parameter("plan_company", 1, "explorers that must be in the radius of the PLAN", low=0, high=3),
    Parameter(
        "light_range",
        4,
        "use a LIGHT if a wanderer is within this many steps and other explorers are farther",
        low=0,
        high=45,
    ),
    Parameter("yell_range", 3, "YELL at a neighbour if a wanderer is within this many steps of both", low=0, high=45),
)


@kernel
def wanderer_fear(state: Any, params: Any, seat: Any, cell: Any) -> float:
    """Points lost on a cell to the wanderers around it."""
    total = 0.0
    for i in range(np.int64(state.minions)):
        if state.slasher[i] or (state.mode[i] == SPAWNING and state.timer[i] > 2):
            continue
        distance = walk(state.maze, state.where[i], cell)
        if distance > params.fear_range:
            continue
        nearer = False
        for other in range(SEATS):
            if other != seat and state.living >> other & 1:
                nearer |= walk(state.maze, state.where[i], state.cell[other]) < distance
        factor = params.shared_fear if nearer else 1.0
        if distance <= 1 and state.mode[i] != SPAWNING:
            total += params.spook * factor
        total += params.fear * (params.fear_range - distance) * factor
    return total


@kernel
def slasher_fear(state: Any, params: Any, cell: Any) -> float:
    """Points lost on a cell in the lines of sight of slashers about to rush."""
    total = 0.0
    for i in range(np.int64(state.minions)):
        if not state.slasher[i] or not sees(state.maze, state.where[i], cell):
            continue
        mode = state.mode[i]
        if mode in (RUSHING, STALKING):
            total += params.sight
        elif mode == WANDERING or (mode == SPAWNING and state.timer[i] <= 2):
            total += params.sight / 2
    return total


@kernel
def company(state: Any, params: Any, seat: Any, cell: Any) -> Any:
    """Points lost on a cell for being away from the others."""
    nearest, total = 45, 0.0
    for other in range(SEATS):
        if other != seat and state.living >> other & 1:
            distance = walk(state.maze, cell, state.cell[other])
            total += params.crowd * distance
            if crow(state.maze, cell, state.cell[other]) <= COMPANY_RADIUS:
                distance = min(distance, COMPANY_RADIUS)
            nearest = min(nearest, distance)
    return total + params.loneliness * max(0, nearest - COMPANY_RADIUS)


@kernel
def comfort(state: Any, params: Any, seat: Any, cell: Any) -> float:
    """Points of a cell for exits and shelters."""
    total = 0.0
    for direction in range(4):
        if NEIGHBOUR[state.maze, cell, direction] != NO_CELL:
            total += params.exits
    if state.sanity[seat] < 240:
        for index in range(SHELTERS[state.maze]):
            if state.shelter[index]:
                total += params.shelter * max(0, 10 - walk(state.maze, cell, SHELTER_CELL[state.maze, index]))
    return total


@kernel
def cell_value(state: Any, params: Any, seat: Any, cell: Any) -> Any:
    """How good it is to stand on a cell after this turn's moves."""
    fear = wanderer_fear(state, params, seat, cell) + slasher_fear(state, params, cell)
    return comfort(state, params, seat, cell) - fear - company(state, params, seat, cell)


@kernel
def best_step(state: Any, params: Any, seat: Any) -> Any:
    """The direction of the best cell around, or WAIT."""
    here = np.int64(state.cell[seat])
    best, value = WAIT, cell_value(state, params, seat, here)
    for direction in range(4):
        there = np.int64(NEIGHBOUR[state.maze, here, direction])
        if there != NO_CELL:
            other = cell_value(state, params, seat, there)
            if other > value:
                best, value = direction, other
    return best


@kernel
def nearest_wanderer(state: Any, cell: Any) -> Any:
    """The walking distance of the nearest awake wanderer."""
    nearest = 45
    for i in range(np.int64(state.minions)):
        if not state.slasher[i] and state.mode[i] == WANDERING:
            nearest = min(nearest, walk(state.maze, state.where[i], cell))
    return nearest


class Greedy(RuleBot):
    """Goes to the best cell next to it."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params

    def choose(self, budget: Budget) -> int:
        """PLAN, YELL and LIGHT where they promise something, else the best step."""
        state, params, seat = self.state, self.params, self.seat
        legal = set(legal_choices(state))
        here = int(state.cell[seat])
        others = [s for s in range(SEATS) if s != seat and state.living >> s & 1]
        distances = [walk(state.maze, here, state.cell[other]) for other in others]
        danger = nearest_wanderer(state, here)
        healed = sum(distance <= PLAN_RADIUS for distance in distances)
        worth_a_plan = state.sanity[seat] < params.plan_below and healed >= min(params.plan_company, len(others))
        if PLAN in legal and worth_a_plan and danger > 1:
            return PLAN
        if YELL in legal and 1 < danger <= params.yell_range:
            return YELL
        if LIGHT in legal and 1 < danger <= params.light_range and max(distances, default=0) > params.light_range:
            return LIGHT
        return self.step()

    def step(self) -> int:
        """The best step by the parameters; a subclass may value cells in another way."""
        return int(best_step(self.state, self.params, self.seat))

    def warm_up(self) -> None:
        """Compile by valuing the start of some game."""
        state = initial_state(0)
        best_step(state, self.params, 0)
        nearest_wanderer(state, 0)


KINDS = (BotKind("greedy", "runs from minions, towards explorers; no search", PARAMS, Greedy),)
