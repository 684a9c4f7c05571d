"""`champion` and `writeup`: Paranoid search, me against the rest, as the contest's runner-up did it (Agade).

All others are taken for one opponent who wants my worst. They choose after me, knowing what I chose, which makes the
search more pessimistic than the game is. Alpha-beta prunes this like a game of two: at best to the power 3/4 of the
full tree with four explorers.

What the search cannot know it takes at its worst: the referee's tosses between equally near explorers fall on me. The
key is the delta hash of `rules`, begun anew with each turn.
"""

from abc import abstractmethod
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.evaluation import CHOICE_BITS, CHOICE_MASK, is_decided, kutulu_candidates
from podium.games.code_of_kutulu.bots.mind import CHAMPION_MINDS, WRITEUP_MINDS
from podium.games.code_of_kutulu.bots.player import Player
from podium.games.code_of_kutulu.mazes import UNREACHABLE, walk
from podium.games.code_of_kutulu.protocol import answer_of
from podium.games.code_of_kutulu.rules import kutulu_legal_moves, kutulu_mover, kutulu_play
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import CHOICES, PLAN, SEATS, WAIT, State
from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.search.alphabeta import AlphaBeta
from podium.search.desk import MOST_PLIES
from podium.search.result import Result

FEW_NODES = 100
COMPARED_NODES = 200_000  # for comparing all choices of a position
SHOWN = 8  # choices of a line turned into text
TABLE_BITS = 16  # a search of 50 ms visits some 10^5 positions


def living_seats(state: Any) -> list[int]:
    """The explorers still in the game."""
    return [seat for seat in range(SEATS) if state.living >> seat & 1]


def searched_state(known: Any, mind: Any, seat: int) -> Any:
    """The known position as a search begins with it."""
    state = known.copy()
    state.origin = known.turn
    state.rivals = len(living_seats(known)) - 1
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
    if distance >= UNREACHABLE:
        return
    maze, cell, where = state.maze, state.cell[seat], state.where
    near = [i for i in range(int(state.minions)) if walk(maze, where[i], cell) <= distance]
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
    """Prepares a state, searches it, and answers with the choice found; a subclass searches."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__()
        self.mind = mind
        self.seed = seed
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Get ready for a new game."""

    @abstractmethod
    def search(self, state: Any, seat: int, budget: Budget) -> Result:
        """Search a prepared state."""

    def warm_up(self) -> None:
        """One short search compiles everything."""
        state = searched_state(initial_state(1), self.mind, 0)
        line_of(state, self.search(state, 0, Budget(nodes=FEW_NODES)).line)
        kutulu_legal_moves(state, self._choices)
        self.prepare()

    def choose(self, budget: Budget) -> int:
        """The search's choice; PLAN in place of WAIT when sanity is low."""
        self.thoughts = None
        if is_decided(self.state, self.seat):
            return self.with_plan(WAIT)  # the last one left has won
        choice, self.thoughts = self.think(self.state, self.seat, budget)
        return self.with_plan(choice)

    def think(self, known: Any, seat: int, budget: Budget) -> tuple[int, Thoughts]:
        """The best choice in a position, and why."""
        start = now()
        state = searched_state(known, self.mind, seat)
        limit = min(budget.deadline, start + int(self.mind.longest * MILLISECOND))
        result = self.search(state, seat, budget.until(limit - int(self.mind.margin * MILLISECOND)))
        thoughts = Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=(now() - start) / SECOND,
            line=line_of(state, result.line),
            note=f"{result.depth / len(living_seats(state)):.3g} turns",
        )
        return self.own_choice(result, seat), thoughts

    def compare(self, known: Any, seat: int, budget: Budget) -> list[Option]:
        """Every choice of a seat with its worth, best first; for searches that can tell."""
        return []

    def own_choice(self, result: Result, seat: int) -> int:
        """My first choice in the expected line: an enemy's may come before it."""
        for move in result.line:
            if move >> CHOICE_BITS & (SEATS - 1) == seat:
                return move & CHOICE_MASK
        return WAIT

    def with_plan(self, choice: int) -> int:
        """PLAN instead of WAIT, if sanity is low and it is possible."""
        if self.mind.plan_searched:
            return choice
        low = self.state.sanity[self.seat] < self.mind.plan_below
        return PLAN if choice == WAIT and low and PLAN in self.legal_choices() else choice


class ParanoidPlayer(SearchPlayer):
    """Alpha-beta, me against the rest."""

    def prepare(self) -> None:
        """A new engine with an empty table."""
        self.engine = AlphaBeta(State, self.mind, CHOICES, TABLE_BITS, TABLE_BITS)

    def search(self, state: Any, seat: int, budget: Budget) -> Result:
        """Search a prepared state, deeper by a turn or by a choice each time."""
        return self.engine.search(state, seat, budget, depth=MOST_PLIES, stride=self.stride(state))

    def stride(self, state: Any) -> int:
        """Plies by which the search deepens: a whole turn, or what the mind says."""
        return len(living_seats(state)) if self.mind.whole_turns else int(self.mind.stride)

    def compare(self, known: Any, seat: int, budget: Budget) -> list[Option]:
        """Every choice searched by itself, each to the depth that the whole search can reach in an equal share."""
        state = searched_state(known, self.mind, seat)
        state.first = state.mover = seat
        moves = np.zeros(CHOICES, np.int64)
        count = int(kutulu_candidates(state, self.mind, moves))
        each = Budget(nodes=max(1, (budget.nodes or COMPARED_NODES) // count))
        options = []
        for move in moves[:count].tolist():
            result = self.engine.search(state, seat, each, depth=MOST_PLIES, stride=self.stride(state), only=[move])
            line = line_of(state, result.line)
            options.append(Option(line[0].partition(":")[2], result.value, result.nodes, line=line))
        return sorted(options, key=lambda option: -option.value)


CHAMPION = BotKind(
    "champion", "Paranoid search: the strongest settings that matches have confirmed", CHAMPION_MINDS, ParanoidPlayer
)
WRITEUP = BotKind("writeup", "Paranoid search as in the runner-up's write-up", WRITEUP_MINDS, ParanoidPlayer)
KINDS = (CHAMPION, WRITEUP)
