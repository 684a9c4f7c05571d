"""The start of a game, drawn from the seed as the official referee draws it."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np

from podium.errors import unknown
from podium.games.code_of_kutulu.mazes import MAZES, NAMES
from podium.games.code_of_kutulu.state import (
    EVERYBODY,
    FIRST_MINION_ID,
    LIGHTS,
    MOST_SANITY,
    PLANS,
    SEATS,
    State,
)
from podium.kernel import blank
from podium.kernel.random import JavaRandom
from podium.model.params import Parameter, Value

SETTINGS = (Parameter("map", "", "the maze; without it the seed chooses one", choices=tuple(NAMES), drawn=True),)


def initial_state(seed: int, settings: Mapping[str, Value] | None = None) -> Any:
    """The full state before turn 0. With a maze imposed (`map`), the draw of the maze is not made."""
    name = (settings or {}).get("map")
    if name and name not in NAMES:
        raise unknown("maze", str(name), NAMES)
    random = JavaRandom(seed)
    lonely = 3 + random.next_int(4)
    group = 1 + random.next_int(3)
    spawn_time = 3 + random.next_int(4)
    life_time = 30 + random.next_int(11)
    maze = NAMES[str(name)] if name else abs(random.next_int()) % len(MAZES)
    state = empty_state(maze, lonely, group, spawn_time, life_time)
    state.random = random.state
    set_hash(state)
    return state


def attributes(state: Any) -> dict[str, float | str]:
    """The maze, its number of cells, and the rates of sanity and of spawning that the seed drew."""
    maze = MAZES[int(state.maze)]
    rates = {name: int(getattr(state, name)) for name in ("lonely", "group", "spawn_time", "life_time")}
    return {"map": maze.name, "cells": len(maze.points), **rates}


def set_hash(state: Any) -> None:
    """Hash a record that was set up: all of it, with the referee's generator and everything else that is to come."""
    state.hash = 0
    state.hash = int.from_bytes(blake2b(state.tobytes(), digest_size=8).digest(), "little")


def empty_state(maze: int, lonely: int, group: int, spawn_time: int, life_time: int) -> Any:
    """A game's first state with the given settings; its generator is not seeded, and its hash not set."""
    state = blank(State)
    state.maze, state.lonely, state.group = maze, lonely, group
    state.spawn_time, state.life_time = spawn_time, life_time
    state.living = EVERYBODY
    state.next_id = FIRST_MINION_ID
    state.cell = np.array(MAZES[maze].starts, np.uint8)
    for seat in range(SEATS):
        state.sanity[seat] = MOST_SANITY
        state.plans[seat] = PLANS
        state.lights[seat] = LIGHTS
    return state
