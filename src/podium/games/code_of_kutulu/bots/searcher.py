"""The base of the searching bots: the position and context that a search begins with, its budget, its thoughts.

The key is the delta hash of `rules`, which starts at 0 in each search.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from podium.games.code_of_kutulu.bots.context import CHOICE_BITS, CHOICE_MASK, context_of, play_imagined
from podium.games.code_of_kutulu.bots.evaluation import is_decided
from podium.games.code_of_kutulu.bots.moves import foreseen
from podium.games.code_of_kutulu.mazes import UNREACHABLE, walk
from podium.games.code_of_kutulu.protocol import answer_of
from podium.games.code_of_kutulu.rules import kutulu_mover
from podium.games.code_of_kutulu.setup import initial_state
from podium.games.code_of_kutulu.state import PLAN, SEATS, WAIT, living_seats
from podium.games.code_of_kutulu.view import View, legal_choices
from podium.games.game import Budget, Option, Thoughts
from podium.games.view import ViewBot
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.model.result import Result

FEW_NODES = 100
SHOWN = 8  # choices of a line turned into text


def searched_state(known: Any, params: Any, seat: int) -> Any:
    """The position from which a search starts."""
    state = known.copy()
    state.hash = 0
    state.first = state.mover = seat
    if params.first_mover:
        living = living_seats(state)
        state.first = state.mover = living[living.index(seat) - 1]
    drop_far_minions(state, seat, int(params.ignore_minions))
    return state


def drop_far_minions(state: Any, seat: int, distance: int) -> None:
    """Leave out the minions that are more than `distance` steps from a seat."""
    if distance >= UNREACHABLE:
        return
    maze, cell, where = state.maze, state.cell[seat], state.where
    near = [i for i in range(int(state.minions)) if walk(maze, where[i], cell) <= distance]
    if len(near) < state.minions:
        for name in ("slasher", "where", "mode", "timer", "target", "remembered", "number"):
            state[name][: len(near)] = state[name][near]
        state.minions = len(near)


def line_of(state: Any, context: Any, moves: Sequence[int]) -> list[str]:
    """The answers that a sequence of moves stands for, each with its seat; predicted choices come between them.

    It ends where the game is decided for the searching seat: later moves of a line are not candidates and name no seat.
    What an explorer planned for turns that it does not live to see is left out.
    """
    room = state.copy()
    line: list[str] = []
    for move in moves[:SHOWN]:
        if is_decided(room, context.seat):
            break
        chooses = move >> CHOICE_BITS & (SEATS - 1)
        if not room.living >> chooses & 1:
            continue
        while kutulu_mover(room) != chooses:
            if is_decided(room, context.seat):  # by a predicted choice
                return line[:SHOWN]
            _append_answer(line, room, context, int(foreseen(room, context)))
        _append_answer(line, room, context, move)
    return line[:SHOWN]


def _append_answer(line: list[str], room: Any, context: Any, move: int) -> None:
    seat = int(kutulu_mover(room))
    line.append(f"{seat}:{answer_of(room, seat, move & CHOICE_MASK)}")
    play_imagined(room, context, move)


class Searcher(ViewBot):
    """Prepares a position, searches it, and answers with the choice found; a subclass searches."""

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params
        self.seed = seed
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Get ready for a new game."""

    @abstractmethod
    def search(self, state: Any, context: Any, budget: Budget) -> Result:
        """Search a prepared position."""

    def context(self, state: Any, seat: int) -> Any:
        """The context of a search from a position, for a seat."""
        return context_of(self.params, state, seat)

    def plies(self, state: Any) -> int:
        """How many choices of a turn are searched."""
        return len(living_seats(state))

    def stride(self, state: Any) -> int:
        """Plies by which a search of a position deepens: a whole turn, or one choice."""
        return self.plies(state) if self.params.whole_turns else 1

    def warm_up(self) -> None:
        """One short search compiles everything."""
        state = searched_state(initial_state(1), self.params, 0)
        context = self.context(state, 0)
        line_of(state, context, self.search(state, context, Budget(nodes=FEW_NODES)).line)
        legal_choices(state)
        is_decided(state, 0)
        self.prepare()

    def choose(self, budget: Budget) -> int:
        """The search's choice; PLAN in place of WAIT when sanity is low."""
        if is_decided(self.state, self.seat):
            return self.with_plan(WAIT)  # the last one left has won
        choice, self.thoughts = self.think(self.state, self.seat, budget)
        return self.with_plan(choice)

    def think(self, known: Any, seat: int, budget: Budget) -> tuple[int, Thoughts]:
        """The best choice in a position, and why."""
        start = now()
        state = searched_state(known, self.params, seat)
        limit = min(budget.deadline, start + int(self.params.max_time * MILLISECOND))
        in_time = budget.until(limit - int(self.params.margin * MILLISECOND))
        context = self.context(state, seat)
        result = self.search(state, context, in_time)
        thoughts = Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=(now() - start) / SECOND,
            line=line_of(state, context, result.line),
            note=f"{result.depth / self.plies(state):.3g} turns",
        )
        return self.own_choice(result, seat), thoughts

    def compare(self, known: Any, seat: int, budget: Budget) -> list[Option]:
        """Every choice of a seat with its value, best first; empty for searches that do not compare choices."""
        return []

    def alternatives(self, budget: Budget) -> list[Option]:
        """Every choice with its value, if the search compares choices."""
        return [] if is_decided(self.state, self.seat) else self.compare(self.state, self.seat, budget)

    def own_choice(self, result: Result, seat: int) -> int:
        """My first choice in the expected line: an enemy's may come before it."""
        for move in result.line:
            if move >> CHOICE_BITS & (SEATS - 1) == seat:
                return move & CHOICE_MASK
        return WAIT

    def with_plan(self, choice: int) -> int:
        """PLAN instead of WAIT, if sanity is low and it is possible."""
        if self.params.plan_searched:
            return choice
        low = self.state.sanity[self.seat] < self.params.plan_below
        return PLAN if choice == WAIT and low and PLAN in legal_choices(self.state) else choice
