"""A bot's search of a state in the hand: the state goes into the bot's view, as far as the seat may know it."""

import math
from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from podium.errors import UnfitSearchError
from podium.games.contract import BotKind, Budget, Option, Thoughts
from podium.games.view import View, ViewBot
from podium.kernel.clock import SECOND, now
from podium.model.params import Value
from podium.model.result import Proof, Result
from podium.model.rules import play
from podium.model.ruleset import Rules, rules_of
from podium.search.search_result import SearchResult

if TYPE_CHECKING:
    from podium.games.game import Game


class BotResult(SearchResult):
    """What a bot found out about a state. Values are in the bot's own unit; nan if it does not evaluate moves."""

    def __init__(
        self, rules: Rules, state: Any, view: View, move: int, thoughts: Thoughts, seat: int, seconds: float
    ) -> None:
        self.thoughts = thoughts
        self._text = view.answer_of(move)
        proofs = {option.move: option.proof for option in thoughts.options}
        proof = next((proof for proof in Proof if proof == proofs.get(self._text)), Proof.NONE)
        value = math.nan if thoughts.value is None else thoughts.value
        numbers = Result(move, value, thoughts.depth, thoughts.nodes, [move], proof)
        super().__init__(numbers, rules, state, seat, seconds, play)

    @property
    def move(self) -> str:
        """The move that the bot would play, as text."""
        return self._text

    @cached_property
    def line(self) -> list[str]:
        """The principal variation as the bot writes it."""
        return self.thoughts.line or [self.move]

    @property
    def headline(self) -> str:
        """The result in one sentence, without a value if the bot has none."""
        if math.isnan(self.value):
            return f"{self.move} without an evaluation in {self.seconds:.3g} s"
        thoughts = self.thoughts
        if thoughts.note and not thoughts.depth and not thoughts.options:  # not searched: the note says where from
            return f"{self.move} (value {self.value:.4g} {thoughts.unit}) {thoughts.note}"
        return super().headline

    def rows(self) -> list[dict[str, Any]]:
        """A row for each move that the bot considered, best first; with mixed strategies, its share."""
        alone = Option(self.move, self.value, line=self.line)
        options = self.thoughts.options or [alone]
        mixed = any(option.share for option in options)
        return [
            {
                "move": option.move,
                "value": option.value,
                "visits": None if option is alone else option.visits,
                "proof": option.proof,
                "line": " ".join(option.line),
                **({"share": option.share} if mixed else {}),
            }
            for option in options
        ]


@cache
def warm(kind: BotKind) -> None:
    """Compile, or load, what a bot needs, once in a process: the clock of a search does not wait for the compiler."""
    kind.bot().warm_up()


def search_with(
    game: "Game", kind: BotKind, changes: Mapping[str, Value], state: Any, seat: int, budget: Budget
) -> BotResult:
    """What a bot in a seat thinks of a state. It is given what the seat may see, and nothing of the game before."""
    bot = kind.bot(changes)
    if game.view is None or not isinstance(bot, ViewBot):
        raise UnfitSearchError(f"{kind.name} of {game.title} reads prompts only: it cannot be given a state")
    rules = rules_of(game)
    bot.view = type(game.view()).of(rules.seen(state, seat), seat)
    begun = now()
    move = bot.choose(budget)
    seconds = (now() - begun) / SECOND
    return BotResult(rules, state, bot.view, move, bot.thoughts or Thoughts(), seat, seconds)
