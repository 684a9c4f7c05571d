"""Completion in the shell: games, bots with their parameters, versions, runs and stored games.

A shell waits for every answer, so only the module of the command at hand is imported, and no compiler. What cannot be
read (a store that is damaged, a game that is unknown) has nothing to offer; it is no place for errors.
"""

import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from podium.errors import PodiumError

WORDS = ("_TYPER_COMPLETE_ARGS", "COMP_WORDS")  # what was typed so far, by shell
LAST_RUNS = 200


def command_typed() -> str:
    """The command whose arguments a shell asks for; "" while its name is being typed."""
    text = next((os.environ[name] for name in WORDS if os.environ.get(name)), "")
    try:
        words = shlex.split(text)
    except ValueError:  # an open quotation mark
        words = text.split()
    is_named = len(words) > 2 or (len(words) == 2 and text.endswith((" ", "\n")))
    return words[1] if is_named else ""


def games(incomplete: str) -> list[str]:
    """The games whose names begin so."""
    from podium.games import names

    return [name for name in names() if name.startswith(incomplete)]


def bots(ctx: Any, incomplete: str) -> list[str]:
    """The bots of the game that begin so: the game's, the project's and the store's; or parameters of one."""
    with suppress(PodiumError):
        return [text for text in _bots(ctx, incomplete) if text.startswith(incomplete)]
    return []


def _bots(ctx: Any, incomplete: str) -> Iterator[str]:
    from podium.arena.entrants.project import find_project
    from podium.games import load

    project = find_project()
    yield from project.bots if project else ()
    game = load(str(ctx.params.get("game") or (project.game if project else "")))
    name, colon, changes = incomplete.partition(":")
    if colon and name in game.bots:
        before, comma, _ = changes.rpartition(",")
        for parameter in game.kind(name).param_spec:
            yield f"{name}:{before}{comma}{parameter.name}="
    else:
        yield from game.bots
        yield from _versions(_store(ctx), game.name)


def _versions(store: Path, game: str) -> Iterator[str]:
    from podium.arena.entrants.bot_names import given_name
    from podium.arena.store.store import Store

    if store.exists():
        with Store(store, create=False) as opened:
            yield from filter(None, dict.fromkeys(given_name(bot.name)[0] for bot in opened.bots_of(game)))


def runs(ctx: Any, incomplete: str) -> list[tuple[str, str]]:
    """The newest runs of the store that begin so, with their names."""
    from podium.arena.store.store import Store

    with suppress(PodiumError), Store(_store(ctx), create=False) as opened:
        found = [(f"r{run.id}", f"{run.game}: {run.title}") for run, *_ in reversed(opened.runs()[-LAST_RUNS:])]
        return [each for each in found if each[0].startswith(incomplete)]
    return []


def _store(ctx: Any) -> Path:
    from podium.arena.store.store import DEFAULT_STORE

    return Path(ctx.params.get("store") or (ctx.default_map or {}).get("store") or DEFAULT_STORE)
