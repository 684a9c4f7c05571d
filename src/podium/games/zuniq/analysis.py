"""What a bot thinks of a position that a list of walls leads to."""

from collections.abc import Mapping, Sequence

from podium.errors import PodiumError
from podium.games.game import Analysis, Answer, BotKind, Budget, Thoughts
from podium.games.zuniq.bots.player import Player
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.scene import scene
from podium.kernel.minds import Value


def analyze(moves: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """Play the walls, then let the bot think, without its book unless that is asked for."""
    referee = ZuniqReferee(0)
    for move in moves:
        if referee.outcome:
            raise PodiumError(f"the game is over before {move!r}: {referee.outcome.sentence}")
        referee.answer([Answer(move)])
        if referee.outcome and referee.outcome.faults:
            raise PodiumError(referee.outcome.faults[0].sentence)
    if referee.outcome:
        return Analysis(scene(referee), Thoughts(note=referee.outcome.sentence))
    bot = kind.bot({**({"book": False} if "book" in kind.minds.parameters else {}), **changes})
    assert isinstance(bot, Player)
    for move in moves:
        bot.draw(move.strip()[:3])
    wall, _ = bot.choose(budget)
    return Analysis(scene(referee), bot.thoughts or Thoughts(note=f"draws {wall}"))
