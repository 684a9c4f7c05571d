"""`champion` and `writeup`: Paranoid search, me against the rest, as the contest's runner-up did it (Agade).

All others are taken for one opponent who wants my worst. They choose after me, knowing what I chose, which makes the search more
pessimistic than the game is. Alpha-beta prunes this like a game of two: at best to the power 3/4 of the full tree with
four explorers.

What the search cannot know it takes at its worst: the referee's tosses between equally near explorers fall on me. The
key is the delta hash of `rules`, begun anew with each turn.
"""

from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.evaluation import CHOICE_MASK, is_decided
from podium.games.code_of_kutulu.bots.mind import CHAMPION_MINDS, WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.player import Player, answer_of
from podium.games.code_of_kutulu.mazes import walk
from podium.games.code_of_kutulu.rules import kutulu_mover, kutulu_play
from podium.games.code_of_kutulu.setup import new_state
from podium.games.code_of_kutulu.state import CHOICES, PLAN, SEATS, WAIT, State
from podium.games.game import BotKind, Budget, Thoughts
from podium.kernel.clock import now
from podium.search.alphabeta import MOST_PLIES, AlphaBeta, Result

NANOSECONDS = 1_000_000  # in a millisecond
SHOWN = 16  # choices of a line turned into text
TABLE_BITS = 16  # a search of 50 ms visits some 10^5 positions


def living_seats(state: Any) -> list[int]:
    """The explorers still in the game."""
    return [seat for seat in range(SEATS) if state.living >> seat & 1]


def searched_state(known: Any, mind: Any, seat: int) -> Any:
    """The known position as a search begins with it."""
    state = known.copy()
    state.origin = known.turn
    state.trail = 0
    state.unlucky = seat
    state.light_mode = int(mind.light)
    state.first = state.mover = seat
    if mind.start:
        living = living_seats(state)
        state.first = state.mover = living[living.index(seat) - 1]
    drop_far_minions(state, seat, int(mind.ignore_minions))
    return state


def drop_far_minions(state: Any, seat: int, distance: int) -> None:
    """Leave out the minions that are farther than so many steps from a seat."""
    near = [i for i in range(int(state.minions)) if walk(state.maze, state.where[i], state.cell[seat]) <= distance]
    if len(near) < state.minions:
        for name in ("slasher", "where", "mode", "timer", "target", "remembered", "number"):
            state[name][: len(near)] = state[name][near]
        state.minions = len(near)


def line_of(state: Any, moves: list[int]) -> list[str]:
    """The answers that a sequence of moves stands for, each with its seat."""
    room, line = state.copy(), []
    for move in moves[:SHOWN]:
        seat = int(kutulu_mover(room))
        line.append(f"{seat}:{answer_of(room, seat, move & CHOICE_MASK)}")
        kutulu_play(room, move & CHOICE_MASK)
    return line


class SearchPlayer(Player):
    """Searches as deep as the time allows."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__()
        self.mind = mind
        self.engine = AlphaBeta(State, mind, CHOICES, TABLE_BITS, TABLE_BITS)
        self._moves = np.zeros(CHOICES, np.int64)

    def warm_up(self) -> None:
        """One short search compiles everything."""
        self.search(searched_state(new_state(1), self.mind, 0), 0, 0, 100)
        self.engine.forget()

    def choose(self, budget: Budget) -> int:
        """The search's choice; PLAN in place of WAIT when sanity is low."""
        self.thoughts = None
        if is_decided(self.state, self.seat):
            return self.with_plan(WAIT)  # the last one left has won
        state = searched_state(self.state, self.mind, self.seat)
        start = now()
        deadline = min(budget.deadline, start + int(self.mind.longest * NANOSECONDS)) - int(
            self.mind.margin * NANOSECONDS
        )
        result = self.search(state, self.seat, deadline, budget.nodes)
        choice = self.own_choice(state, result)
        self.thoughts = Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=(now() - start) / 1e9,
            line=line_of(state, result.line),
            note=f"{result.depth / max(1, len(living_seats(state))):.3g} turns",
        )
        return self.with_plan(choice)

    def search(self, state: Any, seat: int, deadline: int, nodes: int) -> Result:
        """Search a prepared state."""
        if self.mind.whole_turns:
            self.mind.stride = len(living_seats(state))
        return self.engine.search(state, seat, deadline, nodes, MOST_PLIES)

    def own_choice(self, state: Any, result: Result) -> int:
        """My first choice in the expected line: an enemy's may come before it."""
        for move in result.line:
            if move >> 3 & 3 == self.seat:
                return move & CHOICE_MASK
        return WAIT

    def with_plan(self, choice: int) -> int:
        """PLAN instead of WAIT, if sanity is low and it is possible."""
        low = self.state.sanity[self.seat] < self.mind.plan_below
        return PLAN if choice == WAIT and low and PLAN in self.legal_choices() else choice


CHAMPION = BotKind("champion", "Paranoid search, improved by matches", CHAMPION_MINDS, SearchPlayer)
WRITEUP = BotKind("writeup", "Paranoid search as in the runner-up's write-up", WRITEUP_MINDS, SearchPlayer)
