"""External referees: those of other contests, each in its own program, as games of the arena.

`podium.games.load` resolves full names (`referee:path/to/referee.jar`) here, and short ones from `referees.toml`.
"""

from podium.games.game import Game


def resolve(name: str) -> Game:
    """The game of a referee's full name; PodiumError if its program is missing."""
    from podium.referees.external import resolve

    return resolve(name)


def absent(name: str) -> Game:
    """The game of a referee's full name, to show stored games: its program may be missing."""
    from podium.referees.external import absent

    return absent(name)


def full_name(name: str, players: int = 0) -> str | None:
    """The full name of a referee, given in full or by its short name; None if it is no referee's name.

    With `players`, for that number of players.
    """
    from podium.referees import names, registry

    file = registry.file_of()
    if name.startswith(f"{names.SCHEME}:"):
        found = names.parse(name)
    elif file.is_file() and name in registry.registered(file):
        found = registry.find(name, file)
    else:
        return None
    return str(found.with_options(players=players) if players else found)


def find(name: str) -> Game | None:
    """The game of a short name from `referees.toml`; None if there is no such name."""
    full = full_name(name)
    return resolve(full) if full else None
