"""`podium analyze code4life`: what a bot thinks of a position.

A position is a prompt (its lines as one argument, a file, or `-` for standard input; `round=N` before it tells the
round, which a prompt does not), or `seed=N` and the rounds played, each as both answers with a slash between them:

    podium analyze code4life seed=1 "GOTO SAMPLES/GOTO SAMPLES" WAIT/WAIT "CONNECT 1/CONNECT 1"

A last round with one answer alone means that player 1 is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import PodiumError, UnfitSearchError
from podium.games.code4life.bots.champion import Champion, option_of
from podium.games.code4life.bots.decoupled_bots import Decoupled
from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.referee import Code4LifeReferee
from podium.games.code4life.scene import scene
from podium.games.code4life.state import SEATS
from podium.games.code4life.view import View
from podium.games.game import Analysis, Answer, BotKind, Budget, Thoughts
from podium.games.multi_pv import best_first
from podium.games.parsing import SEED, is_prompt, prompt_argument, read_int, read_seed
from podium.kernel.clock import SECOND, now
from podium.model.params import Value

ROUND = "round="


def position(words: Sequence[str]) -> Any:
    """The state that a prompt shows, in which the player who is asked is seat 0; None for moves."""
    prompt = words[1:] if words and words[0].startswith(ROUND) else words
    return read_position(list(words)).state if is_prompt(prompt) else None


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """All moves that the bot considers, compared at one depth."""
    bot = kind.bot(changes)
    if not isinstance(bot, Champion):
        raise UnfitSearchError(f"{kind.name} does not search; analyze with champion or writeup")
    view = read_position(list(position))
    state = view.state
    if isinstance(bot, Decoupled):
        return Analysis(scene(state), bot.analyze_view(view, budget))
    start = now()
    results = best_first(bot.valued(state, bot.candidates(state), budget))
    options = [option_of(state, result) for result in results]
    thoughts = Thoughts(
        value=results[0].value,
        depth=results[0].depth,
        nodes=sum(result.nodes for result in results),
        seconds=(now() - start) / SECOND,
        line=options[0].line,
        options=options,
        note="Seat 0 is the player who is asked; the line alternates between both.",
    )
    return Analysis(scene(state), thoughts)


def read_position(arguments: list[str]) -> View:
    """What the player who is asked knows of the position that a user's arguments stand for."""
    if not arguments:
        raise PodiumError("give a prompt (text, file or -), or seed=N and the rounds played")
    if arguments[0].startswith(SEED):
        return _replayed(read_seed(arguments[0]), arguments[1:])
    view = View()
    if arguments[0].startswith(ROUND):
        view.rounds = read_int(arguments[0].removeprefix(ROUND), ROUND, 0, ROUNDS - 1)
        arguments = arguments[1:]
    view.read([line for line in prompt_argument(arguments).splitlines() if line.strip()])
    return view


def _replayed(seed: int, played: list[str]) -> View:
    """The view of the player who has to answer next: player 0, or player 1 if player 0 has answered this round."""
    answers = [answer.strip() for both in played for answer in both.split("/")]
    referee, views = Code4LifeReferee(seed), [View() for _ in range(SEATS)]
    rounds, seat = divmod(len(answers), SEATS)
    for index in range(rounds + 1):
        if referee.outcome:
            raise PodiumError(f"the game was over after {index} rounds: {referee.outcome.detail}")
        for view, request in zip(views, referee.requests(), strict=True):
            view.read(request.lines)
        if index < rounds:
            referee.answer([Answer(line) for line in answers[SEATS * index : SEATS * index + SEATS]])
    return views[seat]
