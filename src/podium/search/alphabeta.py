"""Principal variation search (NegaScout) for any game and any sequence of movers.

The value of a position changes its sign only where the *side* to move changes; by default the searching seat is one
side and all others are the other. So one search serves two players, simultaneous moves played one after the other, and
"me against the rest" (Paranoid, Sturtevant and Korf 2000). What it asks of a game: `mover`, `play`, `is_over`, `key`;
of a bot: `candidates` and `evaluate`, and optionally `advance`, `tie_break`, `playable`, `terminal_value` and `side`.

Sources: NegaScout (Reinefeld 1983); iterative deepening, transposition table and move ordering as the Wondev Woman
write-up describes them (`transpositions.py`, `ordering.py`). Late move reductions and a maximum breadth (`reduction`,
`breadth`), as strong bots of that contest had them, change the value; all other switches change only the size of the
tree.

The search is a loop over a stack of frames instead of a recursion. So it can pause anywhere and be resumed, Python gets
control every 100 ms, and only the clock or the node limit decides where it ends. One step (numbered at the code too, in
`negascout.py`; the data is in `alphabeta_workspace.py`):
 1. Take the next move of the top frame. If there is none left, or after a cutoff, close the frame: store its result in
    the table, reward its best move, and hand its value to the frame below (5).
 2. Play the move on the next state of the stack.
 3. An ended game or the horizon gives a value at once (5).
 4. Otherwise look the child up in the table; without a cutoff push a frame for it. The first move gets the full window,
    the others a null window just above alpha.
 5. A value comes back for the move: if a null window fails high, search the same child again with the full window;
    otherwise keep the best.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.generic import redefinitions
from podium.kernel.records import packed_bytes
from podium.model.budget import NO_LIMIT, Budget
from podium.model.params import Parameter, Value
from podium.model.result import Proof, Result, RootMove
from podium.model.rules import candidates
from podium.search import ordering
from podium.search.alphabeta_workspace import MOST_PLIES, RESULT, AlphaBetaWorkspace, new_workspace
from podium.search.base import Search, refuse_ended
from podium.search.custom_hooks import Hook
from podium.search.negascout import CHECK_INTERVAL, RUNNING, adopt_unfinished, begin_search, resume_search
from podium.search.trace import close_open_rows, current_recording, make_room, trace_of_iterations
from podium.search.trace_room import ALL_PLIES

PARAMETERS = (
    *ordering.PARAMETERS,
    Parameter("table", True, "use the transposition table for cutoffs, at the same depth only (no write-up has it)"),
    Parameter("table_depth", 1, "minimum depth in plies of positions stored in the transposition table", 1, 60),
    Parameter("evaluation_cache", True, f"cache evaluations by position key ({ordering.WRITEUP})"),
    Parameter("scout", True, f"NegaScout: search all but the first move with a null window first ({ordering.WRITEUP})"),
    Parameter("aspiration", 0.0, "aspiration window: half width around the last value, in points; 0: full window", 0),
    Parameter("partial", True, "accept an unfinished iteration once its first move has been searched"),
    Parameter("stride", 1, "depth increment of iterative deepening in plies; 2 where a turn is two plies", 1, 60),
    Parameter("depth", 60, "maximum search depth in plies", 1, 60),
    Parameter("reduction", 0, "late move reductions: plies; 0: none, exact", 0, 4),
    Parameter("reduce_after", 6, "late move reductions: moves of a node that are searched in full", 1, 1000),
    Parameter("reduce_depth", 3, "late move reductions: minimum depth in plies", 2, 60),
    Parameter("breadth", 0, "maximum number of moves per node above the last ply; 0: all, exact", 0, 1000),
)

PYTHON_INTERVAL = 100 * MILLISECOND  # between two returns to Python, for Ctrl-C


class AlphaBeta(Search):
    """Principal variation search, with a transposition table that is kept from one search to the next.

    >>> import podium
    >>> game = podium.load("zuniq")
    >>> @podium.kernel
    ... def parity(state, seat):
    ...     return 1.0 if (state.plies & 1) == seat else -1.0
    >>> result = podium.AlphaBeta(game, evaluate=parity).search(game.rules.initial_state(), depth=2)
    >>> result.depth, len(result.line), result.value
    (2, 2, 1.0)
    """

    title = "alpha-beta"
    parameters = PARAMETERS

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

        `evaluate` values positions and `candidates` chooses the moves to consider: kernels, or plain Python functions
        (`custom_hooks.py`). Table and cache have 2 to the power of these bits entries. Nothing is drawn from the seed.
        """
        super().__init__(game, params, parameters, evaluate=evaluate, candidates=candidates)
        self.require_evaluation()
        self._sizes = table_bits, cache_bits
        # what table and cache were filled for: seat, parameters or search context, and the definitions in force
        self._tables_of: tuple[int, bytes, int] | None = None

    @cached_property
    def work(self) -> AlphaBetaWorkspace:
        """The workspace, allocated when it is first needed."""
        return new_workspace(self.rules.state, self.rules.most_moves, *self._sizes)

    def forget(self) -> None:
        """Clear the transposition table and the evaluation cache."""
        for entries in (self.work.table, self.work.cache):
            entries.view(np.uint8).fill(0)  # record by record it takes milliseconds
        self._tables_of = None

    def decide(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        context: Any = None,
        depth: int = 0,
        stride: int = 0,
        only: Sequence[int] | None = None,
    ) -> Result:
        """The best move of a state that is not over, for a seat, within a budget or a depth.

        A search context takes the parameters' place. `depth` and `stride` default to those of the parameters; `only`
        restricts the moves at the root. With a budget of nodes the clock is ignored: the result is the same every time.

        Table and cache are cleared first if they were filled for another seat, parameters or search context.
        """
        refuse_ended(state)
        if self.plain is not None:
            deepest = depth or int(self.params.depth)
            self.refuse_endless(budget, bool(depth) or deepest < MOST_PLIES)
            return self.plain.alphabeta(state, seat, budget, min(MOST_PLIES, deepest))
        records = current_recording()
        work, params = self.work, self.params if context is None else context
        if records is not None:
            work = work._replace(trace=records.room())
        tables_of = seat, packed_bytes(params), redefinitions()
        if self._tables_of not in (None, tables_of):
            self.forget()
        self._tables_of = tables_of
        work.states[0] = state
        if only is None:
            count = int(candidates(work.states[0], params, work.moves[0]))
        else:
            count = len(only)
            work.moves[0, :count] = only
        if count == 0:
            raise PodiumError("there is no move to search")
        max_depth = min(MOST_PLIES, depth or int(params.depth))
        work.status[0].rows = work.status[0].lost_rows = 0
        work.status[0].traced_plies = ALL_PLIES if work.trace.size else 0
        begin_search(work, params, seat, max_depth, stride or int(params.stride), count)
        deadline, limit = budget.limits
        work.status[0].next_check = min(CHECK_INTERVAL, limit)
        while (
            resume_search(work, params, min(deadline, now() + PYTHON_INTERVAL), limit) == RUNNING and now() < deadline
        ):
            make_room(work)
        adopt_unfinished(work, params)
        result = self._result()
        if records is not None:
            close_open_rows(work)
            records.append(trace_of_iterations(self, state, seat, work, params, result))
        return result

    def _result(self) -> Result:
        status = self.work.status[0]
        line = [int(move) for move in self.work.lines[RESULT, : status.length]]
        value, proof = float(status.value), Proof.EXACT if status.proven else Proof.NONE
        option = RootMove(line[0], value, int(status.nodes), proof, line)
        return Result(line[0], value, int(status.depth), int(status.nodes), line, proof, (option,))
