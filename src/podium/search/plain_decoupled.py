"""Decoupled UCT in plain Python, straight from its definition, as `decoupled.py` does it.

It draws the same random numbers, so that the compiled search visits the same moves equally often: a test compares them.
The tree is not kept from turn to turn.
"""

import math
from typing import Any

import numpy as np

from podium.kernel.random import draw_below, draw_unit, generator
from podium.model.budget import Budget
from podium.model.hooks import WIN_VALUE, advance, priors
from podium.model.result import Proof, Result, RootMove
from podium.model.rules import before_turn, is_over, key, mover
from podium.model.ruleset import Rules
from podium.search.custom_hooks import CustomHooks
from podium.search.joint_choices import TurnChoices, expected_value, matrix_of, most_probable
from podium.search.leaf_values import WIN_MARGIN
from podium.search.plain import BudgetSpentError, Plain

UCB1, UCB1_TUNED, REGRET, EXP3, PUCT = range(5)


class PlainTurnNode:
    """A position before a turn; statistics by the place of a seat in the order of choosing."""

    def __init__(self) -> None:
        self.turn = TurnChoices([], [])  # empty before it is expanded
        self.visits = 0
        self.exact: list[float] | None = None  # the proven value for each seat
        self.complete = True
        self.counts: list[np.ndarray] = []
        self.totals: list[np.ndarray] = []
        self.squares: list[np.ndarray] = []
        self.regrets: list[np.ndarray] = []
        self.strategies: list[np.ndarray] = []
        self.priors: list[np.ndarray] = []
        self.cells: dict[int, tuple[int, np.ndarray]] = {}  # by joint choice: visits, sums of values by seat
        self.children: dict[int, PlainTurnNode] = {}

    def expand(self, seat: int, moves: list[int], complete: bool) -> None:
        """Add a seat that chooses here, with its moves."""
        self.turn.seats.append(seat)
        self.turn.moves.append(moves)
        self.complete = self.complete and complete
        for statistics in (self.counts, self.totals, self.squares, self.regrets, self.strategies):
            statistics.append(np.zeros(len(moves)))


Path = list[tuple[PlainTurnNode, list[int], list[float]]]  # nodes, the choices of their seats, and their probabilities


class PlainDecoupled(Plain):
    """Decoupled UCT in plain Python."""

    def __init__(self, game: Rules, params: Any, custom: CustomHooks, seed: int) -> None:
        super().__init__(game, params, custom)
        self.random = generator(seed)
        self.rule, self.exploring = int(params.selection), float(params.exploring_share)

    def decoupled(self, state: Any, seat: int, budget: Budget) -> Result:
        """Simulate until the budget is used up or the root is exact."""
        self.begin(Budget(budget.deadline))
        self.me, self.known = seat, dict[int, PlainTurnNode]()
        self.low, self.high = [math.inf] * self.rules.seats, [-math.inf] * self.rules.seats
        root, simulations = PlainTurnNode(), 0
        self.known[int(key(state))] = root
        try:
            while root.exact is None and simulations < (budget.nodes or math.inf):
                self._simulate(root, state)
                simulations += 1
        except BudgetSpentError:
            pass
        return self._root_result(root, seat, simulations)

    # ---- Values

    def bounds(self, seat: int) -> tuple[float, float]:
        """The values of a lost and a won game."""
        low, high = self.low[seat], self.high[seat]
        if low > high:
            return -1.0, 1.0
        margin = WIN_MARGIN * (high - low) or 1.0
        return low - margin, high + margin

    def _bounded(self, values: list[float]) -> list[float]:
        limits = (self.bounds(seat) for seat in range(len(values)))
        return [min(high, max(low, value)) for value, (low, high) in zip(values, limits, strict=True)]

    def _values(self, state: Any) -> list[float]:
        """The value of a position for each seat."""
        value_of = self.terminal_value if is_over(state) else self.evaluate
        if self.params.zero_sum and self.rules.seats == 2:
            mine = value_of(state, self.me)
            values = [mine if seat == self.me else -mine for seat in range(2)]
        else:
            values = [value_of(state, seat) for seat in range(self.rules.seats)]
        for seat, value in enumerate(values):
            if abs(value) < WIN_VALUE:
                self.low[seat], self.high[seat] = min(self.low[seat], value), max(self.high[seat], value)
        return values

    # ---- One simulation

    def _simulate(self, root: PlainTurnNode, start: Any) -> None:
        state, node, path = self.copy(start), root, Path()
        longest = int(self.params.turns_deep) or self.rules.most_plies + 1
        while True:
            if len(path) == longest:
                values = self._values(state)
                break
            choices, chances = self._play_turn(node, state)
            path.append((node, choices, chances))
            node, is_new = self._child(node, node.turn.joint_of(choices), state)
            if node.exact is not None:
                values = node.exact
                break
            if is_new:
                self._play_out(state)
                values = self._values(state)
                break
        self._backpropagate(path, self._bounded(values), node.exact is not None)

    def _play_turn(self, node: PlainTurnNode, state: Any) -> tuple[list[int], list[float]]:
        is_new, choices, chances = not node.turn.seats, list[int](), list[float]()
        while True:
            place = len(choices)
            if is_new:
                legal = self.rules.moves(state)
                moves = self.candidates(state) or legal
                node.expand(int(mover(state)), moves, len(moves) == len(legal))
                weights = np.zeros(len(moves))
                priors(state, self.params, np.array(moves), len(moves), weights)
                node.priors.append(weights / weights.sum())
            index, chance = self._choose(node, place)
            choices.append(index)
            chances.append(chance)
            advance(state, self.params, node.turn.moves[place][index])
            if is_over(state) or before_turn(state):
                return choices, chances

    def _choose(self, node: PlainTurnNode, place: int) -> tuple[int, float]:
        """A seat's choice and its probability."""
        count = len(node.turn.moves[place])
        if count == 1:
            return 0, 1.0
        if self.rule in (REGRET, EXP3):
            weights = self.weights(node, place)
            node.strategies[place] += weights
            chances = (1 - self.exploring) * weights + self.exploring / count
            point, i = float(draw_unit(self.random)), 0
            while i < count - 1 and point >= chances[i]:
                point -= chances[i]
                i += 1
            return i, float(chances[i])
        start = int(draw_below(self.random, count))
        order = [*range(start, count), *range(start)]
        score = self._prior_score if self.rule == PUCT else self._bound
        scores = [score(node, place, i) for i in order]
        return order[int(np.argmax(scores))], 1.0

    def _prior_score(self, node: PlainTurnNode, place: int, i: int) -> float:
        """The PUCT score of a move; one that was never tried has the mean of the node."""
        low, high = self.bounds(node.turn.seats[place])
        scale = 1.0 / (high - low)
        visits, total = node.counts[place].sum(), node.totals[place].sum()
        mean = (total / visits - low) * scale if visits else 0.0
        if node.counts[place][i]:
            mean = (node.totals[place][i] / node.counts[place][i] - low) * scale
        exploration = float(self.params.exploration) * math.sqrt(visits + 1.0)
        return float(mean + exploration * node.priors[place][i] / (1.0 + node.counts[place][i]))

    def _bound(self, node: PlainTurnNode, place: int, i: int) -> float:
        """The upper confidence bound of a move."""
        visits = node.counts[place][i]
        if not visits:
            return math.inf
        low, high = self.bounds(node.turn.seats[place])
        scale = 1.0 / (high - low)
        mean, share = node.totals[place][i] / visits, math.log(node.visits + 1.0) / visits
        bonus = float(self.params.exploration) * math.sqrt(share)
        if self.rule == UCB1_TUNED:
            variance = max(0.0, node.squares[place][i] / visits - mean * mean) * scale * scale
            bonus = math.sqrt(share * min(0.25, variance + math.sqrt(2.0 * share)))
        return float((mean - low) * scale + bonus)

    def weights(self, node: PlainTurnNode, place: int) -> np.ndarray:
        """The probabilities of regret matching or Exp3, without exploration."""
        regrets = node.regrets[place]
        weights = np.maximum(regrets, 0.0)
        if self.rule == EXP3:
            weights = np.exp(self.exploring / regrets.size * (regrets - regrets.max()))
        total = weights.sum()
        return weights / total if total > 0 else np.full(regrets.size, 1 / regrets.size)

    def _child(self, node: PlainTurnNode, joint: int, state: Any) -> tuple[PlainTurnNode, bool]:
        if joint in node.children:
            return node.children[joint], False
        place = int(key(state)) if self.params.transpositions else id(node) + joint
        is_new = place not in self.known
        child = node.children[joint] = self.known.setdefault(place, PlainTurnNode())
        if is_new and is_over(state):
            child.exact = self._values(state)
        return child, is_new

    def _play_out(self, state: Any) -> None:
        turns = int(self.params.playout_turns)
        while turns and not is_over(state):
            if "playout" in self.given:
                advance(state, self.params, self.playout_move(state, self.random))
            else:
                moves = self.candidates(state) or self.rules.moves(state)
                advance(state, self.params, moves[int(draw_below(self.random, len(moves)))])
            turns -= bool(before_turn(state))

    # ---- Backpropagation

    def _backpropagate(self, path: Path, values: list[float], is_exact: bool) -> None:
        became_exact = False
        for node, choices, chances in reversed(path):
            joint = node.turn.joint_of(choices)
            visits, totals = node.cells.get(joint, (0, np.zeros(self.rules.seats)))
            node.cells[joint] = visits + 1, totals + values
            node.visits += 1
            for place in range(len(choices)):
                self._update(node, place, choices, chances[place], values)
            became_exact = is_exact and (not visits or became_exact) and self._settle(node)
            is_exact = became_exact
            if is_exact and node.exact is not None:
                values = self._bounded(node.exact)

    def _update(self, node: PlainTurnNode, place: int, choices: list[int], chance: float, values: list[float]) -> None:
        seat, i = node.turn.seats[place], choices[place]
        node.counts[place][i] += 1
        node.totals[place][i] += values[seat]
        node.squares[place][i] += values[seat] ** 2
        low, high = self.bounds(seat)
        if self.rule == REGRET:
            for other in range(len(node.turn.moves[place])):
                joint = node.turn.joint_of([*choices[:place], other, *choices[place + 1 :]])
                visits, totals = node.cells.get(joint, (0, np.zeros(0)))
                if visits and other != i:
                    node.regrets[place][other] += (totals[seat] / visits - values[seat]) / (high - low)
        elif self.rule == EXP3 and len(node.turn.moves[place]) > 1:
            node.regrets[place][i] += (values[seat] - low) / (high - low) / chance

    def _settle(self, node: PlainTurnNode) -> bool:
        """Prove a node whose matrix is decided."""
        params = self.params
        if not (params.decide_matrices and params.zero_sum and self.rules.seats == 2 and node.complete):
            return False
        seat, lists = node.turn.seats[0], node.turn.moves
        lower, upper = (np.full([len(lists[0]), node.turn.size // len(lists[0])], far) for far in (-np.inf, np.inf))
        for joint, child in node.children.items():
            if child.exact is not None:
                place = joint % len(lists[0]), joint // len(lists[0])
                lower[place] = upper[place] = child.exact[seat]
        sure, most = lower.min(axis=1).max(), upper.max(axis=0).min()
        if sure < most and sure < WIN_VALUE and most > -WIN_VALUE:
            return False
        value = float(most if most <= -WIN_VALUE else sure)
        node.exact = [value if each == seat else -value for each in range(2)]
        self.best = {node.turn.seats[0]: int(lower.min(axis=1).argmax()), 1 - seat: int(upper.max(axis=0).argmin())}
        return True

    # ---- The result

    def _shares(self, node: PlainTurnNode, place: int) -> np.ndarray:
        if node.exact is not None:  # the last node that was proven is the root
            seat, counts = node.turn.seats[place], node.counts[place]
            best = int(counts.argmax()) if node.exact[seat] <= -WIN_VALUE else self.best[seat]
            return np.eye(counts.size)[best]
        weights = node.strategies[place] if self.rule in (REGRET, EXP3) else node.counts[place]
        total = weights.sum()
        return weights / total if total > 0 else np.full(weights.size, 1 / weights.size)

    def _root_result(self, root: PlainTurnNode, seat: int, simulations: int) -> Result:
        turn = root.turn
        place = turn.place_of(seat)
        shares = [self._shares(root, each) for each in range(len(turn.seats))]
        means = root.totals[place] / np.maximum(root.counts[place], 1)
        row = most_probable(shares[place], means)
        if self.params.mixed and root.exact is None:
            row = int(min(np.searchsorted(np.cumsum(shares[place]), draw_unit(self.random)), shares[place].size - 1))
        own, counts = turn.seats[place], root.counts[place]
        order = sorted(range(len(means)), key=lambda i: (i == row, shares[place][i], counts[i]), reverse=True)
        options = [
            RootMove(turn.moves[place][i], float(means[i]), int(counts[i]), share=float(shares[place][i]))
            for i in order
        ]
        matrix = matrix_of(turn, place, shares, {joint: float(t[own] / n) for joint, (n, t) in root.cells.items()})
        proof = Proof.EXACT if root.exact is not None else Proof.NONE
        value = root.exact[own] if root.exact is not None else expected_value(shares[place], means)
        if own != seat and self.rules.seats == 2:
            value = -value
        line = [moves[int(shares[each].argmax())] for each, moves in enumerate(turn.moves)]
        line[place] = turn.moves[place][row]
        return Result(turn.moves[place][row], value, len(line), simulations, line, proof, options, matrix)
