"""Versions: bots that a store knows, brought back by the names that they were given.

A bot of a game or a Python bot can play again while its sources are what they were; a program too, or from its copy in
the archive.
"""

from collections.abc import Iterable
from pathlib import Path

from podium.arena.entrants.entrant import Entrant, entrant, given_name, is_name
from podium.arena.store.archive import Archive
from podium.arena.store.store import Store, StoredBot
from podium.errors import PodiumError
from podium.games.game import Game


def recalled(game: Game, bot: StoredBot, archive: Archive) -> Entrant | None:
    """A stored bot as it was when it entered; None if it cannot play any more."""
    try:
        who = entrant(game, bot.name).with_handicap(bot.handicap)
        if who.fingerprint == bot.fingerprint:
            return who
    except PodiumError:  # a program or a parameter that is no more
        pass
    return archive.recall(Entrant(bot.name, bot.fingerprint, handicap=bot.handicap))


def version_named(game: Game, name: str, store: Path) -> Entrant | None:
    """The newest bot of a store that was given this name; None if there is none. PodiumError if it can play no more."""
    if not is_name(name) or name in game.bots or not store.exists():
        return None
    with Store(store, create=False) as opened:
        found = [bot for bot in opened.bots_of(game.name) if bot.label == name]
    if not found:
        return None
    who = recalled(game, found[-1], Archive(store))
    if who is None:
        raise PodiumError(
            f"{name} ({found[-1].name.partition('=')[2]}) is not what it was when it played, and no copy was kept; "
            "leagues keep copies of programs, matches with --archive"
        )
    return who


def distinct(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Each bot once, by the name that it was given, if any; PodiumError if it was given two."""
    found: dict[str, Entrant] = {}
    for who in entrants:
        other = found.get(who.fingerprint)
        if other and given_name(other.name)[0]:
            if given_name(who.name)[0] not in ("", given_name(other.name)[0]):
                raise PodiumError(f"{other.label} and {who.label} are the same bot: give it one name")
        else:
            found[who.fingerprint] = who
    return list(found.values())


def refuse_taken_names(newcomers: Iterable[Entrant], others: Iterable[StoredBot]) -> None:
    """PodiumError if a newcomer is given the name of another bot: versions are told apart by their names."""
    taken = {bot.label: bot for bot in others}
    for who in newcomers:
        if given_name(who.name)[0] and who.label in taken:
            raise PodiumError(
                f"{who.label} is the name of another bot of this league ({taken[who.label].name}, which has changed "
                "since, if it is the same program): give the new version a new name"
            )
