"""`podium analyze code_of_kutulu`: what a searching bot thinks of a position given as words."""

from collections.abc import Mapping, Sequence

from podium.errors import PodiumError
from podium.games.code_of_kutulu.bots.paranoid import SearchPlayer
from podium.games.code_of_kutulu.positions import read
from podium.games.code_of_kutulu.scene import scene_of
from podium.games.game import Analysis, BotKind, Budget
from podium.kernel.minds import Value


def analyze(words: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """The scene and the thoughts of a bot about a position."""
    if not words:
        raise PodiumError(
            "a position is needed, as words: see the lines of games/code_of_kutulu/data/positions.txt, for example"
            " maze:Typhoon settings:4,1,5,35 turn:0 seat:0 explorer:0,9,9,250,2,3 ..."
        )
    state, seat = read(words)
    bot = kind.bot(changes)
    if not isinstance(bot, SearchPlayer):
        raise PodiumError(f"{kind.name} does not search, so there is nothing to show; try champion")
    _, thoughts = bot.think(state, seat, budget)
    thoughts.options = bot.compare(state, seat, budget)
    return Analysis(scene_of(state), thoughts)
