"""Podium: a laboratory for contest game bots.

Each command is one call in Python, with the same words:

    import podium

    podium.games()                                                # list the games
    podium.match("zuniq", "champion", "py:mybot.py", games=200)   # which one is stronger?
    podium.league("zuniq", "champion", "uct", "random", nodes=200)
    podium.ablate("zuniq", "champion", nodes=200)                 # what does each part contribute?
    podium.tune("zuniq", "champion", "impact=0.5:2", nodes=200)   # which parameters are best?
    podium.play("wondev_woman", "champion", "greedy", time=20)    # one game, turn by turn
    podium.analyze("zuniq", ["E5v", "A2h"], time=2000)            # the best moves of a position
    podium.show("g12")                                            # a stored game, or the report of a run (r3)
    podium.trace("zuniq", ["E5v", "A2h"], nodes=1000)             # the search of a position, node by node
    podium.review("g12")                                          # where was a stored game lost?
    podium.replay("g12")                                          # check a stored game against the referee
    podium.runs(game="zuniq")                                     # the runs of the store, with their verdicts
    podium.claims("zuniq")                                        # the claims of a write-up, and measurements
    podium.load("zuniq")                                          # a game: referee, rules, bots

A game is its name, or the object that `load` returns.
Results print as tables, have `data()`, `rows()` and, with pandas, `frame()`, and display themselves in a notebook. The
searches are here too: `AlphaBeta`, `MaxN`, `Mcts`, `Puct`, `Beam`, and for simultaneous moves `DecoupledUct`,
`Smitsimax`, `RollingHorizon` and `RootMatrix`. See docs/python.md.

The import is lazy: a name is imported when it is first used, and kernels are compiled when they first run.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for editors and type checkers; the same as WHERE
    from collections.abc import Callable
    from typing import TypeVar

    from podium.api import PINS as PINS
    from podium.api import STORE as STORE
    from podium.api.games import load, play
    from podium.api.positions import analyze, load_trace, pin, pins, trace
    from podium.api.runs import ablate, calibrate, claims, gate, league, match, tune
    from podium.api.stored import delete, import_replays, remark, replay, review, runs, show, slices
    from podium.errors import (
        IllegalError,
        LimitError,
        MalformedError,
        PodiumError,
        StoreError,
        UnfitSearchError,
        UnknownNameError,
    )
    from podium.games.game import Game
    from podium.games.game_list import GameList
    from podium.games.rules_game import make_game
    from podium.model.ruleset import Rules
    from podium.search.alphabeta import AlphaBeta
    from podium.search.beam import Beam
    from podium.search.decoupled import DecoupledUct
    from podium.search.maxn import MaxN
    from podium.search.mcts import Mcts
    from podium.search.puct import Puct
    from podium.search.rolling_horizon import RollingHorizon
    from podium.search.root_matrix import RootMatrix
    from podium.search.smitsimax import Smitsimax

    Function = TypeVar("Function", bound=Callable[..., Any])

    def games() -> GameList:
        """All games by name, in a list that shows itself."""

    def kernel(function: Function) -> Function:
        """Decorate a function that is compiled on first use, such as an evaluation for a search."""


__version__ = "0.1.0"

__all__ = [
    "AlphaBeta",
    "Beam",
    "DecoupledUct",
    "Game",
    "IllegalError",
    "LimitError",
    "MalformedError",
    "MaxN",
    "Mcts",
    "PodiumError",
    "Puct",
    "RollingHorizon",
    "RootMatrix",
    "Rules",
    "Smitsimax",
    "StoreError",
    "UnfitSearchError",
    "UnknownNameError",
    "ablate",
    "analyze",
    "calibrate",
    "claims",
    "delete",
    "games",
    "gate",
    "import_replays",
    "kernel",
    "league",
    "load",
    "load_trace",
    "make_game",
    "match",
    "pin",
    "pins",
    "play",
    "remark",
    "replay",
    "review",
    "runs",
    "show",
    "slices",
    "trace",
    "tune",
]

WHERE = {  # the public names of each module
    "podium.api": ("PINS", "STORE"),
    "podium.api.games": ("load", "play"),
    "podium.api.positions": ("analyze", "load_trace", "pin", "pins", "trace"),
    "podium.api.runs": ("ablate", "calibrate", "claims", "gate", "league", "match", "tune"),
    "podium.api.stored": ("delete", "import_replays", "remark", "replay", "review", "runs", "show", "slices"),
    "podium.errors": (
        "IllegalError",
        "LimitError",
        "MalformedError",
        "PodiumError",
        "StoreError",
        "UnfitSearchError",
        "UnknownNameError",
    ),
    "podium.games.game": ("Game",),
    "podium.games.rules_game": ("make_game",),
    "podium.model.ruleset": ("Rules",),
    "podium.search.alphabeta": ("AlphaBeta",),
    "podium.search.beam": ("Beam",),
    "podium.search.decoupled": ("DecoupledUct",),
    "podium.search.maxn": ("MaxN",),
    "podium.search.mcts": ("Mcts",),
    "podium.search.puct": ("Puct",),
    "podium.search.rolling_horizon": ("RollingHorizon",),
    "podium.search.root_matrix": ("RootMatrix",),
    "podium.search.smitsimax": ("Smitsimax",),
}
MODULE_OF = {name: module for module, names in WHERE.items() for name in names}


def __getattr__(name: str) -> Any:
    """What is imported when it is first asked for."""
    from importlib import import_module

    if name in ("games", "kernel"):  # packages that can be called
        return import_module(f"podium.{name}")
    if name in MODULE_OF:
        return getattr(import_module(MODULE_OF[name]), name)
    from difflib import get_close_matches

    near = get_close_matches(name, __all__, n=1)
    hint = f"; did you mean {near[0]}?" if near and not name.startswith("_") else ""
    raise AttributeError(f"module 'podium' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    return sorted(["__version__", *__all__])
