"""What a bot thinks of a position that a list of walls leads to."""

from collections.abc import Mapping, Sequence

from podium.errors import PodiumError
from podium.games.game import Analysis, Answer, BotKind, Budget, Thoughts
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.scene import scene
from podium.kernel.minds import Value


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """Play the walls, then let the bot think for whoever is to move, without its book unless that is asked for."""
    bot = kind.bot({**({"book": False} if "book" in kind.minds.parameters else {}), **changes})
    referee = ZuniqReferee(0)
    for ply, move in enumerate(position):
        if referee.outcome:
            raise PodiumError(f"the game is over before {move!r}: {referee.outcome.sentence}")
        (request,) = referee.requests()
        referee.answer([Answer(move)])
        if referee.outcome and referee.outcome.faults:
            raise PodiumError(referee.outcome.faults[0].sentence)
        if (len(position) - ply) % 2 == 0:
            bot.follow(request.lines, move)
    if referee.outcome:
        return Analysis(scene(referee), Thoughts(note=referee.outcome.sentence))
    (request,) = referee.requests()
    answer = bot.reply(request.lines, budget)
    return Analysis(scene(referee), bot.thoughts or Thoughts(note=f"answers {answer}"))
