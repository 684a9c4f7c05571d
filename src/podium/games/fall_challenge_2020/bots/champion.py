"""The beam search bots: `champion`, `writeup` and `solo`.

They follow Agade's write-up (2nd place): first a fast beam search for the other player, as if I rested; then mine,
in which he follows that plan, padded with REST, and what of it has become impossible is a REST. The answer is the first
move of the best sequence of the last finished depth.

`writeup` has the write-up's numbers; `solo` has them too but ignores the other player. `champion` knows the single
spells' values and considers two kinds of opponent: one who takes me for resting, as in the write-up, and one who,
like `writeup` itself, has thought of my plan before making his own (levels 0 and 1 of a cognitive hierarchy: Camerer,
Ho and Chong 2004). It believes the kind that has foretold his moves better so far.

What the author tried without success is a switch of all three.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.bots.mind import (
    CHAMPION_MINDS,
    NAIVE,
    SOLO_MINDS,
    WARY,
    WHICHEVER,
    WRITEUP_MINDS,
)
from podium.games.fall_challenge_2020.bots.outlook import expecting, fall_advance, outlook_of, planned
from podium.games.fall_challenge_2020.cards import ORDERS, TOME_SPELLS
from podium.games.fall_challenge_2020.legality import is_legal
from podium.games.fall_challenge_2020.protocol import readable
from podium.games.fall_challenge_2020.rules import act
from podium.games.fall_challenge_2020.state import MOST_MOVES, ORDERS_EVER_SEEN, REST, State, card_at, reset
from podium.games.fall_challenge_2020.view import ME, OTHER, View
from podium.games.follow import Follower
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.kernel import blank
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.search.beam import Beam
from podium.search.result import Proof, Result

BEAMS = (1, 2, 3)  # that foretelling his plan takes, by level
TRUST_KEPT = 0.9  # of a kind of plan per turn; what it foretold lately counts for more
FORETELLING = Budget(nodes=10_000)  # of each such beam where a game is only followed


def shown(state: Any) -> tuple[Any, ...]:
    """What the next prompt shows of what the other player did."""
    return state.owned[OTHER], state.ready[OTHER], state.inventory[OTHER].tolist(), state.score[OTHER]


class Champion(Follower):
    """Searches the other player's plan, then its own answer to it."""

    view: View

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.mind = mind
        self.plan: list[int] = []  # what the other player is expected to do
        self.line: list[int] = []  # what I expect to do
        width, depth = int(max(mind.width, mind.opponent_width)), int(max(mind.depth, mind.opponent_depth))
        self.beam = Beam(State, mind, MOST_MOVES, width, depth)
        his_mind = mind if mind.mirror else WRITEUP_MINDS.mind()
        self._outlook = outlook_of(mind, ME)  # these three before anything is expected
        self._his_outlooks = outlook_of(his_mind, ME), outlook_of(his_mind, OTHER)  # by the seat that he plans for
        self._guesses: dict[int, Any] = {}  # by level: the position after the move of his that it foretold
        self._trust = {NAIVE: 0.0, WARY: 0.0}
        self._searched = blank(State)  # the position that the beams begin with
        self._nodes = 0  # of all beams of this turn
        self._random = Random(seed)

    def warm_up(self) -> None:
        """Compile the search, or load it, and nothing that a game does not need: the first answer has one second."""
        reset(self._searched)
        self._beam(self._outlook, [], Budget(nodes=1), width=1, depth=1)
        self._after(REST)

    def choose(self, budget: Budget) -> int:
        """The first move of my best sequence."""
        start = now()
        self._begin()
        self.plan = self._his_plan(budget, start) if self.mind.opponent else []
        share = self.mind.time + self.mind.opponent_time * self.mind.opponent
        found = self._beam(self._outlook, self.plan, self._allowance(budget, start, share))
        self.line = found.line
        self.thoughts = self._thoughts(found, (now() - start) / SECOND)
        return found.move

    def follow(self, lines: Sequence[str], line: str) -> None:
        """Read prompt and answer; and foretell the other player's move, by which his kind is known later."""
        super().follow(lines, line)
        self._begin()
        if self.mind.opponent and self.mind.level == WHICHEVER:
            self._likelier(self._plans([FORETELLING] * BEAMS[WHICHEVER]))

    def _begin(self) -> None:
        """Take the present position as the beginning of all beams of this turn."""
        self._nodes = 0
        self._searched = self.state.copy()
        if self.mind.imagine:
            self._imagine(self._searched)

    def _his_plan(self, budget: Budget, start: int) -> list[int]:
        """What the other player is expected to do."""
        level, share = int(self.mind.level), float(self.mind.opponent_time)
        beams = BEAMS[level]
        plans = self._plans([self._allowance(budget, start, share * done / beams) for done in range(1, beams + 1)])
        return self._likelier(plans) if level == WHICHEVER else plans[level]

    def _plans(self, budgets: Sequence[Budget]) -> dict[int, list[int]]:
        """What he would do, by the levels that are considered; a budget for each beam that it takes."""
        level, plans, given = int(self.mind.level), {}, iter(budgets)
        if level != WARY:
            plans[NAIVE] = self._plan(OTHER, [], next(given))
        if level != NAIVE:
            mine = self._plan(ME, [], next(given))
            plans[WARY] = self._plan(OTHER, mine, next(given))
        return plans

    def _likelier(self, plans: dict[int, list[int]]) -> list[int]:
        """The plan of the kind of opponent that has foretold his moves better; of equals the wary one."""
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

    def _allowance(self, budget: Budget, start: int, share: float) -> Budget:
        """What a beam may use that ends when this share of all the time is used."""
        if budget.nodes:
            return budget.part(Fraction(1, 1 + BEAMS[int(self.mind.level)] * int(self.mind.opponent)))
        limit = min(budget.deadline - start, int(self.mind.longest * MILLISECOND))
        return budget.until(start + int(limit * share))

    def _plan(self, seat: int, plan: Sequence[int], budget: Budget) -> list[int]:
        """The best sequence that a beam of the smaller size finds for a seat, as he is taken to value it."""
        width, depth = int(self.mind.opponent_width), int(self.mind.opponent_depth)
        outlook = self._his_outlooks[seat]
        return self._beam(outlook, plan, budget, width=width, depth=depth, separate=False, top=0).line

    def _beam(self, outlook: Any, plan: Sequence[int], budget: Budget, **changes: Any) -> Result:
        """One beam for the seat of an outlook, while the other follows a plan."""
        expected = expecting(outlook, int(self.state.turn), plan)
        result = self.beam.search(self._searched, int(outlook.seat), budget, outlook=expected, **changes)
        self._nodes += result.nodes
        return result

    def alternatives(self, budget: Budget) -> list[Option]:
        """All first moves against the plan of the last choice, each with a beam of its own; valued at one depth."""
        found = self._beam(self._outlook, self.plan, budget, separate=True)
        return [Option(readable(c.move), c.value, line=[readable(move) for move in c.line]) for c in found.options]

    def weigh(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Moves against the plan of the last choice, among the beams of all first moves."""
        known = {option.move: option for option in self.alternatives(budget)}
        return [known.get(readable(move)) for move in moves]

    def forecast(self) -> Iterator[tuple[int, int, Any]]:
        """Both players' expected moves and the position after them, turn by turn."""
        states = np.array([self.state]).view(np.recarray)
        outlook = expecting(self._outlook, int(self.state.turn), self.plan)
        for mine in self.line:
            theirs = int(planned(states[0], outlook))
            fall_advance(states[0], outlook, mine)
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
            note="believes that it wins" if found.proof == Proof.WIN else "",
            beliefs={"plan of the other player": theirs} if theirs else {},
        )


KINDS = (
    BotKind(
        "champion",
        "beam search against the other player's planned moves, with spell values",
        CHAMPION_MINDS,
        Champion,
    ),
    BotKind("writeup", "the same with the numbers of the runner-up's write-up", WRITEUP_MINDS, Champion),
    BotKind("solo", "the same without a model of the other player", SOLO_MINDS, Champion),
)
