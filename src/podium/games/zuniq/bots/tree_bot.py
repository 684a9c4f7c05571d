"""The base of the searching bots of Zuniq: a tree that is kept from move to move, time, claims and thoughts."""

from collections.abc import Sequence
from typing import Any

from podium.games.game import Budget, Option, Thoughts
from podium.games.view import ViewBot
from podium.games.zuniq import GAME
from podium.games.zuniq.board import NAMES
from podium.games.zuniq.playout import zuniq_playouts  # noqa: F401 - registers the fast playouts
from podium.games.zuniq.protocol import answer_of
from podium.games.zuniq.referee import POINTS_OF_THE_LOSER, bonus
from podium.games.zuniq.rules import zuniq_final_score, zuniq_is_over, zuniq_play
from podium.games.zuniq.view import View
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.model.result import Proof, Result, RootMove
from podium.search.mcts import Mcts
from podium.search.tree_search import TreeSearch

# The winner's time management (`writeup_time`). His turns are counted from 1: move 19 is made after 18 plies.
EARLY_PLIES = 18
EARLY_TIME, LATE_TIME, CHECK_TIME = 2 * SECOND, 2750 * MILLISECOND, 250 * MILLISECOND


class TreeBot(ViewBot):
    """A bot around a tree search; a subclass says which one."""

    view: View

    def __init__(self, params: Any, seed: int) -> None:
        super().__init__(View())
        self.params = params
        self.seed = seed
        self.claim = False  # whether the wall just chosen comes with a claim
        self.result: Result | None = None  # of the last search
        self._mcts: TreeSearch | None = None

    @property
    def mcts(self) -> TreeSearch:
        """The tree; its memory is taken when it is first needed."""
        if self._mcts is None:
            self._mcts = self.new_tree()
            self._mcts.early_stop = bool(self.params.early_stop)
        return self._mcts

    def new_tree(self) -> TreeSearch:
        """An empty tree of the bot's memory size."""
        return Mcts(GAME, self.params, seed=self.seed)

    def context(self) -> Any:
        """The search context; by default the parameters alone."""
        return None

    def warm_up(self) -> None:
        """Draw two walls, and search briefly from the empty board."""
        view = View()
        view.read([NAMES[0]])
        view.answered(view.answer_of(1))
        self.mcts.warm_up(self.state, self.context())
        self._mcts = None

    def choose(self, budget: Budget) -> int:
        """Search within the budget; the most visited wall, or a proven one."""
        start = now()
        until, at_most = self._times(budget, start)
        self.result = self.mcts.decide(
            self.state, self.seat, budget.until(until), context=self.context(), extra_time=at_most - until
        )
        self.thoughts = self._thoughts(self.result, (now() - start) / SECOND)
        self.claim = self._claims(self.result.options[0])
        return self.result.move

    def answer_for(self, move: int) -> str:
        """The wall, claimed or not."""
        return answer_of(self.state, self.seat, move, self.claim)

    def score_moves(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """The value of each wall: the position after it is searched, with equal parts of the budget."""
        return [self._scored(move, part) for move, part in zip(moves, budget.slices(len(moves)), strict=True)]

    def _scored(self, wall: int, budget: Budget) -> Option:
        after = self.state.copy()
        zuniq_play(after, wall)
        name = NAMES[wall]
        if zuniq_is_over(after):
            won = float(zuniq_final_score(after, self.seat) > 0)
            return Option(name, won, proof=(Proof.WIN if won else Proof.LOSS).value, line=[name])
        found = self.mcts.decide(after, self.seat, budget, context=self.context())
        line = [name, *(NAMES[move] for move in found.line)]
        return Option(name, self.win_chance(found.value), found.nodes, found.proof.value, line)

    def _times(self, budget: Budget, start: int) -> tuple[int, int]:
        """The times at which to stop: normally, and at the latest."""
        left = max(0, budget.deadline - start)
        left -= min(int(self.params.margin * MILLISECOND), int(left * self.params.margin_share))
        extra = float(self.params.unstable_time)
        if not budget.bank:
            return start + int(left / (1 + extra)), start + left
        if self.params.writeup_time:
            limit = EARLY_TIME if self.state.plies < EARLY_PLIES else min(left // 2, LATE_TIME)
            return start + min(limit, left), start + min(limit + CHECK_TIME, left)
        share = min(left / self._moves_to_go(), self.params.max_time * SECOND)
        return start + int(share / (1 + extra)), start + int(share)

    def _moves_to_go(self) -> float:
        """Over how many moves like this one the time left is shared: those until the horizon, by their weights."""
        ply, horizon = int(self.state.plies), int(self.params.horizon)
        return max(2.0, sum(map(self._weight, range(ply, horizon))) / 2 / self._weight(ply))

    def _weight(self, ply: int) -> float:
        """The time of a move at this ply, in parts of that of a move in the middle of the game."""
        if ply < self.params.early_plies:
            return float(self.params.early_weight)
        return float(self.params.late_weight) if ply >= self.params.late_ply else 1.0

    def _claims(self, best: RootMove) -> bool:
        """Whether to claim the win: if it is proven, or if it is so likely that waiting for a proof would cost more."""
        if self.view.claimed or not self.params.claim:
            return False
        ply = int(self.state.plies) + 1
        prize = bonus(self.seat, ply)
        shrinking = bonus(self.seat, ply + 2) < prize
        chance = self._chance(best.value)
        pays = chance * prize > (1 - chance) * POINTS_OF_THE_LOSER
        return best.proof == Proof.WIN or bool(shrinking and pays and chance >= self.params.claim_chance)

    def win_chance(self, value: float) -> float:
        """The probability of winning that the bot reports for a value of its search: the mean result, from 0 to 1."""
        return (1 + value) / 2

    def _chance(self, value: float) -> float:
        """The probability of winning for a mean result of playouts: its odds, raised to `claim_exponent`."""
        if abs(value) >= 1:
            return (1 + value) / 2
        odds = ((1 + value) / (1 - value)) ** self.claim_exponent()
        return float(odds / (1 + odds))

    def claim_exponent(self) -> float:
        """The exponent for the odds of playouts."""
        return float(self.params.claim_exponent)

    def _thoughts(self, result: Result, seconds: float) -> Thoughts:
        notes = [f"proven {result.proof}"] if result.proof else []
        if self.mcts.full:
            notes.append("memory full")
        return Thoughts(
            value=self.win_chance(result.value),
            unit="win rate",
            depth=result.depth,
            nodes=result.nodes,
            seconds=seconds,
            line=[NAMES[wall] for wall in result.line],
            options=[
                Option(
                    NAMES[option.move],
                    self.win_chance(option.value),
                    option.visits,
                    option.proof.value,
                    [NAMES[wall] for wall in option.line],
                )
                for option in result.options
            ],
            note=", ".join(notes),
        )
