"""A matrix at the root: my moves against the others' choices of the same turn, each joint choice searched by itself.

Alpha-beta lets the other side answer knowing my choice, and so values each of my moves by its worst reply. Here the
positions after all joint choices of the first turn are searched by alpha-beta, all to one depth, and the matrix of
their values is solved (`matrix_games.py`). Below the first turn the assumption stays. Solutions:

* `equilibrium`: the optimal mixed strategy, by linear programming; exact for the matrix.
* `regret`: the same approximately, by regret matching.
* `worst_part`: each row by the mean of its worst replies (conditional value at risk): the part `tail` of all replies.
  0 is the worst reply, as alpha-beta has it: then the result is that of alpha-beta with the same depth.

One search:
 1. List the joint choices of the first turn, and play them.
 2. Iterative deepening by whole turns: every position is searched to the same depth, until the budget is used up. An
    unfinished iteration is not used.
 3. Solve the matrix of the last finished iteration.

It is for two sides, me and the rest: with more seats the columns are joint choices of all others. What it asks of game
and bot is what alpha-beta asks (`alphabeta.py`), and `before_turn`.
"""

import itertools
from typing import Any

import numpy as np

from podium.errors import LimitError
from podium.kernel import allocate, kernel
from podium.kernel.clock import now
from podium.kernel.random import draw_unit, generator
from podium.model.budget import NO_LIMIT, Budget
from podium.model.hooks import advance, terminal_value
from podium.model.params import Parameter, Value
from podium.model.result import Matrix, Proof, Result, RootMove
from podium.model.rules import candidates, evaluate, is_over
from podium.search import alphabeta
from podium.search.alphabeta import AlphaBeta
from podium.search.alphabeta_workspace import MOST_PLIES
from podium.search.base import Search
from podium.search.custom_hooks import Hook
from podium.search.joint_choices import TurnChoices, turn_of
from podium.search.matrix_games import Equilibrium, linear_programming, match_regrets, solve_matrix, worst_part
from podium.search.trace import current_recording, unrecorded
from podium.search.trace_room import ENDED, EVALUATED, SEARCHED
from podium.search.turn_trace import matrix_trace

SOLUTIONS = ("equilibrium", "regret", "worst_part")
EQUILIBRIUM, REGRET, WORST_PART = range(len(SOLUTIONS))
REGRET_ROUNDS = 500
MOST_JOINTS = 1 << 14  # joint choices of a turn

ROOT_PARAMETERS = (
    Parameter("root_solution", "equilibrium", "how the matrix of the first turn is solved", choices=SOLUTIONS),
    Parameter("tail", 0.0, "worst_part: part of the replies whose mean counts; 0: the worst one, 1: all", 0, 1),
    Parameter("mixed", False, "draw the move from the mixed strategy; off: its most probable move"),
)
PARAMETERS = (*alphabeta.PARAMETERS, *ROOT_PARAMETERS)


class RootMatrix(Search):
    """A matrix of the first turn's joint choices, each searched by alpha-beta; the result shows the mixed strategy.

    >>> import podium
    >>> game = podium.load("code4life")
    >>> @podium.kernel
    ... def lead(state, seat):
    ...     return state.score[seat] - state.score[1 - seat]
    >>> result = podium.RootMatrix(game, evaluate=lead).search(game.initial_state(seed=1), depth=4)
    >>> len(result.numbers.matrix.rows), len(result.numbers.matrix.columns), result.depth
    (5, 5, 4)
    """

    title = "alpha-beta with a root matrix"
    parameters = PARAMETERS
    has_plain_twin = False

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        table_bits: int = 18,
        cache_bits: int = 18,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` values positions and `candidates` chooses the moves to consider: kernels. Table and cache have 2 to
        the power of these bits entries.
        """
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates)
        self.require_evaluation()
        self.require_turns()
        self.engine = AlphaBeta(game, self.params, table_bits=table_bits, cache_bits=cache_bits)
        self.random = generator(seed)
        self._moves = np.zeros(self.rules.most_moves, np.int64)
        if self.params.root_solution == EQUILIBRIUM:
            linear_programming()  # now, not in the middle of a game

    def forget(self) -> None:
        """Clear the transposition table and the evaluation cache."""
        self.engine.forget()

    def decide(
        self, state: Any, seat: int, budget: Budget = NO_LIMIT, *, context: Any = None, depth: int = 0
    ) -> Result:
        """The move of a seat in a position before a turn, within a budget or a depth in plies.

        A search context takes the parameters' place. With a budget of nodes the clock is ignored.
        """
        self.refuse_within_turn(state)
        params = self.params if context is None else context
        turn = turn_of(state, params, self._moves)
        if turn.size > MOST_JOINTS:
            raise LimitError(
                f"{self.title} searches every joint choice of a turn, at most {MOST_JOINTS:,}; here there are"
                f" {turn.size:,}: restrict them by candidates=..., or take decoupled UCT"
            )
        cells = Cells(self.engine, state, turn, turn.seats[turn.place_of(seat)], budget, context)
        plies = len(turn.seats)
        deepest = min(depth or int(params.depth), MOST_PLIES)
        with unrecorded():
            while plies * (cells.turns + 2) <= deepest and cells.deepen():
                pass
        result, row_values = self._result(turn, seat, cells, params)
        records = current_recording()
        if records is not None:
            records.append(matrix_trace(self, state, seat, turn, cells, row_values, result))
        return result

    def _result(self, turn: TurnChoices, seat: int, cells: "Cells", params: Any) -> tuple[Result, np.ndarray]:
        """The result, and the value of each of the seat's moves by itself."""
        place = turn.place_of(seat)
        others = [moves for p, moves in enumerate(turn.moves) if p != place]
        columns = [*itertools.product(*map(range, map(len, others)))]
        by_place = np.reshape(cells.values, [len(moves) for moves in reversed(turn.moves)]).T
        values = np.moveaxis(by_place, place, 0).reshape(len(turn.moves[place]), len(columns))
        solved, row_values = solution(values, params)
        row = int(solved.rows.argmax())
        if params.mixed:
            row = int(min(np.searchsorted(np.cumsum(solved.rows), draw_unit(self.random)), solved.rows.size - 1))
        column = int(solved.columns.argmax())
        shown = [tuple(moves[i] for moves, i in zip(others, indices, strict=True)) for indices in columns]
        order = sorted(range(len(row_values)), key=lambda i: (i == row, solved.rows[i], row_values[i]), reverse=True)
        own = turn.moves[place]
        options = [RootMove(own[i], float(row_values[i]), share=float(solved.rows[i])) for i in order]
        line = [*shown[column][:place], own[row], *shown[column][place:]]
        matrix = Matrix(own, shown, values.tolist(), solved.rows.tolist(), solved.columns.tolist())
        line += cells.lines[turn.joint_of([*columns[column][:place], row, *columns[column][place:]])]
        # below the first turn, and for worst parts and more players, a search to the end still rests on its assumption
        in_turns = len(turn.seats) == 1 and self.rules.seats == 2
        is_exact = cells.proven and params.root_solution == EQUILIBRIUM and (cells.turns == 0 or in_turns)
        proof = Proof.EXACT if is_exact else Proof.NONE
        depth = len(turn.seats) * (cells.turns + 1)
        return Result(own[row], solved.value, depth, cells.nodes, line, proof, options, matrix), row_values


def solution(values: np.ndarray, params: Any) -> tuple[Equilibrium, np.ndarray]:
    """Step 3: the solution of a matrix, and the value of each row by itself against the solution's columns."""
    if params.root_solution == WORST_PART:
        rows = worst_part(values, float(params.tail))
        best = int(rows.argmax())
        replies = np.eye(values.shape[1])[int(values[best].argmin())]
        return Equilibrium(float(rows[best]), np.eye(values.shape[0])[best], replies), rows
    solved = match_regrets(values, REGRET_ROUNDS) if params.root_solution == REGRET else solve_matrix(values)
    return solved, values @ solved.columns


@kernel
def play_joints(
    positions: Any, params: Any, seat: Any, moves: Any, counts: Any, values: Any, sources: Any, out: Any
) -> None:
    """Step 1: play every joint choice in a copy of the root of its own, and value what it leads to for a seat.

    A bot may have no candidates where it considers the game decided: there the evaluation stays.
    """
    for number in range(positions.size):
        position, left = positions[number], np.int64(number)
        for place in range(counts.size):
            advance(position, params, moves[place, left % counts[place]])
            left //= counts[place]
        if is_over(position):
            values[number] = terminal_value(position, params, seat)
            sources[number] = ENDED
        else:
            values[number] = evaluate(position, params, seat)
            sources[number] = SEARCHED if candidates(position, params, out) > 0 else EVALUATED


class Cells:
    """The positions after all joint choices of a turn, searched deeper and deeper, all to the same depth."""

    def __init__(
        self, engine: AlphaBeta, state: Any, turn: TurnChoices, seat: int, budget: Budget, context: Any
    ) -> None:
        self.engine, self.seat, self.context, self.plies = engine, seat, context, len(turn.seats)
        self.deadline, self.limit = budget.limits
        self.positions = allocate(engine.rules.state, turn.size)
        self.positions[:] = state
        counts = np.array([len(moves) for moves in turn.moves])
        moves = np.zeros((counts.size, counts.max()), np.int64)
        for row, own in zip(moves, turn.moves, strict=True):
            row[: len(own)] = own
        values, sources = np.zeros(turn.size), np.zeros(turn.size, np.uint8)
        params, out = engine.params if context is None else context, np.zeros(engine.rules.most_moves, np.int64)
        play_joints(self.positions, params, seat, moves, counts, values, sources, out)
        self.values: list[float] = values.tolist()
        self.searched: list[int] = np.flatnonzero(sources == SEARCHED).tolist()
        self.proven = bool((sources == ENDED).all())
        self.nodes = turn.size  # each is a position made
        self.spent = [1] * turn.size  # of these nodes, on each
        self.turns = 0  # below the first turn, of the last finished iteration
        self.lines: list[list[int]] = [[] for _ in range(turn.size)]

    def deepen(self) -> bool:
        """Step 2: search all positions a turn deeper; False if the budget did not suffice or all is proven.

        The first position of all is searched whatever the budget: so the smallest search loads all kernels.
        """
        if self.proven or not self.searched:
            return False
        values, lines, proven = list(self.values), list(self.lines), True
        depth = self.plies * (self.turns + 1)
        for i in self.searched:
            left = self.limit - self.nodes
            is_first = self.turns == 0 and i == self.searched[0]
            if (left <= 0 or now() >= self.deadline) and not is_first:
                return False
            budget = Budget(self.deadline, nodes=0 if self.limit == NO_LIMIT.limits[1] else max(1, left))
            found = self.engine.decide(
                self.positions[i], self.seat, budget, context=self.context, depth=depth, stride=depth
            )
            self.nodes += found.nodes
            self.spent[i] += found.nodes
            finished = found.proof or (found.depth >= depth and self.nodes < self.limit and now() < self.deadline)
            if not finished:
                return False
            values[i], lines[i] = found.value, found.line
            proven = proven and bool(found.proof)
        self.values, self.lines, self.proven = values, lines, proven
        self.turns += 1
        return True
