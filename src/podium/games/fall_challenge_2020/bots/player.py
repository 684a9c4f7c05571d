"""What all bots of Fall Challenge 2020 share: the state rebuilt from each prompt.

A prompt shows everything but the turn's number, the brews of both players and the decks. Turns are counted; a score
that rose since the last prompt is a brew (nothing else changes it before the end). Decks are UNKNOWN cards; how many
spells are left follows from those that can be seen, for a spell once drawn stays in the tome or in a spellbook; orders
are remembered.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from podium.games.fall_challenge_2020.cards import TOME_SPELLS
from podium.games.fall_challenge_2020.protocol import Sight, Spellbook, answer_of, read_prompt
from podium.games.fall_challenge_2020.setup import packed
from podium.games.fall_challenge_2020.state import (
    BONUSES,
    GOAL,
    MOST_TURNS,
    ORDERS_EVER_SEEN,
    SEATS,
    State,
    full_hash,
    reset,
)
from podium.games.game import Bot, Budget
from podium.kernel import blank


def state_of(sight: Sight, turn: int, brews: Sequence[int], orders_drawn: int, state: Any) -> None:
    """Fill a state with what a prompt tells; the receiver is seat 0."""
    reset(state)
    state.counter = packed(sight.orders)
    state.left[:] = sight.left
    state.slid = sight.bonus != BONUSES[0]
    state.tome = packed(sight.spells)
    state.stocks = int.from_bytes(bytes(sight.stocks).ljust(8, b"\0"), "little")
    state.tome_size = len(sight.spells)
    for seat in range(SEATS):
        state.owned[seat] = sum(1 << spell for _, spell in sight.books[seat])
        state.ready[seat] = sight.ready[seat]
        state.inventory[seat] = sight.inventories[seat]
        state.score[seat] = sight.scores[seat]
        state.brews[seat] = brews[seat]
    learnt = {spell for book in sight.books for _, spell in book if spell < TOME_SPELLS}
    state.spells_drawn = len(learnt | set(sight.spells))
    state.orders_drawn = min(ORDERS_EVER_SEEN, orders_drawn)
    state.turn = turn
    state.hash = full_hash(state)


class Player(Bot):
    """Keeps the position, itself as seat 0; a subclass chooses the move."""

    def __init__(self) -> None:
        self.state = blank(State)
        self.book: Spellbook = []
        self.turn = 0
        self.brews = [0, 0]
        self.orders_seen: set[int] = set()
        self._scores = [0, 0]

    @abstractmethod
    def choose(self, budget: Budget) -> int:
        """The move to play."""

    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """Read a prompt, answer a move."""
        self.read(lines)
        return answer_of(self.choose(budget), self.book)

    def remember(self, turn: int, brews: Sequence[int], scores: Sequence[int]) -> None:
        """Take what earlier prompts would have told: turns completed, and the brews that led to the scores."""
        self.turn = turn
        self.brews = list(brews)
        self._scores = list(scores)

    def read(self, lines: Sequence[str]) -> None:
        """Bring the state up to date with a prompt."""
        sight = read_prompt(lines)
        for seat in range(SEATS):
            if sight.scores[seat] > self._scores[seat]:
                self.brews[seat] = min(self.brews[seat] + 1, GOAL - 1)
        self._scores = sight.scores
        self.orders_seen.update(sight.orders)
        self.book = sight.books[0]
        state_of(sight, min(self.turn, MOST_TURNS - 1), self.brews, len(self.orders_seen), self.state)
        self.turn += 1
