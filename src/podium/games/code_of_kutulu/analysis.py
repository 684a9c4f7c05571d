"""`podium analyze code_of_kutulu`: what a searching bot thinks of a position, given as words or as a seed and moves."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import PodiumError, UnfitSearchError
from podium.games import load
from podium.games.code_of_kutulu.bots.decoupled_bots import Decoupled
from podium.games.code_of_kutulu.bots.evaluation import is_decided
from podium.games.code_of_kutulu.bots.searcher import Searcher
from podium.games.code_of_kutulu.position_text import read
from podium.games.code_of_kutulu.scene import scene
from podium.games.game import Analysis, BotKind, Budget
from podium.model.params import Value


def position(words: Sequence[str]) -> Any:
    """The state of a position in words, as `games/code_of_kutulu/position_text.py` describes them; None for moves."""
    return read(_fields(words))[0] if _is_text(words) else None


def _is_text(words: Sequence[str]) -> bool:
    return any(":" in word for word in words)


def _fields(words: Sequence[str]) -> list[str]:
    """The fields of a position, which may have come as one text."""
    return " ".join(words).split()


def _played(words: Sequence[str]) -> tuple[Any, int]:
    """The state after some moves from the start of a seed, as far as who is to move may know it, and that seat."""
    game = load("code_of_kutulu")
    state = game.position(words)
    if game.is_over(state):
        raise PodiumError("the game is over: there is nothing to search")
    seat = game.mover(state)
    return game.seen(state, seat), seat


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """The scene and the thoughts of a bot about a position."""
    state, seat = read(_fields(position)) if _is_text(position) else _played(position)
    bot = kind.bot(changes)
    if not isinstance(bot, Searcher):
        raise UnfitSearchError(f"{kind.name} does not search, so there is nothing to show; try champion")
    if is_decided(state, seat):
        raise PodiumError(f"explorer {seat} is the only one left: there is nothing to search")
    if isinstance(bot, Decoupled):  # its one search compares the choices, too
        _, thoughts = bot.think(state, seat, budget)
    else:
        thinking, comparing = budget.slices(2)
        _, thoughts = bot.think(state, seat, thinking)
        thoughts.options = bot.compare(state, seat, comparing)
    thoughts.matrix = bot.matrix()
    return Analysis(scene(state), thoughts)
