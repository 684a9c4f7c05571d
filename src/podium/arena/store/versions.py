"""Versions: bots that a store knows, brought back by the names that they were given.

A bot of a game or a Python bot can play again while its sources are what they were; a program too. Later they play from
the archive: a program from its copy, a bot of a game as the file that it was packed into. One without a name of its own
is then called `champion-3f2a91`, by the beginning of its fingerprint.
"""

from collections.abc import Iterable
from pathlib import Path

from podium.arena.entrants.bot_names import given_name, is_name
from podium.arena.entrants.entrant import Entrant, entrant
from podium.arena.store.archive import Archive
from podium.arena.store.store import SITE_PLAYER, Store, StoredBot
from podium.errors import PodiumError, UnknownNameError, unknown
from podium.games.game import Game

NAME_DIGITS = 6  # of a fingerprint, in the name of an archived bot


def recalled(game: Game, bot: StoredBot, archive: Archive) -> Entrant | None:
    """A stored bot as it was when it entered; None if it cannot play any more."""
    try:
        who = entrant(game, bot.name).with_handicap(bot.handicap)
        if who.fingerprint == bot.fingerprint:
            return who
    except PodiumError:  # a program or a parameter that is no more
        pass
    name = bot.name if given_name(bot.name)[0] or not bot.kind else f"{archived_name(bot)}={bot.name}"
    return archive.recall(Entrant(name, bot.fingerprint, handicap=bot.handicap))


def archived_name(bot: StoredBot) -> str:
    """The name under which a bot of a game that was given none plays from the archive; "" for other bots."""
    return f"{bot.kind}-{bot.fingerprint[:NAME_DIGITS]}" if bot.kind else ""


def version_named(game: Game, name: str, store: Path) -> Entrant | None:
    """The newest bot of a store that was given this name; None if there is none. PodiumError if it can play no more."""
    if not is_name(name) or name in game.bots or not store.exists():
        return None
    with Store(store, create=False) as opened:
        found = [bot for bot in opened.bots_of(game.name) if name in names_of(bot)]
    if not found:
        return None
    who = recalled(game, found[-1], Archive(store))
    if who is None:
        raise PodiumError(
            f"{name} ({given_name(found[-1].name)[1]}) is not what it was when it played, and no copy was kept; "
            "leagues keep copies of programs, and with --archive of all bots; matches keep programs with --archive"
        )
    return who


def names_of(bot: StoredBot) -> set[str]:
    """The names by which a stored bot can be brought back; none for who played on a contest's site."""
    if bot.kind == SITE_PLAYER:
        return set()
    return {name for name in (bot.label, archived_name(bot)) if is_name(name)}


def bot_or_version(game: Game, spec: str, store: Path) -> Entrant:
    """The entrant that a text names, which may be the name of a version in a store.

    UnknownNameError with the near names, those of versions too.
    """
    if who := version_named(game, spec, store):
        return who
    try:
        return entrant(game, spec)
    except UnknownNameError:
        if not is_name(spec) or not store.exists():
            raise
        with Store(store, create=False) as opened:
            bots, archive = opened.bots_of(game.name), Archive(store)
        kept = {archived_name(bot) for bot in bots if archive.has(bot.fingerprint)}
        versions = {name for bot in bots for name in names_of(bot) if name == bot.label or name in kept}
        raise unknown(f"bot of {game.name}", spec, versions.union(game.bots)) from None


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
