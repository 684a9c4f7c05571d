"""Positions: what a bot thinks of them, and what it should play there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.api import PINS, STORE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from podium.arena.analysis.analyze import Opinion
    from podium.arena.analysis.pins import Pin, PinsReport
    from podium.games.game import Game
    from podium.search.trace import Trace


def analyze(
    game: Game | str,
    position: Sequence[str] | str = (),
    *,
    bot: str = "",
    time: float = 5000.0,
    nodes: int = 0,
    turn: int = 0,
    seat: int | None = None,
    store: Path | str = STORE,
) -> Opinion:
    """Let a bot analyze a position for `time` ms or a limit of nodes: its best moves, values and expected line.

    Without a `bot` it is the champion, or the first bot of a game that has none.

    A position is given by the moves that lead to it or by a prompt, as the page of the game in docs/games describes. A
    stored game such as `["g41"]`, or `["r7"]` for the last game of a run, is a position too: at a `turn` from 1 (0: the
    last), as a `seat` saw it.

    >>> opinion = podium.analyze("zuniq", ["E5v", "A2h", "B3h", "C4v"], nodes=2000)
    >>> opinion.rows()[0]["move"]
    'C3v'
    """
    from podium.arena.analysis.analyze import analyze_position
    from podium.arena.analysis.stored_turn import TurnReference
    from podium.games import game_name

    return analyze_position(
        game_name(game), position, bot=bot, time=time, nodes=nodes, turn=TurnReference(turn, seat, store)
    )


def trace(
    game: Game | str,
    position: Sequence[str] | str = (),
    *,
    bot: str = "",
    time: float = 5000.0,
    nodes: int = 0,
    turn: int = 0,
    seat: int | None = None,
    store: Path | str = STORE,
) -> Trace:
    """Record the search with which a bot chooses its move in a position, node by node (docs/traces.md).

    The position, the bot and its limit are given as for `analyze`. `rows()` are the moves of the root, `frame()` all
    nodes; `save(path)` writes the file that `podium analyze --trace` writes, and `load_trace(path)` reads it.

    >>> trace = podium.trace("zuniq", ["E5v", "A2h", "B3h", "C4v"], nodes=500)
    >>> trace.facts["result"]["nodes"], trace.rows()[0]["move"]
    (500, 'D3h')
    """
    from podium.arena.analysis.stored_turn import TurnReference
    from podium.arena.analysis.trace_position import trace_position
    from podium.games import game_name

    return trace_position(
        game_name(game), position, bot=bot, time=time, nodes=nodes, turn=TurnReference(turn, seat, store)
    )


def load_trace(path: Path | str) -> Trace:
    """The trace of a file.

    >>> podium.trace("zuniq", ["E5v", "A2h"], nodes=50).save("trace.npz")
    >>> podium.load_trace("trace.npz").search
    'MCTS'
    """
    from podium.arena.analysis.trace_position import load_trace

    return load_trace(path)


def pin(
    game: str,
    turn: int,
    *,
    seat: int | None = None,
    expect: Sequence[str] = (),
    avoid: Sequence[str] = (),
    note: str = "",
    pins: Path | str = PINS,
    store: Path | str = STORE,
) -> Pin:
    """Keep the position of a turn of a stored game with what should, or should not, be played there.

    Without `expect` and `avoid`, what was played there is to be avoided. The pin is appended to the file `pins`.

    >>> report = podium.match("zuniq", "uct", "random", games=2, nodes=50)
    >>> podium.pin("g1", 3, expect=["A1h"]).wanted
    'A1h'
    """
    from pathlib import Path

    from podium.arena.analysis.pins import add_pin, pin_of
    from podium.arena.analysis.stored_runs import find_stored_game
    from podium.arena.analysis.stored_turn import seat_asked
    from podium.games import load

    stored = find_stored_game(game, store)
    whose = seat_asked(load(stored.run.game), stored, turn) if seat is None else seat
    made = pin_of(stored, turn, whose, expect=expect, avoid=avoid, note=note)
    add_pin(made, Path(pins))
    return made


def pins(
    bot: str,
    *,
    game: str = "",
    time: float = 0.0,
    nodes: int = 0,
    repeats: int = 1,
    seed: int = 1,
    pins: Path | str = PINS,
) -> PinsReport:
    """Let a bot play in all pinned positions of a file, and compare with what should be played there.

    >>> report = podium.match("zuniq", "uct", "random", games=2, nodes=50)
    >>> pin = podium.pin("g1", 3)
    >>> podium.pins("champion", nodes=50).failed <= 1
    True
    """
    from pathlib import Path

    from podium.arena.analysis.pins import run_pins

    return run_pins(bot, Path(pins), game=game, time=time, nodes=nodes, repeats=repeats, seed=seed)
