"""Principal variation search (NegaScout) for any game and any sequence of movers.

What it asks of a game: `mover`, `play`, `is_over`, `key`; of a bot: `candidates` and `evaluate`, and if they like
`tie_break`, `playable`, `terminal_value` and `side`. The value of a position changes its sign only where the *side* to
move changes, and by default a side is the searching seat against all others. So one engine serves two players,
simultaneous moves played one after the other, and "me against the rest" (Paranoid, Sturtevant and Korf 2000).

Sources: NegaScout (Reinefeld 1983), iterative deepening, transposition table and move ordering as the Wondev Woman
write-up describes them; see `transpositions` and `ordering`. Late moves may be reduced and moves left out
(`reduction`, `breadth`), as strong bots of that contest did; all other switches change only the size of the tree.

The search is a loop over a stack of frames, not a recursion. It can stop anywhere and go on later, so that Python gets
control every 100 ms; and nothing but the clock or the node budget decides where it ends. One step of it (the numbers
stand at the code too, in `negascout.py`; what it works on is in `frames.py`):

1. Take the next move of the top frame, or if there is none, or a cut, finish the frame: store its result in the
   table, reward its best move, and hand its value to the frame below (5).
2. Play the move on the next state of the stack.
3. An end of the game or the horizon gives a value at once (5).
4. Otherwise look the child up in the table, and if that does not settle it put a frame for it on the stack. The first
   move gets the whole window, the others an empty one just above alpha.
5. A value comes back for the move: if an empty window failed, search the same child again with the whole one; else
   keep the best.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.kernel.budget import NO_LIMIT, Budget
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import Parameter
from podium.kernel.rules import candidates, is_over
from podium.search import ordering
from podium.search.frames import MOST_PLIES, new_work
from podium.search.negascout import LOOK, RUNNING, adopt, begin, search_on
from podium.search.result import Proof, Result, RootMove

PARAMETERS = (
    *ordering.PARAMETERS,
    Parameter("table", True, "reuse values of positions that were searched before to the same depth (write-up)"),
    Parameter("table_depth", 1, "least depth of positions kept in the table, in plies", 1, 60),
    Parameter("evaluation_cache", True, "evaluate a position only once (write-up)"),
    Parameter("scout", True, "NegaScout: search all but the first move with an empty window first (write-up)"),
    Parameter("aspiration", 0.0, "half width of the window around the last depth's value, in points; 0: none", 0),
    Parameter("partial", True, "use a depth that time did not suffice for, if its first move was searched"),
    Parameter(
        "stride", 1, "plies by which the depth grows; 2 where a turn is two plies, one choice of each side", 1, 60
    ),
    Parameter("depth", 60, "most plies to look ahead", 1, 60),
    Parameter("reduction", 0, "plies by which late moves are searched less deep at first; 0: none, exact", 0, 4),
    Parameter("reduce_after", 6, "moves of a node before late ones begin", 1, 1000),
    Parameter("reduce_depth", 3, "least depth at which late moves are reduced, in plies", 2, 60),
    Parameter("breadth", 0, "moves searched at a node with more than one ply to go; 0: all, exact", 0, 1000),
)

SLICE = 100 * MILLISECOND  # without Python getting control


class AlphaBeta:
    """A searcher for one bot: its workspace, and what it remembers from one search to the next."""

    def __init__(self, state: np.dtype, mind: Any, most_moves: int, table_bits: int = 18, cache_bits: int = 18) -> None:
        self.mind = mind
        self.work = new_work(state, most_moves, table_bits, cache_bits)
        self._opinion_of: tuple[int, bytes] | None = None  # whose values the tables hold: seat, and mind or outlook

    def forget(self) -> None:
        """Empty table and cache."""
        for entries in (self.work.table, self.work.cache):
            entries.view(np.uint8).fill(0)  # record by record it takes milliseconds
        self._opinion_of = None

    def search(
        self,
        state: Any,
        seat: int,
        budget: Budget = NO_LIMIT,
        *,
        outlook: Any = None,
        depth: int = 0,
        stride: int = 0,
        only: Sequence[int] | None = None,
    ) -> Result:
        """The best move of a state that is not over, for a seat, within a budget or a depth.

        The outlook takes the mind's place. `depth` and `stride` are those of the mind unless given; `only` restricts
        the moves of the root. With a node budget the clock is not looked at: the result is the same every time.

        What was remembered for another seat, mind or outlook is forgotten first.
        """
        work, mind = self.work, self.mind if outlook is None else outlook
        if is_over(state):
            raise PodiumError("the game is over: there is nothing to search")
        opinion_of = seat, mind.tobytes()
        if self._opinion_of not in (None, opinion_of):
            self.forget()
        self._opinion_of = opinion_of
        work.states[0] = state
        if only is None:
            count = int(candidates(work.states[0], mind, work.moves[0]))
        else:
            count = len(only)
            work.moves[0, :count] = only
        if count == 0:
            raise PodiumError("there is no move to search")
        begin(work, mind, seat, min(MOST_PLIES, depth or int(mind.depth)), stride or int(mind.stride), count)
        deadline, limit = budget.limits
        work.desk[0].look = min(LOOK, limit)
        while search_on(work, mind, min(deadline, now() + SLICE), limit) == RUNNING and now() < deadline:
            pass
        if not work.desk[0].proven and work.desk[0].sound and mind.partial:
            adopt(work)
        return self._result()

    def _result(self) -> Result:
        desk = self.work.desk[0]
        line = [int(move) for move in self.work.line[: desk.length]]
        value, proof = float(desk.value), Proof.EXACT if desk.proven else Proof.NONE
        option = RootMove(line[0], value, int(desk.nodes), proof, line)
        return Result(line[0], value, int(desk.reached), int(desk.nodes), line, proof, (option,))
