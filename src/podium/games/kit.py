"""Ready-made parts for games: a referee for games in turns, a random bot, a bot around a search, bodies of benchmarks.

They stand on the generic functions of `podium.kernel.rules`, so a game that uses them adds its rules, its text and its
picture, and nothing else. `examples/connect_four` is such a game.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from podium.games.follow import Follower, View
from podium.games.game import (
    Answer,
    Ending,
    Fault,
    IllegalError,
    Limits,
    MalformedError,
    Option,
    Outcome,
    Referee,
    Request,
    Thoughts,
    ranks_of,
)
from podium.kernel.budget import Budget
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.kernel.random import draw_below, generator
from podium.kernel.rules import final_score, is_over, legal_moves, mover, play
from podium.search.result import Result

MOST_MOVES = 4096  # more than any game in turns lists


def single_lines(read: Callable[[], str]) -> Iterator[list[str]]:
    """Cuts the stream of a game whose prompts are one line each."""
    while True:
        yield [read()]


def moves_of(state: Any, most: int = MOST_MOVES) -> list[int]:
    """The legal moves of a state that is not over."""
    out = np.zeros(most, np.int64)
    moves: list[int] = out[: legal_moves(state, out)].tolist()
    return moves


class TurnReferee(Referee):
    """One player at a time, nothing hidden, and whoever errs loses. The rules are the state's generic functions."""

    def __init__(self, state: Any, limits: Limits, seats: int = 2) -> None:
        self.state = state
        self.limits = limits
        self.seats = seats
        self.turn = 0
        self.outcome: Outcome | None = None
        self.moves: list[int] = []
        self._asked: set[int] = set()  # the seats that have answered before

    @abstractmethod
    def prompt(self) -> Sequence[str]:
        """What the player to move is sent."""

    @abstractmethod
    def read(self, line: str) -> int:
        """The move that an answer stands for; MalformedError if it is none. Whether it is legal is asked afterwards."""

    def ending(self) -> str:
        """How a game came to its end by the rules, for people."""
        scores = [final_score(self.state, seat) for seat in range(self.seats)]
        winners = [str(seat) for seat in range(self.seats) if scores[seat] > 0]
        return f"player {' and '.join(winners)} won" if winners else "nobody won"

    def play(self, move: int) -> None:
        """Play a legal move."""
        play(self.state, move)
        self.moves.append(move)

    def requests(self) -> Sequence[Request]:
        """The player to move."""
        if self.outcome:
            return ()
        seat = int(mover(self.state))
        limit = self.limits.later if seat in self._asked else self.limits.first
        return (Request(seat, tuple(self.prompt()), limit),)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Play the move, or end the game with a fault."""
        seat, line = int(mover(self.state)), answers[0].line
        self._asked.add(seat)
        self.turn += 1
        try:
            if line is None:
                self._fault(seat, Ending.NO_ANSWER, "gave no answer in time")
                return
            move = self.read(line)
            if move not in moves_of(self.state):
                raise IllegalError(f"{line.strip()!r} is not allowed now")
        except MalformedError as error:
            self._fault(seat, Ending.MALFORMED, str(error))
            return
        except IllegalError as error:
            self._fault(seat, Ending.ILLEGAL, str(error))
            return
        self.play(move)
        if is_over(self.state):
            scores = tuple(float(np.sign(final_score(self.state, seat))) for seat in range(self.seats))
            self.outcome = Outcome(scores, ranks_of(scores), Ending.FINISHED, self.ending())

    def _fault(self, seat: int, ending: Ending, reason: str) -> None:
        scores = tuple(-1.0 if seat == other else 1.0 for other in range(self.seats))
        fault = Fault(seat, ending, self.turn, f"player {seat} lost: {reason}")
        self.outcome = Outcome(scores, ranks_of(scores), ending, fault.sentence, faults=(fault,))


class RandomBot(Follower):
    """Plays any legal move."""

    def __init__(self, view: View, seed: int) -> None:
        super().__init__(view)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> int:
        """Any legal move."""
        moves = moves_of(self.state)
        return moves[draw_below(self.random, len(moves))]


class Search(Protocol):
    """What every search of `podium.search` offers."""

    def search(self, state: Any, seat: int, budget: Budget) -> Result:
        """The best move of a state for a seat."""


class SearchBot(Follower):
    """Plays what a search finds. The search is made when it is first needed, since it takes memory."""

    def __init__(
        self, view: View, make: Callable[[], Search], start: Any, *, margin: float = 0.0, unit: str = "points"
    ) -> None:
        """For a game that begins like `start`, from which the search is warmed up."""
        super().__init__(view)
        self.start = start
        self.margin = margin  # ms that are never used, for the way to the judge and back
        self.unit = unit  # of the search's values
        self._make = make
        self._search: Search | None = None

    def warm_up(self) -> None:
        """Search a little from the start."""
        self._make().search(self.start, int(mover(self.start)), Budget(nodes=2))

    def choose(self, budget: Budget) -> int:
        """The best move that the search finds within the budget."""
        begun = now()
        if self._search is None:
            self._search = self._make()
        if not budget.nodes:
            budget = budget.until(budget.deadline - int(self.margin * MILLISECOND))
        result = self._search.search(self.state, self.seat, budget)
        self.thoughts = thoughts_of(result, self.view, self.unit, (now() - begun) / SECOND)
        return result.move


def thoughts_of(result: Result, view: View, unit: str, seconds: float) -> Thoughts:
    """What a search found, in the words of a game whose moves are written alike in every state."""
    options = [
        Option(view.answer_of(o.move), o.value, o.visits, o.proof, [view.answer_of(move) for move in o.line])
        for o in result.options
    ]
    line = [view.answer_of(move) for move in result.line]
    return Thoughts(result.value, unit, result.depth, result.nodes, seconds, line, options, str(result.proof))


def repeat(seconds: float, step: Callable[[], int]) -> tuple[int, float]:
    """Call a step, which returns how much it counted, until the time is over: the body of a benchmark."""
    count, start = 0, now()
    while True:
        count += step()
        elapsed = (now() - start) / SECOND
        if elapsed >= seconds:
            return count, elapsed


def search_rate(make: Callable[[], Search], state: Any, nodes: int) -> Callable[[float], tuple[int, float]]:
    """The `run` of a benchmark that counts the nodes of searches of a state, each by a new search of so many nodes."""

    def run(seconds: float) -> tuple[int, float]:
        budget = Budget(nodes=nodes if seconds else 1)
        return repeat(seconds, lambda: make().search(state, int(mover(state)), budget).nodes)

    return run
