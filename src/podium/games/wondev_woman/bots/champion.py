"""`champion`: NegaScout over the position with the enemy placed where he is most to be feared.

After Agade's program, second in the contest: exact deduction of the enemy's places, iterative deepening with all the
move ordering of the write-up, territory, points and freedom of movement as the evaluation.
"""

from collections.abc import Sequence
from typing import Any

from podium.games.game import BotKind, Budget, Option, Thoughts
from podium.games.wondev_woman.board import MOST_ACTIONS, NOWHERE
from podium.games.wondev_woman.bots.evaluation import CHAMPION, PLACING
from podium.games.wondev_woman.bots.placing import Pair, Placer, placed
from podium.games.wondev_woman.bots.player import Player, heat_of, names_of_line
from podium.games.wondev_woman.bots.tracker import ALIVE, size_of
from podium.games.wondev_woman.bots.view import View
from podium.games.wondev_woman.rules import State, wondev_play
from podium.kernel import allocate
from podium.kernel.clock import MILLISECOND, NEVER, SECOND, now
from podium.search.alphabeta import AlphaBeta
from podium.search.result import Result

FORCED_NODES = 500  # spent on the only legal action, to know what to expect
WARM_NODES = 50
FADING = 0.9  # what remains of the worst overrun from turn to turn

EXPECTED, WORST, RANDOM, REMOVED, AVERAGE = range(len(PLACING))


class Champion(Player):
    """The strongest bot."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(seed)
        self.mind = mind
        self.searcher = AlphaBeta(State, mind, MOST_ACTIONS)
        self.placer = Placer(mind, self.random)
        self.overrun = 0  # nanoseconds by which searches ended too late, the worst of late; it fades
        self.expected: Pair | None = None  # where the last search expects the enemy's units

    def warm_up(self) -> None:
        """Compile everything, or load it.

        The second of two made-up prompts contradicts the first, so that the search for the turn on which an enemy gave
        up is compiled too.
        """
        lines = ["5", "2", *["00000"] * 5, "0 0", "4 4", "-1 -1", "-1 -1", "1", "MOVE&BUILD 0 E S"]
        twin = Champion(self.mind, 0)
        budget = Budget(NEVER, nodes=WARM_NODES)
        twin.reply(lines, budget)
        twin.reply([*lines[2:7], "1 0", *lines[8:11], "1", "MOVE&BUILD 1 N W"], budget)
        twin.placer.any(twin.tracker)

    def choose(self, view: View, budget: Budget) -> int:
        """Place the enemy and search."""
        start = now()
        deadline = self._deadline(budget, start)
        nodes = FORCED_NODES if len(view.actions) == 1 else budget.nodes
        places = self.places(view)
        status = self.placer.status(self.tracker)
        if len(places) == 1:
            state = placed(self.tracker, places[0], status)
            result = self.searcher.search(state, 0, Budget(deadline, nodes=nodes))
        else:
            states = [placed(self.tracker, pair, status) for pair in places]
            result, state = self._on_average(states, deadline, nodes)
        self.overrun = max(now() - deadline, int(self.overrun * FADING), 0)
        self._expect(state, result)
        self.thoughts = self._thoughts(view, state, result, (now() - start) / SECOND)
        return result.move

    def _deadline(self, budget: Budget, start: int) -> int:
        """When to stop searching: with the reserve left, and what a busy machine took from former turns besides."""
        reserve = int(float(self.mind.reserve) * MILLISECOND) + self.overrun
        return max(budget.deadline - reserve, start + (budget.deadline - start) // 4)

    def places(self, view: View) -> list[Pair]:
        """Where to think that the enemy is, the likeliest place first."""
        placing = int(self.mind.placing)
        if placing == REMOVED or NOWHERE not in view.enemy:
            return [view.enemy]
        if placing == RANDOM:
            return [self.placer.any(self.tracker)]
        if placing == AVERAGE:
            return self.placer.worst(self.tracker, int(self.mind.places))
        if placing == EXPECTED and self.expected:
            one, two = self.expected
            if int(self.tracker.belief.sets[ALIVE, one]) >> two & 1:
                return [self.expected]
        return self.placer.worst(self.tracker)

    def _expect(self, state: Any, result: Result) -> None:
        """Remember where the enemy's units are after the expected reply."""
        self.expected = None
        if len(result.line) >= 2:
            work = allocate(State, 1)
            work[0] = state
            for move in result.line[:2]:
                wondev_play(work[0], move)
            self.expected = int(work[0].unit[2]), int(work[0].unit[3])

    def _on_average(self, states: Sequence[Any], deadline: int, nodes: int) -> tuple[Result, Any]:
        """The best move of each place, each tried in all places; the best on average wins.

        Half of the budget goes to finding the moves, half to trying them.
        """
        begin = now()
        half = begin + (deadline - begin) // 2
        results = []
        each = max(1, nodes // (2 * len(states))) if nodes else 0
        for i, state in enumerate(states):
            until = begin + (half - begin) * (i + 1) // len(states)
            results.append(self.searcher.search(state, 0, Budget(until, nodes=each)))
        moves = list(dict.fromkeys(result.move for result in results))
        if len(moves) == 1:
            return results[0], states[0]
        depth = max(1, min(result.depth for result in results))
        totals = dict.fromkeys(moves, 0.0)
        trials = len(moves) * len(states)
        each = max(1, nodes // (2 * trials)) if nodes else 0
        for i, (move, state) in enumerate((m, s) for m in moves for s in states):
            until = half + (deadline - half) * (i + 1) // trials
            trial = self.searcher.search(state, 0, Budget(until, nodes=each), depth=depth, only=[move])
            totals[move] += trial.value
        best = max(moves, key=lambda move: totals[move])
        index = next(i for i, result in enumerate(results) if result.move == best)
        return results[index], states[index]

    def _thoughts(self, view: View, state: Any, result: Result, seconds: float) -> Thoughts:
        names = names_of_line(state, result.line)
        count = int(size_of(self.tracker.belief))
        return Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=seconds,
            line=names,
            options=[Option(names[0], result.value, line=names, proof="proven" if result.proof else "")],
            note=f"{count} possible place{'s' * (count != 1)} of the enemy",
            beliefs={"places": count, "heat": heat_of(self.tracker, view.size)},
        )


KIND = BotKind("champion", "NegaScout, with the enemy deduced through the fog", CHAMPION, Champion)
