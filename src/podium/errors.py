"""Errors that a user can cause: each carries a sentence that says what was expected and what came.

All are below `PodiumError`; those that a caller may want to tell apart have a type of their own.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class PodiumError(Exception):
    """A mistake in what the user gave; its text is shown without a traceback.

    >>> try:
    ...     podium.load("zunik")
    ... except podium.PodiumError as error:
    ...     print(error)
    unknown game 'zunik'; did you mean zuniq?
    """

    exit_code = 2  # of a command that ends with it


class UnknownNameError(PodiumError):
    """A name that does not exist: of a game, a bot, a parameter, a setting ...

    >>> podium.load("zuniq").initial_state(map="Typhoon")
    Traceback (most recent call last):
    podium.errors.UnknownNameError: unknown setting of zuniq 'map'; known: seed
    """


class MalformedError(PodiumError, ValueError):
    """A text of the wrong form: a move, an answer or a position that no state allows.

    >>> podium.load("zuniq").position(["E5x"])
    Traceback (most recent call last):
    podium.errors.MalformedError: move 1: expected a wall such as A1h or E6v, with or without '!', but got 'E5x'
    """


class IllegalError(PodiumError, ValueError):
    """A well-formed move that the rules forbid in this state.

    >>> podium.load("zuniq").position(["E5v", "E5v"])
    Traceback (most recent call last):
    podium.errors.IllegalError: move 2: E5v is drawn already
    """


class UnfitSearchError(PodiumError):
    """A search that does not suit a game, or that a game does not offer what it needs.

    >>> podium.analyze("code4life", ["seed=1"], bot="greedy", nodes=20)
    Traceback (most recent call last):
    podium.errors.UnfitSearchError: greedy does not search; analyze with champion or writeup
    """


class StoreError(PodiumError):
    """A store that cannot be read or written, or that does not hold what was asked for.

    >>> podium.replay("g1", store="nowhere.db")
    Traceback (most recent call last):
    podium.errors.StoreError: there is no store nowhere.db; matches and leagues create one, --store names another
    """


class AnnulledRunError(PodiumError):
    """A run whose games are all annulled, so that it shows nothing."""

    exit_code = 3


class LimitError(PodiumError, ValueError):
    """A number outside its bounds, or a limit of time, nodes or memory that a call cannot do with.

    >>> podium.match("zuniq", "champion", "random", nodes=-1)
    Traceback (most recent call last):
    podium.errors.LimitError: nodes must be at least 0, not -1
    """


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """The error for a name that does not exist, with the near ones."""
    names = sorted(known)
    hint = suggestion(name, names) or (f"; known: {', '.join(names)}" if names else "; there are none")
    return UnknownNameError(f"unknown {kind} {name!r}{hint}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that does not exist: the near ones; nothing if there are none."""
    near = get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else ""
