"""The beam search bots: `champion`, `writeup`, `solo` and `racer`.

They follow Agade's write-up (2nd place): first a fast beam search for the other player, as if I rested; then mine, in
which the opponent follows that plan, padded with REST; a step that has become impossible is a REST too. The answer is
the first move of the best sequence of the last finished depth.

`writeup` has the write-up's numbers; `solo` has them too but ignores the other player, and so does `racer`, to which
any potion is good. `champion` knows the single spells' values and considers two opponent models: one that assumes that
I rest, as in the write-up, and one that, like `writeup` itself, plans against my plan (levels 0 and 1 of a cognitive
hierarchy: Camerer, Ho and Chong 2004). It uses the model that has predicted the opponent's moves better so far.

What the author tried without success is a switch in all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from random import Random
from statistics import fmean
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020 import GAME
from podium.games.fall_challenge_2020.bots.context import (
    context_of,
    expecting,
    fall_advance,
    fall_evaluate,
    planned,
)
from podium.games.fall_challenge_2020.bots.params import (
    CHAMPION_PARAMS,
    NAIVE,
    RACER_PARAMS,
    SOLO_PARAMS,
    WARY,
    WHICHEVER,
    WRITEUP_PARAMS,
)
from podium.games.fall_challenge_2020.cards import CAPACITY, DELTAS, ORDER_DELTAS, ORDERS, SPELLS, TOME_SPELLS
from podium.games.fall_challenge_2020.legality import is_legal
from podium.games.fall_challenge_2020.protocol import readable
from podium.games.fall_challenge_2020.rules import act, fall_final_score, fall_is_over
from podium.games.fall_challenge_2020.state import (
    BREW,
    COUNTER_PLACES,
    ORDERS_EVER_SEEN,
    REST,
    WAIT,
    State,
    card_at,
    kind_of,
    reset,
)
from podium.games.fall_challenge_2020.view import ME, OTHER, View
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.view import ViewBot
from podium.kernel import blank
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.model.result import Proof, Result
from podium.search.beam import Beam

BEAMS = (1, 2, 3)  # number of beams that predicting the opponent takes, by level
TRUST_KEPT = 0.9  # factor of a model's score per turn: recent predictions count more
BELIEVES = "believes that it wins"  # the note of such thoughts
OBSERVING = Budget(nodes=10_000)  # of each such beam where a game is only followed
ENDS = 10_000.0  # size of a value, in rupees, from which on it is that of a won or lost game
BELIEVED = 0.83, 0.06  # share of the points after values of a won, or lost, game (431 games, widths 150 and 60)


def believed(value: float) -> float | None:
    """The win probability where a sequence ends the game; None for the rupees that it gains before."""
    if abs(value) < ENDS:
        return None
    return BELIEVED[0] if value > 0 else BELIEVED[1]


def shown(state: Any) -> tuple[Any, ...]:
    """What the next prompt shows of what the other player did."""
    return state.owned[OTHER], state.ready[OTHER], state.inventory[OTHER].tolist(), state.score[OTHER]


def is_stuck(state: Any) -> bool:
    """Whether I can cast none of my spells, rested or not, and brew no order, in a game that goes on."""
    spells = [DELTAS[spell] for spell in range(SPELLS) if int(state.owned[ME]) >> spell & 1]
    orders = [
        ORDER_DELTAS[order] for place in range(COUNTER_PLACES) if (order := card_at(state.counter, place)) < ORDERS
    ]
    bags = state.inventory[ME] + np.array(spells + orders)
    possible = (bags >= 0).all(axis=1) & (bags.sum(axis=1) <= CAPACITY)
    return not possible.any() and not fall_is_over(state)


class Champion(ViewBot):
    """Searches the other player's plan, then its own answer to it."""

    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params
        self.plan: list[int] = []  # what the other player is expected to do
        self._considered: list[list[int]] = []  # all that it may do, by the models
        self.line: list[int] = []  # what I expect to do
        width, depth = int(max(params.width, params.opponent_width)), int(max(params.depth, params.opponent_depth))
        self.beam = Beam(GAME, params, most_width=width, most_depth=depth)
        opponent_params = params if params.opponent_mirror else WRITEUP_PARAMS.params()
        self._context = context_of(params, ME)  # these three before anything is expected
        self._opponent_contexts = (
            context_of(opponent_params, ME),
            context_of(opponent_params, OTHER),
        )  # by the seat that it plans for
        self._guesses: dict[int, Any] = {}  # by level: the position after the predicted move
        self._trust = {NAIVE: 0.0, WARY: 0.0}
        self._searched = blank(State)  # the position that the beams begin with
        self._nodes = 0  # of all beams of this turn
        self._random = Random(seed)

    def warm_up(self) -> None:
        """Compile the search, or load it, and nothing that a game does not need: the first answer has one second."""
        reset(self._searched)
        self._beam(self._context, [], Budget(nodes=1), width=1, depth=1)
        self._after(REST)

    def choose(self, budget: Budget) -> int:
        """The first move of my best sequence."""
        start = now()
        self._begin()
        self.plan = self._opponent_plan(budget, start) if self.params.opponent else []
        before = float(self.params.opponent_time_share) if self.params.opponent else 0.0
        own = self._allowance(budget, start, before, before + float(self.params.time_share))
        found = self._beam(self._context, self.plan, own)
        self.line = found.line
        if self.params.escape and self._ends_stuck(found.line):
            found = self._escaped(found, self._left(own, found.nodes))
            self.line = found.line
        if self.params.opponent and self.params.replies and self._ends_the_game():
            end = before + float(self.params.time_share)
            found = self._hedged(found, self._rest(budget, start, end + float(self.params.reply_time_share)))
        self.thoughts = self._thoughts(found, (now() - start) / SECOND)
        return found.move

    def observe(self, lines: Sequence[str], line: str) -> None:
        """Read prompt and answer; and predict the opponent's move, which tells later which model fits."""
        super().observe(lines, line)
        self._begin()
        if self.params.opponent and self.params.opponent_level == WHICHEVER:
            self._likelier(self._plans([OBSERVING] * BEAMS[WHICHEVER]))

    def _begin(self) -> None:
        """Take the present position as the beginning of all beams of this turn."""
        self._nodes = 0
        self._searched = self.state.copy()
        if self.params.sample_decks:
            self._imagine(self._searched)

    def _opponent_plan(self, budget: Budget, start: int) -> list[int]:
        """What the other player is expected to do."""
        level, share = int(self.params.opponent_level), float(self.params.opponent_time_share)
        ends = [share * done / BEAMS[level] for done in range(BEAMS[level] + 1)]
        plans = self._plans([self._allowance(budget, start, *part) for part in pairwise(ends)])
        self._considered = list(plans.values())
        return self._likelier(plans) if level == WHICHEVER else plans[level]

    def _plans(self, budgets: Sequence[Budget]) -> dict[int, list[int]]:
        """The opponent's plans, by the levels that are considered; a budget for each beam that they take."""
        level, plans, given = int(self.params.opponent_level), {}, iter(budgets)
        if level != WARY:
            plans[NAIVE] = self._plan(OTHER, [], next(given))
        if level != NAIVE:
            mine = self._plan(ME, [], next(given))
            plans[WARY] = self._plan(OTHER, mine, next(given))
        return plans

    def _likelier(self, plans: dict[int, list[int]]) -> list[int]:
        """The plan of the model that has predicted the opponent better; of equals the wary one."""
        for level, guess in self._guesses.items():
            self._trust[level] = TRUST_KEPT * self._trust[level] + (shown(guess) == shown(self.state))
        self._guesses = {level: self._after(plan[0]) for level, plan in plans.items()}
        return plans[NAIVE if self._trust[NAIVE] > self._trust[WARY] else WARY]

    def _after(self, move: int) -> Any:
        """The position with a move of the other player carried out, if it can be."""
        state = self.state.copy()
        if is_legal(state, OTHER, move):
            act(state, np.int64(OTHER), move)
        return state

    def _imagine(self, state: Any) -> None:
        """Fill the decks with what they may hold: the cards not seen yet, in any order."""
        seen = set(self._spells_seen())
        spells = [spell for spell in range(TOME_SPELLS) if spell not in seen]
        orders = [order for order in range(ORDERS) if order not in self.view.orders_seen]
        self._random.shuffle(spells)
        self._random.shuffle(orders)
        state.tome_deck[state.spells_drawn :] = spells[: TOME_SPELLS - state.spells_drawn]
        state.order_deck[state.orders_drawn :] = orders[: ORDERS_EVER_SEEN - state.orders_drawn]

    def _spells_seen(self) -> list[int]:
        owned = int(self.state.owned[ME]) | int(self.state.owned[OTHER])
        learnt = [spell for spell in range(TOME_SPELLS) if owned >> spell & 1]
        return learnt + [card_at(self.state.tome, place) for place in range(self.state.tome_size)]

    def _allowance(self, budget: Budget, start: int, begin: float, end: float) -> Budget:
        """What a beam may use that begins and ends when these shares of the time limit are used.

        Nodes are divided as the time is: the write-up's opponent gets 10 of 40 ms, a quarter.
        """
        if budget.nodes:
            used = self.params.time_share + self.params.opponent_time_share * self.params.opponent
            return budget.part((end - begin) / float(used))
        limit = min(budget.deadline - start, int(self.params.max_time * MILLISECOND))
        return budget.until(start + int(limit * end))

    def _plan(self, seat: int, plan: Sequence[int], budget: Budget) -> list[int]:
        """The best sequence that a beam of the smaller size finds for a seat, by the opponent's evaluation."""
        width, depth = int(self.params.opponent_width), int(self.params.opponent_depth)
        context = self._opponent_contexts[seat]
        return self._beam(context, plan, budget, width=width, depth=depth, separate=False, top=0).line

    def _beam(self, context: Any, plan: Sequence[int], budget: Budget, **changes: Any) -> Result:
        """One beam for the seat of a search context, while the other follows a plan."""
        expected = expecting(context, int(self.state.turn), plan)
        result = self.beam.decide(self._searched, int(context.seat), budget, context=expected, **changes)
        self._nodes += result.nodes
        return result

    def _rest(self, budget: Budget, start: int, end: float) -> Budget:
        """What is left of the nodes, or of the time up to a share of the limit."""
        if budget.nodes:
            return Budget(nodes=max(1, budget.nodes - self._nodes))
        return self._allowance(budget, start, 0.0, end)

    def _escaped(self, found: Result, budget: Budget) -> Result:
        """A better sequence that does not end so, of beams for each first move; if there is none, the one found.

        One beam can fill up with positions that hoard, where another one finds a sequence that brews.
        """
        if budget.nodes == 1 or (not budget.nodes and now() >= budget.deadline):
            return found
        others = self._beam(self._context, self.plan, budget, separate=True)
        best = next((option for option in others.options if not self._ends_stuck(option.line)), None)
        if best is None or best.value <= found.value or (others.depth < found.depth and best.proof != Proof.WIN):
            return found
        return replace(found, move=best.move, value=best.value, line=list(best.line), proof=best.proof)

    def _left(self, budget: Budget, nodes: int) -> Budget:
        """What is left of a budget after a beam with these nodes."""
        return Budget(nodes=max(1, budget.nodes - nodes)) if budget.nodes else budget

    def _ends_stuck(self, line: Sequence[int]) -> bool:
        """Whether a sequence brews nothing, and ends with a bag with which nothing can be cast or brewed."""
        if any(kind_of(move) == BREW for move in line):
            return False
        state = self.state.copy()
        context = expecting(self._context, int(state.turn), self.plan)
        for move in line:
            fall_advance(state, context, move)
        return is_stuck(state)

    def _ends_the_game(self) -> bool:
        """Whether the game is over after my expected moves."""
        return any(fall_is_over(state) for *_, state in self.forecast())

    def _hedged(self, found: Result, budget: Budget) -> Result:
        """Of a sequence and my answers to the other player's best replies, the one whose first move is best on average.

        The plan becomes that which the sequence answers; it is a proven win only if I win against all plans. If the
        budget does not suffice, all stays as it is.
        """
        begin, plans = self._nodes, [self.plan, *(plan for plan in self._considered if plan != self.plan)]
        answers = {found.move: (found, self.plan)}
        line = found.line
        for _ in range(int(self.params.replies)):
            reply = self._plan(OTHER, line, self._unspent(budget, begin))
            if reply in plans or self._spent(budget, begin):
                break
            plans.append(reply)
            answer = self._beam(self._context, reply, self._unspent(budget, begin))
            answers.setdefault(answer.move, (answer, reply))
            line = answer.line
        values: dict[int, list[tuple[float, bool]]] = {move: [] for move in answers}
        for move, plan in product(answers, plans):
            values[move].append(self._value_against(move, plan, self._unspent(budget, begin)))
            if self._spent(budget, begin):
                return found
        best = max(values, key=lambda move: fmean(value for value, _ in values[move]))
        found, self.plan = answers[best]
        self.line = found.line
        return found if all(won for _, won in values[best]) else replace(found, proof=Proof.NONE)

    def _spent(self, budget: Budget, begin: int) -> bool:
        """Whether a budget is used up, of which the first node was number `begin` of this turn."""
        return self._nodes - begin >= budget.nodes if budget.nodes else now() >= budget.deadline

    def _unspent(self, budget: Budget, begin: int) -> Budget:
        """What is left of such a budget."""
        return Budget(nodes=max(1, budget.nodes - (self._nodes - begin))) if budget.nodes else budget

    def _value_against(self, move: int, plan: Sequence[int], budget: Budget) -> tuple[float, bool]:
        """The value of my best sequence with a first move against a plan, and whether it wins: by the smaller beam."""
        state, discount = self._searched.copy(), float(self.params.discount)
        context = expecting(self._context, int(state.turn), plan)
        before = float(fall_evaluate(state, context, ME))
        fall_advance(state, context, move)
        value = discount * (float(fall_evaluate(state, context, ME)) - before)
        if fall_is_over(state):
            return value, bool(fall_final_score(state, ME) > 0)
        width, depth = int(self.params.opponent_width), max(1, int(self.params.depth) - 1)
        rest = self.beam.decide(state, ME, budget, context=context, width=width, depth=depth, separate=False, top=0)
        self._nodes += rest.nodes
        return value + discount * rest.value, rest.proof == Proof.WIN

    def alternatives(self, budget: Budget, only: Sequence[int] = ()) -> list[Option]:
        """All first moves against the plan of the last choice, each with its own beam; all valued at one depth."""
        found = self._beam(self._context, self.plan, budget, separate=True, only=only)
        return [Option(readable(c.move), c.value, line=[readable(move) for move in c.line]) for c in found.options]

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Moves against the plan of the last choice, each with its own beam; None for those that are not considered."""
        legal = [move for move in moves if move != WAIT and is_legal(self.state, ME, move)]
        known = {option.move: option for option in self.alternatives(budget, legal)} if legal else {}
        return [known.get(readable(move)) for move in moves]

    def forecast(self) -> Iterator[tuple[int, int, Any]]:
        """Both players' expected moves and the position after them, turn by turn."""
        states = np.array([self.state]).view(np.recarray)
        context = expecting(self._context, int(self.state.turn), self.plan)
        for mine in self.line:
            theirs = int(planned(states[0], context))
            fall_advance(states[0], context, mine)
            yield mine, theirs, states[0]

    def _thoughts(self, found: Result, seconds: float) -> Thoughts:
        line = [readable(move) for move in found.line]
        theirs = [readable(move) for move in self.plan]
        return Thoughts(
            value=found.value,
            unit="rupees",
            depth=found.depth,
            nodes=self._nodes,
            seconds=seconds,
            line=line,
            options=[Option(line[0], found.value, line=line)],
            note=BELIEVES if found.proof == Proof.WIN else "",
            beliefs={"plan of the other player": theirs} if theirs else {},
        )


KINDS = (
    BotKind(
        "champion",
        "beam search against the other player's planned moves, with spell values",
        CHAMPION_PARAMS,
        Champion,
        least_nodes=500,
        least_nodes_measured="95 % against greedy in 40 games",
        win_probability=believed,
        own_lines=True,
    ),
    BotKind(
        "writeup", "the same with the numbers of the runner-up's write-up", WRITEUP_PARAMS, Champion, own_lines=True
    ),
    BotKind("solo", "the same without a model of the other player", SOLO_PARAMS, Champion, own_lines=True),
    BotKind(
        "racer",
        "ignores the other player and brews six potions as fast as it can",
        RACER_PARAMS,
        Champion,
        own_lines=True,
    ),
)
