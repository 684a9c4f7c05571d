"""`podium analyze code_of_kutulu`: what a searching bot thinks of a position given as words."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import PodiumError, UnfitSearchError
from podium.games.code_of_kutulu.bots.decoupled_bots import Decoupled
from podium.games.code_of_kutulu.bots.evaluation import is_decided
from podium.games.code_of_kutulu.bots.searcher import Searcher
from podium.games.code_of_kutulu.position_text import read
from podium.games.code_of_kutulu.scene import scene
from podium.games.game import Analysis, BotKind, Budget
from podium.model.params import Value


def position(words: Sequence[str]) -> Any:
    """The state of a position in words, as `games/code_of_kutulu/position_text.py` describes them; None for moves."""
    return read(_fields(words))[0] if any(":" in word for word in words) else None


def _fields(words: Sequence[str]) -> list[str]:
    """The fields of a position, which may have come as one text."""
    return " ".join(words).split()


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """The scene and the thoughts of a bot about a position."""
    if not position:
        raise PodiumError(
            "a position is needed, as words: see the lines of games/code_of_kutulu/data/positions.txt, for example"
            " maze:Typhoon settings:4,1,5,35 turn:0 seat:0 explorer:0,6,1,250,2,3 ..."
        )
    state, seat = read(_fields(position))
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
