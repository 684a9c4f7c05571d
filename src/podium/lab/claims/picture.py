"""Claimed and measured values in one picture: a bar is the claim, a dot with a line the measurement.

Scores share one axis. Ratios (of the sizes of two trees, of two speeds) are drawn around 1, other figures (rates,
depths, times) as multiples of the claimed one, both on logarithmic axes. Colours follow the reader's light or dark
setting, and the verdict is written in words.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from podium.games import load
from podium.lab.claims.claims import PERCENT, Finding
from podium.lab.claims.verdicts import ClaimVerdict, Expectation

WIDTH = 900
LABEL, LEFT, RIGHT = 16, 372, 768  # x of labels, and of the axis from end to end
ROW, HEAD = 19, 30
DOT, BAR = 4.0, 9.0  # radius of a dot, height of a bar
LONGEST_LABEL = 56  # characters
MOST_DOUBLINGS = 4  # to either side of the claimed figure

STYLE = """
  svg { --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --page: #ffffff; --claim: #b6c8e4;
    --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; --open: #6e7781; }
  @media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117;
    --claim: #2f4a75; --good: #3fb950; --bad: #f85149; --odd: #d29922; --open: #9198a1; } }
  text { font: 12px Helvetica, Arial, sans-serif; fill: var(--ink); }
  .head { font-weight: bold; font-size: 14px; } .game { font-weight: bold; } .soft { fill: var(--soft); }
  .middle { text-anchor: middle; } .page { fill: var(--page); }
  .grid { stroke: var(--line); } .claim { fill: var(--claim); }
  .confirmed { stroke: var(--good); fill: var(--good); } .not { stroke: var(--bad); fill: var(--bad); }
  .other { stroke: var(--odd); fill: var(--odd); } .open { stroke: var(--open); fill: var(--open); }
  line { stroke-width: 2; } .grid { stroke-width: 1; } text.confirmed, text.not, text.other, text.open { stroke: none; }
"""
CLASSES = {
    ClaimVerdict.CONFIRMED: "confirmed",
    ClaimVerdict.NOT_CONFIRMED: "not",
    ClaimVerdict.DIFFERENT_VALUE: "other",
    ClaimVerdict.HELPS: "confirmed",
    ClaimVerdict.HARMS: "not",
    ClaimVerdict.HARDLY_MATTERS: "other",
    ClaimVerdict.NO_EFFECT_SHOWN: "open",
    ClaimVerdict.BORDERLINE: "open",
    ClaimVerdict.OPEN: "open",
}


@dataclass(frozen=True)
class Axis:
    """An axis: where values are drawn, and its grid lines."""

    title: str
    place: Callable[[Finding, float], float]  # 0 to 1
    marks: Sequence[tuple[float, str]]  # grid lines: their places from 0 to 1, and their labels


def _share(finding: Finding, value: float) -> float:
    """The place of a score; a gain is drawn around the middle."""
    return min(max(value + (0.0 if finding.claim.standard.than else 0.5), 0.0), 1.0)


def _ratio(finding: Finding, value: float) -> float:
    """The place of a ratio, on a logarithmic axis around the one that means no effect."""
    return _doublings(value / finding.claim.standard.than)


def _multiple(finding: Finding, value: float) -> float:
    """The place of a value, on a logarithmic axis around the middle of the claimed range."""
    standard = finding.claim.standard
    return _doublings(value / (math.sqrt(standard.low * standard.high) or standard.high / 2))


def _doublings(factor: float) -> float:
    doublings = math.log2(factor) if factor > 0 else -math.inf
    return min(max(0.5 + doublings / (2 * MOST_DOUBLINGS), 0.0), 1.0)


SHARES = Axis(
    "Matches: score (a gain is drawn around 50 %)",
    _share,
    [(part / 4, f"{25 * part} %") for part in range(5)],
)
FACTORS = [
    (0.5 + power / (2 * MOST_DOUBLINGS), f"1/{2**-power}" if power < 0 else f"{2**power}")
    for power in range(-MOST_DOUBLINGS, MOST_DOUBLINGS + 1, 2)
]
RATIOS = Axis("Ratios: 1 means no effect", _ratio, FACTORS)
MULTIPLES = Axis("Other figures, as multiples of the claimed one", _multiple, FACTORS)


def draw(findings: Sequence[Finding]) -> str:
    """All measurements as one SVG picture."""
    measured = [finding for finding in findings if finding.result]
    parts: list[str] = []
    y = 16
    for axis in (SHARES, RATIOS, MULTIPLES):
        group = [finding for finding in measured if _axis_of(finding) is axis]
        if group:
            y = _panel(parts, axis, group, y)
    size = f'viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>Claimed against measured</title>'
    page = f'<rect class="page" width="{WIDTH}" height="{y}" rx="10"/>'
    return "\n".join([head, f"<style>{STYLE}</style>", page, *parts, "</svg>\n"])


def _axis_of(finding: Finding) -> Axis | None:
    """Where a finding is drawn; nowhere if it is a difference from 0, which has no place on a logarithmic axis."""
    if finding.claim.unit == PERCENT:
        return SHARES
    if not finding.claim.standard.than:
        return None
    return MULTIPLES if finding.claim.standard.expectation is Expectation.FIGURE else RATIOS


def _panel(parts: list[str], axis: Axis, findings: Sequence[Finding], y: int) -> int:
    """Draw one axis with its rows; returns where the next one begins."""
    y += HEAD
    parts.append(_text(LABEL, y - 10, axis.title, "head"))
    top = y
    for game, rows in groupby(findings, lambda finding: finding.claim.game):
        y += ROW
        parts.append(_text(LABEL, y - 5, load(game).title, "game"))
        for finding in rows:
            y += ROW
            _row(parts, axis, finding, y - ROW / 2)
    for place, words in axis.marks:
        x = _x(place)
        parts.insert(0, f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{y}"/>')
        parts.append(_text(x, y + 16, words, "soft middle"))
    return y + HEAD


def _row(parts: list[str], axis: Axis, finding: Finding, y: float) -> None:
    found, standard = finding.interval, finding.claim.standard
    assert found
    low, high = (_x(axis.place(finding, value)) for value in (standard.low, standard.high))
    left, middle, right = (_x(axis.place(finding, value)) for value in (found.low, found.value, found.high))
    style = CLASSES[finding.verdict]
    name = finding.claim.id
    if len(finding.claim.measurements) > 1:
        name += f", {finding.measurement.conditions}"
    name = name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…"
    parts += [
        _text(LABEL + 12, y + 4, name, "soft"),
        f'<rect class="claim" x="{low - 1.5:.1f}" y="{y - BAR / 2:.1f}" width="{high - low + 3:.1f}" height="{BAR}"/>',
        f'<line class="{style}" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="{style}" cx="{middle:.1f}" cy="{y:.1f}" r="{DOT}"/>',
        _text(RIGHT + 18, y + 4, finding.verdict.value, style),
    ]


def _x(place: float) -> float:
    return LEFT + place * (RIGHT - LEFT)


def _text(x: float, y: float, words: str, style: str) -> str:
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'
