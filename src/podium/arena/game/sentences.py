"""From codes to English: the one place that words verdicts, faults and endings for people.

Everything else works with the codes and their evidence. Evidence is plain data; these are its keys:

| verdict | keys |
| --- | --- |
| `late`, `overrun` | `ms`, `limit_ms`, `line` (what came too late), `lost_ms` (that the machine took) |
| `silent` | `ms`, `unfinished` (the beginning of a line without an end) |
| `crashed` | `status` or `signal` of a program; `error` or `type` (of an answer that is no text) of a bot in Python |
| `extra_lines` | `wanted` (lines), or `unasked`: a line that was printed before the prompt |
| `flood` | `line_bytes` or `pending_bytes`: the limit that was passed |
| `not_started` | `error` |

Any verdict may have a `text` instead, in words of its own: stores of format 1 knew nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from podium.games.game import Annulment, AnswerVerdict, Ending, Fault

Evidence = Mapping[str, Any]

_NAMES = {
    AnswerVerdict.EXTRA_LINES: "too many lines",
    AnswerVerdict.CLOSED_OUTPUT: "closed its output",
    "excused": "excused (the machine's fault)",
}
_ANNULMENTS = {
    Annulment.REFEREE_FAILED: "the referee failed",
    Annulment.PROGRAM_FAILED: "the referee's program failed",
    Annulment.NO_RESULT: "no result is known",
    Annulment.MACHINE_FAULT: "the machine made a bot late",
}


def name_of(code: str) -> str:
    """A code as a table shows it."""
    return _NAMES.get(code) or code.replace("_", " ")


def evidence_text(verdict: AnswerVerdict, evidence: Evidence) -> str:
    """What there is to say about a verdict; nothing where the verdict says it all."""
    if "text" in evidence:
        return str(evidence["text"])
    return _EVIDENCE[verdict](evidence) if verdict in _EVIDENCE else ""


def verdict_sentence(verdict: AnswerVerdict, evidence: Evidence) -> str:
    """A verdict with its evidence, such as `late: 61.0 ms instead of 50.0`."""
    text = evidence_text(verdict, evidence)
    return f"{name_of(verdict)}: {text}" if text else name_of(verdict)


def fault_sentence(fault: Fault) -> str:
    """Why a seat was disqualified: what the arena saw where it knows more, else the referee's words."""
    if fault.verdict is AnswerVerdict.ANSWERED:
        return fault.detail or name_of(fault.code)
    seen = verdict_sentence(fault.verdict, fault.evidence)
    return seen if fault.code is Ending.NO_ANSWER else f"{fault.detail or name_of(fault.code)} ({seen})"


def game_sentence(ending: Ending, annulment: Annulment | None, detail: str, faults: Sequence[Fault]) -> str:
    """How a game ended."""
    if ending is Ending.ANNULLED:
        reason = _ANNULMENTS[annulment] if annulment else "nobody knows why"
        parts = (reason, detail) if annulment is Annulment.MACHINE_FAULT else (detail or reason,)
        return ": ".join(["annulled", *filter(None, parts)])
    ended_by = faults[-1] if faults and ending is Ending.NO_ANSWER else None
    if ended_by and ended_by.verdict is not AnswerVerdict.ANSWERED and detail in ("", ended_by.detail):
        return f"seat {ended_by.seat} was disqualified: {fault_sentence(ended_by)}"  # the referee knows no more
    return detail or "; ".join(map(fault_sentence, faults)) or name_of(ending)


def _overrun(evidence: Evidence) -> str:
    lost = f"; the machine took {evidence['lost_ms']:.0f} ms of them" if "lost_ms" in evidence else ""
    line = f", with {evidence['line']!r}" if "line" in evidence else ""
    return f"{evidence['ms']:.1f} ms instead of {evidence['limit_ms']:.1f}{line}{lost}"


def _silence(evidence: Evidence) -> str:
    unfinished = f"; unfinished: {evidence['unfinished']!r}" if evidence.get("unfinished") else ""
    return f"nothing within {evidence['ms']:.0f} ms{unfinished}"


def _crash(evidence: Evidence) -> str:
    if "signal" in evidence:
        return f"killed by signal {evidence['signal']}"
    if "status" in evidence:
        return f"ended with status {evidence['status']}"
    if "type" in evidence:
        return f"answered with {evidence['type']} instead of a line"
    return str(evidence.get("error", ""))


def _extra_lines(evidence: Evidence) -> str:
    if evidence.get("unasked"):
        return "answered with a line printed before it was asked"
    wanted = evidence["wanted"]
    return f"more than {'one line' if wanted == 1 else f'{wanted} lines'} for a prompt"


def _flood(evidence: Evidence) -> str:
    if "line_bytes" in evidence:
        return f"a line longer than {evidence['line_bytes']:,} bytes"
    return f"printed more than {evidence['pending_bytes']:,} bytes ahead of the prompts"


_EVIDENCE: Mapping[AnswerVerdict, Callable[[Evidence], str]] = {
    AnswerVerdict.LATE: _overrun,
    AnswerVerdict.OVERRUN: _overrun,
    AnswerVerdict.SILENT: _silence,
    AnswerVerdict.CRASHED: _crash,
    AnswerVerdict.EXTRA_LINES: _extra_lines,
    AnswerVerdict.FLOOD: _flood,
    AnswerVerdict.GARBAGE: lambda evidence: "the answer is not text",
    AnswerVerdict.EXITED: lambda evidence: "ended with status 0 in the middle of the game",
    AnswerVerdict.CLOSED_OUTPUT: lambda evidence: "closed its standard output and lives on",
    AnswerVerdict.NOT_STARTED: lambda evidence: str(evidence.get("error", "")),
}
