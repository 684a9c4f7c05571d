"""One answer in a game, with all that is known about it: the arena makes it once, and nobody changes it afterwards."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from podium.arena.game.sentences import evidence_text
from podium.games.game import AnswerVerdict, Request, Thoughts

NO_EVIDENCE: Mapping[str, Any] = MappingProxyType({})


class Turn(msgspec.Struct, frozen=True):
    """One answered request."""

    request: Request
    line: str | None  # what the referee was given; None: nothing in time
    milliseconds: float = 0.0  # 0: unknown, as of games that were not played here
    verdict: AnswerVerdict = AnswerVerdict.ANSWERED
    evidence: Mapping[str, Any] = NO_EVIDENCE  # for the verdict, as plain data; `sentences` lists the keys
    cpu_ms: float | None = None  # processor time of a program, without its children
    stalled_ms: float = 0.0  # that the machine took of the time (`arena.processes.lost_time`), if more than a tenth
    stderr: str = ""
    excused: bool = False  # late or silent, but it would have been in time on a quiet machine
    thoughts: Thoughts | None = None
    last: bool = True  # of the seats that move at the same time

    @property
    def seat(self) -> int:
        """The seat that was asked."""
        return self.request.seat

    @property
    def prompt(self) -> tuple[str, ...]:
        """The lines that it was sent."""
        return tuple(self.request.lines)

    @property
    def answer(self) -> str | None:
        """The line that the referee was given; None: nothing in time."""
        return self.line

    @property
    def reason(self) -> str:
        """The evidence for the verdict, for people; nothing where there is none."""
        return evidence_text(self.verdict, self.evidence)


def answer_data(turn: Turn, thoughts: Mapping[str, Any] | None) -> dict[str, Any]:
    """One answer, given just now or long ago; `thoughts` are the bot's, as records hold them."""
    plain = turn.verdict is AnswerVerdict.ANSWERED
    return {
        "seat": turn.seat,
        "line": turn.line,
        "ms": turn.milliseconds or None,
        "cpu_ms": turn.cpu_ms,
        "stalled_ms": turn.stalled_ms,
        "excused": turn.excused,
        "verdict": None if plain else [turn.verdict, turn.reason],
        "evidence": dict(turn.evidence),
        "thoughts": thoughts,
        "stderr": turn.stderr,
    }
