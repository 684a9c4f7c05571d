"""Evaluation, candidates and playout policy as arguments of a search: kernels, or plain Python functions.

| argument | a kernel | a plain Python function |
| --- | --- | --- |
| `evaluate` | `(state, seat)` or `(state, params, seat)`, returns a number | the same |
| `candidates` | `(state, out)` or `(state, params, out)`, writes moves, returns how many | `(state)`, returns moves |
| `playout` | `(state, random)`, returns a move | `(state, random)`, returns a move |

Kernels are registered for a record of parameters that is named after them. So each set of kernels is compiled apart,
and found again in the cache by the next process. `random` is a generator for `podium.kernel.random.draw_below`; moves
are numbers, and plain functions may return texts, too.
"""

from collections.abc import Callable, Container
from functools import cache
from inspect import signature
from operator import pos
from typing import Any

import numpy as np

from podium.errors import PodiumError, UnfitSearchError
from podium.kernel import kernel
from podium.kernel.dependencies import Dependencies, UnknownValueError, function_of, is_kernel
from podium.model.hooks import plain_playouts, playout_move, playouts
from podium.model.rules import candidates, evaluate, mover

Hook = Callable[..., Any]

# the arguments that each hook may take; of a plain function for candidates, which writes nothing, the state alone
ARGUMENTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "evaluate": (("state", "seat"), ("state", "params", "seat")),
    "candidates": (("state", "out"), ("state", "params", "out")),
    "playout": (("state", "random"),),
}
PLAIN_CANDIDATES = (("state",),)
WITH_PARAMS = 3  # arguments of a hook that takes the parameters, too


class CustomHooks:
    """The functions that a search was given, by the names of its arguments."""

    def __init__(self, parameters: Container[str] = (), /, **functions: Hook | None) -> None:
        """The functions, for a search with parameters of these names, which may be meant instead."""
        self.given: dict[str, Hook] = {name: function for name, function in functions.items() if function is not None}
        for name, function in self.given.items():
            if not callable(function):
                hint = f"; did you mean {name}s={function!r}?" if f"{name}s" in parameters else ""
                raise PodiumError(f"{name} is a kernel or a function, not {function!r}{hint}")
        self.takes = {name: arguments_of(name, function) for name, function in self.given.items()}  # how many

    def evaluate(self, state: Any, params: Any, seat: int) -> float:
        """The given evaluation of a position, run in plain Python; PodiumError if it is not a number."""
        function: Hook = function_of(self.given["evaluate"])
        return number_of(
            function(state, params, seat) if self.takes["evaluate"] == WITH_PARAMS else function(state, seat)
        )

    @property
    def is_plain(self) -> bool:
        """Whether there is a plain Python function among them."""
        return any(not is_kernel(function) for function in self.given.values())

    @property
    def suffix(self) -> str:
        """What tells the parameters of a search with these kernels apart from others; the same in every process."""
        if not self.given or self.is_plain:
            return ""
        return " with " + " and ".join(f"{name} {name_of_kernel(function)}" for name, function in self.given.items())


def name_of_kernel(hook: Hook) -> str:
    """A name for a kernel: its own, with a digest of its code and captured values if others may be called the same."""
    function = function_of(hook)
    name = f"{function.__module__}.{function.__qualname__}"
    if "<" not in name:
        return name
    try:
        return f"{name} {Dependencies(function).digest}"
    except UnknownValueError:
        return f"{name} {id(function)}"


def number_of(value: Any) -> float:
    """What an evaluation returned; PodiumError if it is not a number."""
    try:
        return float(pos(value))  # a text has no sign, even if it could be read as a number
    except TypeError:
        raise PodiumError(f"evaluate must return a number, not {value!r}") from None


def arguments_of(name: str, hook: Hook) -> int:
    """The number of arguments that a hook is called with; UnfitSearchError if it takes none of the possible lists."""
    lists = PLAIN_CANDIDATES if name == "candidates" and not is_kernel(hook) else ARGUMENTS[name]
    try:
        found = signature(function_of(hook))
    except (TypeError, ValueError):  # a function written in C may not tell
        return len(lists[0])
    for arguments in lists:
        try:
            found.bind(*arguments)
        except TypeError:
            continue
        return len(arguments)
    expected = " or ".join(f"({', '.join(arguments)})" for arguments in lists)
    raise UnfitSearchError(f"{name} takes {expected}; yours takes ({', '.join(map(str, found.parameters.values()))})")


def register_kernels(custom: CustomHooks, state: np.dtype[Any], params: np.dtype[Any]) -> None:
    """Register kernels for a record of states and a record of parameters."""
    given = custom.given
    if "candidates" in given:
        candidates.register(state, params)(_candidates(given["candidates"], custom.takes["candidates"]))
    if "playout" in given:
        playout_move.register(state, params)(_policy(given["playout"]))
        playouts.register(state, params)(plain_playouts)  # also where the game has faster ones of its own
    if "evaluate" in given:
        evaluate.register(state, params)(_evaluation(given["evaluate"], custom.takes["evaluate"]))
        playouts.register(state, params)(evaluation_in_place_of_playouts)


@kernel
def evaluation_in_place_of_playouts(
    state: Any, params: Any, buffers: Any, random: Any, number: int, amaf: Any
) -> float:
    """A new node of a Monte Carlo search gets its evaluation, from -1 to 1, instead of the results of playouts."""
    return number * min(1.0, max(-1.0, np.float64(evaluate(state, params, mover(state)))))


@cache
def _evaluation(function: Hook, takes: int) -> Hook:
    if takes == WITH_PARAMS:
        return function

    @kernel
    def evaluation(state: Any, params: Any, seat: Any) -> Any:
        return function(state, seat)

    return evaluation


@cache
def _candidates(function: Hook, takes: int) -> Hook:
    if takes == WITH_PARAMS:
        return function

    @kernel
    def listed(state: Any, params: Any, out: Any) -> Any:
        return function(state, out)

    return listed


@cache
def _policy(function: Hook) -> Hook:
    @kernel
    def policy(state: Any, params: Any, moves: Any, count: int, random: Any) -> Any:
        return function(state, random)

    return policy
