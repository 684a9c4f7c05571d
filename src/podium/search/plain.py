"""Searches in plain Python, written straight from their definitions.

They run where a user gives a search an evaluation, candidates or a playout policy in plain Python, and the compiled
searches are compared with them in tests. They use a game's rules and a bot's hooks through the same generic functions.
`plain_mcts.py` has the Monte Carlo tree search.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from podium.errors import IllegalError, MalformedError, PodiumError
from podium.kernel import copy_of
from podium.kernel.clock import NEVER, now
from podium.kernel.dependencies import is_kernel
from podium.kernel.notices import notice
from podium.kernel.random import draw_below
from podium.model import hooks, rules
from podium.model.budget import NO_LIMIT, Budget
from podium.model.result import Proof, Result, RootMove
from podium.model.rules import final_score, is_over, key, mover, play
from podium.model.ruleset import Rules
from podium.search.custom_hooks import WITH_PARAMS, CustomHooks, Hook, number_of
from podium.search.matrix_games import solve_matrix

DEEPEST = 60  # plies


class BudgetSpentError(Exception):
    """A plain search has used up its nodes or its time."""


def announce(title: str) -> None:
    """Say once in a process that a search runs in plain Python."""
    notice(f"{title} runs in plain Python, some 40 times slower: @podium.kernel compiles its functions", once=True)


class Plain:
    """A plain search of a game, and its hooks: a bot's parameters, with functions of the user's in their place."""

    def __init__(self, game: Rules, params: Any = None, custom: CustomHooks | None = None, nodes: int = NEVER) -> None:
        self.rules, self.params = game, params
        self.given: dict[str, Hook] = {} if custom is None else custom.given
        self.takes: dict[str, int] = {} if custom is None else custom.takes
        self.spent, self.limit, self.deadline = 0, nodes, NEVER
        self._evaluate = self.given.get("evaluate")
        if self._evaluate is not None and self.takes["evaluate"] == WITH_PARAMS:
            by_params = self._evaluate
            self._evaluate = lambda state, seat: by_params(state, params, seat)
        self._out = np.zeros(game.most_moves, np.int64)
        self.horizon = False  # an evaluation was needed: a deeper search may find something else

    def begin(self, budget: Budget) -> None:
        """Start to count nodes and time."""
        self.spent = 0
        self.deadline, self.limit = budget.limits

    # ---- Hooks

    def evaluate(self, state: Any, seat: int) -> float:
        """The evaluation of a position for a seat."""
        if self._evaluate is not None:
            return number_of(self._evaluate(state, seat))
        return float(rules.evaluate(state, self.params, seat))

    def terminal_value(self, state: Any, seat: int) -> float:
        """The value of an ended game for a seat."""
        return float(hooks.terminal_value(state, self.params, seat))

    def candidates(self, state: Any) -> list[int]:
        """The moves to consider."""
        function = self.given.get("candidates")
        if function is not None and not is_kernel(function):
            return self._numbers(state, "candidates", function(state))
        out = self._out
        if function is None:
            count = rules.candidates(state, self.params, out)
        else:
            count = (
                function(state, self.params, out) if self.takes["candidates"] == WITH_PARAMS else function(state, out)
            )
        found: list[int] = out[:count].tolist()
        return found

    def shares(self, state: Any) -> list[float]:
        """Each seat's share of a position; with a user's evaluation, at the end the highest scores share all."""
        seats = range(self.rules.seats)
        if "evaluate" not in self.given:
            out = np.zeros(self.rules.seats)
            hooks.shares(state, self.params, out)
            shares: list[float] = out.tolist()
            return shares
        if is_over(state):
            scores = [float(final_score(state, seat)) for seat in seats]
            values = [float(score == max(scores)) for score in scores]
        else:
            values = [max(0.0, self.evaluate(state, seat)) for seat in seats]
        total = sum(values)
        return [hooks.TOTAL * (value / total if total else 1 / len(values)) for value in values]

    def playout_move(self, state: Any, random: Any) -> int:
        """The move of a playout."""
        if "playout" in self.given:
            return self._numbers(state, "playout", [self.given["playout"](state, random)])[0]
        moves = self.rules.moves(state)
        return moves[int(draw_below(random, len(moves)))]

    def _numbers(self, state: Any, name: str, moves: Any) -> list[int]:
        """The moves that a user's function returned as numbers; texts are read. PodiumError if one is not legal."""
        if isinstance(moves, str) or not isinstance(moves, Iterable):
            raise PodiumError(f"{name} must return a list of moves, not {moves!r}")
        legal = {*self.rules.moves(state)}
        try:
            return [int(move) if move in legal else self.rules.legal_move(state, move) for move in moves]
        except (MalformedError, IllegalError) as error:
            raise type(error)(f"{name} returned a wrong move: {error}") from None

    # ---- Positions

    def copy(self, state: Any) -> Any:
        """A copy of a position; counts as a node."""
        if self.spent >= self.limit or (self.deadline != NEVER and now() >= self.deadline):
            raise BudgetSpentError
        self.spent += 1
        return copy_of(state)

    def after(self, state: Any, move: int) -> Any:
        """The position after a move."""
        child = self.copy(state)
        play(child, move)
        return child

    # ---- Definitions

    def minimax(self, state: Any, seat: int, depth: int, pruning: bool = False) -> tuple[float, list[int]]:
        """The value of a position for a seat that plays against all others, and the principal variation."""
        return self._minimax(state, seat, depth, -np.inf, np.inf, pruning)

    def _minimax(
        self, state: Any, seat: int, depth: int, alpha: float, beta: float, pruning: bool
    ) -> tuple[float, list[int]]:
        if is_over(state):
            return self.terminal_value(state, seat), []
        moves = self.candidates(state) if depth else []
        if not moves:
            self.horizon = True
            return self.evaluate(state, seat), []
        sign = 1.0 if hooks.side(state, mover(state), seat) == 0 else -1.0
        best, line = -np.inf, [moves[0]]
        for move in moves:
            value, rest = self._minimax(self.advanced(state, move), seat, depth - 1, alpha, beta, pruning)
            if sign * value > best:
                best, line = sign * value, [move, *rest]
            if sign > 0:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if pruning and alpha >= beta:
                break
        return sign * best, line

    def maxn(self, state: Any, depth: int) -> tuple[list[float], list[int]]:
        """The shares of a position if every seat maximizes its own, and the line; of equal moves the smallest."""
        moves = sorted(self.candidates(state)) if depth and not is_over(state) else []
        if not moves:
            self.horizon = self.horizon or not is_over(state)
            return self.shares(state), []
        me, best, line = int(mover(state)), [-1.0] * self.rules.seats, [moves[0]]
        for move in moves:
            vector, rest = self.maxn(self.advanced(state, move), depth - 1)
            if vector[me] > best[me]:
                best, line = vector, [move, *rest]
        return best, line

    def best_sequence(self, state: Any, seat: int, depth: int, discount: float) -> float:
        """The highest value of all sequences of `depth` moves, or fewer if they end the game, as beams value them."""
        return max(self._sequences(state, seat, depth, discount, discount, 0.0))

    def _sequences(
        self, state: Any, seat: int, depth: int, discount: float, weight: float, gained: float
    ) -> Iterator[float]:
        for move in self.candidates(state):
            child = self.advanced(state, move)
            total = gained + weight * (self.evaluate(child, seat) - self.evaluate(state, seat))
            if depth == 1 or is_over(child):
                yield total + float(hooks.undiscounted_value(child, self.params, seat))
            else:
                yield from self._sequences(child, seat, depth - 1, discount, weight * discount, total)

    def advanced(self, state: Any, move: int) -> Any:
        """The position after a candidate and the moves of those that the search does not choose for."""
        child = self.copy(state)
        hooks.advance(child, self.params, move)
        return child

    def choices(self, state: Any) -> list[tuple[int, list[int]]]:
        """Each seat that chooses in the turn that begins with a position, in order, with its candidates."""
        position, choices = copy_of(state), []
        while True:
            choices.append((int(mover(position)), self.candidates(position)))
            play(position, choices[-1][1][0])
            if is_over(position) or rules.before_turn(position):
                return choices

    def after_turn(self, state: Any, moves: Iterable[int]) -> Any:
        """The position after a turn in which the seats choose these moves."""
        position = self.copy(state)
        for move in moves:
            play(position, move)
        return position

    def equilibrium(self, state: Any, seat: int, depth: int = DEEPEST) -> tuple[float, np.ndarray, np.ndarray]:
        """The value of a position before a turn for one of two seats, by backward induction (`depth` turns deep); and
        the matrix of the turn and the seat's optimal mixed strategy."""
        if is_over(state):
            return self.terminal_value(state, seat), np.zeros((0, 0)), np.zeros(0)
        if depth == 0:
            return self.evaluate(state, seat), np.zeros((0, 0)), np.zeros(0)
        choices = self.choices(state)
        lists = [moves for _, moves in choices]
        values = [
            self.equilibrium(self.after_turn(state, joint), seat, depth - 1)[0] for joint in itertools.product(*lists)
        ]
        matrix = np.array(values).reshape([len(moves) for moves in lists] + [1] * (2 - len(lists)))
        if choices[0][0] != seat:
            matrix = matrix.T
        solved = solve_matrix(matrix)
        return solved.value, matrix, solved.rows

    def solve(self, state: Any, seat: int) -> int:
        """1, 0 or -1: the result of a position for one of two seats with best play."""
        if is_over(state):
            return int(np.sign(final_score(state, seat)))
        best = max if mover(state) == seat else min
        return best(self.solve(self.after(state, move), seat) for move in self.rules.moves(state))

    def perft(self, state: Any, depth: int) -> int:
        """The number of sequences of `depth` moves."""
        if depth == 0:
            return 1
        if is_over(state):
            return 0
        return sum(self.perft(self.after(state, move), depth - 1) for move in self.rules.moves(state))

    # ---- Searches

    def root_moves(self, state: Any) -> list[int]:
        """The moves at the root; PodiumError if there are none."""
        moves = self.candidates(state)
        if not moves:
            raise PodiumError("there is no move to search")
        return moves

    def alphabeta(self, state: Any, seat: int, budget: Budget = NO_LIMIT, depth: int = DEEPEST) -> Result:
        """Alpha-beta with iterative deepening; an unfinished iteration is not used."""
        self.begin(budget)
        line, value, reached, proof = self.root_moves(state)[:1], 0.0, 0, Proof.NONE
        try:
            while reached < depth and not proof:
                self.horizon = False
                value, line = self.minimax(state, seat, reached + 1, pruning=True)
                reached, proof = reached + 1, Proof.NONE if self.horizon else Proof.EXACT
        except BudgetSpentError:
            pass
        return self._result(line, value, reached, proof)

    def maxn_search(self, state: Any, seat: int, budget: Budget = NO_LIMIT, depth: int = DEEPEST) -> Result:
        """max^n with iterative deepening; an unfinished iteration is not used."""
        self.begin(budget)
        line, value, reached, proof = self.root_moves(state)[:1], 0.0, 0, Proof.NONE
        try:
            while reached < depth and not proof:
                self.horizon = False
                vector, line = self.maxn(state, reached + 1)
                value, reached, proof = vector[seat], reached + 1, Proof.NONE if self.horizon else Proof.EXACT
        except BudgetSpentError:
            pass
        return self._result(line, value, reached, proof)

    def beam(self, state: Any, seat: int, budget: Budget, width: int, depth: int) -> Result:
        """Beam search: the best `width` positions of each depth, of equal keys the better one."""
        self.begin(budget)
        discount, stop = float(self.params.discount), bool(self.params.stop_at_win)
        line, best, reached, won = self.root_moves(state)[:1], -np.inf, 0, False
        layer: list[tuple[float, Sequence[int], Any, float]] = [(0.0, (), state, self.evaluate(state, seat))]
        ended: tuple[float, list[int], bool] = (-np.inf, [], False)
        try:
            while layer and reached < depth and not (won and stop):
                pool: dict[int, tuple[float, float, Sequence[int], Any, float]] = {}
                for gained, path, parent, before in layer:
                    for move in self.candidates(parent):
                        child = self.advanced(parent, move)
                        value = self.evaluate(child, seat)
                        total = gained + discount ** (reached + 1) * (value - before)
                        shown = total + float(hooks.undiscounted_value(child, self.params, seat))
                        place = int(key(child)) if self.params.transpositions else self.spent
                        if is_over(child):
                            if shown > ended[0]:
                                ended = shown, [*path, move], bool(final_score(child, seat) > 0)
                        elif place not in pool or shown > pool[place][0]:
                            pool[place] = shown, total, (*path, move), child, value
                kept = sorted(pool.values(), key=lambda node: -node[0])[:width]
                reached += 1
                if kept:
                    best, line, won = kept[0][0], list(kept[0][2]), False
                if ended[1] and (ended[0] >= best or not kept):
                    best, line, won = ended
                layer = [(total, path, position, value) for _, total, path, position, value in kept]
        except BudgetSpentError:
            pass
        return self._result(line, best, reached, Proof.WIN if won else Proof.NONE)

    def _result(self, line: list[int], value: float, depth: int, proof: Proof) -> Result:
        option = RootMove(line[0], value, self.spent, proof, line)
        return Result(line[0], value, depth, self.spent, line, proof, (option,))
