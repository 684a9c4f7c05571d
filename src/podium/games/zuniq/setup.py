"""The start of a game: always the empty board."""

from collections.abc import Mapping
from typing import Any

from podium.games.zuniq.rules import reset
from podium.games.zuniq.state import State
from podium.kernel import blank
from podium.model.params import Value


def initial_state(seed: int = 0, settings: Mapping[str, Value] | None = None) -> Any:
    """The empty board; the seed changes nothing, and there are no settings."""
    state = blank(State)
    reset(state)
    return state
