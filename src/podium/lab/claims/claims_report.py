"""The report on claims: rows, a page in Markdown, and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.arena.store.store import DEFAULT_STORE
from podium.display import Displayable
from podium.games import load
from podium.lab.claims.claims import (
    PERCENT,
    Claim,
    ClaimResults,
    Finding,
    chosen,
    findings_of,
    games_with_claims,
    measure,
    verdict_on,
)
from podium.lab.claims.measurements import MeasurementSession, NotMeasurable, RateMeasurement
from podium.lab.claims.picture import draw
from podium.lab.claims.verdicts import ClaimVerdict

PAGE_HEAD = """# The authors' claims, measured

*This page is written by `podium claims --report` from the results of `podium claims --measure`: measure again, do not
edit it.*

The authors of the five write-ups say what helped them and by how much. Each claim is listed with one or several ways to
measure it: `games/<game>/claims/claims.toml` is the list, `measured.json` beside it holds the results. A percentage is
the score of the first bot in the command, with its 95 % interval over blocks of games. The range of a rate spans
several runs, by processor time; the range of a depth goes from the smallest to the largest.

```
podium claims                                      # the results so far, as tables
podium claims zuniq --measure --minutes 60         # measure what is missing; continues after an interruption
podium claims zuniq --only rave-max --measure --games 1000
podium claims --measure --open --games 2000        # more games for claims that have no verdict yet
podium claims --keep --report docs/claims.md       # store the results with the games, and write this page
```
"""
PHRASES = {  # verdicts after a number, where the word alone would not do
    ClaimVerdict.DIFFERENT_VALUE.value: "with a different value",
    ClaimVerdict.DEPENDS_ON_CONDITIONS.value: "that depend on conditions",
}
MEANINGS = {
    ClaimVerdict.CONFIRMED: "a significant effect, and the claimed figure lies in the interval; or no gain, as claimed",
    ClaimVerdict.DIFFERENT_VALUE: "an effect as claimed, but larger, smaller or faster than the author says",
    ClaimVerdict.NOT_CONFIRMED: "the claimed figure is excluded, without a significant effect or with the opposite one",
    ClaimVerdict.DEPENDS_ON_CONDITIONS: "measured under several conditions, with different verdicts",
    ClaimVerdict.OPEN: "the sample is too small; the number of games needed is an estimate",
    ClaimVerdict.NOT_MEASURED: "not measured yet, or the reason why it is not",
}


@dataclass(frozen=True, repr=False)
class ClaimsReport(Displayable):
    """Claims with their measurements and verdicts."""

    findings: tuple[Finding, ...]

    @property
    def claims(self) -> list[Claim]:
        """The claims, each once."""
        return list({(finding.claim.game, finding.claim.id): finding.claim for finding in self.findings}.values())

    def of(self, claim: Claim) -> list[Finding]:
        """The findings of a claim, one for each way to measure it."""
        return [finding for finding in self.findings if finding.claim is claim]

    def verdict(self, claim: Claim) -> ClaimVerdict:
        """The verdict on a claim, from all its findings."""
        return verdict_on(self.of(claim))

    @property
    def counts(self) -> dict[str, int]:
        """The number of claims by verdict."""
        given = [self.verdict(claim) for claim in self.claims]
        return {verdict.value: given.count(verdict) for verdict in ClaimVerdict if verdict in given}

    @property
    def headline(self) -> str:
        """The number of claims, in all and by verdict, as a sentence."""
        counts = ", ".join(f"{number} {PHRASES.get(verdict, verdict)}" for verdict, number in self.counts.items())
        number = len(self.claims)
        return f"{number} {'claim' if number == 1 else 'claims'}: {counts}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each measurement."""
        return [self._row(finding) for finding in self.findings]

    def _row(self, finding: Finding) -> dict[str, Any]:
        claim, result = finding.claim, finding.result
        return {
            "game": claim.game,
            "claim": claim.id,
            "gist": claim.gist,
            "claimed": claim.claimed,
            "figure": [claim.standard.low, claim.standard.high],
            "unit": claim.unit,
            "conditions": finding.measurement.conditions,
            "value": result.value if result else None,
            "low": result.low if result else None,
            "high": result.high if result else None,
            "sample": result.sample if result else 0,
            "counted": result.counted if result else "",
            "games_needed": finding.games_needed,
            "measured": finding.verdict.value,
            "verdict": self.verdict(claim).value,
            "command": finding.measurement.shown_command,
            "machine": result.machine if result else "",
            "date": result.date if result else "",
        }

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"claims": self.rows(), "counts": self.counts, "sentence": self.headline}

    def write(self, path: Path) -> list[Path]:
        """Write the page, and its picture into the folder `pictures` beside it; returns both files."""
        picture = path.parent / "pictures" / f"{path.stem}.svg"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(draw(self.findings), encoding="utf-8")
        path.write_text(self.page(f"pictures/{picture.name}"), encoding="utf-8")
        return [path, picture]

    def page(self, picture: str) -> str:
        """The report in Markdown."""
        meanings = [f"| {verdict.value} | {meaning} |" for verdict, meaning in MEANINGS.items()]
        verdicts = "\n".join(["| verdict | meaning |", "| --- | --- |", *meanings, ""])
        parts = [PAGE_HEAD, f"**{self.headline}.**\n", f"![claimed against measured]({picture})\n", verdicts]
        games = dict.fromkeys(claim.game for claim in self.claims)
        parts += [self._section(game, [claim for claim in self.claims if claim.game == game]) for game in games]
        machines = sorted({finding.result.machine for finding in self.findings if finding.result})
        parts.append(f"## Machines\n\n{'; '.join(machines) or 'Nothing was measured yet'}.\n")
        return "\n".join(parts)

    def _section(self, game: str, claims: Sequence[Claim]) -> str:
        lines = [f"## {load(game).title}", "", "| claim | claimed | measured | verdict | date |", "| --- " * 5 + "|"]
        for claim in claims:
            found = self.of(claim)
            dates = dict.fromkeys(finding.result.date for finding in found if finding.result)
            cells = (
                f"{claim.gist} (`{claim.id}`)",
                claim.claimed,
                "<br>".join(measured_text(finding) for finding in found),
                f"**{self.verdict(claim).value}**",
                ", ".join(dates),
            )
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
        lines += ["", "```", *self._commands(claims), "```", ""]
        return "\n".join(lines)

    def _commands(self, claims: Sequence[Claim]) -> list[str]:
        """The commands of some claims, those of each under its id."""
        lines = []
        for claim in claims:
            commands = [
                measure.shown_command for measure in claim.measurements if not isinstance(measure, NotMeasurable)
            ]
            lines += [f"# {claim.id}", *"\n".join(commands).splitlines()] if commands else []
        return lines


def figure_text(value: float, unit: str) -> str:
    """A value as text: shares in per cent, other numbers with three digits."""
    if unit == PERCENT:
        return f"{100 * value:.1f}"
    size = abs(value)
    return f"{value:,.0f}" if size >= 1000 else f"{value:.4g}" if size >= 100 else f"{value:.3g}"


def measured_text(finding: Finding) -> str:
    """The result of a measurement as text: value, interval, conditions, sample."""
    result, unit = finding.result, finding.claim.unit
    if isinstance(finding.measurement, NotMeasurable):
        return finding.measurement.reason
    if result is None:
        return f"not yet ({finding.measurement.conditions})"
    value, low, high = (figure_text(number, unit) for number in (result.value, result.low, result.high))
    text = f"{value} {unit}" if low == high else f"{value} {unit} ({low} to {high})"
    sample = f"{result.sample:,} {result.counted}" if result.counted != "study" else ""
    note = result.note if isinstance(finding.measurement, RateMeasurement) else ""
    details = ", ".join(filter(None, (finding.measurement.conditions, sample, note)))
    return f"{text}: {details}{_still_open(finding)}"


def _still_open(finding: Finding) -> str:
    if finding.verdict is not ClaimVerdict.OPEN:
        return ""
    needed = finding.games_needed
    return f"; open, needs about {needed:,} in all" if needed else "; open"


def claims(
    games: Sequence[str] = (),
    only: Sequence[str] = (),
    *,
    session: MeasurementSession | None = None,
    again: bool = False,
    undecided: bool = False,
    keep: bool = False,
    store: Path | str = DEFAULT_STORE,
) -> ClaimsReport:
    """The claims about some games (or all games), or those of the ids in `only`, with all that was measured.

    With a `session` missing measurements are made first: all of them `again`, or only those that are `undecided`.
    `keep` writes the results into the folders of the games.
    """
    wanted = chosen(games, only)
    results = ClaimResults(games or games_with_claims(), session.store if session else store)
    if session:
        measure(wanted, results, session, again, undecided)
    if keep:
        results.keep(chosen(games))
    return ClaimsReport(tuple(findings_of(wanted, results)))
