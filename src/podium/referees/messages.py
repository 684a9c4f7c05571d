"""The messages of CodinGame's referees: a header that counts the lines after it, the same in both directions.

    [[NEXT_PLAYER_INFO] 3]
    0
    1
    50

Nothing is escaped: a line of a body may look like a header, so only the count decides. Lines end in LF alone. The
referee's side reads with Java's `Scanner`, for which other characters end a line too; they are removed from answers.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from podium.errors import PodiumError

HEADER = re.compile(rb"\[\[(.+)\] ?([0-9]+)\]")
ENDS_A_LINE = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # for java.util.Scanner
UNKNOWN_SEED = "; the seed that was played is not known"  # appended to the sentence of an outcome
SHOWN = 200  # characters kept of a line that belongs to no message


class ExternalRefereeError(PodiumError):
    """An external referee that cannot go on: its game is annulled, nobody loses it. The text gives the reason."""


class ReportedFailureError(ExternalRefereeError):
    """A failure that the referee itself reported; exit status and standard error add nothing to it."""


class Message(NamedTuple):
    """A message; shorter than its header says if the stream ended within it."""

    name: str
    lines: list[str]


def encode(name: str, lines: Sequence[str] = ()) -> bytes:
    """A message for the referee. The caller guarantees that no line contains a line end (see `one_line`)."""
    text = "".join(f"{line}\n" for line in (f"[[{name}] {len(lines)}]", *lines))
    return text.encode("utf-8", "replace")


def one_line(text: str) -> str:
    """A text as a single line for the referee: whatever ends a line for Java becomes a blank."""
    return ENDS_A_LINE.sub(" ", text)


class Reader:
    """Parses messages from a stream of lines.

    Lines where a header should stand are skipped: a JVM may print its own warnings, and a message `UINPUT` counts
    properties and not lines, so that a property of two lines leaves one over. They are kept in `stray`, because they
    may explain why a referee failed.
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
