"""What the searching bots of Zuniq share: a tree that follows the game, time, claims and thoughts."""

from typing import Any

from podium.games.game import Budget, Option, Thoughts
from podium.games.zuniq.board import NAMES, WALLS
from podium.games.zuniq.bots.player import Player
from podium.games.zuniq.playout import zuniq_playouts  # noqa: F401 - registers the fast playouts
from podium.games.zuniq.referee import LOSS as POINTS_OF_THE_LOSER
from podium.games.zuniq.referee import bonus
from podium.games.zuniq.rules import State
from podium.kernel.clock import now
from podium.kernel.minds import Parameter
from podium.search.follow import Choice, Search
from podium.search.mcts import PARAMETERS as SEARCH_PARAMETERS
from podium.search.solve import DRAW, LOSS, WIN

MOST_PLIES = 41
MILLISECONDS = 1_000_000  # in nanoseconds
SECONDS = 1_000_000_000
PROOFS = {WIN: "win", LOSS: "loss", DRAW: "draw"}

SHOWN_LINES = 3  # the moves that a bot tells its expected line of

TIME_PARAMETERS = (
    Parameter("horizon", 31, "the ply by which the game should be decided: the time left is shared until there", 1, 41),
    Parameter("longest", 6.0, "seconds for one move at most (write-up: 2.75)", 0.01, 30),
    Parameter("check", 0.25, "more time, in parts of a move's, while the most visited wall is not the best", 0, 1),
    Parameter("reserve", 60.0, "milliseconds that are never used, for the judge's own overhead", 0, 10000),
    Parameter("reserve_part", 0.15, "but not more than this part of the time that is left", 0, 1),
)
CLAIM_PARAMETERS = (
    Parameter("claim", True, "claim a proven win"),
    Parameter("claim_chance", 0.97, "also claim a win that is this likely, while the bonus is shrinking", 0.5, 1),
    Parameter(
        "sureness", 3.0, "how much likelier the leader of the playouts is to win than their part of wins says", 1, 9
    ),
)
PARAMETERS = (*SEARCH_PARAMETERS, *TIME_PARAMETERS, *CLAIM_PARAMETERS)


class Thinker(Player):
    """Searches a tree of walls."""

    def __init__(self, mind: Any, seed: int) -> None:
        super().__init__()
        self.mind = mind
        self.seed = seed
        self.claimed = False
        self._search: Search | None = None

    @property
    def search(self) -> Search:
        """The tree; its memory is taken when it is first needed."""
        if self._search is None:
            self._search = Search(State, self.mind, WALLS, MOST_PLIES, self.seed)
        return self._search

    def warm_up(self) -> None:
        """Search a little from the empty board."""
        self.search.warm(self.state)
        self._search = None

    def choose(self, budget: Budget) -> tuple[int, bool]:
        """Think as long as the budget allows; the most visited wall, or a proven one."""
        begun = now()
        self.search.begin(self.state)
        until, at_most = self._times(budget, begun)
        self.search.think(until, budget.nodes, at_most)
        choices = self.search.choices()
        self.thoughts = self._thoughts(choices, (now() - begun) / SECONDS)
        return choices[0].move, self._claims(choices[0])

    def _times(self, budget: Budget, begun: int) -> tuple[int, int]:
        """Until when to think, and until when at most."""
        left = max(0, budget.deadline - begun)
        left -= min(int(self.mind.reserve * MILLISECONDS), int(left * self.mind.reserve_part))
        check = float(self.mind.check)
        if not budget.bank:
            return begun + int(left / (1 + check)), begun + left
        moves_to_go = max(2.0, (self.mind.horizon - self.state.plies) / 2)
        share = min(left / moves_to_go, self.mind.longest * SECONDS)
        return begun + int(share / (1 + check)), begun + int(share)

    def _claims(self, choice: Choice) -> bool:
        """Whether to claim the win: when it is proven, or so likely that waiting for the proof would cost more."""
        if self.claimed or not self.mind.claim:
            return False
        ply = int(self.state.plies) + 1
        seat = (ply - 1) & 1
        prize = bonus(seat, ply)
        shrinking = bonus(seat, ply + 2) < prize
        chance = self._chance(choice.value)
        pays = chance * prize > (1 - chance) * POINTS_OF_THE_LOSER
        self.claimed = choice.proof == WIN or (shrinking and pays and chance >= self.mind.claim_chance)
        return self.claimed

    def _chance(self, value: float) -> float:
        """The chance to win that a mean result of playouts stands for: their odds, raised to a power."""
        if abs(value) >= 1:
            return (1 + value) / 2
        odds = ((1 + value) / (1 - value)) ** float(self.mind.sureness)
        return odds / (1 + odds)

    def _thoughts(self, choices: list[Choice], seconds: float) -> Thoughts:
        search = self.search
        best = choices[0]
        line = [NAMES[wall] for wall in search.line()]
        notes = []
        if search.proven:
            notes.append(f"proven {PROOFS[search.proven]}")
        if search.full:
            notes.append("memory full")
        return Thoughts(
            value=(1 + best.value) / 2,
            unit="win rate",
            depth=len(line),
            nodes=search.simulations,
            seconds=seconds,
            line=line,
            options=[
                Option(
                    NAMES[choice.move],
                    (1 + choice.value) / 2,
                    choice.visits,
                    PROOFS.get(choice.proof, ""),
                    [NAMES[wall] for wall in search.line(choice.move)] if rank < SHOWN_LINES else [],
                )
                for rank, choice in enumerate(choices)
            ],
            note=", ".join(notes),
        )
