"""Beam search for any game: layer by layer, only the best `width` positions live on.

The search, its transposition rule and the answer "best move of the last finished depth" follow Agade's write-up of
CodinGame's Fall Challenge 2020 (2nd place). Beam stack search, which he tried too, is Zhou and Hansen, "Beam-stack
search: integrating backtracking with beam search" (ICAPS 2005).

The value of a sequence of moves is the discounted sum of the changes of `evaluate`, plus what `standing` says of
its last position, undiscounted. What it asks of a game: `play`, `is_over`, `final_score`, `key`; of a bot: `candidates`
(the safest first) and `evaluate`, and if it likes `advance` (the move and whatever others do until the searching seat
chooses again) and `standing`.

Steps, for each depth (they are numbered at the code too, in `layers.py`):
 1. Every position of the layer is copied and advanced by each of its candidates, and valued. The clock is looked at
    once per position; an unfinished depth counts for nothing.
 2. A child that is not better than the worst of the `width` best so far is dropped at once. So the pool of children
    stays small and only promising ones are hashed.
 3. Of two children with the same key the better one stays.
 4. A child that ends the game competes for the answer, but not for a place in the next layer.
 5. When the pool is full, and at the end of the depth, quickselect finds the value of the `width`-th best, and the
    pool is cut down to it.
 6. The survivors' states are made again from their parents: cheaper than keeping the states of all children.
 7. The best sequence is rebuilt from the discoverers (parent and move) that each layer remembers.
With backtracking (beam stack search) the deepest layer that dropped children is then built again from those below the
worst it kept, until everything was seen or the time is over.
"""

from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel import blank
from podium.kernel.budget import NO_LIMIT, Budget
from podium.kernel.clock import NEVER, now
from podium.kernel.minds import Parameter
from podium.kernel.rules import candidates, is_over
from podium.search.layers import EVERY_MOVE, Found, Settings, most_started, new_space, search_layers
from podium.search.result import Proof, Result, RootMove

PARAMETERS = (
    Parameter("width", 350, "positions that live on at each depth (write-up: 350)", 1, 5000),
    Parameter("depth", 100, "moves to look ahead at most (write-up: no limit)", 1, 1000),
    Parameter("discount", 0.98, "what a change of worth keeps with each move (write-up: 0.98)", 0.0, 1.0),
    Parameter("stop_at_win", True, "play a sequence believed to win as soon as a depth has found it (write-up: on)"),
    Parameter("separate", False, "one beam for each first move, in equal shares of the time (write-up: no gain)"),
    Parameter("backtrack", False, "beam stack search down to `depth` (write-up: no gain)"),
    Parameter(
        "top", 0, "play the move that starts most of so many best sequences; 0: the best (write-up: 10, no gain)", 0
    ),
)


class Beam:
    """A searcher for one bot: its workspace. Nothing is remembered from one search to the next."""

    def __init__(self, state: np.dtype, mind: Any, most_moves: int, width: int = 0, depth: int = 0) -> None:
        """For beams up to a width and a depth: those of the mind unless given."""
        self.mind = mind
        self.space = new_space(state, width or int(mind.width), depth or int(mind.depth), most_moves)
        self._layers = self.space.layers.view(np.ndarray)  # plain: fields of a recarray take ten times as long
        self.found = blank(Found)
        self._settings = blank(Settings)

    def search(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        outlook: Any = None,
        width: int = 0,
        depth: int = 0,
        separate: bool | None = None,
        top: int | None = None,
    ) -> Result:
        """The best sequence of moves of a state that is not over, for a seat, within a budget.

        The outlook takes the mind's place in the hooks; the search's own numbers are those of the mind unless given.
        The proof of a win holds if the others do what `advance` says. With a node budget the clock is not looked at.
        """
        if is_over(state):
            raise PodiumError("the game is over: there is nothing to search")
        mind, asked = self.mind, self.mind if outlook is None else outlook
        self.space.states[0, 0] = state
        count = int(candidates(self.space.states[0, 0], asked, self.space.moves))
        if count == 0:
            raise PodiumError("there is no move to search")
        settings = self._settings
        settings.seat, settings.width, settings.depth = seat, width or mind.width, depth or mind.depth
        settings.discount, settings.stop_at_win, settings.backtrack = mind.discount, mind.stop_at_win, mind.backtrack
        settings.only = EVERY_MOVE
        if mind.separate if separate is None else separate:
            return self._each_move(asked, count, budget)
        settings.deadline, settings.most_nodes = budget.limits
        search_layers(self.space, settings, asked, self.found)
        return self._result(int(mind.top if top is None else top))

    def _result(self, top: int) -> Result:
        found, space = self.found, self.space
        line = self._line()
        proof = Proof.WIN if found.won else Proof.NONE
        if top and not found.won and space.sizes[found.depth]:
            popular = int(most_started(space, found.depth, top))
            if popular != line[0]:
                line = [popular]
        options = self._options(line[0], proof)
        return Result(line[0], float(found.best_value), int(found.depth), int(found.nodes), line, proof, options)

    def _line(self) -> list[int]:
        return [int(move) for move in self.space.line[: self.found.length]]

    def _options(self, best: int, proof: Proof) -> list[RootMove]:
        """The first moves whose sequences were alive at the last finished depth, with the best value of each."""
        depth = int(self.found.depth)
        nodes = self._layers[depth, : self.space.sizes[depth] if depth else 0]
        order = np.argsort(-nodes["value"], kind="stable")
        moves, highest, alive = np.unique(nodes["first"][order], return_index=True, return_counts=True)
        found = {
            move: (value, count)
            for move, value, count in zip(
                moves.tolist(), nodes["value"][order[highest]].tolist(), alive.tolist(), strict=True
            )
        }
        value, count = found.get(best, (-np.inf, 0))
        found[best] = max(value, float(self.found.best_value)), count
        ranked = sorted(found.items(), key=lambda item: -item[1][0])
        return [RootMove(m, value, n, proof if m == best else Proof.NONE) for m, (value, n) in ranked]

    def _each_move(self, asked: Any, count: int, budget: Budget) -> Result:
        """One beam for each first move; a won sequence, or the best of the depth that all have finished."""
        settings, found = self._settings, self.found
        deadline, nodes = budget.limits
        settings.most_nodes = max(1, nodes // count)
        beams: list[tuple[bool, list[float], list[int]]] = []  # won, best value of each depth, sequence
        total = 0
        for index in range(count):
            settings.only = index
            settings.deadline = NEVER if deadline == NEVER else now() + (deadline - now()) // (count - index)
            search_layers(self.space, settings, asked, found)
            total += int(found.nodes)
            values = [float(best.value) for best in self.space.bests[1 : found.depth + 1]]
            if found.won:
                values = [float(found.best_value)] * max(1, len(values))
            beams.append((bool(found.won), values, self._line()))
        common = min(len(values) for _, values, _ in beams)

        def rank(beam: tuple[bool, list[float], list[int]]) -> tuple[bool, float]:
            return beam[0], beam[1][common - 1] if common else 0.0

        options = [
            RootMove(line[0], rank(beam)[1], 0, Proof.WIN if won else Proof.NONE, line)
            for beam in sorted(beams, key=rank, reverse=True)
            for won, _, line in [beam]
        ]
        best = options[0]
        return Result(best.move, best.value, common, total, list(best.line), best.proof, options)
