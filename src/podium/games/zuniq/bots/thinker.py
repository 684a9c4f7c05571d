"""What the searching bots of Zuniq share: a tree that follows the game, time, claims and thoughts."""

from collections.abc import Sequence
from typing import Any

from podium.games.follow import Follower
from podium.games.game import Budget, Option, Thoughts
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.playout import zuniq_playouts  # noqa: F401 - registers the fast playouts
from podium.games.zuniq.protocol import answer_of
from podium.games.zuniq.referee import POINTS_OF_THE_LOSER, bonus
from podium.games.zuniq.rules import zuniq_final_score, zuniq_is_over, zuniq_play
from podium.games.zuniq.state import MOST_PLIES, State
from podium.games.zuniq.view import View
from podium.kernel.clock import MILLISECOND, SECOND, now
from podium.search.mcts import Mcts
from podium.search.result import Proof, Result, RootMove


class Thinker(Follower):
    """Searches a tree of walls."""

    view: View

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__(View())
        self.mind = mind
        self.seed = seed
        self.claim = False  # whether the wall just chosen comes with a claim
        self.result: Result | None = None  # of the last search
        self._mcts: Mcts | None = None

    @property
    def mcts(self) -> Mcts:
        """The tree; its memory is taken when it is first needed."""
        if self._mcts is None:
            self._mcts = self.new_tree()
        return self._mcts

    def new_tree(self) -> Mcts:
        """An empty tree."""
        return Mcts(State, self.mind, WALLS, WALLS, MOST_PLIES, self.seed)

    def outlook(self) -> Any:
        """What the search is told besides the mind; nothing."""
        return None

    def warm_up(self) -> None:
        """Draw two walls, and search a little from the empty board."""
        view = View()
        view.read([NAMES[0]])
        view.answered(view.answer_of(1))
        self.mcts.warm_up(self.state, self.outlook())
        self._mcts = None

    def choose(self, budget: Budget) -> int:
        """Think as long as the budget allows; the most visited wall, or a proven one."""
        start = now()
        until, at_most = self._times(budget, start)
        self.result = self.mcts.search(
            self.state, self.seat, budget.until(until), outlook=self.outlook(), patience=at_most - until
        )
        self.thoughts = self._thoughts(self.result, (now() - start) / SECOND)
        self.claim = self._claims(self.result.options[0])
        return self.result.move

    def say(self, move: int) -> str:
        """The wall, claimed or not."""
        return answer_of(self.state, self.seat, move, self.claim)

    def weigh(self, moves: Sequence[int], budget: Budget) -> list[Option | None]:
        """Walls with an equal part of the budget each, for the position after them."""
        return [self._weighed(move, part) for move, part in zip(moves, budget.slices(len(moves)), strict=True)]

    def _weighed(self, wall: int, budget: Budget) -> Option:
        after = self.state.copy()
        zuniq_play(after, wall)
        name = NAMES[wall]
        if zuniq_is_over(after):
            won = float(zuniq_final_score(after, self.seat) > 0)
            return Option(name, won, proof=(Proof.WIN if won else Proof.LOSS).value, line=[name])
        found = self.mcts.search(after, self.seat, budget, outlook=self.outlook())
        line = [name, *(NAMES[move] for move in found.line)]
        return Option(name, (1 + found.value) / 2, found.nodes, found.proof.value, line)

    def _times(self, budget: Budget, start: int) -> tuple[int, int]:
        """Until when to think, and until when at most."""
        left = max(0, budget.deadline - start)
        left -= min(int(self.mind.margin * MILLISECOND), int(left * self.mind.margin_part))
        check = float(self.mind.check)
        if not budget.bank:
            return start + int(left / (1 + check)), start + left
        moves_to_go = max(2.0, (self.mind.horizon - self.state.plies) / 2)
        share = min(left / moves_to_go, self.mind.longest * SECOND)
        return start + int(share / (1 + check)), start + int(share)

    def _claims(self, best: RootMove) -> bool:
        """Whether to claim the win: when it is proven, or so likely that waiting for the proof would cost more."""
        if self.view.claimed or not self.mind.claim:
            return False
        ply = int(self.state.plies) + 1
        prize = bonus(self.seat, ply)
        shrinking = bonus(self.seat, ply + 2) < prize
        chance = self._chance(best.value)
        pays = chance * prize > (1 - chance) * POINTS_OF_THE_LOSER
        return best.proof == Proof.WIN or bool(shrinking and pays and chance >= self.mind.claim_chance)

    def _chance(self, value: float) -> float:
        """The chance to win that a mean result of playouts stands for: their odds, raised to a power."""
        if abs(value) >= 1:
            return (1 + value) / 2
        odds = ((1 + value) / (1 - value)) ** self.sureness()
        return odds / (1 + odds)

    def sureness(self) -> float:
        """That power."""
        return float(self.mind.sureness)

    def _thoughts(self, result: Result, seconds: float) -> Thoughts:
        notes = [f"proven {result.proof}"] if result.proof else []
        if self.mcts.full:
            notes.append("memory full")
        return Thoughts(
            value=(1 + result.value) / 2,
            unit="win rate",
            depth=result.depth,
            nodes=result.nodes,
            seconds=seconds,
            line=[NAMES[wall] for wall in result.line],
            options=[
                Option(
                    NAMES[option.move],
                    (1 + option.value) / 2,
                    option.visits,
                    option.proof.value,
                    [NAMES[wall] for wall in option.line],
                )
                for option in result.options
            ],
            note=", ".join(notes),
        )
