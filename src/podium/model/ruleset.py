"""The rules of a game as one object: the record of its states, its sizes, its start, and the text of its moves.

The generic functions of `podium.model.rules` play any state; this object says what they leave open. Searches ask it for
the sizes that they need. A game of one's own needs no more than this to be played in the library.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import index
from typing import Any, SupportsIndex

import numpy as np

from podium.errors import IllegalError, LimitError, MalformedError, PodiumError
from podium.kernel.records import blank, copy_of, name_of
from podium.model.params import shortened
from podium.model.rules import is_over, legal_moves

SHOWN_MOVES = 12  # legal moves that a message lists
_DEFAULT: Any = None  # stands for a method of the rules themselves


def number_text(state: Any, move: int) -> str:
    """The text of a move in a game that writes moves as their numbers."""
    return str(move)


@dataclass(frozen=True)
class Rules:
    """The rules of a game as an object: the record of its states, its sizes, its start and the text of its moves.

    `initial_state` is by default the record of zeros, the text of a move its number.

    >>> rules = podium.load("zuniq").rules
    >>> rules.most_moves, rules.move_codes, rules.most_plies, rules.hidden
    (60, 60, 41, False)
    """

    name: str
    state: np.dtype[Any]  # the record
    seats: int
    most_moves: int  # highest number of legal moves in a position
    move_codes: int  # moves are whole numbers from 0 to move_codes - 1
    most_plies: int  # longest game, in plies; with simultaneous moves each seat's choice is a ply
    initial_state: Callable[..., Any] = _DEFAULT  # (seed, **settings) -> a state
    move_text: Callable[[Any, int], str] = number_text  # (state, move of its mover) -> the text
    # (state, text) -> the legal move; MalformedError or IllegalError otherwise
    read_move: Callable[[Any, str], int] = _DEFAULT
    simultaneous: bool = False  # several seats choose at the same time; `before_turn` says where a turn begins
    hidden: bool = False  # the game has hidden information: seats know less than the state holds
    seen: Callable[[Any, int], Any] = _DEFAULT  # (state, seat) -> the state as far as the seat may know it

    def __post_init__(self) -> None:
        if self.initial_state is None:
            object.__setattr__(self, "initial_state", self._zeros)
        if self.read_move is None:
            object.__setattr__(self, "read_move", self._matching_move)

        if self.seen is None:
            object.__setattr__(self, "seen", self._everything)

    @property
    def says_what_is_seen(self) -> bool:
        """Whether the game came with a `seen` of its own."""
        return getattr(self.seen, "__func__", None) is not Rules._everything

    def moves(self, state: Any) -> list[int]:
        """The legal moves of the mover as numbers; the game must not be over.

        >>> rules = podium.load("zuniq").rules
        >>> rules.moves(rules.initial_state())[:3]
        [0, 1, 2]
        """
        out = np.empty(self.most_moves, np.int64)
        found: list[int] = out[: legal_moves(state, out)].tolist()
        return found

    def check(self, state: Any) -> None:
        """MalformedError for anything but a state of this game: compiled code would read it as one.

        >>> podium.load("zuniq").legal_moves(podium.load("code4life").initial_state())
        Traceback (most recent call last):
        podium.errors.MalformedError: this is a state of code4life, not of zuniq
        """
        found = getattr(state, "dtype", None)
        if found is None or found.names is None:
            raise MalformedError(f"expected a state of {self.name}, not {shortened(repr(state))}")
        # A state shares the names with the record that it was made of; to compare all fields takes a microsecond.
        if found.names is self.state.names or found == self.state:
            return
        raise MalformedError(f"this is a state of {name_of(found).removesuffix(' state')}, not of {self.name}")

    def check_seat(self, seat: Any) -> None:
        """LimitError for anything but the number of a seat.

        >>> podium.load("zuniq").rules.check_seat(2)
        Traceback (most recent call last):
        podium.errors.LimitError: a seat of zuniq is a number from 0 to 1, not 2
        """
        if not isinstance(seat, SupportsIndex) or not 0 <= index(seat) < self.seats:
            raise LimitError(f"a seat of {self.name} is a number from 0 to {self.seats - 1}, not {seat!r}")

    def legal_move(self, state: Any, move: str | int) -> int:
        """The number of a legal move, given as text or number; MalformedError or IllegalError otherwise.

        >>> rules = podium.load("zuniq").rules
        >>> rules.legal_move(rules.initial_state(), "A2h")
        1
        """
        if is_over(state):
            raise IllegalError(f"{shortened(repr(move))}: the game is over")
        if isinstance(move, str):
            return self.read_move(state, move)
        moves = self.moves(state)
        if move not in moves:
            raise self._illegal(shortened(str(move)), moves)
        return int(move)

    def number(self, move: Any) -> int:
        """The number of a move, if it is one from 0 to `move_codes` - 1; whether it is legal is not checked.

        >>> podium.load("zuniq").rules.number(60)
        Traceback (most recent call last):
        podium.errors.IllegalError: a move of zuniq is a number from 0 to 59, not 60
        """
        try:
            number = index(move)
        except TypeError:
            raise MalformedError(
                f"a move of {self.name} is a text or a whole number, not {shortened(repr(move))}"
            ) from None
        if not 0 <= number < self.move_codes:
            raise IllegalError(f"a move of {self.name} is a number from 0 to {self.move_codes - 1}, not {number}")
        return number

    def _illegal(self, move: str, legal: Iterable[object]) -> IllegalError:
        """The error for a move that is not among the legal ones."""
        shown = [str(each) for each in legal]
        listed = ", ".join(shown[:SHOWN_MOVES]) + (", ..." if len(shown) > SHOWN_MOVES else "")
        return IllegalError(f"{move} is not a legal move of {self.name} here; legal: {listed}")

    def _zeros(self, seed: int = 0) -> Any:
        return blank(self.state)

    def _everything(self, state: Any, seat: int) -> Any:
        if self.hidden:
            raise PodiumError(f"{self.name} has hidden information, but does not say what a seat may see")
        return copy_of(state)

    def _matching_move(self, state: Any, text: str) -> int:
        """The legal move with a given text, compared without surrounding white space."""
        texts = {self.move_text(state, move): move for move in self.moves(state)}
        move = texts.get(text.strip())
        if move is None:
            raise self._illegal(repr(text.strip()[:40]), texts)
        return move


def rules_of(game: Any) -> Rules:
    """The rules of a game, or rules themselves; PodiumError for anything else, such as a game without rules."""
    rules = game if isinstance(game, Rules) else getattr(game, "rules", None)
    if isinstance(rules, Rules):
        return rules
    if hasattr(game, "rules"):
        raise PodiumError(f"{game.name} is refereed by an external program: it has no states and no rules here")
    if isinstance(game, str):
        raise PodiumError(f"expected a game or its rules, not a name: podium.load({game!r}) loads it")
    raise PodiumError(f"expected a game (podium.load) or its rules, but got {game!r}")
