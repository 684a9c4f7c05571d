"""What a player knows of Fall Challenge 2020, from its prompts. The player is always seat 0 of the state.

A prompt shows everything but the turn's number, the brews of both players and the decks. Turns are counted; a score
that rose since the last prompt is a brew (nothing else changes it before the end). Decks are UNKNOWN cards; how many
spells are left follows from those that can be seen, for a spell once drawn stays in the tome or in a spellbook; orders
are remembered.
"""

from collections.abc import Sequence
from typing import Any, Self

from podium.games import view
from podium.games.fall_challenge_2020.cards import TOME_SPELLS
from podium.games.fall_challenge_2020.protocol import (
    FallPrompt,
    Spellbook,
    answer_of,
    book_of,
    prompt,
    read_answer,
    read_prompt,
)
from podium.games.fall_challenge_2020.setup import packed
from podium.games.fall_challenge_2020.state import (
    BONUSES,
    GOAL,
    MOST_TURNS,
    NO_MOVE,
    ORDERS_EVER_SEEN,
    SEATS,
    UNKNOWN,
    State,
    full_hash,
    reset,
)
from podium.games.game import IllegalError, MalformedError
from podium.kernel import blank, copy_of

ME, OTHER = 0, 1


def seen(state: Any, seat: int) -> Any:
    """The state with unknown decks, and without the choice that the other has made."""
    known = copy_of(state)
    known.tome_deck[known.spells_drawn :] = UNKNOWN
    known.order_deck[known.orders_drawn :] = UNKNOWN
    if seat != ME:
        known.chosen = NO_MOVE
    known.hash = full_hash(known)
    return known


def fill_state(state: Any, prompt: FallPrompt, turn: int, brews: Sequence[int], orders_drawn: int) -> None:
    """Fill a state with what a prompt tells; the receiver is seat 0."""
    reset(state)
    state.counter = packed(prompt.orders)
    state.left[:] = prompt.left
    state.slid = prompt.bonus != BONUSES[0]
    state.tome = packed(prompt.spells)
    state.stocks = int.from_bytes(bytes(prompt.stocks).ljust(8, b"\0"), "little")
    state.tome_size = len(prompt.spells)
    for seat in range(SEATS):
        state.owned[seat] = sum(1 << spell for _, spell in prompt.books[seat])
        state.ready[seat] = prompt.ready[seat]
        state.inventory[seat] = prompt.inventories[seat]
        state.score[seat] = prompt.scores[seat]
        state.brews[seat] = brews[seat]
    learnt = {spell for book in prompt.books for _, spell in book if spell < TOME_SPELLS}
    state.spells_drawn = len(learnt | set(prompt.spells))
    state.orders_drawn = min(ORDERS_EVER_SEEN, orders_drawn)
    state.turn = turn
    state.hash = full_hash(state)


class View(view.View):
    """Follows one game from a player's seat."""

    def __init__(self) -> None:
        self.seat = ME
        self.state = blank(State)
        self.book: Spellbook = []
        self.orders_seen: set[int] = set()
        self._turn = 0  # turns completed before the next prompt
        self._brews = [0, 0]
        self._scores = [0, 0]

    @classmethod
    def of(cls, state: Any, seat: int) -> Self:
        """The view of a player that is sent the state as its next prompt; learnt spells have their ids of the tome."""
        view, order = cls(), [seat, 1 - seat]
        view.orders_seen = {order for order in state.order_deck[: state.orders_drawn].tolist() if order != UNKNOWN}
        view.remember(int(state.turn), state.brews[order].tolist(), state.score[order].tolist())
        view.read(prompt(state, [book_of(state, seat) for seat in range(SEATS)], seat))
        return view

    def remember(self, turn: int, brews: Sequence[int], scores: Sequence[int]) -> None:
        """Take what earlier prompts would have told: turns completed, and the brews that led to the scores."""
        self._turn = turn
        self._brews = list(brews)
        self._scores = list(scores)

    def read(self, lines: Sequence[str]) -> None:
        """Bring the state up to date with a prompt."""
        prompt = read_prompt(lines)
        for seat in range(SEATS):
            if prompt.scores[seat] > self._scores[seat]:
                self._brews[seat] = min(self._brews[seat] + 1, GOAL - 1)
        self._scores = prompt.scores
        self.orders_seen.update(prompt.orders)
        self.book = prompt.books[ME]
        fill_state(self.state, prompt, min(self._turn, MOST_TURNS - 1), self._brews, len(self.orders_seen))
        self._turn += 1

    def move_of(self, line: str) -> int | None:
        """The move, if it is a legal one."""
        try:
            return read_answer(self.state, ME, line, self.book)
        except (MalformedError, IllegalError):
            return None

    def answer_of(self, move: int) -> str:
        """A move as the protocol writes it."""
        return answer_of(self.state, ME, move, self.book)
