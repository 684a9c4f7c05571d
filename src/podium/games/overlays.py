"""Overlays: what pages draw on top of a board, and what a person can click on it, as plain data.

A **spot** is a named place of the board: a cell `3,2`, a wall `E5v`, a card `BREW 45`. The game's `scene.js` gives
every spot an element of the picture; everything else refers to spots by name. So a page can draw the thoughts of any
bot, and let a person play, without knowing the game:

* A **drawing** is a text at a spot, marked spots, or a line through spots.
* A **sketch** of a bot's thoughts is a list of drawings for each overlay: `line`, `options`, `beliefs`.
* A **choice** is an answer that the referee would accept, with the spots to click for it.

Bots in any language draw by writing lines to standard error, see `read_drawings`. With `read_attributes` they name
values of theirs, which become curves on pages and attributes of games (`podium slice`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Drawing = dict[str, Any]
Sketch = dict[str, list[Drawing]]

PREFIX = "@podium"
ATTRIBUTE = re.compile(r"@?podium[ \t]+set[ \t]+(\S{1,40})[ \t]+(\S.*)")
LONGEST_TEXT = 80  # characters of a text on the board
MOST_SPOTS = 200  # of one drawing
MOST_DRAWINGS = 500  # of one answer
MOST_ATTRIBUTES = 50  # of one answer
LONGEST_VALUE = 40  # characters of an attribute that is no number


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that a seat may give now. Several choices may have the same spots: a page then asks for one of them."""

    answer: str
    label: str  # for people
    spots: tuple[str, ...] = ()  # to click one after the other; without spots the choice is only a button

    def data(self) -> dict[str, Any]:
        """The same as a dictionary of plain data."""
        return {"answer": self.answer, "label": self.label, "spots": list(self.spots)}


def text_at(spot: str, text: str) -> Drawing:
    """A short text at a spot."""
    return {"form": "text", "at": spot, "text": text[:LONGEST_TEXT]}


def marked(spots: Sequence[str], weight: float = 1.0) -> Drawing:
    """Marked spots; the weight, 0 to 1, is how strongly they are coloured."""
    return {"form": "mark", "at": list(spots)[:MOST_SPOTS], "weight": min(1.0, max(0.0, weight))}


def line_through(spots: Sequence[str], text: str = "", seat: int | None = None) -> Drawing:
    """An arrow through spots, in the colour of a seat (None: of the bot that drew it)."""
    drawing = {"form": "line", "at": list(spots)[:MOST_SPOTS], "text": text[:LONGEST_TEXT]}
    return drawing if seat is None else {**drawing, "seat": seat}


def read_drawings(stderr: str) -> tuple[list[Drawing], float | None]:
    """The drawings in a bot's standard error, and its evaluation for the graph (None if it wrote none).

    The forms; spots have the names of the game's page, and `/` ends a list of them:

        @podium text SPOT words
        @podium mark [WEIGHT] SPOT...
        @podium line SPOT SPOT... [/ words]
        @podium value NUMBER

    A space in the name of a spot is written as an underscore. Other lines are ignored.
    """
    drawings: list[Drawing] = []
    value = None
    for row in stderr.splitlines():
        if not row.startswith(PREFIX + " ") or len(drawings) >= MOST_DRAWINGS:
            continue
        _, form, *words = row.split()[: MOST_SPOTS + LONGEST_TEXT] or [""]
        if form == "value" and len(words) == 1:
            number = _number(words[0])
            value = value if number is None else number
        elif drawing := _read_drawing(form, words):
            drawings.append(drawing)
    return drawings, value


def read_attributes(stderr: str) -> dict[str, float | str]:
    """The values that a bot gave names in its standard error, by name; of equal names the last one counts.

    The form is `@podium set NAME VALUE`, where the sign at the beginning may be left out. A value is a number or else a
    text, the rest of the line.
    """
    found: dict[str, float | str] = {}
    for row in stderr.splitlines() if "podium" in stderr else ():
        said = ATTRIBUTE.fullmatch(row.rstrip())
        if said and (said[1] in found or len(found) < MOST_ATTRIBUTES):
            number = _number(said[2])
            found[said[1]] = said[2][:LONGEST_VALUE] if number is None else number
    return found


def _read_drawing(form: str, words: Sequence[str]) -> Drawing | None:
    if form == "text" and len(words) >= 2:
        return text_at(_spot(words[0]), " ".join(words[1:]))
    if form == "mark" and words:
        weight = _number(words[0])
        spots = words if weight is None else words[1:]
        return marked([_spot(word) for word in spots], 1.0 if weight is None else weight) if spots else None
    if form == "line" and len(words) >= 2:
        end = words.index("/") if "/" in words else len(words)
        return line_through([_spot(word) for word in words[:end]], " ".join(words[end + 1 :])) if end >= 2 else None
    return None


def _spot(word: str) -> str:
    return word.replace("_", " ")


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if abs(number) < 1e300 else None
