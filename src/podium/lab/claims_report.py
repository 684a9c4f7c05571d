"""The report on claims: as rows, as a page in Markdown, and with a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.arena.store import DEFAULT_STORE
from podium.games import load
from podium.lab.claims import (
    PERCENT,
    Claim,
    Finding,
    Results,
    chosen,
    findings_of,
    games_with_claims,
    measure,
    verdict_on,
)
from podium.lab.claims_picture import draw
from podium.lab.measures import Bench, Nowhere, Rate
from podium.lab.verdicts import Verdict
from podium.tables import Shown

PAGE_HEAD = """# The claims of the write-ups, measured

*Written by `podium claims --report`, from what `podium claims --measure` found: measure again rather than edit.*

The authors of the five write-ups say what helped them and by how much. Each of these claims is listed with a way to
measure it here: `games/<game>/claims/claims.toml` has the list, `measured.json` beside it the results. A share is that
of the points of the first bot named in the command, with its 95 % interval over blocks of games. The range of a rate is
that of several runs, by processor time; the range of a depth goes from the least to the greatest.

```
podium claims                                      # what is known, as tables
podium claims zuniq --measure --minutes 60         # measure what is missing; interrupted, it goes on
podium claims zuniq --only rave-max --measure --games 1000
podium claims --measure --open --games 2000        # more games for what has no verdict yet
podium claims --keep --report docs/claims.md       # keep what was measured with the games, and write this page
```
"""
MEANINGS = {
    Verdict.CONFIRMED: "an effect is shown and the figure lies in the interval; or nothing is gained, as was said",
    Verdict.OTHER: "something of the kind, but larger, smaller or faster than the author says",
    Verdict.NOT_CONFIRMED: "the figure is excluded and no effect shown, or the opposite",
    Verdict.DEPENDS: "measured in several ways that disagree",
    Verdict.OPEN: "the sample is too small; how many games in all would do is an estimate",
    Verdict.NOT_MEASURED: "with the reason",
}


@dataclass(frozen=True)
class ClaimsReport(Shown):
    """All claims with what is known of them."""

    findings: tuple[Finding, ...]

    @property
    def claims(self) -> list[Claim]:
        """The claims, each once."""
        return list({(finding.claim.game, finding.claim.id): finding.claim for finding in self.findings}.values())

    def of(self, claim: Claim) -> list[Finding]:
        """The findings of a claim."""
        return [finding for finding in self.findings if finding.claim is claim]

    def verdict(self, claim: Claim) -> Verdict:
        """The verdict on a claim."""
        return verdict_on(self.of(claim))

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have which verdict."""
        given = [self.verdict(claim) for claim in self.claims]
        return {verdict.value: given.count(verdict) for verdict in Verdict if verdict in given}

    @property
    def headline(self) -> str:
        """How many claims there are, and how many of them have which verdict."""
        counts = ", ".join(f"{number} {word}" for word, number in self.counts.items())
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
            "conditions": finding.measure.conditions,
            "value": result.value if result else None,
            "low": result.low if result else None,
            "high": result.high if result else None,
            "sample": result.sample if result else 0,
            "counted": result.counted if result else "",
            "games_needed": finding.games_needed,
            "measured": finding.verdict.value,
            "verdict": self.verdict(claim).value,
            "command": finding.measure.shown_command,
            "machine": result.machine if result else "",
            "date": result.date if result else "",
        }

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"claims": self.rows(), "counts": self.counts, "sentence": self.headline}

    def write(self, path: Path) -> list[Path]:
        """Write the page, and its picture into the folder `pictures` beside it; both files."""
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
            commands = [measure.shown_command for measure in claim.measures if not isinstance(measure, Nowhere)]
            lines += [f"# {claim.id}", *"\n".join(commands).splitlines()] if commands else []
        return lines


def figure_text(value: float, unit: str) -> str:
    """A value for people: shares in per cent, other numbers with three digits."""
    if unit == PERCENT:
        return f"{100 * value:.1f}"
    size = abs(value)
    return f"{value:,.0f}" if size >= 1000 else f"{value:.4g}" if size >= 100 else f"{value:.3g}"


def measured_text(finding: Finding) -> str:
    """What was measured, for people."""
    result, unit = finding.result, finding.claim.unit
    if isinstance(finding.measure, Nowhere):
        return finding.measure.reason
    if result is None:
        return f"not yet ({finding.measure.conditions})"
    value, low, high = (figure_text(number, unit) for number in (result.value, result.low, result.high))
    text = f"{value} {unit}" if low == high else f"{value} {unit} ({low} to {high})"
    sample = f"{result.sample:,} {result.counted}" if result.counted != "study" else ""
    note = result.note if isinstance(finding.measure, Rate) else ""
    details = ", ".join(filter(None, (finding.measure.conditions, sample, note)))
    return f"{text}: {details}{_still_open(finding)}"


def _still_open(finding: Finding) -> str:
    if finding.verdict is not Verdict.OPEN:
        return ""
    needed = finding.games_needed
    return f"; open, needs about {needed:,} in all" if needed else "; open"


def claims(
    games: Sequence[str] = (),
    only: Sequence[str] = (),
    *,
    bench: Bench | None = None,
    again: bool = False,
    undecided: bool = False,
    keep: bool = False,
    store: Path | str = DEFAULT_STORE,
) -> ClaimsReport:
    """What is known of the claims about some games, or all, or of some of these claims.

    With a `bench` what is missing is measured there first, or everything `again`, or of both only what is `undecided`.
    `keep` writes the results into the folders of the games.
    """
    wanted = chosen(games, only)
    results = Results(games or games_with_claims(), bench.store if bench else store)
    if bench:
        measure(wanted, results, bench, again, undecided)
    if keep:
        results.keep(chosen(games))
    return ClaimsReport(tuple(findings_of(wanted, results)))
