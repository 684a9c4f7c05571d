"""Beam search for any game: layer by layer, only the best `width` positions are kept.

The search, its transposition rule and the answer "best move of the last finished depth" follow Agade's write-up of
CodinGame's Fall Challenge 2020 (2nd place). Beam stack search, which it reports without gain, is Zhou and Hansen,
"Beam-stack search: integrating backtracking with beam search" (ICAPS 2005).

The value of a sequence of moves is the discounted sum of the changes of `evaluate`, plus the `undiscounted_value` of
its last position. What it asks of a game: `play`, `is_over`, `final_score`, `key`; of a bot: `candidates` (the safest
first) and `evaluate`, and optionally `advance` (the move, and the moves of all others until the searching seat chooses
again) and `undiscounted_value`.

Steps, for each depth (numbered at the code too, in `beam_kernels.py`):
 1. Every position of the layer is copied, advanced by each of its candidates, and evaluated. The clock is checked once
    per position; an unfinished depth does not count.
 2. A child that is not better than the worst of the `width` best so far is dropped at once. So the pool of children
    stays small, and only promising children are hashed.
 3. Of two children with the same key the better one stays.
 4. A child that ends the game competes for the result, but not for the next layer.
 5. When the pool is full, and at the end of the depth, quickselect finds the value of the `width`-th best child, and
    the pool is cut to it.
 6. The states of the layer are rebuilt from their parents: cheaper than keeping the states of all children.
 7. The best sequence is rebuilt from parents and moves, which each layer stores.
With `backtrack` (beam stack search) the deepest layer that dropped children is then built again from those below the
worst it kept, until all were searched or the budget is used up.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from podium.errors import LimitError, PodiumError
from podium.kernel import blank
from podium.kernel.clock import NEVER, now
from podium.model.budget import NO_LIMIT, Budget
from podium.model.params import Parameter, Value
from podium.model.result import Proof, Result, RootMove
from podium.model.rules import candidates
from podium.search.base import Search, refuse_ended
from podium.search.beam_kernels import (
    EVERY_MOVE,
    BeamResult,
    BeamSettings,
    BeamWorkspace,
    most_frequent_first,
    new_workspace,
    search_layers,
)
from podium.search.custom_hooks import Hook
from podium.search.trace import Trace, columns_of, current_recording, facts_of, subtree_sizes
from podium.search.trace_room import UNFINISHED, BeamTraceRow

PARAMETERS = (
    Parameter("width", 350, "beam width: positions kept at each depth (write-up: 350)", 1, 5000),
    Parameter("depth", 100, "maximum search depth in moves (write-up: no limit)", 1, 1000),
    Parameter("discount", 0.98, "discount per move, applied to changes of the evaluation (write-up: 0.98)", 0.0, 1.0),
    Parameter("stop_at_win", True, "stop at the first depth whose best sequence wins the game (write-up: on)"),
    Parameter("transpositions", True, "keep only the better one of two sequences that lead to the same position"),
    Parameter("separate", False, "one beam per first move, each with an equal share of the time (write-up: no gain)"),
    Parameter("backtrack", False, "beam stack search down to `depth` (write-up: no gain)"),
    Parameter(
        "top",
        0,
        "play the most frequent first move of this many best sequences; 0: of the best (write-up: 10, no gain)",
        0,
    ),
)


class Beam(Search):
    """Beam search of the moves of one seat. Nothing is kept from one search to the next.

    >>> import podium
    >>> game = podium.load("zuniq")
    >>> @podium.kernel
    ... def few_walls(state, seat):
    ...     return -1.0 * state.plies
    >>> result = podium.Beam(game, evaluate=few_walls, width=20).search(game.rules.initial_state(), depth=3)
    >>> result.depth, len(result.line)
    (3, 3)
    """

    title = "beam search"
    parameters = PARAMETERS

    def __init__(
        self,
        game: Any,
        params: Any = None,
        *,
        seed: int = 0,
        evaluate: Hook | None = None,
        candidates: Hook | None = None,
        most_width: int = 0,
        most_depth: int = 0,
        **parameters: Value,
    ) -> None:
        """For a game or its rules, with the parameters of a bot, or some of its own by name.

        `evaluate` values positions and `candidates` chooses the moves to consider: kernels, or plain Python functions
        (`custom_hooks.py`). There is room for beams up to a width and a depth, by default those of the parameters.
        Nothing is drawn from the seed.
        """
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates)
        self.require_evaluation()
        self._sizes = most_width or int(self.params.width), most_depth or int(self.params.depth)
        self.found = blank(BeamResult)
        self._settings = blank(BeamSettings)

    @cached_property
    def work(self) -> BeamWorkspace:
        """The workspace, allocated when it is first needed."""
        return new_workspace(self.rules.state, *self._sizes, self.rules.most_moves)

    def decide(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        context: Any = None,
        width: int = 0,
        depth: int = 0,
        separate: bool | None = None,
        top: int | None = None,
        only: Collection[int] = (),
    ) -> Result:
        """The best sequence of moves of a state that is not over, for a seat, within a budget.

        A search context takes the parameters' place in the hooks; width, depth, `separate` and `top` default to those
        of the parameters; separate beams are made for `only` these first moves, or for all. The proof of a win holds if
        the others do what `advance` says. With a budget of nodes the clock is ignored.
        """
        refuse_ended(state)
        width, depth = width or int(self.params.width), depth or int(self.params.depth)
        if width > self._sizes[0] or depth > self._sizes[1]:
            raise LimitError(f"this beam has room for {self._sizes[0]} positions and {self._sizes[1]} moves, at most")
        if self.plain is not None:
            return self.plain.beam(state, seat, budget, width, depth)
        params, context = self.params, self.params if context is None else context
        self.work.states[0, 0] = state
        count = int(candidates(self.work.states[0, 0], context, self.work.moves))
        if count == 0:
            raise PodiumError("there is no move to search")
        settings = self._settings
        settings.seat, settings.width, settings.depth = seat, width, depth
        for name in ("discount", "stop_at_win", "backtrack", "transpositions"):
            settings[name] = params[name]
        settings.only = EVERY_MOVE
        if params.separate if separate is None else separate:
            firsts = [place for place, move in enumerate(self.work.moves[:count].tolist()) if not only or move in only]
            if not firsts:
                raise PodiumError("none of these moves is considered here")
            return self._each_move(context, firsts, budget)
        settings.deadline, settings.most_nodes = budget.limits
        records = current_recording()
        work = self.work if records is None else self.work._replace(trace=records.room(BeamTraceRow))
        search_layers(work, settings, context, self.found)
        result = self._result(int(params.top if top is None else top))
        if records is not None:
            records.append(self._trace(state, seat, work.trace, context, result))
        return result

    def _trace(self, state: Any, seat: int, room: Any, context: Any, result: Result) -> Trace:
        """What was just searched: the children that were made, kept or dropped."""
        columns = columns_of(room[: self.found.rows].view(np.ndarray))
        columns["source"] = np.where(columns["ply"] > result.depth, UNFINISHED, columns["source"]).astype(np.uint8)
        columns["ply"] = np.minimum(columns["ply"], 255).astype(np.uint8)
        columns["nodes"] = subtree_sizes(columns["parent"])
        facts = facts_of(self.title, self.rules, seat, self.params, result, "nodes")
        deepest = int(columns["ply"].max())
        facts["cut"] = (
            f"only the first {deepest} layers have rows: the others did not fit" if self.found.lost_rows else ""
        )
        kept = ("parent", "move", "ply", "value", "low", "nodes", "source", "twin")
        return Trace(self.rules, state, {name: columns[name] for name in kept}, facts, context=context)

    def _result(self, top: int) -> Result:
        found, work = self.found, self.work
        line = self._line()
        proof = Proof.WIN if found.won else Proof.NONE
        if top and not found.won and work.sizes[found.depth]:
            popular = int(most_frequent_first(work, found.depth, top))
            if popular != line[0]:
                line = [popular]
        options = self._options(line[0], proof)
        return Result(line[0], float(found.best_value), int(found.depth), int(found.nodes), line, proof, options)

    def _line(self) -> list[int]:
        return [int(move) for move in self.work.line[: self.found.length]]

    def _options(self, best: int, proof: Proof) -> list[RootMove]:
        """The first moves of the sequences in the last finished layer, with the best value of each."""
        depth = int(self.found.depth)
        layers = self.work.layers.view(np.ndarray)  # plain: fields of a recarray take ten times as long
        nodes = layers[depth, : self.work.sizes[depth] if depth else 0]
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

    def _each_move(self, context: Any, firsts: Sequence[int], budget: Budget) -> Result:
        """A beam for each of these first moves, by its place: the best sequence at the depth that all have finished.

        A sequence that ends the game keeps its value at all later depths; one that wins it precedes all others.
        """
        settings, found = self._settings, self.found
        deadline, nodes = budget.limits
        settings.most_nodes = max(1, nodes // len(firsts))
        beams: list[tuple[bool, list[float], list[int]]] = []  # won, best value of each depth, sequence
        total, depths = 0, []
        for done, place in enumerate(firsts):
            settings.only = place
            settings.deadline = NEVER if deadline == NEVER else now() + (deadline - now()) // (len(firsts) - done)
            search_layers(self.work, settings, context, found)
            total += int(found.nodes)
            values = [float(best.value) for best in self.work.bests[1 : found.depth + 1]]
            if found.won:
                values = [float(found.best_value)]
            elif values and values[-1] == -np.inf:  # nothing goes on
                values[-1] = float(found.best_value)
            else:
                depths.append(len(values))
            beams.append((bool(found.won), values, self._line()))
        common = min(depths, default=max(len(values) for _, values, _ in beams))

        def rank(beam: tuple[bool, list[float], list[int]]) -> tuple[bool, float]:
            return beam[0], beam[1][min(common, len(beam[1])) - 1] if common else 0.0

        options = [
            RootMove(line[0], rank(beam)[1], 0, Proof.WIN if won else Proof.NONE, line)
            for beam in sorted(beams, key=rank, reverse=True)
            for won, _, line in [beam]
        ]
        best = options[0]
        return Result(best.move, best.value, common, total, list(best.line), best.proof, options)
