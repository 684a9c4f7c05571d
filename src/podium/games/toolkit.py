"""A toolkit for games: referees, a random bot, a bot around a search, bodies of benchmarks.

They use only the generic functions of `podium.model.rules`, so a game needs nothing else but its rules, its text
protocol and its picture. `examples/connect_four` is such a game.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

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
from podium.games.mixed_strategies import matrix_data
from podium.games.view import View, ViewBot
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.kernel.random import draw_below, generator
from podium.kernel.records import copy_of
from podium.model.budget import Budget
from podium.model.result import Result
from podium.model.rules import before_turn, final_score, is_over, legal_moves, mover, play
from podium.search.base import Search

MOST_MOVES = 4096  # more than any game in turns lists


def single_lines(read: Callable[[], str]) -> Iterator[list[str]]:
    """Splits the stream of a game whose prompts are one line each."""
    while True:
        yield [read()]


def moves_of(state: Any, most: int = MOST_MOVES) -> list[int]:
    """The legal moves of a state that is not over."""
    out = np.zeros(most, np.int64)
    moves: list[int] = out[: legal_moves(state, out)].tolist()
    return moves


class ToolkitReferee(Referee):
    """What the referees of the toolkit share: time limits, judging answers, faults, the outcome."""

    first_turn = 1  # the number of the first turn in faults, as the contest counts

    def __init__(self, state: Any, limits: Limits, seats: int) -> None:
        self.state = state
        self.limits = limits
        self.seats = seats
        self.turn = 0
        self.outcome: Outcome | None = None
        self.faults: list[Fault] = []
        self.answered = [0] * seats  # the number of answers of each seat
        self.left = [limits.first] * seats  # ms of each seat's bank, where the limit is for the whole game

    @abstractmethod
    def read_move(self, seat: int, line: str) -> int:
        """The legal move in a seat's answer; a MalformedError or IllegalError if there is none."""

    def finish(self) -> None:
        """Set the outcome of a game that is over by the rules: by default -1, 0 or 1 points, by `final_score`."""
        scores = [float(np.sign(final_score(self.state, seat))) for seat in range(self.seats)]
        winners = [str(seat) for seat in range(self.seats) if scores[seat] > 0]
        self.end(scores, Ending.NORMAL, f"player {' and '.join(winners)} won" if winners else "nobody won")

    def fault_detail(self, seat: int, reason: str) -> str:
        """The sentence that tells people of a fault."""
        return f"player {seat} lost: {reason}"

    def fault(self, seat: int, code: Ending, reason: str) -> None:
        """Note that a seat is disqualified."""
        self.faults.append(Fault(seat, code, self.turn + self.first_turn, self.fault_detail(seat, reason)))

    def end(self, scores: Sequence[float], ending: Ending, detail: str, note: str = "") -> None:
        """Set the outcome; ranks follow from the scores."""
        self.outcome = Outcome(tuple(scores), ranks_of(scores), ending, detail, note, tuple(self.faults))

    def request(self, seat: int, lines: Sequence[str]) -> Request:
        """A request with the contest's limit."""
        if self.limits.bank:
            return Request(seat, tuple(lines), self.left[seat], bank=True)
        return Request(seat, tuple(lines), self.limits.later if self.answered[seat] else self.limits.first)

    def judge(self, seat: int, answer: Answer) -> int | None:
        """The move in an answer; None after a fault, which is noted."""
        self.answered[seat] += 1
        self.left[seat] = max(0.0, self.left[seat] - answer.milliseconds)
        if answer.line is None:
            self.fault(seat, Ending.NO_ANSWER, "gave no answer in time")
            return None
        try:
            return self.read_move(seat, answer.line)
        except MalformedError as error:
            self.fault(seat, Ending.MALFORMED, str(error))
        except IllegalError as error:
            self.fault(seat, Ending.ILLEGAL, str(error))
        return None


class TurnReferee(ToolkitReferee):
    """One player at a time; by default nothing is hidden, and a fault loses the game."""

    def __init__(self, state: Any, limits: Limits, seats: int = 2) -> None:
        super().__init__(state, limits, seats)
        self.moves: list[int] = []
        self._request: Request | None = None

    @abstractmethod
    def prompt(self) -> Sequence[str]:
        """The lines that the player to move is sent."""

    def read(self, line: str) -> int:
        """The move in an answer; a MalformedError if there is none. Whether it is legal is checked afterwards."""
        raise NotImplementedError

    def read_move(self, seat: int, line: str) -> int:
        """The move in an answer, if it is one of the legal moves."""
        move = self.read(line)
        if move not in moves_of(self.state):
            raise IllegalError(f"{line.strip()!r} is not allowed now")
        return move

    def play(self, move: int) -> None:
        """Play a legal move."""
        play(self.state, move)
        self.moves.append(move)

    def disqualify(self, seat: int) -> None:
        """Carry on after a fault: by default the game ends, and all others win."""
        scores = [-1.0 if seat == other else 1.0 for other in range(self.seats)]
        self.end(scores, self.faults[-1].code, self.faults[-1].detail)

    def requests(self) -> Sequence[Request]:
        """The player to move."""
        if self.outcome:
            return ()
        if self._request is None:
            self._request = self.request(int(mover(self.state)), self.prompt())
        return (self._request,)

    def answer(self, answers: Sequence[Answer]) -> None:
        """Play the move, or disqualify the player."""
        (answer,) = answers
        seat = int(mover(self.state))
        move = self.judge(seat, answer)
        self.turn += 1
        self._request = None
        if move is None:
            self.disqualify(seat)
        else:
            self.play(move)
        if self.outcome is None and is_over(self.state):
            self.finish()


class SimultaneousReferee(ToolkitReferee):
    """All players who are still in the game answer at the same time; then the turn is simulated."""

    def __init__(self, state: Any, limits: Limits, seats: int = 2) -> None:
        super().__init__(state, limits, seats)
        self.answers: list[str | None] = [None] * seats  # of the last turn, for pictures

    @abstractmethod
    def prompts(self) -> Mapping[int, Sequence[str]]:
        """The lines that each seat in the game is sent, in the order of the seats."""

    @abstractmethod
    def play_turn(self, moves: Mapping[int, int]) -> None:
        """Simulate a turn with the moves of the seats that made no fault; the others are disqualified."""

    def requests(self) -> Sequence[Request]:
        """Every seat in the game, in the order of the seats."""
        return () if self.outcome else tuple(self.request(seat, lines) for seat, lines in self.prompts().items())

    def answer(self, answers: Sequence[Answer]) -> None:
        """Judge all answers against the state before the turn, then simulate it."""
        seats = self.active_seats()
        self.answers = [None] * self.seats
        moves = {}
        for seat, answer in zip(seats, answers, strict=True):
            self.answers[seat] = answer.line
            move = self.judge(seat, answer)
            if move is not None:
                moves[seat] = move
        self.play_turn(moves)
        self.turn += 1
        if is_over(self.state):
            self.finish()

    def active_seats(self) -> Sequence[int]:
        """The seats in the game; by default all."""
        return range(self.seats)


class RandomBot(ViewBot):
    """Plays a random legal move."""

    def __init__(self, view: View, seed: int) -> None:
        super().__init__(view)
        self.random = generator(seed)

    def choose(self, budget: Budget) -> int:
        """A legal move, all equally likely."""
        moves = moves_of(self.state)
        return moves[int(draw_below(self.random, len(moves)))]


class SearchBot(ViewBot):
    """Plays the move that a search finds. The search is made when it is first needed, because it takes memory."""

    def __init__(
        self, view: View, make: Callable[[], Search], start: Any, *, margin: float = 0.0, unit: str = "points"
    ) -> None:
        """`start` is an initial state of the game, with which the search is warmed up."""
        super().__init__(view)
        self.start = start
        self.margin = margin  # ms of each time limit left unused, for the way to the judge and back
        self.unit = unit  # of the search's values
        self._make = make
        self._search: Search | None = None
        self._found: Result | None = None  # by the last search

    def warm_up(self) -> None:
        """Search two nodes from the start, twice: the second search keeps what the first one found."""
        search = self._make()
        for _ in range(2):
            result = search.decide(self.start, int(mover(self.start)), Budget(nodes=2))
        line_texts(search, self.start, [result.move])

    def choose(self, budget: Budget) -> int:
        """The best move that the search finds within the budget."""
        begun = now()
        if self._search is None:
            self._search = self._make()
        if not budget.nodes:
            budget = budget.until(budget.deadline - int(self.margin * MILLISECOND))
        self._found = result = self._search.decide(self.state, self.seat, budget)
        self.thoughts = thoughts_of(result, self._search, self.view, self.unit, (now() - begun) / SECOND)
        return result.move

    def matrix(self) -> dict[str, Any] | None:
        """The turn of the last search as a matrix, from a search of simultaneous moves."""
        if self._search is None or self._found is None or self._found.matrix is None:
            return None
        states, rules = turn_states(self._search, self.state), self._search.rules
        others = [seat for seat in states if seat != self.seat]
        return matrix_data(self._found, self.seat, others, lambda seat, move: rules.move_text(states[seat], move))


def thoughts_of(result: Result, search: Search, view: View, unit: str, seconds: float) -> Thoughts:
    """A search's result as thoughts."""
    options = [
        Option(view.answer_of(o.move), o.value, o.visits, o.proof, line_texts(search, view.state, o.line), o.share)
        for o in result.options
    ]
    line = line_texts(search, view.state, result.line)
    return Thoughts(result.value, unit, result.depth, result.nodes, seconds, line, options, str(result.proof))


def line_texts(search: Search, state: Any, moves: Sequence[int]) -> list[str]:
    """The texts of a line of moves, each in the state in which it is played."""
    position, step, texts = copy_of(state), search.step(None), []
    for move in moves:
        texts.append(search.rules.move_text(position, move))
        step(position, move)
    return texts


def turn_states(search: Search, state: Any) -> dict[int, Any]:
    """For each seat that chooses in the turn that begins with a state, in order, a position in which it does so."""
    position, step, states = copy_of(state), search.step(None), dict[int, Any]()
    while True:
        states[int(mover(position))] = copy_of(position)
        step(position, search.rules.moves(position)[0])
        if is_over(position) or before_turn(position):
            return states


def repeat(seconds: float, step: Callable[[], int]) -> tuple[int, float]:
    """Call `step`, which returns a count, until the time is over; the sum and the seconds: the body of a benchmark."""
    count, start = 0, now()
    while True:
        count += step()
        elapsed = (now() - start) / SECOND
        if elapsed >= seconds:
            return count, elapsed


def search_rate(make: Callable[[], Search], state: Any, nodes: int) -> Callable[[float], tuple[int, float]]:
    """The `run` of a benchmark that counts nodes: searches of one state, each by a new search of `nodes` nodes."""

    def run(seconds: float) -> tuple[int, float]:
        budget = Budget(nodes=nodes if seconds else 1)
        return repeat(seconds, lambda: make().decide(state, int(mover(state)), budget).nodes)

    return run
