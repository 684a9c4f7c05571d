"""Versions that never change: bots as packed files, for the archive of a league and for releases.

A file is compared with its bot before it counts as a version.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from podium.arena.entrants.bot_names import is_name
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import CHAMPION
from podium.pack.packing import write_pack
from podium.pack.verifying import verify_pack

COMPARED = 20  # answers of a version


def write_version(game: str, bot: str, file: Path) -> None:
    """Write a bot as one file that plays as the bot does; PodiumError, and no file, if it does not."""
    try:
        write_pack(game, bot, file)
        found = verify_pack(game, bot, file, COMPARED)
        if found.differences:
            raise PodiumError(f"{bot} of {game} answers otherwise when it is packed: {found.differences[0]}")
    except BaseException:
        file.unlink(missing_ok=True)
        raise


@dataclass(frozen=True)
class Released:
    """The champion of a game in a release."""

    game: str
    file: Path
    is_new: bool  # False: it was there already, and stays as it is


def write_release(name: str, folder: Path, only: str = "") -> Iterator[Released]:
    """Write the champions of all games, or of one, as `GAME-NAME.py`; what a release has already stays as it is."""
    if not is_name(name):
        raise PodiumError(f"{name!r} is no name of a release; one is, for example, v1")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PodiumError(f"cannot make the folder {folder}: {error.strerror}") from None
    chosen = [load(only).name] if only else [game for game in names() if CHAMPION in load(game).bots]
    for game in chosen:
        file = folder / f"{Path(game).stem}-{name}.py"
        is_new = not file.exists()
        if is_new:
            scratch = file.with_suffix(".part")
            write_version(game, CHAMPION, scratch)
            scratch.chmod(0o444)
            scratch.rename(file)
        yield Released(game, file, is_new)
