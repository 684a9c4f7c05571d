"""Expulsions: how a referee of CodinGame's engine says that it disqualified a player.

The protocol has no message for it, and scores prove nothing: some referees give -1, others leave eliminated players
their points. But a referee that takes a player out gives the reason as a tooltip on that player (the engine's
`deactivate`), and says it in the summary. Three signs count, all of them after the last question to the player:

1. a tooltip that speaks of a wrong or missing answer, if the player was never asked again after an earlier one like it;
2. a line of the summary that calls the player disqualified;
3. a negative score, and a line of the summary that speaks of a wrong or missing answer of the player.

A line of the summary alone is not enough: a Kutulu explorer may die in the turn of an "invalid move".
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from podium.games.game import AnswerVerdict, Ending, Fault
from podium.referees.transcript import readable

REJECTED = re.compile(
    r"invalid|illegal|not legal|disqualif|unrecogni[sz]ed|expected|wrong|required|not provided|time ?-?out|in time",
    re.I,
)
DISQUALIFIED = re.compile(r"disqualif", re.I)
REMOVED = re.compile(r"eliminat", re.I)  # together with a negative score; by itself it may be part of the game
LATE = re.compile(r"time ?-?out|in time|not provided", re.I)

Tooltips = Mapping[int, Sequence[tuple[str, int]]]  # by step: texts, each with the seat of its player
Summaries = Mapping[int, str]  # by step


def expulsion(seat: int, score: float, last: int, tooltips: Tooltips, summaries: Summaries) -> Fault | None:
    """The fault of a player that the referee disqualified, in the referee's words; None if it did not.

    `last` is the step of the last question to the player; what is said with a later step describes its answer.
    """
    said = next(_reasons(seat, score, last, tooltips, summaries), None)
    if said is None:
        return None
    reason = readable(said, [f"player {index}" for index in range(10)])
    detail = f"player {seat} was disqualified: {reason}"
    if LATE.search(said):  # the engine counts overruns itself, so that it may call an answer late that has come
        return Fault(seat, Ending.NO_ANSWER, last + 1, detail, AnswerVerdict.LATE, {"text": reason})
    return Fault(seat, Ending.ILLEGAL, last + 1, detail)


def _reasons(seat: int, score: float, last: int, tooltips: Tooltips, summaries: Summaries) -> Iterator[str]:
    mine = [(step, text) for step in sorted(tooltips) for text, who in tooltips[step] if who == seat]
    marks = [(step, text) for step, text in mine if REJECTED.search(text)]
    is_harmless = any(step <= last for step, _ in marks)  # it was asked again after such a tooltip
    if score < 0 or not is_harmless:
        yield from (text for step, text in marks if step > last)
    lines = [line for step in sorted(summaries) if step > last for line in summaries[step].split("\n")]
    for line in lines:
        if f"${seat}" in line and (
            DISQUALIFIED.search(line) or (score < 0 and (REJECTED.search(line) or REMOVED.search(line)))
        ):
            yield line
