"""The messages of CodinGame's referees: a header that counts the lines after it, the same in both directions.

    [[NEXT_PLAYER_INFO] 3]
    0
    1
    50

Nothing is escaped: a line of a body may look like a header, and only the count tells. Lines end in LF alone. The
referee's side reads with Java's `Scanner`, for which other characters end a line too; a bot's answer must not hold any.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from podium.errors import PodiumError

HEADER = re.compile(rb"\[\[(.+)\] ?([0-9]+)\]")
ENDS_A_LINE = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # for java.util.Scanner
UNKNOWN_SEED = "; the seed that was played is not known"  # in a sentence about a game
SHOWN = 200  # characters of a line in a sentence


class ForeignError(PodiumError):
    """A foreign referee that cannot go on: its game is void, and nobody's loss. The text is the reason, for people."""


class ToldError(ForeignError):
    """The same, where the referee itself said why."""


class Message(NamedTuple):
    """A message, or what of it came before the stream ended."""

    name: str
    lines: list[str]


def encode(name: str, lines: Sequence[str] = ()) -> bytes:
    """A message for the referee. A line holds no character that would end it."""
    text = "".join(f"{line}\n" for line in (f"[[{name}] {len(lines)}]", *lines))
    return text.encode("utf-8", "replace")


def one_line(text: str) -> str:
    """A text as a single line for the referee."""
    return ENDS_A_LINE.sub(" ", text)


class Reader:
    """Cuts messages out of a stream of lines.

    Where a header is due, other lines are passed over: a Java machine may print its own warnings, and a message
    `UINPUT` counts properties and not lines, so that a property of two lines leaves one behind. They are kept in
    `stray`, because they may tell why a referee failed.
    """

    def __init__(self, line: Callable[[], bytes | None]) -> None:
        """`line` gives the next line without its LF, None at the end of the stream."""
        self._line = line
        self._ahead: Message | None = None
        self.stray: list[str] = []

    def read(self) -> Message | None:
        """The next message; None at the end of the stream."""
        found, self._ahead = self._ahead or self._next(), None
        if found and found.name == "UINPUT":
            known = len(self.stray)
            self._ahead = self._next()
            found.lines.extend(self.stray[known:])
        return found

    def _next(self) -> Message | None:
        while (raw := self._line()) is not None:
            header = HEADER.fullmatch(raw.removesuffix(b"\r"))
            if header:
                return self._body(header[1].decode("utf-8", "replace"), int(header[2]))
            self.stray.append(_text(raw)[:SHOWN])
        return None

    def _body(self, name: str, count: int) -> Message:
        lines: list[str] = []
        while len(lines) < count and (raw := self._line()) is not None:
            lines.append(_text(raw))
        return Message(name, lines)


def _text(raw: bytes) -> str:
    return raw.removesuffix(b"\r").decode("utf-8", "replace")
