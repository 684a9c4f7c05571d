"""Errors that a user can cause: each carries a sentence that says what was expected and what came."""

from collections.abc import Iterable
from difflib import get_close_matches


class PodiumError(Exception):
    """A mistake in what the user gave; its text is shown without a traceback."""


def unknown(kind: str, name: str, known: Iterable[str]) -> PodiumError:
    """The error for a name that does not exist, with the near ones."""
    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names) or 'none'}"
    return PodiumError(f"unknown {kind} {name!r}; {hint}")
