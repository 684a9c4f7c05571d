"""`annealing`: best responses, one player after the other; the non-exhaustive idea of the write-up.

Every explorer has a plan of some turns; at first all wait, or go on with what they planned in the turn before. Then
players are taken one by one, again and again: the plan of one is changed here and there, all plans are simulated
together, and a change is kept if that player likes the outcome better, or, as long as the temperature is high, by
chance even if not (simulated annealing, Kirkpatrick et al. 1983). If the plans settle, nobody gains by changing a plan
alone: an equilibrium. The author warns that they may oscillate instead.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.context import CHOICE_BITS, play_imagined
from podium.games.code_of_kutulu.bots.evaluation import settled_value
from podium.games.code_of_kutulu.bots.params import EVALUATION, MOVES, PREDICTION, SEARCH
from podium.games.code_of_kutulu.bots.searcher import Searcher
from podium.games.code_of_kutulu.state import PLAN, SEATS, WAIT, State, living_seats
from podium.games.game import BotKind, Budget
from podium.kernel import allocate, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_below, draw_unit, generator
from podium.kernel.stack import on_stack
from podium.model.params import Parameter, ParamSpec, adjusted
from podium.model.result import Result

MOST_TURNS = 24
LEAST_PLANS = 8  # plans that a budget of simulated turns must suffice for; else they are shorter
SPECIALS = 3  # PLAN, LIGHT, YELL

PARAMS = ParamSpec(
    "code of kutulu annealing parameters",
    *adjusted(EVALUATION, enemy_sanity=0.3333),
    *MOVES,
    *PREDICTION,
    *SEARCH,
    Parameter("turns", 8, "length of plans in turns", 1, MOST_TURNS),
    Parameter("tries", 150, "changes tried for one player before the next one is taken", 1, 100000),
    Parameter("temperature", 2.0, "initial temperature, in points of the evaluation", 0.0, 1000.0),
    Parameter("cooling", 0.97, "factor of the temperature per try", 0.0, 1.0),
    Parameter("discount", 0.9, "discount per turn, applied to the evaluation after each turn", 0.0, 1.0),
    Parameter("special", 0.08, "probability that a change is PLAN, LIGHT or YELL, for the bot itself only", 0.0, 1.0),
    Parameter("keep_plans", True, "start from the plans of the last turn; off: from waiting (write-up)"),
)


@kernel
def outcome(start: Any, room: Any, plans: Any, params: Any, context: Any, seat: Any, turns: Any) -> float:
    """The value of all plans together for a seat: a weighted mean over the turns, in which early ones weigh more."""
    room[0] = start
    state = room[0]
    total, weight, weights = 0.0, 1.0, 0.0
    value = 0.0
    for turn in range(turns):
        now_turn = state.turn
        while state.turn == now_turn and not state.over:
            play_imagined(state, context, plans[np.int64(state.mover), turn])
        value = settled_value(state, context, seat)
        total += weight * value
        weights += weight
        weight *= params.discount
        if state.over or not state.living >> seat & 1:
            break
    # the end of a game that was cut short counts for the turns that are missing
    for _ in range(turn + 1, turns):
        total += weight * value
        weights += weight
        weight *= params.discount
    return total / weights


@kernel
def changed_choice(params: Any, mine: Any, random: Any) -> Any:
    """A random choice for one turn of a plan."""
    if mine and draw_unit(random) < params.special:
        return PLAN + draw_below(random, SPECIALS)
    return draw_below(random, WAIT + 1)


@kernel
def respond(
    start: Any, room: Any, plans: Any, params: Any, context: Any, seat: Any, turns: Any, tries: Any, random: Any
) -> None:
    """Improve one seat's plan against the others' plans; the best plan met is kept."""
    best = outcome(start, room, plans, params, context, seat, turns)
    present = best
    best_plan = plans[seat].copy()
    temperature = params.temperature
    mine = seat == context.seat
    for _ in range(tries):
        turn = draw_below(random, turns)
        old = plans[seat, turn]
        plans[seat, turn] = changed_choice(params, mine, random)
        value = outcome(start, room, plans, params, context, seat, turns)
        if value >= present or (temperature > 0 and draw_unit(random) < np.exp((value - present) / temperature)):
            present = value
            if value > best:
                best = value
                best_plan[:] = plans[seat]
        else:
            plans[seat, turn] = old
        temperature *= params.cooling
    plans[seat, :] = best_plan


@kernel
def anneal(start: Any, plans: Any, params: Any, context: Any, random: Any, turns: Any, deadline: Any, most: Any) -> Any:
    """Let the players respond to each other until the time or the simulated turns are used up; myself last.

    Returns how many turns were simulated at most.
    """
    room = on_stack(1, State)
    me = context.seat
    simulated = np.int64(0)
    last = min(most // 2, (params.tries + 1) * turns)  # kept for the last response, which is mine
    finished = False
    while not finished:
        for place in range(1, SEATS + 1):
            seat = (me + place) & 3
            if not start.living >> seat & 1:
                continue
            tries = min(params.tries, max(1, (most - last - simulated) // turns - 1))
            respond(start, room, plans, params, context, seat, turns, tries, random)
            simulated += (tries + 1) * turns
            if simulated >= most - last or now() >= deadline:
                finished = True
                break
    tries = min(params.tries, max(1, (most - simulated) // turns - 1))
    respond(start, room, plans, params, context, me, turns, tries, random)
    return simulated + (tries + 1) * turns


class Annealer(Searcher):
    """Improves the plans of all explorers, one best response after the other."""

    def prepare(self) -> None:
        """New plans for all, and a new random generator."""
        self.plans = np.full((SEATS, MOST_TURNS), WAIT, np.int64)
        self.random = generator(self.seed)

    def begin_turn(self) -> None:
        """Move the plans on by a turn; or start over, if the parameters say so."""
        self.plans[:, :-1] = self.plans[:, 1:]
        self.plans[:, -1] = WAIT
        if not self.params.keep_plans:
            self.plans[:] = WAIT

    def observe(self, lines: Sequence[str], line: str) -> None:
        """Read the prompt; the plans go on by a turn."""
        super().observe(lines, line)
        self.begin_turn()

    def search(self, state: Any, context: Any, budget: Budget) -> Result:
        """Anneal; the line is what everybody plans."""
        self.begin_turn()
        until, most = budget.limits
        turns = min(int(self.params.turns), max(1, most // LEAST_PLANS))
        simulated = int(anneal(state, self.plans, self.params, context, self.random, turns, until, most))
        living, seat = living_seats(state), int(context.seat)
        order = [s for s in ((seat + i) % SEATS for i in range(SEATS)) if s in living]
        line = [int(self.plans[s, turn]) | s << CHOICE_BITS for turn in range(turns) for s in order]
        value = float(outcome(state, allocate(State, 1), self.plans, self.params, context, seat, turns))
        return Result(line[0], value, turns * len(living), simulated, line)


KINDS = (BotKind("annealing", "best responses by simulated annealing, one player after the other", PARAMS, Annealer),)
