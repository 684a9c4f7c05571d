"""A game by its name, and one game between bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from podium.arena.game.play_once import PlayedGame, WatchGame
    from podium.games.game import Game


def load(name: str) -> Game:
    """The game of that name; `podium.games()` lists them.

    >>> game = podium.load("zuniq")
    >>> game.title, game.seats
    ('Zuniq', 2)
    """
    from podium.games import load

    return load(name)


def play(
    game: Game | str,
    *bots: str,
    seed: int = 1,
    time: float = 0.0,
    nodes: int = 0,
    settings: Mapping[str, object] | None = None,
    watch: WatchGame | None = None,
) -> PlayedGame:
    """Play one game between bots, one for each seat, and return it turn by turn; it is not stored.

    `time` is the limit per move in ms (0: the contest's limits), `nodes` a limit of nodes instead. `watch` is called
    with the referee and the turn after each answer.

    >>> game = podium.play("zuniq", "random", "random", seed=1)
    >>> sorted(game.scores)
    [50, 100]
    """
    from podium.arena.game.play_once import play_once
    from podium.games import game_name

    return play_once(game_name(game), bots, seed=seed, time=time, nodes=nodes, settings=settings, watch=watch)
