"""What the repository of a contest says beside its referee: number of players, kind of game, leagues.

The engine never reads `config/config.ini`, so it is not in the jar; it is found in the folder of the Maven project, or
above a jar in its `target`. The leagues are the folders `config/level1`, `config/level2`, ...
"""

import configparser
import re
from dataclasses import dataclass
from pathlib import Path

MULTIPLAYER = "multi"


@dataclass(frozen=True)
class ContestFolder:
    """The configuration of a contest."""

    players: tuple[int, int] | None = None  # fewest and most; None: not known
    kind: str = MULTIPLAYER  # or solo, opti
    leagues: int | None = None  # how many there are; None: not known

    @property
    def fixed_players(self) -> int | None:
        """The number of players, if there is only one."""
        return self.players[0] if self.players and self.players[0] == self.players[1] else None


def contest_folder(path: Path) -> ContestFolder:
    """What is known of the contest of a jar, or of a project's folder; nothing if no `config` lies near it."""
    config = near_config(path)
    return _read(config) if config else ContestFolder()


def near_config(path: Path) -> Path | None:
    """The folder `config` of a project, or above a jar in its `target`; None if there is none."""
    for folder in (path, *list(path.parents)[:2]):
        config = folder / "config"
        if (config / "config.ini").is_file() or any(config.glob("level*/config.ini")):
            return config
    return None


def _read(config: Path) -> ContestFolder:
    levels = [each for each in config.glob("level*") if each.is_dir() and re.fullmatch(r"level\d+", each.name)]
    files = [config / "config.ini", *(level / "config.ini" for level in sorted(levels))]
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    try:
        text = next(file for file in files if file.is_file()).read_text(encoding="utf-8", errors="replace")
        parser.read_string("[game]\n" + text)
        low, high = (parser["game"].getint(f"{end}_players") for end in ("min", "max"))
    except (OSError, configparser.Error, ValueError):
        return ContestFolder(leagues=len(levels))
    players = None if low is None or high is None else (low, high)
    return ContestFolder(players, parser["game"].get("type", MULTIPLAYER).strip().lower(), len(levels))
