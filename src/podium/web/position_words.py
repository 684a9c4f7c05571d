"""The positions of a stored game as text: how it began and what was played, as `Game.position` reads it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from podium.errors import PodiumError
from podium.games.game import Game

SEPARATORS = {"/", '"'}  # of moves, and around words with blanks


def start_words(game: Game, seed: int, settings: Mapping[str, Any]) -> list[str]:
    """What begins a game: its settings, and its seed unless that changes nothing."""
    words = [_quoted(f"{name}={value}") for name, value in settings.items()]
    alike = game.scene(game.initial_state(seed, **settings)) == game.scene(game.initial_state(**settings))
    return words if alike else [f"seed={seed}", *words]


def played_words(game: Game, seed: int, settings: Mapping[str, Any], turns: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was played in each turn, the answers of several seats with slashes between them.

    It ends where an answer is none of the game's moves, but words that only the referee knows.
    """
    state, found = game.initial_state(seed, **settings), list[str]()
    for turn in turns:
        try:
            moves = [_played(game, state, answer) for answer in turn["answers"]]
        except PodiumError:
            break
        if not moves:
            break
        found.append(_quoted("/".join(moves)))
    return found


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _played(game: Game, state: Any, answer: Mapping[str, Any]) -> str:
    """Play an answer; returns the move that it was: the only one, if an answer other than that had no effect."""
    line = answer["line"]
    if line is None or SEPARATORS & {*line}:
        raise PodiumError("this answer is no word of a position")
    try:
        game.play(state, line)
    except PodiumError:
        legal = game.legal_moves(state)
        if len(legal) != 1 or answer.get("verdict"):
            raise
        (line,) = legal
        game.play(state, line)
    return str(line)


def position_text(game: Game, start: Sequence[str], played: Sequence[str], turn: int, prompts: Sequence[str]) -> str:
    """The position before a turn, counted from 0, as `Game.position` reads it: the words that lead there, or else one
    of the prompts of that turn."""
    if turn <= len(played):
        return " ".join([*start, *played[:turn]])
    for prompt in prompts:
        with suppress(PodiumError):
            game.position([prompt])
            return prompt
    raise PodiumError("no text stands for this position")
