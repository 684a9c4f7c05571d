"""The transcript of a game under an external referee, stored with it: it can be shown without the referee's program.

It holds inputs, limits, summaries, tooltips and views by step, and the parameters and metadata from the end of the
game. A step is one question to one player. A summary and a view describe what happened before the step with which they
came; those that came with the result stand at the step after the last.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_VIEWS = 1 << 20  # characters of a game's views; the engine itself sends no more
MOST_TEXT = 1 << 19  # characters of a game's summaries and tooltips; the engine itself sends no more
COLOUR = re.compile("[¤§](?:RED|GREEN)[¤§]")


@dataclass
class Transcript:
    """All that a referee sent in the course of one game."""

    steps: list[tuple[int, int, float, str]] = field(default_factory=list)  # seat, lines wanted, limit in ms, input
    summaries: dict[int, str] = field(default_factory=dict)  # by step
    tooltips: dict[int, list[tuple[str, int]]] = field(default_factory=dict)  # text and seat, by step
    views: dict[int, str] = field(default_factory=dict)
    parameters: list[str] = field(default_factory=list)  # all of the game's, as `key=value`
    metadata: str = ""
    scores: Sequence[float] = ()
    keep_views: bool = True
    _room: int = MOST_VIEWS
    _text_room: int = MOST_TEXT

    def ask(self, seat: int, wanted: int, limit: float, lines: Sequence[str]) -> None:
        """Begin a step: a question to a player, with its limit in ms."""
        self.steps.append((seat, wanted, limit, "\n".join(lines)))

    def add_summary(self, lines: Sequence[str]) -> None:
        """Add what happened in the turn before, as text."""
        text = "\n".join(lines)
        if text and len(text) <= self._text_room:
            self._text_room -= len(text)
            self.summaries[len(self.steps)] = text

    def add_tooltips(self, lines: Sequence[str], players: int) -> None:
        """Add tooltips of the turn before: texts, each followed by the index of its player.

        The protocol does not delimit texts of several lines or none; a text is taken to end where an index stands.
        """
        found = self.tooltips.setdefault(len(self.steps), [])
        text: list[str] = []
        for line in lines:
            if line.isascii() and line.isdigit() and int(line) < players:
                found.append(("\n".join(text)[: self._text_room], int(line)))
                self._text_room -= len(found[-1][0])
                text = []
            else:
                text.append(line)

    def add_view(self, lines: Sequence[str]) -> None:
        """Add the data of the contest's viewer (JSON in a format of its own), as long as there is room."""
        if self.keep_views and len(lines) > 1 and len(lines[1]) <= self._room:
            self._room -= len(lines[1])
            self.views[len(self.steps)] = lines[1]

    def parameter(self, name: str) -> str | None:
        """A parameter of the game, as the referee reported it at the end; None if it did not."""
        found = [line.partition("=")[2] for line in self.parameters if line.partition("=")[0] == name]
        return found[-1] if found else None

    def data(self) -> dict[str, Any]:
        """As plain data, without empty fields."""
        whole = {
            "steps": self.steps,
            "summaries": self.summaries,
            "tooltips": {step: marks for step, marks in self.tooltips.items() if marks},
            "views": self.views,
            "parameters": self.parameters,
            "metadata": self.metadata,
            "scores": list(self.scores),
        }
        return {name: value for name, value in whole.items() if value}


def transcript_from(data: Mapping[str, Any]) -> Transcript:
    """The transcript from the plain data that `Transcript.data` returns."""
    return Transcript(
        [(seat, wanted, limit, text) for seat, wanted, limit, text in data.get("steps", [])],
        {int(step): text for step, text in data.get("summaries", {}).items()},
        {int(step): [(text, seat) for text, seat in marks] for step, marks in data.get("tooltips", {}).items()},
        {int(step): text for step, text in data.get("views", {}).items()},
        list(data.get("parameters", [])),
        data.get("metadata", ""),
        tuple(data.get("scores", ())),
    )


def readable(text: str, names: Sequence[str]) -> str:
    """A referee's text for display: names instead of `$0`, and no colour markup."""
    text = COLOUR.sub("", text)
    return re.sub(r"\$(\d)", lambda sign: names[int(sign[1])] if int(sign[1]) < len(names) else sign[0], text)
