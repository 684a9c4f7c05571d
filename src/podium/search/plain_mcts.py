"""Monte Carlo tree search in plain Python: UCT with proven results (MCTS-Solver), as `mcts.py` does it.

Of the parameters it reads `playouts`, `exploration` and `prove`. With RAVE, impact, the random opponent, transpositions
and the solver switched off the compiled search visits the same moves equally often: a test compares them.
"""

import math
from typing import Any

import numpy as np

from podium.kernel.random import generator
from podium.model.budget import Budget
from podium.model.proofs import DRAW, LOSS, UNPROVEN, WIN, opposite, proof_of
from podium.model.result import PROOFS, Proof, Result, RootMove
from podium.model.rules import final_score, is_over, mover, play
from podium.model.ruleset import Rules
from podium.search.custom_hooks import CustomHooks
from podium.search.plain import BudgetSpentError, Plain

UNVISITED = np.float32(1e-6)  # visits of a move without any


class PlainNode:
    """A position of the tree; statistics are those of the side to move, by move."""

    def __init__(self, proof: int) -> None:
        self.proof = proof
        self.visits = 0
        self.moves: list[int] = []  # empty before it is expanded
        self.complete = False  # all legal moves are among them

    def expand(self, moves: list[int], complete: bool) -> None:
        """Give the node its moves."""
        self.moves, self.complete = moves, complete
        self.children: list[PlainNode | None] = [None] * len(moves)
        self.proofs = [UNPROVEN] * len(moves)
        self.counts = np.zeros(len(moves), np.float32)  # of playouts
        self.sums = np.zeros(len(moves), np.float32)  # of their results

    def scores(self, exploration: float, playouts: int) -> Any:
        """What selection maximizes."""
        scores = (self.sums + UNVISITED) / np.maximum(self.counts, UNVISITED)
        if exploration > 0.0:
            scale = np.float32(exploration) * np.float32(math.sqrt(math.log(self.visits + 1.0) * playouts))
            scores += scale / np.sqrt(np.maximum(self.counts, UNVISITED))
        return scores

    def proof_by_moves(self) -> int:
        """A win by one move, a loss or a draw only by all legal ones."""
        if WIN in self.proofs:
            return WIN
        if UNPROVEN in self.proofs or not self.complete:
            return UNPROVEN
        return DRAW if DRAW in self.proofs else LOSS


class PlainMcts(Plain):
    """UCT in plain Python; nothing is kept from one search to the next."""

    def __init__(self, game: Rules, params: Any, custom: CustomHooks, seed: int) -> None:
        super().__init__(game, params, custom)
        self.random = generator(seed)
        self.playouts, self.exploration = int(params.playouts), float(params.exploration)

    def mcts(self, state: Any, seat: int, budget: Budget) -> Result:
        """Simulate until the budget is used up or the root is proven."""
        self.begin(Budget(budget.deadline))
        root, simulations = PlainNode(UNPROVEN), 0
        root.expand(self.root_moves(state), False)
        root.complete = len(root.moves) == len(self.rules.moves(state))
        try:
            while root.proof == UNPROVEN and simulations < (budget.nodes or math.inf):
                self._simulate(root, state)
                simulations += 1
        except BudgetSpentError:
            pass
        return self._root_result(root, 1 if mover(state) == seat else -1, simulations)

    def _simulate(self, root: PlainNode, start: Any) -> None:
        """Selection, expansion, playouts, backpropagation."""
        state, node, path = self.copy(start), root, []
        while True:
            if not node.moves:
                moves = self.candidates(state) or self.rules.moves(state)
                node.expand(moves, len(moves) == len(self.rules.moves(state)))
            i = self._select(node)
            path.append((node, i, int(mover(state))))
            play(state, node.moves[i])
            child = node.children[i]
            if child is None:
                ended = bool(is_over(state))
                proof = int(proof_of(final_score(state, mover(state)))) if ended else UNPROVEN
                child = node.children[i] = PlainNode(proof)
                break
            if child.proof != UNPROVEN:
                break
            node = child
        self._backpropagate(path, int(mover(state)), child.proof, self._value(state, child.proof))

    def _select(self, node: PlainNode) -> int:
        scores = node.scores(self.exploration, self.playouts)
        best, highest = 0, -math.inf
        for i, proof in enumerate(node.proofs):
            score = float(scores[i]) if proof == UNPROVEN else 0.0
            if score > highest and proof != LOSS:
                best, highest = i, score
        return best

    def _value(self, state: Any, proof: int) -> float:
        """The sum of the results of all playouts for the side to move, or what stands for it."""
        if proof != UNPROVEN:
            return 0.0 if proof == DRAW else self.playouts * float(proof)
        side = int(mover(state))
        if "evaluate" in self.given:
            return self.playouts * min(1.0, max(-1.0, self.evaluate(state, side)))
        total = 0.0
        for _ in range(self.playouts):
            game = self.copy(state)
            while not is_over(game):
                play(game, self.playout_move(game, self.random))
            total += float(np.sign(final_score(game, side)))
        return total

    def _backpropagate(self, path: list[tuple[PlainNode, int, int]], side: int, proof: int, balance: float) -> None:
        for node, i, seat in reversed(path):
            same = seat == side
            node.visits += 1
            if proof != UNPROVEN and self.params.prove:
                node.proofs[i] = proof if same else int(opposite(proof))
                node.proof = node.proof_by_moves()
                proof = node.proof if same else int(opposite(node.proof))
                if node.proof != UNPROVEN:
                    balance = 0.0 if proof == DRAW else float(self.playouts * proof)
                    continue
            node.counts[i] += np.float32(self.playouts)
            node.sums[i] += np.float32(balance if same else -balance)

    def _root_result(self, root: PlainNode, sign: int, simulations: int) -> Result:
        scores = root.scores(self.exploration, self.playouts)

        def rank(i: int) -> tuple[bool, bool, float, float]:
            return root.proofs[i] == WIN, root.proofs[i] != LOSS, float(root.counts[i]), float(scores[i])

        options = []
        for i in sorted(range(len(root.moves)), key=rank, reverse=True):
            mean = float(root.sums[i] / max(root.counts[i], np.float32(1)))
            value = {WIN: 1.0, LOSS: -1.0, DRAW: 0.0}.get(root.proofs[i], mean)
            proof = PROOFS[root.proofs[i] if sign > 0 else int(opposite(root.proofs[i]))]
            options.append(RootMove(root.moves[i], sign * value, int(root.counts[i]), proof, self._line(root, i)))
        best, proven = options[0], PROOFS[root.proof if sign > 0 else int(opposite(root.proof))]
        return Result(best.move, best.value, len(best.line), simulations, list(best.line), Proof(proven), options)

    def _line(self, root: PlainNode, first: int) -> list[int]:
        """The most visited moves after a move of the root."""
        line, node = [root.moves[first]], root.children[first]
        while node is not None and node.moves:
            best = int(np.argmax(node.counts))
            line.append(node.moves[best])
            node = node.children[best]
        return line
