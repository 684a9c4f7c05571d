"""`podium analyze zuniq`: a bot's thoughts about the position after a list of walls."""

from collections.abc import Mapping, Sequence

from podium.errors import IllegalError, MalformedError, PodiumError
from podium.games.game import Analysis, Answer, BotKind, Budget, Thoughts
from podium.games.zuniq.protocol import read_move
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.scene import scene
from podium.model.params import Value


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """Play the walls, then let the bot think for the side to move; without its book, unless `changes` ask for it."""
    bot = kind.bot({**({"book": False} if "book" in kind.param_spec.parameters else {}), **changes})
    referee = ZuniqReferee(0)
    for ply, move in enumerate(position):
        if referee.outcome:
            raise PodiumError(f"the game is over before {move!r}: {referee.outcome.detail}")
        (request,) = referee.requests()
        try:
            read_move(referee.state, move)
        except (MalformedError, IllegalError) as error:
            raise type(error)(f"move {ply + 1}: {error}") from None
        referee.answer([Answer(move)])
        if referee.outcome and referee.outcome.faults:
            raise PodiumError(referee.outcome.faults[0].detail)
        if (len(position) - ply) % 2 == 0:
            bot.observe(request.lines, move)
    if referee.outcome:
        return Analysis(scene(referee.state, **referee.history()), Thoughts(note=referee.outcome.detail))
    (request,) = referee.requests()
    answer = bot.reply(request.lines, budget)
    return Analysis(scene(referee.state, **referee.history()), bot.thoughts or Thoughts(note=f"answers {answer}"))
