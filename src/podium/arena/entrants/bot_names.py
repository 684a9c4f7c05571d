"""What a text that names a bot may be.

A bot is named `champion`, `champion:depth=4,killers=off`, `py:mybot.py`, `pack:bot.py` or `pack:bot.py --time 100` (a
file that `podium pack` wrote, with its options) or `cmd:./mybot --fast`, and each of these may be given a name of its
own, for tables and to speak of it later: `v2=cmd:./mybot --fast`.

A bot that plays for a judge is named by such a text too, and there is no time to import what only other kinds of bots
need.
"""

import re

from podium.errors import PodiumError
from podium.games.game import BotKind, Game
from podium.model.params import Value

COMMAND = "cmd:"
PYTHON = "py:"
PACKED = "pack:"
_NAME = re.compile(r"[A-Za-z][\w.+-]*")
_GIVEN_NAME = re.compile(rf"({_NAME.pattern})=(.+)", re.DOTALL)


def is_name(text: str) -> bool:
    """Whether a bot may be given this name."""
    return _NAME.fullmatch(text) is not None


def require_text(spec: object) -> None:
    """Refuse what is no text, such as a function or a class."""
    if not isinstance(spec, str):
        raise PodiumError(f"a bot is named by a text such as 'champion' or 'py:mybot.py:bot', not by {spec!r}")


def given_name(spec: str) -> tuple[str, str]:
    """The name that a text gives to a bot ("" if none), and the text that says what the bot is."""
    require_text(spec)
    found = _GIVEN_NAME.fullmatch(spec.strip())
    return (found[1], found[2].strip()) if found else ("", spec)


def counts_nodes(spec: str) -> bool:
    """Whether a limit of nodes is one for the bot that a text names: a program does not know of it."""
    return not given_name(spec)[1].startswith(COMMAND)


def bot_kind(game: Game, spec: str) -> tuple[BotKind, dict[str, Value]]:
    """The bot that a text names, to be made in this process, and its changed parameters."""
    _, spec = given_name(spec)
    if spec.startswith((COMMAND, PACKED)):
        raise PodiumError(f"{spec!r} is a program, which does not think in this process")
    if spec.startswith(PYTHON):
        from podium.arena.entrants.python_bots import python_bot_kind

        return python_bot_kind(spec), {}
    return game.named(spec)
