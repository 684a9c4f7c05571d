"""`champion`: NegaScout over the position with the enemy on its most dangerous possible place.

After Agade's program, second in the contest: exact deduction of the enemy's places, iterative deepening with all the
move ordering of the write-up, territory, points and freedom of movement as the evaluation. `writeup` is
the same without what was added here: it counts points from the position that it searches, and plays by the
last finished depth.
"""

from collections.abc import Sequence
from typing import Any

from podium.games.game import BotKind, Budget, LogisticWins, Option, Thoughts
from podium.games.multi_pv import best_first, multi_pv
from podium.games.view import ViewBot
from podium.games.wondev_woman import GAME
from podium.games.wondev_woman.board import GIVE_UP, NOWHERE
from podium.games.wondev_woman.bots import evaluation  # noqa: F401 - registers the evaluation
from podium.games.wondev_woman.bots.params import AVERAGE, CHAMPION_PARAMS, EXPECTED, RANDOM, REMOVED, WRITEUP_PARAMS
from podium.games.wondev_woman.bots.placing import Pair, Placer, placed
from podium.games.wondev_woman.protocol import line_of
from podium.games.wondev_woman.rules import is_legal, wondev_play
from podium.games.wondev_woman.tracker import ALIVE, size_of
from podium.games.wondev_woman.view import ENEMY, FIRST_PROMPT, ME, SECOND_PROMPT, View
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.kernel.random import generator
from podium.model.result import Result
from podium.search.alphabeta import AlphaBeta

FORCED = Budget(nodes=500)  # for a move that is no choice, to know what to expect after it
WARM = Budget(nodes=50)
COMPARED = 5  # alternatives
FADING = 0.9  # what remains of the worst overrun from turn to turn


class Champion(ViewBot):
    """The strongest bot."""

    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View(bool(params.first_move)))
        self.params = params
        self.searcher = AlphaBeta(GAME, params)
        self.placer = Placer(params, generator(seed))
        self.overrun = 0  # nanoseconds by which searches ended too late, the worst of late; it fades
        self.expected: Pair | None = None  # where the last search expects the enemy's units

    def warm_up(self) -> None:
        """Compile everything, or load it, by playing a made-up game."""
        twin = Champion(self.params, 0)
        twin.reply(FIRST_PROMPT, WARM)
        twin.reply(SECOND_PROMPT, WARM)
        twin.placer.any(twin.view.tracker)

    def choose(self, budget: Budget) -> int:
        """Place the enemy and search."""
        actions = self.view.prompt.actions
        if not actions:
            return GIVE_UP
        start = now()
        deadline = self._deadline(budget, start)
        budget = budget.until(deadline) if len(actions) > 1 else FORCED
        states = self.possible_states()
        if len(states) == 1:
            state = states[0]
            result = self.searcher.decide(state, ME, budget)
        else:
            result, state = self._on_average(states, budget)
        self.overrun = max(now() - deadline, int(self.overrun * FADING), 0)
        self._expect(state, result)
        self.thoughts = self._thoughts(state, result, (now() - start) / SECOND)
        return result.move

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Actions searched to one depth, with the enemy on its likeliest place; None where the bot has to give up."""
        if GIVE_UP in moves:
            return [None] * len(moves)
        state = self.possible_states()[0]
        return [option_of(state, result) for result in self.valued(state, moves, budget)]

    def alternatives(self, budget: Budget) -> list[Option]:
        """The best actions, compared at one depth."""
        if not self.view.prompt.actions:
            return []
        state = self.possible_states()[0]
        finding, comparing = budget.slices(2)
        moves = [result.move for result in self.best_moves(state, finding)]
        results = best_first(self.valued(state, moves, comparing))
        return [option_of(state, result) for result in results]

    def best_moves(self, state: Any, budget: Budget) -> list[Result]:
        """A search for the best action that the prompt lists, then for the best without it, and so on."""
        listed = [self.view.prompt.move_of(name) for name in self.view.prompt.actions]
        moves = [move for move in listed if is_legal(state, move)]
        results = []
        for part in budget.slices(min(COMPARED, len(moves))) if moves else ():
            results.append(self.searcher.decide(state, ME, part, only=moves))
            moves.remove(results[-1].move)
        return results

    def valued(self, state: Any, moves: Sequence[int], budget: Budget) -> list[Result]:
        """Each action searched by itself, all to one depth."""

        def search(move: int, part: Budget, depth: int) -> Result:
            self.searcher.forget()  # what another move's deeper search has seen
            return self.searcher.decide(state, ME, part, depth=depth, only=[move])

        return multi_pv(search, moves, budget)

    def note_answer(self, line: str) -> None:
        """Take note of the answer, and look just far enough ahead to know what to expect after it."""
        super().note_answer(line)
        tracker = self.view.tracker
        if len(tracker.actions) == len(tracker.seen):
            state = self.possible_states()[0]
            if int(self.params.placing) == EXPECTED:
                self._expect(state, self.searcher.decide(state, ME, FORCED, only=tracker.actions[-1:]))

    def _deadline(self, budget: Budget, start: int) -> int:
        """When to stop searching: with the margin left, and what a busy machine took from former turns besides."""
        unused = int(float(self.params.margin) * MILLISECOND) + self.overrun
        return max(budget.deadline - unused, start + (budget.deadline - start) // 4)

    def possible_states(self) -> list[Any]:
        """Positions with the enemy on its assumed places, the likeliest first."""
        status, points = self.placer.status(self.view.tracker), not self.params.score_from_zero
        return [placed(self.view.tracker, pair, status, points) for pair in self._places()]

    def _places(self) -> list[Pair]:
        tracker, enemy = self.view.tracker, self.view.prompt.enemy
        placing = int(self.params.placing)
        if placing == REMOVED or NOWHERE not in enemy:
            return [enemy]
        if placing == RANDOM:
            return [self.placer.any(tracker)]
        if placing == AVERAGE:
            return self.placer.worst(tracker, int(self.params.places)) or [enemy]
        if placing == EXPECTED and self.expected:
            one, two = self.expected
            if int(tracker.belief.sets[ALIVE, one]) >> two & 1:
                return [self.expected]
        return self.placer.worst(tracker) or [enemy]  # nowhere, if a damaged prompt leaves no place for it

    def _expect(self, state: Any, result: Result) -> None:
        """Remember where the enemy's units are after the expected reply."""
        self.expected = None
        if len(result.line) > 1:
            state = state.copy()
            for move in result.line[:2]:
                wondev_play(state, move)
            self.expected = int(state.unit[2 * ENEMY]), int(state.unit[2 * ENEMY + 1])

    def _on_average(self, states: Sequence[Any], budget: Budget) -> tuple[Result, Any]:
        """The best move of each place, each tried in all places; the best on average wins.

        Half of the budget goes to finding the moves, half to trying them.
        """
        finding, trying = budget.slices(2)
        results = [
            self.searcher.decide(state, ME, part)
            for state, part in zip(states, finding.slices(len(states)), strict=True)
        ]
        moves = list(dict.fromkeys(result.move for result in results))
        if len(moves) == 1:
            return results[0], states[0]
        depth = max(1, min(result.depth for result in results))
        totals = dict.fromkeys(moves, 0.0)
        trials = [(move, state) for move in moves for state in states]
        for (move, state), part in zip(trials, trying.slices(len(trials)), strict=True):
            totals[move] += self.searcher.decide(state, ME, part, depth=depth, only=[move]).value
        best = max(moves, key=lambda move: totals[move])
        index = next(i for i, result in enumerate(results) if result.move == best)
        return results[index], states[index]

    def _thoughts(self, state: Any, result: Result, seconds: float) -> Thoughts:
        line, tracker = line_of(state, result.line), self.view.tracker
        count = int(size_of(tracker.belief))
        return Thoughts(
            value=result.value,
            depth=result.depth,
            nodes=result.nodes,
            seconds=seconds,
            line=line,
            options=[Option(line[0], result.value, proof=result.proof, line=line)],
            note=f"{count} possible place{'s' * (count != 1)} of the enemy",
            beliefs={"places": count, "heat": tracker.heat(self.view.size)},
        )


def option_of(state: Any, result: Result) -> Option:
    """What a search found of a move, in words."""
    line = line_of(state, result.line)
    return Option(line[0], result.value, result.nodes, result.proof, line)


KINDS = (
    BotKind(
        "champion",
        "NegaScout, with the enemy deduced through the fog",
        CHAMPION_PARAMS,
        Champion,
        least_nodes=200,
        least_nodes_measured="82 % against greedy in 20 games; 50 % with 50 nodes",
        win_probability=LogisticWins(14.0),
    ),
    BotKind("writeup", "the same as the runner-up's write-up describes it", WRITEUP_PARAMS, Champion),
)
