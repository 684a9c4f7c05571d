"""Findings on claims in words: values with their intervals, what is missing, and what is left open."""

import math
from collections.abc import Sequence

from podium.lab.claims.claims import PERCENT, Claim, Finding
from podium.lab.claims.measurements import MeasuredValue, NotMeasurable, RateMeasurement
from podium.lab.claims.verdicts import ClaimVerdict, Interval

MOST_VALUES = 3  # in a line of a terminal


def figure_text(value: float, unit: str, rounded: bool = False) -> str:
    """A value as text: shares in per cent; other numbers with three digits, or decimals near 1 (a ratio of no change).

    Above 10,000 they have all digits unless rounded.
    """
    if unit == PERCENT:
        return f"{100 * value:.1f}"
    size = abs(value)
    if rounded and size >= 1e4:
        return f"{value / 1e6:.3g}M" if size >= 1e6 else f"{value / 1e3:.3g}k"
    if size >= 1000:
        return f"{value:,.0f}"
    if 0.9 < size < 1.1:
        return f"{value:.3f}"
    return f"{value:.4g}" if size >= 100 else f"{value:.3g}"


def value_text(finding: Finding, rounded: bool = False) -> str:
    """A measured value with its interval, large numbers rounded if asked; empty if there is none."""
    found, unit = finding.interval, finding.claim.unit
    if found is None:
        return ""
    if unit == PERCENT and finding.claim.standard.than == 0.5:  # a score, which ends at 0 and 1
        found = Interval(found.value, max(found.low, 0.0), min(found.high, 1.0))
    value, low, high = (figure_text(number, unit, rounded) for number in (found.value, found.low, found.high))
    text = f"{value} {unit_text(finding.claim)}".rstrip()
    return text if low == high else f"{text} ({low} to {high})"


def unit_text(claim: Claim) -> str:
    """The unit of a claim's values; a difference of two percentages is in points."""
    return "points" if claim.unit == PERCENT and claim.standard.than == 0 else claim.unit


def largest_effect(finding: Finding) -> float:
    """The largest effect that a measurement leaves possible; a score ends at 0 and 1."""
    found, standard = finding.interval, finding.claim.standard
    if found is None:
        return 0.0
    bound = standard.bound(found)
    return min(bound, 0.5) if finding.claim.unit == PERCENT else bound


def missing_text(findings: Sequence[Finding]) -> str:
    """What is missing of the planned samples, and how long all of these samples take, in words."""
    found = sum(finding.result.sample if finding.result else 0 for finding in findings)
    planned = sum(finding.measurement.planned for finding in findings)
    return f"{found:,} of {planned:,} so far{_time_text(findings)}"


def _time_text(findings: Sequence[Finding]) -> str:
    seconds = sum(finding.measurement.core_seconds for finding in findings)
    return f"; all take a core {math.ceil(seconds / 60):,} min" if seconds else ""


def bound_text(finding: Finding) -> str:
    """The largest effect that a measurement leaves possible, in words: a ratio's in per cent of no change."""
    unit, bound = finding.claim.unit, largest_effect(finding)
    if unit == PERCENT:
        return f"at most {figure_text(bound, unit)} points"
    if finding.claim.standard.than:
        return f"at most {percent(bound / finding.claim.standard.than)}"
    return f"at most {figure_text(bound, unit)} {unit}"


def short_text(findings: Sequence[Finding]) -> str:
    """Measured values for a line: one with its interval, up to three without, of more the least and the greatest.

    Units other than per cent are left out, and large numbers are rounded.
    """
    measured = [finding for finding in findings if finding.interval]
    if not measured:
        return ""
    unit, words = measured[0].claim.unit, unit_text(measured[0].claim)
    if len(measured) == 1:
        text = value_text(measured[0], rounded=True)
        return text if unit in (PERCENT, "") else text.replace(f" {unit}", "", 1)
    values = [finding.interval.value for finding in measured if finding.interval]
    if len(values) > MOST_VALUES:
        text = f"{figure_text(min(values), unit)} to {figure_text(max(values), unit)}"
    else:
        text = ", ".join(figure_text(value, unit) for value in values)
    return f"{text} {words}" if unit == PERCENT else text


def measured_text(finding: Finding) -> str:
    """The result of a measurement as text: value, interval, conditions, sample."""
    result = finding.result
    if isinstance(finding.measurement, NotMeasurable):
        return finding.measurement.reason
    if result is None:
        return f"not yet ({finding.measurement.conditions}): {missing_text([finding])}"
    note = result.note if isinstance(finding.measurement, RateMeasurement) else ""
    details = ", ".join(filter(None, (finding.measurement.conditions, _sample_text(finding, result), note)))
    return f"{value_text(finding)}: {details}{_still_open(finding)}"


def _sample_text(finding: Finding, result: MeasuredValue) -> str:
    if result.counted == "study":
        return ""
    planned = "" if finding.complete else f" of {finding.measurement.planned:,}"
    looks = f", look {finding.measurement.looks}" if finding.measurement.looks > 1 else ""
    return f"{result.sample:,}{planned} {result.counted}{looks}"


def _still_open(finding: Finding) -> str:
    """What is left open, for a measurement that does not decide."""
    if finding.verdict.decided:
        return ""
    if not finding.complete:
        return f"; open{_time_text([finding])}"
    words = finding.verdict.value
    if finding.verdict is ClaimVerdict.NO_EFFECT_SHOWN:
        words = f"{words} ({bound_text(finding)})"
    return f"; {words}, about {finding.games_needed:,} would decide" if finding.games_needed else f"; {words}"


def percent(share: float, digits: int = 1) -> str:
    """A share in per cent."""
    return f"{100 * share:.{digits}f} %"
