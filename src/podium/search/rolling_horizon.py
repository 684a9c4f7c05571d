"""Rolling horizon: plans of some turns are improved by random changes, played one turn, and improved again.

Sources: rolling horizon evolution (Perez, Samothrakis, Lucas and Rohlfshagen, "Rolling horizon evolution versus tree
search for navigation in single-player real-time games", 2013); one plan that is mutated is random mutation hill
climbing, and with a temperature simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983). The others are predicted:
each of them has a plan, too, which is improved for its own good against everybody's present plans (best responses). If
the plans settle, nobody gains by changing a plan alone.

A plan is a gene for each turn: a number from 0 to 1 that chooses among the candidates of the position that is reached.
So every plan is legal everywhere, and a sequence can be mutated and crossed without repair.

One search:
 1. Go on with the plans of the last turn, moved by a turn; a new turn's gene is random.
 2. Improve the others' plans, one after the other, then my own, with a number of tries each; again and again until the
    budget is used up, myself last.
 3. A try: with one plan, mutate it. With a population, cross two parents, each the better of two drawn, and mutate.
    The child takes the place of the parent or of the worst plan if its value is not lower, or by chance as long as the
    temperature is high.
 4. The value of a plan is the weighted mean of the evaluations after each turn; the weight of a turn is `discount`
    times that of the turn before.

What it asks of a game: `mover`, `before_turn`, `play`, `is_over`, `final_score`; of a bot: `candidates` and `evaluate`,
and optionally `terminal_value`.
"""

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from podium.kernel import allocate, copy_of, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_below, draw_unit, generator
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import advance, terminal_value
from podium.model.params import Parameter, Value
from podium.model.result import Result, RootMove
from podium.model.rules import before_turn, candidates, evaluate, is_over, legal_moves, mover
from podium.search.base import Search
from podium.search.custom_hooks import Hook
from podium.search.trace import current_recording
from podium.search.turn_trace import plans_trace

MOST_TURNS = 64
MOST_PLANS = 64
MOST_TRIED = 2000  # plans in a trace
NO_MOVE = -1

PARAMETERS = (
    Parameter("horizon", 8, "length of plans in turns", 1, MOST_TURNS),
    Parameter("population", 1, "plans of the searching seat; 1: random mutation of one plan", 1, MOST_PLANS),
    Parameter("tries", 60, "changes tried for one seat before the next one is taken", 1, 100_000),
    Parameter("discount", 0.9, "weight of a turn's evaluation relative to that of the turn before", 0.0, 1.0),
    Parameter("temperature", 0.0, "initial temperature in points of the evaluation; 0: accept no worse plan", 0.0, 1e6),
    Parameter("cooling", 0.97, "factor of the temperature per try", 0.0, 1.0),
    Parameter("predict_others", True, "improve the others' plans for their own good; off: they stay random"),
    Parameter("reuse_plans", True, "go on with the plans of the last turn; off: start from random plans"),
)


class RollingPlans(NamedTuple):
    """The arrays of a search, allocated once. S is the number of seats."""

    states: Any  # [2]: the root, and the position of the simulation
    moves: Any  # int64 [most moves]
    plans: Any  # float64 [S, MOST_TURNS]: the best plan of each seat
    pool: Any  # float64 [MOST_PLANS + 1, MOST_TURNS]: my population; the last is the child
    fitness: Any  # float64 [MOST_PLANS]
    tried: Any  # float64 [N, MOST_TURNS + 1]: the plans tried last for a seat, each with its value behind it; N is 0
    # unless the search is recorded
    spent: Any  # int64 [2]: simulated turns; plans in `tried`


@kernel
def plan_value(work: Any, params: Any, plan: Any, seat: Any) -> float:
    """Step 4: the value of a plan of a seat against the others' plans."""
    work.states[1] = work.states[0]
    state = work.states[1]
    total, weight, weights, value = 0.0, 1.0, 0.0, 0.0
    turn = 0
    while turn < params.horizon:
        if not is_over(state):
            while True:
                chooser = np.int64(mover(state))
                count = np.int64(candidates(state, params, work.moves))
                if count == 0:
                    count = np.int64(legal_moves(state, work.moves))
                gene = plan[turn] if chooser == seat else work.plans[chooser, turn]
                move = work.moves[np.int64(gene * count)]
                advance(state, params, move)
                if is_over(state) or before_turn(state):
                    break
            work.spent[0] += 1
            value = (
                np.float64(terminal_value(state, params, seat))
                if is_over(state)
                else np.float64(evaluate(state, params, seat))
            )
        # an ended game counts for the turns that are missing
        total += weight * value
        weights += weight
        weight *= params.discount
        turn += 1
    return total / weights


@kernel
def mutate(plan: Any, horizon: Any, random: Any) -> None:
    """Change a turn of a plan, and each other one with probability 1 / horizon."""
    chosen = draw_below(random, horizon)
    for turn in range(horizon):
        if turn == chosen or draw_unit(random) * horizon < 1.0:
            plan[turn] = draw_unit(random)


@kernel
def better_of_two(work: Any, population: Any, random: Any) -> Any:
    """A tournament of two plans of the population."""
    one, two = draw_below(random, population), draw_below(random, population)
    return one if work.fitness[one] >= work.fitness[two] else two


@kernel
def make_child(work: Any, params: Any, population: Any, random: Any) -> Any:
    """Step 3: write a child into the last place of the pool; returns the place that it may take."""
    child = work.pool[MOST_PLANS]
    mother: Any = np.int64(0)
    father: Any = np.int64(0)
    worst: Any = np.int64(0)
    if population > 1:
        mother, father = better_of_two(work, population, random), better_of_two(work, population, random)
    for i in range(1, population):
        if work.fitness[i] < work.fitness[worst]:
            worst = i
    for turn in range(params.horizon):
        parent = mother if draw_unit(random) < 0.5 else father
        child[turn] = work.pool[parent, turn]
    mutate(child, params.horizon, random)
    return worst


@kernel
def copy_plan(source: Any, target: Any) -> None:
    """Copy a plan gene by gene; to assign a row of an array would allocate memory, in case that both overlap."""
    for turn in range(source.size):
        target[turn] = source[turn]


@kernel
def note_try(work: Any, plan: Any, value: Any) -> None:
    """Keep a plan that was tried, if there is room."""
    number = work.spent[1]
    if number < work.tried.shape[0]:
        for turn in range(plan.size):
            work.tried[number, turn] = plan[turn]
        work.tried[number, plan.size] = value
        work.spent[1] = number + 1


@kernel
def improve(work: Any, params: Any, seat: Any, population: Any, tries: Any, random: Any) -> float:
    """Improve the plan of a seat against the others' present plans; returns the value of the best one met."""
    best = -np.inf
    work.spent[1] = 0
    for i in range(population):
        for turn in range(params.horizon):
            if i == 0:
                work.pool[i, turn] = work.plans[seat, turn]
        work.fitness[i] = plan_value(work, params, work.pool[i], seat)
        note_try(work, work.pool[i], work.fitness[i])
        if work.fitness[i] > best:
            best = work.fitness[i]
            copy_plan(work.pool[i], work.plans[seat])
    temperature = params.temperature
    for _ in range(tries):
        place = make_child(work, params, population, random)
        child = work.pool[MOST_PLANS]
        value = plan_value(work, params, child, seat)
        note_try(work, child, value)
        gain = value - work.fitness[place]
        if gain >= 0.0 or (temperature > 0.0 and draw_unit(random) < math.exp(gain / temperature)):
            copy_plan(child, work.pool[place])
            work.fitness[place] = value
        if value > best:
            best = value
            copy_plan(child, work.plans[seat])
        temperature *= params.cooling
    return best


@kernel
def tries_within(params: Any, turns: Any, population: Any) -> Any:
    """The tries that a number of simulated turns suffices for, from 1 to `tries`."""
    return max(1, min(params.tries, turns // params.horizon - population))


@kernel
def plan_round(work: Any, params: Any, seat: Any, share: Any, random: Any) -> float:
    """Step 2: improve the others' plans, then mine, each in a share of simulated turns; returns the value of mine."""
    if params.predict_others:
        for step in range(1, work.plans.shape[0]):
            other = (seat + step) % work.plans.shape[0]
            improve(work, params, other, np.int64(1), tries_within(params, share, np.int64(1)), random)
    population = np.int64(params.population)
    return improve(work, params, seat, population, tries_within(params, share, population), random)


class RollingHorizon(Search):
    """Plans improved by mutation (and, with a population, evolution), against the others' predicted plans.

    >>> import podium
    >>> game = podium.load("code4life")
    >>> @podium.kernel
    ... def lead(state, seat):
    ...     return state.score[seat] - state.score[1 - seat]
    >>> result = podium.RollingHorizon(game, evaluate=lead, horizon=6).search(game.initial_state(seed=1), nodes=2000)
    >>> result.depth, result.move in game.legal_moves(game.initial_state(seed=1))
    (12, True)
    """

    title = "rolling horizon"
    parameters = PARAMETERS
    takes_depth = False
    has_plain_twin = False

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` values positions for each seat, `candidates` chooses the moves to consider: kernels.
        """
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates)
        self.require_evaluation()
        self.require_turns()
        self.random = generator(seed)
        self._has_plans = False

    @cached_property
    def work(self) -> RollingPlans:
        """The workspace, allocated when it is first needed."""
        rules = self.rules
        return RollingPlans(
            states=allocate(rules.state, 2),
            moves=np.zeros(rules.most_moves, np.int64),
            plans=np.zeros((rules.seats, MOST_TURNS)),
            pool=np.zeros((MOST_PLANS + 1, MOST_TURNS)),
            fitness=np.zeros(MOST_PLANS),
            tried=np.zeros((0, MOST_TURNS + 1)),
            spent=np.zeros(2, np.int64),
        )

    def begin_turn(self) -> None:
        """Step 1: move all plans on by a turn; call it for a turn that is not searched, too."""
        for plans in (self.work.plans, self.work.pool):
            plans[:, :-1] = plans[:, 1:].copy()
            fresh = plans[:, -1:] if self._has_plans and self.params.reuse_plans else plans
            fresh[:] = [[draw_unit(self.random) for _ in row] for row in fresh]
        self._has_plans = True

    def decide(self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None) -> Result:
        """The first move of the best plan of a seat in a position before a turn.

        A search context takes the parameters' place. Nodes of the budget are simulated turns; with them the clock is
        ignored, and at least one change of each plan is tried.
        """
        self.refuse_within_turn(state)
        self.refuse_unlimited(budget)
        work, params = self.work, self.params if context is None else context
        records = current_recording()
        if records is not None:
            room = min(int(params.population + params.tries), MOST_TRIED)
            work = work._replace(tried=np.zeros((room, MOST_TURNS + 1)))
        self.begin_turn()
        work.states[0] = state
        work.spent[0] = 0
        deadline, limit = budget.limits
        seats = self.rules.seats if params.predict_others else 1
        share = limit // (2 * seats)  # of a seat in a round, so that there are at least two rounds
        value = float(plan_round(work, params, seat, share, self.random))
        while work.spent[0] + share * seats <= limit and now() < deadline:
            value = float(plan_round(work, params, seat, share, self.random))
        result = self._result(state, seat, params, value)
        if records is not None:
            records.append(plans_trace(self, work, state, seat, params, result))
        return result

    def _result(self, state: Any, seat: int, params: Any, value: float) -> Result:
        """What all do by their plans, turn by turn."""
        work, line, own = self.work, list[int](), NO_MOVE
        nodes, position = int(work.spent[0]), copy_of(state)
        for turn in range(int(params.horizon)):
            while not is_over(position):
                chooser = int(mover(position))
                count = int(candidates(position, params, work.moves)) or int(legal_moves(position, work.moves))
                line.append(int(work.moves[int(work.plans[chooser, turn] * count)]))
                if own == NO_MOVE and chooser == seat:
                    own = line[-1]
                advance(position, params, line[-1])
                if before_turn(position):
                    break
        move = line[0] if own == NO_MOVE else own
        return Result(move, value, len(line), nodes, line, options=(RootMove(move, value, nodes, line=line),))
