"""`podium analyze code4life`: what a bot thinks of a position.

A position is a prompt (its lines as one argument, a file, or `-` for standard input; `round=N` before it tells the
round, which a prompt does not), or `seed=N` and the rounds played, each as both answers with a slash between them:

    podium analyze code4life seed=1 "GOTO SAMPLES/GOTO SAMPLES" WAIT/WAIT "CONNECT 1/CONNECT 1"

A last round with one answer alone means that player 1 is asked.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.code4life.bots.champion import SearchPlayer, line_of
from podium.games.code4life.bots.moves import code4life_candidates
from podium.games.code4life.catalogue import ROUNDS
from podium.games.code4life.protocol import answer_for
from podium.games.code4life.referee import Code4LifeReferee
from podium.games.code4life.rules import MOST_MOVES, SEATS
from podium.games.code4life.scene import scene_of
from podium.games.code4life.view import ME, View
from podium.games.game import Analysis, Answer, BotKind, Budget, Option, Thoughts
from podium.games.positions import prompt_text
from podium.kernel.clock import SECOND, now
from podium.kernel.minds import Value

SEED, ROUND = "seed=", "round="


def analyze(position: Sequence[str], kind: BotKind, changes: Mapping[str, Value], budget: Budget) -> Analysis:
    """Search every move that the bot considers for the same time, then all of them together."""
    player = kind.bot(changes)
    if not isinstance(player, SearchPlayer):
        raise PodiumError(f"{kind.name} does not search; analyze with champion or writeup")
    state = read_position(list(position))
    moves = np.zeros(MOST_MOVES, np.int64)
    considered = [int(move) for move in moves[: code4life_candidates(state, player.mind, moves)]]
    begin, parts = now(), len(considered) + 1
    options, share = [], budget.part(Fraction(1, parts))
    for index, move in enumerate(considered, 1):
        deadline = begin + (budget.deadline - begin) * index // parts
        result = player.search(state, share.until(deadline), only=[move])
        line = line_of(state, result.line)
        options.append(Option(answer_for(state, ME, move), result.value, result.nodes, line=line))
    options.sort(key=lambda option: -option.value)
    result = player.search(state, share.until(budget.deadline))
    thoughts = Thoughts(
        value=result.value,
        depth=result.depth,
        nodes=result.nodes + sum(option.visits for option in options),
        seconds=(now() - begin) / SECOND,
        line=line_of(state, result.line),
        options=options,
        note="Seat 0 is the player who is asked; the line alternates between both.",
    )
    return Analysis(scene_of(state, ["", ""]), thoughts)


def read_position(arguments: list[str]) -> Any:
    """The state that a user's arguments stand for, as the player who is asked sees it."""
    if not arguments:
        raise PodiumError("give a prompt (text, file or -), or seed=N and the rounds played")
    if arguments[0].startswith(SEED):
        return _replayed(_number(arguments[0], SEED), arguments[1:])
    played = 0
    if arguments[0].startswith(ROUND):
        played = _number(arguments[0], ROUND)
        arguments = arguments[1:]
        if not 0 <= played < ROUNDS:
            raise PodiumError(f"a round is from 0 to {ROUNDS - 1}, not {played}")
    view = View()
    view.rounds = played
    return view.read([line for line in prompt_text(arguments).splitlines() if line.strip()])


def _number(argument: str, prefix: str) -> int:
    try:
        return int(argument.removeprefix(prefix))
    except ValueError:
        raise PodiumError(f"expected {prefix} and a whole number, but got {argument!r}") from None


def _replayed(seed: int, played: list[str]) -> Any:
    """The view of the player who has to answer next: player 0, or player 1 if player 0 has answered this round."""
    if not -(2**63) <= seed < 2**63:
        raise PodiumError(f"a seed is a signed 64-bit integer, not {seed}")
    answers = [answer.strip() for both in played for answer in both.split("/")]
    referee, views = Code4LifeReferee(seed), [View() for _ in range(SEATS)]
    rounds, seat = divmod(len(answers), SEATS)
    for index in range(rounds + 1):
        if referee.outcome:
            raise PodiumError(f"the game was over after {index} rounds: {referee.outcome.sentence}")
        states = [view.read(request.lines) for view, request in zip(views, referee.requests(), strict=True)]
        if index < rounds:
            referee.answer([Answer(line) for line in answers[SEATS * index : SEATS * index + SEATS]])
    return states[seat]
