"""The curves of a training run as one picture: losses, and scores against fixed opponents, over generations."""

from collections.abc import Sequence
from html import escape

from podium.lab.learn.strength import LadderResult

WIDTH, HEIGHT = 760, 300
PANEL, TOP, BOTTOM = 300, 50, 240
LEFTS = (60, 430)
COLOURS = ("#0969da", "#bc4c00", "#1a7f37", "#8250df")
STYLE = (
    "text { font-family: Helvetica, Arial, sans-serif; font-size: 12px; fill: #24292f; } .head { font-weight: bold; }"
)

Line = tuple[str, Sequence[tuple[float, float]]]  # its name, and its points


def curves_svg(losses: Sequence[tuple[int, dict[str, float]]], ladder: Sequence[LadderResult]) -> str:
    """SVG of the losses by generation, and of the scores against each fixed opponent."""
    names = list(losses[-1][1]) if losses else []
    curves: list[Line] = [(name, [(number, values[name]) for number, values in losses]) for name in names]
    opponents = list(dict.fromkeys(result.opponent for result in ladder))
    results: list[Line] = [
        (name, sorted((result.generation, result.score) for result in ladder if result.opponent == name))
        for name in opponents
    ]
    last = max([number for number, _ in losses] + [result.generation for result in ladder], default=1)
    highest = max((value for _, values in losses for value in values.values()), default=1.0)
    body = _panel(LEFTS[0], "losses", curves, last, highest) + _panel(
        LEFTS[1], "score against fixed opponents", results, last, 1.0
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<title>How a network learned</title>\n<style>{STYLE}</style>\n"
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12" fill="#ffffff" stroke="#d0d7de"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _panel(left: int, title: str, lines: Sequence[Line], last: float, highest: float) -> list[str]:
    """A pair of axes with curves and their names."""
    right, height = left + PANEL, BOTTOM - TOP
    parts = [f'<text class="head" x="{left}" y="30">{escape(title)}</text>']
    for share in (0.0, 0.5, 1.0):
        y = BOTTOM - share * height
        parts.append(f'<path d="M{left} {y:.0f}H{right}" stroke="#d0d7de"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{share * highest:.3g}</text>')
    parts.append(f'<text x="{right}" y="{BOTTOM + 16}" text-anchor="end">generation {last:g}</text>')
    at = left
    for (name, points), colour in zip(lines, COLOURS, strict=False):
        path = " ".join(f"{left + x / last * PANEL:.1f},{BOTTOM - y / highest * height:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{at}" y="{BOTTOM + 38}" style="fill:{colour}">{escape(name)}</text>')
        at += 10 + 7 * len(name)
    return parts
