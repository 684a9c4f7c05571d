"""The effect of each tuned parameter as one SVG picture: gain over value with its 95 % band; words as intervals."""

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from podium.lab.tune.tunable import written

if TYPE_CHECKING:
    from podium.lab.tune.tuning_report import ParameterFigures

WIDTH, HEIGHT = 320, 200  # of one panel
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 30, 26
COLUMNS = 3
INK, QUIET, ACCENT = "#222", "#888", "#2463b8"


def effects_svg(parameters: Sequence["ParameterFigures"]) -> str:
    """A panel for each parameter, all with the same Elo scale."""
    values = [x for each in parameters for point in each.curve for x in (point.low, point.high)]
    low, high = min([0.0, *values]), max([1.0, *values])
    columns = min(COLUMNS, max(1, len(parameters)))
    width, height = WIDTH * columns, HEIGHT * -(-len(parameters) // columns)
    panels = [
        f'<g transform="translate({WIDTH * (i % columns)} {HEIGHT * (i // columns)})">{_panel(each, low, high)}</g>'
        for i, each in enumerate(parameters)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="11" role="img" aria-label="gain in Elo by parameter">'
        f'<rect width="100%" height="100%" fill="white"/>{"".join(panels)}</svg>\n'
    )


def _panel(each: "ParameterFigures", low: float, high: float) -> str:
    def y(elo: float) -> float:
        return TOP + (high - elo) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        _text(LEFT, 18, each.name, INK, weight="bold"),
        _text(WIDTH - RIGHT, 18, f"{written(each.base)} → {written(each.best)}", ACCENT, anchor="end"),
        _line(LEFT, WIDTH - RIGHT, y(0), y(0), QUIET),
    ]
    parts += [_text(LEFT - 6, y(elo) + 4, f"{elo:+.0f}", QUIET, anchor="end") for elo in sorted({low, 0.0, high})]
    return "".join(parts + (_number(each, y) if each.sure is None else _words(each, y)))


def _number(each: "ParameterFigures", y: Callable[[float], float]) -> list[str]:
    """The gain over the values of a number, with its band, and marks at the baseline and the best value."""
    places = [_place(each, point.value) for point in each.curve]

    def x(place: float) -> float:
        share = (place - places[0]) / (places[-1] - places[0])
        return LEFT + min(max(share, 0.0), 1.0) * (WIDTH - LEFT - RIGHT)

    high = [(x(place), y(point.high)) for place, point in zip(places, each.curve, strict=True)]
    low = [(x(place), y(point.low)) for place, point in zip(places, each.curve, strict=True)]
    line = [(x(place), y(point.elo)) for place, point in zip(places, each.curve, strict=True)]
    parts = [
        f'<polygon points="{_points([*high, *low[::-1]])}" fill="{ACCENT}" fill-opacity="0.18"/>',
        f'<polyline points="{_points(line)}" fill="none" stroke="{ACCENT}" stroke-width="2"/>',
    ]
    for value, colour in ((each.base, QUIET), (each.best, ACCENT)):
        at = x(_place(each, value))
        parts.append(_line(at, at, TOP, HEIGHT - BOTTOM, colour, 'stroke-dasharray="3 3"'))
    ends = ((LEFT, each.curve[0].value, "start"), (WIDTH - RIGHT, each.curve[-1].value, "end"))
    return parts + [_text(at, HEIGHT - 8, written(value), QUIET, anchor) for at, value, anchor in ends]


def _words(each: "ParameterFigures", y: Callable[[float], float]) -> list[str]:
    """The gain of each word of a choice, with its interval."""
    parts = []
    for index, point in enumerate(each.curve):
        at = LEFT + (index + 0.5) / len(each.curve) * (WIDTH - LEFT - RIGHT)
        colour = ACCENT if point.value == each.best else QUIET
        parts.append(_line(at, at, y(point.low), y(point.high), colour, 'stroke-width="3" stroke-opacity="0.4"'))
        parts.append(f'<circle cx="{at:.1f}" cy="{y(point.elo):.1f}" r="4" fill="{colour}"/>')
        parts.append(_text(at, HEIGHT - 8, written(point.value), INK, anchor="middle"))
    return parts


def _place(each: "ParameterFigures", value: object) -> float:
    number = float(str(value))
    return math.log(number) if each.log else number


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _line(x1: float, x2: float, y1: float, y2: float, colour: str, more: str = "") -> str:
    return f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start", weight: str = "normal") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-weight="{weight}"'
    return f"<text {place}>{escape(text)}</text>"
