"""The report on claims: rows, a page in Markdown, and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.arena.store.store import DEFAULT_STORE
from podium.display import Displayable
from podium.games import load
from podium.lab.claims.claims import (
    Claim,
    ClaimResults,
    Finding,
    chosen,
    findings_of,
    games_with_claims,
    level_of,
    measure,
    verdict_on,
)
from podium.lab.claims.finding_texts import bound_text, largest_effect, measured_text, missing_text, percent, value_text
from podium.lab.claims.measurements import MeasurementSession, NotMeasurable
from podium.lab.claims.picture import draw
from podium.lab.claims.verdicts import DISCOVERY_RATE, STORED_LEVEL, ClaimVerdict

PAGE_HEAD = """# The authors' claims, measured

The authors of the five write-ups say what helped them, and by how much. Each such sentence is a **claim** here. What an
author did, tried or wondered about without saying that it helps is a **question**. Most are measured by matches of the
game's bot `writeup`, which plays as the write-up says, against the same bot without what the sentence is about.

* **A percentage** measured by a match is the score of the bot that comes first in its command; 50 % is no difference.
  Elsewhere it is a share. A difference of two percentages is in points.
* **In brackets** is the interval in which the true value lies, at a level of {level}. Several values are of several
  conditions: these, commands and sizes of samples are folded away below the tables of each game.
* **A rate** is per second of processor time.
"""
PAGE_FOOT = """## Measure them yourself

```
podium claims                                      # the results so far, one line each
podium claims zuniq --details                      # with conditions, samples and commands
podium claims zuniq --measure --minutes 60         # measure what is missing; continues after an interruption
podium claims --keep --report docs/claims.md       # store the results with the games, and write this page
```

`games/<game>/claims/claims.toml` lists the claims with their measurements, `measured.json` beside it holds the results.
This page is written by the last of these commands: measure again, do not edit it.
"""
STATISTICS = """## How verdicts are made

* **Intervals are those of the mean**: over blocks of games with the same seed, over positions, or over runs; those of
  places are Wilson's. The spread of a sample decides nothing. A value without an interval is exact, or the least, the
  greatest or the worst of its sample.
* **Sample sizes are fixed before looking.** The list says how many games a match has; with fewer there is no verdict. A
  match that was extended after its result was seen has all sizes in the list ("look 2"), and the error allowed for one
  look is divided by their number (Bonferroni).
* **All planned games played, and still undecided?** Then the interval bounds the effect: "no effect shown (at most 6.5
  points)" says that the true score lies within 6.5 points of 50 %. The details estimate how many games would decide.
* **False discoveries are controlled over the whole report.** Of all verdicts that decide, at most {rate} are
  expected to be wrong: the procedure of Benjamini and Hochberg (1995), as intervals (Benjamini and Yekutieli, 2005),
  which holds for independent measurements. With the measurements so far it asks for intervals at the level of
  {level}, and those are the intervals on this page.
"""
MEANINGS = {
    ClaimVerdict.CONFIRMED: "an effect as claimed, of about the claimed size; no gain, as claimed; or a figure in the "
    "claimed range",
    ClaimVerdict.DIFFERENT_VALUE: "an effect as claimed, but larger or smaller than the author says; or a figure that "
    "is better than he says",
    ClaimVerdict.NOT_CONFIRMED: "an effect of the claimed size is excluded, and none or the opposite one is shown; or "
    "a figure that is worse than the author says",
    ClaimVerdict.DEPENDS_ON_CONDITIONS: "measured under several conditions, which decide differently",
    ClaimVerdict.PARTLY_DECIDED: "measured under several conditions, of which some decide; for the others the sample "
    "may only be too small",
    ClaimVerdict.HELPS: "the answer to a question: a gain",
    ClaimVerdict.HARMS: "the answer to a question: a loss",
    ClaimVerdict.HARDLY_MATTERS: "the answer to a question: an effect that is too small to matter, if there is one",
    ClaimVerdict.NO_EFFECT_SHOWN: "all that was planned was measured; the interval holds no effect as well as one, "
    "which is not larger than the bound beside it",
    ClaimVerdict.BORDERLINE: "all that was planned was measured; the interval is partly in the claimed range",
    ClaimVerdict.OPEN: "less than planned was measured; beside it, about how long a core that does nothing else "
    "takes for all of them",
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

    def remark(self, claim: Claim) -> str:
        """Words after a verdict: the largest effect that is left possible, or what is missing, and for how long."""
        verdict = self.verdict(claim)
        if verdict is ClaimVerdict.NO_EFFECT_SHOWN:
            return f" ({bound_text(max(self.of(claim), key=largest_effect))})"
        missing = [finding for finding in self.of(claim) if not finding.complete and finding.measurement.command]
        if missing and verdict in (ClaimVerdict.OPEN, ClaimVerdict.NOT_MEASURED):
            return f" ({missing_text(missing)})"
        return ""

    @property
    def level(self) -> float:
        """The level of the intervals that decide."""
        return self.findings[0].level if self.findings else STORED_LEVEL

    @property
    def counts(self) -> dict[str, int]:
        """The number of claims and questions by verdict."""
        return {verdict.value: number for verdict, number in self._counts(self.claims).items()}

    def _counts(self, claims: Sequence[Claim]) -> dict[ClaimVerdict, int]:
        given = [self.verdict(claim) for claim in claims]
        return {verdict: given.count(verdict) for verdict in ClaimVerdict if verdict in given}

    @property
    def headline(self) -> str:
        """The number of claims and questions, in all and by verdict."""
        return " ".join(self.headlines)

    @property
    def headlines(self) -> list[str]:
        """The same as a sentence about claims and one about questions."""
        lines = []
        for name, group in (("claim", self.assertions), ("question", self.questions)):
            counts = (f"{verdict.value} {number}" for verdict, number in self._counts(group).items())
            if group:
                lines.append(f"{len(group)} {name if len(group) == 1 else f'{name}s'}: {', '.join(counts)}.")
        return lines

    @property
    def assertions(self) -> list[Claim]:
        """What the authors say with a figure or an effect."""
        return [claim for claim in self.claims if not claim.asked]

    @property
    def questions(self) -> list[Claim]:
        """What the authors did, or wondered about, without saying that it helps."""
        return [claim for claim in self.claims if claim.asked]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each measurement."""
        return [self._row(finding) for finding in self.findings]

    def _row(self, finding: Finding) -> dict[str, Any]:
        claim, result, interval = finding.claim, finding.result, finding.interval
        return {
            "game": claim.game,
            "claim": claim.id,
            "gist": claim.gist,
            "claimed": claim.claimed,
            "expect": claim.standard.expectation.value,
            "figure": [claim.standard.low, claim.standard.high],
            "unit": claim.unit,
            "conditions": finding.measurement.conditions,
            "value": interval.value if interval else None,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "level": finding.level,
            "sample": result.sample if result else 0,
            "planned": finding.measurement.planned,
            "core_seconds": finding.measurement.core_seconds,
            "looks": finding.measurement.looks,
            "counted": result.counted if result else "",
            "bound": largest_effect(finding) if finding.verdict is ClaimVerdict.NO_EFFECT_SHOWN else None,
            "games_needed": finding.games_needed,
            "measured": finding.verdict.value,
            "verdict": self.verdict(claim).value,
            "command": finding.measurement.shown_command,
            "machine": result.machine if result else "",
            "date": result.date if result else "",
        }

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"claims": self.rows(), "counts": self.counts, "sentence": self.headline, "level": self.level}

    def write(self, path: Path) -> list[Path]:
        """Write the page, and its picture into the folder `pictures` beside it; returns both files."""
        picture = path.parent / "pictures" / f"{path.stem}.svg"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(draw(self.findings), encoding="utf-8")
        path.write_text(self.page(f"pictures/{picture.name}"), encoding="utf-8")
        return [path, picture]

    def page(self, picture: str) -> str:
        """The report in Markdown: one line for each claim, then what stands behind it, folded."""
        games = dict.fromkeys(claim.game for claim in self.claims)
        parts = [PAGE_HEAD.format(level=percent(self.level)), self._verdict_table()]
        parts += [self._section(game, [claim for claim in self.claims if claim.game == game]) for game in games]
        parts.append(STATISTICS.format(rate=percent(DISCOVERY_RATE, 0), level=percent(self.level)))
        parts.append(_folded("All intervals in one picture", f"![claimed against measured]({picture})"))
        machines = sorted({finding.result.machine for finding in self.findings if finding.result})
        parts += [PAGE_FOOT, f"## Machines\n\n{'; '.join(machines) or 'Nothing was measured yet'}.\n"]
        return "\n".join(parts)

    def _verdict_table(self) -> str:
        """How many claims and questions got each verdict, and what it means."""
        asserted, asked = (
            self._counts([claim for claim in self.claims if claim.asked is kind]) for kind in (False, True)
        )
        lines = ["| verdict | claims | questions | meaning |", "| --- | --- | --- | --- |"]
        for verdict, meaning in MEANINGS.items():
            if verdict in asserted or verdict in asked:
                counts = (str(found.get(verdict, "")) for found in (asserted, asked))
                lines.append(f"| {' | '.join((f'**{verdict.value}**', *counts, meaning))} |")
        lines.append(f"| all | {sum(asserted.values())} | {sum(asked.values())} | |")
        return "\n".join([*lines, ""])

    def _section(self, game: str, claims: Sequence[Claim]) -> str:
        """The claims of a game, its questions, and the details of both."""
        asserted, asked = ([claim for claim in claims if claim.asked is kind] for kind in (False, True))
        lines = [f"## {load(game).title}\n", self._table("claim", "claimed", asserted)]
        if asked:
            lines.append(self._table("question", "the author", asked))
        details = "\n".join(line for claim in claims for line in self._details(claim))
        return "\n".join([*lines, _folded("Conditions, samples and commands", details)])

    def _table(self, name: str, words: str, claims: Sequence[Claim]) -> str:
        lines = [f"| {name} | {words} | measured | verdict |", "| --- " * 4 + "|"]
        for claim in claims:
            verdict = f"**{self.verdict(claim).value}**{self.remark(claim)}"
            cells = (f"{claim.gist} (`{claim.id}`)", claim.claimed, self._measured(claim), verdict)
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
        return "\n".join([*lines, ""])

    def _measured(self, claim: Claim) -> str:
        """The measured values of a claim, with conditions and verdicts where these differ; or why there are none."""
        found = [finding for finding in self.of(claim) if finding.interval]
        if self.verdict(claim) in (ClaimVerdict.DEPENDS_ON_CONDITIONS, ClaimVerdict.PARTLY_DECIDED):
            return "; ".join(f"{value_text(f)}, {f.measurement.conditions}: {f.verdict.value}" for f in found)
        reasons = (f.measurement.reason for f in self.of(claim) if isinstance(f.measurement, NotMeasurable))
        return "; ".join([value_text(finding) for finding in found] or reasons) or "nothing yet"

    def _details(self, claim: Claim) -> list[str]:
        """How a claim was measured: conditions, sample, date and command of each measurement."""
        lines = [f"`{claim.id}`: {claim.gist}\n"]
        for finding in self.of(claim):
            date = f" ({finding.result.date})" if finding.result else ""
            lines.append(f"* {measured_text(finding)}{date}")
        commands = [measure.shown_command for measure in claim.measurements if measure.command]
        return [*lines, *(["\n```", *commands, "```\n"] if commands else [""])]


def _folded(title: str, text: str) -> str:
    """A part of a page that is closed until the reader opens it."""
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>\n"


def claims(
    games: Sequence[str] = (),
    only: Sequence[str] = (),
    *,
    session: MeasurementSession | None = None,
    again: bool = False,
    keep: bool = False,
    store: Path | str = DEFAULT_STORE,
) -> ClaimsReport:
    """The claims about some games (or all games), or those of the ids in `only`, with all that was measured.

    With a `session` missing measurements are made first, or all of them `again`. `keep` writes the results into the
    folders of the games. The level of the intervals follows from all claims of all games, whichever are shown.
    """
    wanted = chosen(games, only)
    results = ClaimResults(games_with_claims(), session.store if session else store)
    if session:
        measure(wanted, results, session, again)
    if keep:
        results.keep(chosen(games))
    return ClaimsReport(tuple(findings_of(wanted, results, level_of(findings_of(chosen([]), results)))))
