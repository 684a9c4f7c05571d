"""The game of a packed bot. It takes the place of `podium.games`."""

from importlib import import_module
from typing import Any

from podium.errors import PodiumError
from podium.pack.standalone.loader import PACKED


def load(name: str) -> Any:
    """The game that was packed."""
    module, attribute, known = PACKED.about["game"]
    if name != known:
        raise PodiumError(f"this packed bot plays {known}, not {name}")
    return getattr(import_module(module), attribute)


def folder_of(name: str) -> Any:
    """A packed game has no folder."""
    raise PodiumError(f"the packed game {name} has no folder")
