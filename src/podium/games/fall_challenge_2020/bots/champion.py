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
from random import Random
from typing import Any

import numpy as np

from podium.games.fall_challenge_2020.bots.outlook import (
    PARAMETERS,
    outlook_advance,
    outlook_of,
    planned,
    set_plan,
)
from podium.games.fall_challenge_2020.bots.player import Player
from podium.games.fall_challenge_2020.cards import ORDERS, TOME_SPELLS
from podium.games.fall_challenge_2020.protocol import readable
from podium.games.fall_challenge_2020.rules import act, is_legal
from podium.games.fall_challenge_2020.state import MOST_MOVES, MOST_TURNS, ORDERS_EVER_SEEN, REST, State, card_at, reset
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.kernel import blank
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.kernel.minds import MindType, Parameter
from podium.search.beam import Beam
from podium.search.result import Proof, Result

ME, OTHER = 0, 1

NAIVE, WARY, WHICHEVER = range(3)  # levels of the opponent model
TRUST_KEPT = 0.9  # of a kind of plan per turn; what it foretold lately counts for more
LEVEL_HELP = (
    "how he plans: 0: as if I rested (write-up); 1: against the plan that I would have if he rested; "
    "2: whichever of the two has foretold his moves better"
)

WRITEUP = MindType(
    "fall challenge 2020 beam mind",
    Parameter("width", 350, "positions that live on at each depth of my beam (write-up: 350)", 1, 5000),
    Parameter("depth", MOST_TURNS, "turns that my beam looks ahead at most (write-up: no limit)", 1, MOST_TURNS),
    Parameter("time", 0.6, "share of the time limit for my beam (write-up: 30 of 50 ms)", 0.0, 0.95),
    Parameter("opponent", True, "search the other player's plan first and let him follow it"),
    Parameter("opponent_width", 150, "width of his beam (write-up: 150)", 1, 5000),
    Parameter("opponent_depth", 15, "depth of his beam (write-up: 15)", 1, MOST_TURNS),
    Parameter("opponent_time", 0.2, "share of the time limit for his beam (write-up: 10 of 50 ms)", 0.0, 0.95),
    Parameter("level", 0, LEVEL_HELP, 0, 2),
    Parameter("mirror", True, "he values positions as I do (write-up); off: as the write-up does, whatever I do"),
    Parameter("longest", 50.0, "milliseconds of a longer limit that are used, for the first turn has 1000", 1.0, 1e6),
    Parameter("discount", 0.98, "what a change of worth keeps with each turn (write-up: 0.98)", 0.0, 1.0),
    Parameter("stop_at_win", True, "play a sequence believed to win as soon as a depth has found it (write-up: on)"),
    Parameter("separate", False, "one beam for each first move, in equal shares of the time (write-up: no gain)"),
    Parameter("backtrack", False, "beam stack search down to `depth` (write-up: no gain)"),
    Parameter("imagine", False, "deal the unseen cards into the decks at random instead of leaving them unknown"),
    Parameter(
        "top", 0, "play the move that starts most of so many best sequences; 0: the best (write-up: 10, no gain)"
    ),
    *PARAMETERS,
)

# Past depth 15 or so a search gains nothing (write-up), so these beams end long before the time does.
CHAMPION = WRITEUP.variant(
    "fall challenge 2020 champion mind",
    depth=16,
    time=0.5,
    level=WHICHEVER,
    mirror=False,
    spell_values=True,
    spell=1.1,
)
SOLO = WRITEUP.variant("fall challenge 2020 solo mind", opponent=False)


def shown(state: Any) -> tuple[Any, ...]:
    """What the next prompt shows of what the other player did."""
    return state.owned[OTHER], state.ready[OTHER], state.inventory[OTHER].tolist(), state.score[OTHER]


class BeamPlayer(Player):
    """Searches the other player's plan, then its own answer to it."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__()
        self.mind = mind
        self.plan: list[int] = []  # what the other player is expected to do
        self.line: list[int] = []  # what I expect to do
        self._nodes = 0  # of all beams of this turn
        width, depth = int(max(mind.width, mind.opponent_width)), int(max(mind.depth, mind.opponent_depth))
        self.beam = Beam(State, mind, MOST_MOVES, width, depth)
        his_mind = mind if mind.mirror else WRITEUP.mind()
        self._outlook = outlook_of(mind)
        self._his_outlook = outlook_of(his_mind)
        self._naive_outlook = outlook_of(his_mind)  # my own, as he sees me
        self._his_outlook.seat = OTHER
        self._guesses: dict[int, Any] = {}  # by level: the position after the move of his that it foretold
        self._trust = {NAIVE: 0.0, WARY: 0.0}
        self._searched = blank(State)  # the position that the beams begin with
        self._found = Result(REST, 0.0, 0, 0, [REST])  # by my own beam
        self._random = Random(seed)

    def warm_up(self) -> None:
        """Compile the search, or load it, and nothing that a game does not need: the first answer has one second."""
        reset(self._searched)
        self._beam(self._outlook, [], Budget(nodes=1), width=1, depth=1)
        self._after(REST)

    def choose(self, budget: Budget) -> int:
        """The first move of my best sequence."""
        start = now()
        self._nodes = 0
        self._searched = self.state.copy()
        if self.mind.imagine:
            self._imagine(self._searched)
        self.plan = self._his_plan(budget, start) if self.mind.opponent else []
        share = self.mind.time + self.mind.opponent_time * self.mind.opponent
        self._found = self._beam(self._outlook, self.plan, self._allowance(budget, start, share))
        self.line = self._found.line
        self._explain(self.line, (now() - start) / SECOND)
        return self.line[0]

    def _his_plan(self, budget: Budget, start: int) -> list[int]:
        """What the other player is expected to do."""
        mind, level = self.mind, int(self.mind.level)
        beams = (1, 2, 3)[level]
        limits = [self._allowance(budget, start, mind.opponent_time * done / beams) for done in range(1, beams + 1)]
        plans = {}
        if level != WARY:
            plans[NAIVE] = self._plan(self._his_outlook, [], limits.pop(0))
        if level != NAIVE:
            mine = self._plan(self._naive_outlook, [], limits.pop(0))
            plans[WARY] = self._plan(self._his_outlook, mine, limits.pop(0))
        if level == WHICHEVER:
            return self._likelier(plans)
        return plans[level]

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
        orders = [order for order in range(ORDERS) if order not in self.orders_seen]
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
            beams = 1 + (1, 2, 3)[int(self.mind.level)] * int(self.mind.opponent)
            return Budget(nodes=max(1, budget.nodes // beams))
        limit = min(budget.deadline - start, int(self.mind.longest * MILLISECOND))
        return Budget(start + int(limit * share))

    def _plan(self, outlook: Any, plan: Sequence[int], budget: Budget) -> list[int]:
        """The best sequence that a beam of the smaller size finds for the seat of an outlook."""
        width, depth = int(self.mind.opponent_width), int(self.mind.opponent_depth)
        return self._beam(outlook, plan, budget, width=width, depth=depth, separate=False, top=0).line

    def _beam(self, outlook: Any, plan: Sequence[int], budget: Budget, **changes: Any) -> Result:
        """One beam for the seat of an outlook, while the other follows a plan."""
        set_plan(outlook, int(self.state.turn), plan)
        result = self.beam.search(self._searched, int(outlook.seat), budget, outlook=outlook, **changes)
        self._nodes += result.nodes
        return result

    def options(self) -> list[Option]:
        """The first moves whose sequences were alive at the last finished depth, with the best value of each."""
        return [Option(readable(c.move), c.value, visits=c.visits) for c in self._found.options]

    def forecast(self) -> Iterator[tuple[int, int, Any]]:
        """Both players' expected moves and the position after them, turn by turn."""
        states = np.array([self.state]).view(np.recarray)
        outlook = self._outlook
        for mine in self.line:
            theirs = int(planned(states[0], outlook))
            outlook_advance(states[0], outlook, mine)
            yield mine, theirs, states[0]

    def _explain(self, line: list[int], seconds: float) -> None:
        found = self._found
        note = "believes that it wins" if found.proof == Proof.WIN else ""
        words = [readable(move) for move in line]
        theirs = [readable(move) for move in self.plan]
        self.thoughts = Thoughts(
            value=found.value,
            unit="rupees",
            depth=found.depth,
            nodes=self._nodes,
            seconds=seconds,
            line=words,
            options=[Option(words[0], found.value, proof="", line=words)],
            note=note,
            beliefs={"plan of the other player": theirs} if theirs else {},
        )


KINDS = (
    BotKind(
        "champion", "beam search against the other player's planned moves, with spell values", CHAMPION, BeamPlayer
    ),
    BotKind("writeup", "the same with the numbers of the runner-up's write-up", WRITEUP, BeamPlayer),
    BotKind("solo", "the same without a model of the other player", SOLO, BeamPlayer),
)
