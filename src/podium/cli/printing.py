"""The one way of all text to the terminal.

Much of what is printed was written by others: bots' names, answers, what they thought and wrote to standard error. It
is data: no markup, no emoji, and control characters are shown instead of being obeyed. Styles are given beside a text,
never inside it.
"""

import json
import math
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

# Control characters but tab and newline, what turns the direction of writing or has no width, and broken characters.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
JSON_VERSION = 1  # of what `--json` prints (docs/json.md); rises when a field goes or changes its meaning
PICTURES = 0x2400  # pictures of the first 32 control characters, each as wide as a letter
DELETE, PICTURE_OF_DELETE = "\x7f", "\u2421"


def visible(text: str) -> str:
    """A text whose hidden characters can be seen."""
    return HIDDEN.sub(lambda found: _picture(found[0]), text)


def _picture(character: str) -> str:
    if character == DELETE:
        return PICTURE_OF_DELETE
    code = ord(character)
    return chr(PICTURES + code) if code < 32 else f"\\u{code:04x}"


class PlainConsole(Console):
    """A console that takes text for text."""

    def __init__(self, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """All that is printed becomes segments here."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


console = PlainConsole()
errors = PlainConsole(stderr=True)


def plain(data: Any) -> Any:
    """Data as every reader of JSON takes it: there is no infinity and no nan in it, but null."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {str(name): plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    return data


def json_text(document: Mapping[str, Any]) -> str:
    """A document as one line of JSON in ASCII, which every terminal and every encoding takes.

    It is an object that tells which version of the format it has; a list is a field of one.
    """
    return json.dumps(plain({"version": JSON_VERSION, **document}), allow_nan=False)


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json_text(document) + "\n")
    sys.stdout.flush()
