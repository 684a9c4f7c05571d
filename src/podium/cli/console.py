"""Everything printed to the terminal goes through here.

Much of it was written by others: names, answers, notes and standard error of bots. It is treated as data: no markup, no
emoji, and control characters are made visible instead of being obeyed. Styles are given beside a text, never inside it.
"""

import json
import math
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

# Control characters but tab and newline, what turns the direction of writing or has no width, and broken characters.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
JSON_VERSION = 2  # of what `--json` prints (docs/json.md); rises when a field goes or changes its meaning
PICTURES = 0x2400  # pictures of the first 32 control characters, each as wide as a letter
DELETE, PICTURE_OF_DELETE = "\x7f", "\u2421"


def visible(text: str) -> str:
    """The text with its hidden characters made visible."""
    return HIDDEN.sub(lambda found: _picture(found[0]), text)


def _picture(character: str) -> str:
    if character == DELETE:
        return PICTURE_OF_DELETE
    code = ord(character)
    return chr(PICTURES + code) if code < 32 else f"\\u{code:04x}"


class PlainConsole(Console):
    """A console that interprets nothing in a text."""

    def __init__(self, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; where there is no terminal, lines may be as long as they like."""
        super().print(*objects, **({} if self.is_terminal else {"crop": False}) | options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Make hidden characters visible in everything that is printed.

        Sentences are wrapped for terminals only: a line of a file or a pipe is a line. Cells of tables, which have less
        room than the console, are wrapped everywhere.
        """
        options = options or self.options
        if isinstance(renderable, str | Text) and not self.is_terminal and options.max_width >= self.width:
            options = options.update(no_wrap=True, overflow="ignore")
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


console = PlainConsole()
errors = PlainConsole(stderr=True)


def plain(data: Any) -> Any:
    """Data that is valid JSON: infinity and nan become null."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {str(name): plain(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    return data


def json_text(document: Mapping[str, Any]) -> str:
    """A document as one line of ASCII JSON: an object with the version of the format as its first field."""
    return json.dumps(plain({"version": JSON_VERSION, **document}), allow_nan=False)


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document to standard output."""
    sys.stdout.write(json_text(document) + "\n")
    sys.stdout.flush()
