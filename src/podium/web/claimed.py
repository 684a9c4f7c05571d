"""The claims of the write-ups, as the page about them is told."""

from pathlib import Path
from typing import Any

from podium.games import load
from podium.lab.claims_report import MEANINGS, claims, measured_text


def claimed(store: Path) -> dict[str, Any]:
    """Every claim with its verdict and what was measured; results in the store count beside those of the package."""
    report = claims(store=store)
    found = [
        {
            "game": claim.game,
            "title": load(claim.game).title,
            "claim": claim.id,
            "gist": claim.gist,
            "claimed": claim.claimed,
            "verdict": report.verdict(claim).value,
            "measured": [measured_text(finding) for finding in report.of(claim)],
            "commands": [measure.shown_command for measure in claim.measures],
        }
        for claim in report.claims
    ]
    meanings = {verdict.value: meaning for verdict, meaning in MEANINGS.items()}
    return {"claims": found, "counts": report.counts, "sentence": report.headline, "meanings": meanings}
