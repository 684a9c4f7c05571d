"""The start of a game from its seed, as the official referee draws it; and the start as a player sees it."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from podium.games.code4life.catalogue import (
    POOL_SIZE,
    POOL_START,
    PROJECT_LIST,
    PROJECTS,
    RANKS,
    UNKNOWN,
    pack,
)
from podium.games.code4life.state import State
from podium.kernel import blank
from podium.kernel.random import JavaRandom
from podium.model.params import Value


def orders(seed: int) -> tuple[list[list[int]], list[int]]:
    """Indices in the order after the shuffles: of the samples of each rank, and of the projects."""
    random = JavaRandom(seed)
    lists = [list(range(size)) for size in (*POOL_SIZE.tolist(), len(PROJECT_LIST))]
    for items in lists:  # one generator for all four, in this order
        random.shuffle(items)
    return lists[:RANKS], lists[RANKS]


def initial_state(seed: int, settings: Mapping[str, Value] | None = None) -> Any:
    """The state before the first round; this game has no settings."""
    state = blank(State)
    pools, projects = orders(seed)
    state.pool[:] = [POOL_START[rank] + index for rank, order in enumerate(pools) for index in order]
    set_projects(state, [PROJECT_LIST[index] for index in projects[:PROJECTS]])
    drawn = state.project.tobytes() + state.pool.tobytes()
    state.hash = int.from_bytes(blake2b(drawn, digest_size=8).digest(), "little")
    return state


def unknown_state() -> Any:
    """The state before the first round for a player: nothing is known of the pools, and the projects come later.

    Its hash begins with 0: a player compares the keys of one game only.
    """
    state = blank(State)
    for rank in range(RANKS):
        state.pool[POOL_START[rank] : POOL_START[rank] + POOL_SIZE[rank]] = UNKNOWN + rank
    return state


def set_projects(state: Any, projects: list[list[int]]) -> None:
    """Put the projects of a game, all open, into its state."""
    for index, needed in enumerate(projects):
        state.project[index] = pack(needed)
    state.open = (1 << len(projects)) - 1
