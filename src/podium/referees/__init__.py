"""Other contests' referees, each in its own program, as games of the arena.

`podium.games.load` comes here with full names (`referee:path/to/referee.jar`) and with short ones from `referees.toml`.
"""

from podium.games.game import Game


def resolve(name: str) -> Game:
    """The game of a referee's full name."""
    from podium.referees.foreign import resolve

    return resolve(name)


def absent(name: str) -> Game:
    """The game of a referee's full name, to look at what was played: its program need not be there."""
    from podium.referees.foreign import absent

    return absent(name)


def find(name: str) -> Game | None:
    """The game of a short name; None if there is no such name."""
    from podium.referees import registry

    file = registry.file_of()
    if not file.is_file() or name not in registry.registered(file):
        return None
    return resolve(str(registry.find(name, file)))
