"""The positions of a stored game as text: how it began and what was played, as `Game.position` reads it."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import PodiumError
from podium.games.game import Game

SEPARATORS = {"/", '"'}  # of moves, and around words with blanks


def start_words(game: Game, seed: int, settings: Mapping[str, Any]) -> list[str]:
    """What begins a game: its settings, and its seed unless that changes nothing."""
    words = [f"{name}={value}" for name, value in settings.items()]
    alike = game.scene(game.initial_state(seed, **settings)) == game.scene(game.initial_state(**settings))
    return words if alike else [f"seed={seed}", *words]


def played_words(game: Game, seed: int, settings: Mapping[str, Any], turns: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was played in each turn, the answers of several seats with slashes between them.

    It ends where an answer is none of the game's moves: one without effect, or in words that only the referee knows.
    """
    state, found = game.initial_state(seed, **settings), list[str]()
    for turn in turns:
        lines = [answer["line"] for answer in turn["answers"]]
        if not lines or any(line is None or SEPARATORS & {*line} for line in lines):
            break
        try:
            for line in lines:
                game.play(state, line)
        except PodiumError:
            break
        found.append("/".join(lines))
    return found
