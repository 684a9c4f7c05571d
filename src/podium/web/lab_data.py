"""What the pages of the lab show: the authors' claims with their verdicts, and runs of `podium train`."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.games import load
from podium.lab.claims.claims_report import MEANINGS, claims
from podium.lab.claims.finding_texts import measured_text
from podium.lab.learn.run_folder import LOG, MATCHES, PLAN, read_log, read_plan
from podium.lab.learn.strength import read_ladder

MOST_FOLDERS = 20
MOST_GENERATIONS = 2000
MOST_RATINGS = 1000


def claims_data(store: Path) -> dict[str, Any]:
    """Every claim with its verdict and measurements; results beside the store count too."""
    report = claims(store=store)
    found = [
        {
            "game": claim.game,
            "title": load(claim.game).title,
            "claim": claim.id,
            "gist": claim.gist,
            "claimed": claim.claimed,
            "asked": claim.asked,
            "verdict": report.verdict(claim).value,
            "measured": [measured_text(finding) for finding in report.of(claim)],
            "commands": [measure.shown_command for measure in claim.measurements],
        }
        for claim in report.claims
    ]
    meanings = {verdict.value: meaning for verdict, meaning in MEANINGS.items()}
    return {
        "claims": found,
        "counts": report.counts,
        "sentence": report.headline,
        "level": report.level,
        "meanings": meanings,
    }


def trainings(folder: Path) -> list[dict[str, Any]]:
    """The training runs in the folders beside a store, the latest first; one that cannot be read has a `problem`."""
    logs = [log for log in folder.glob(f"*/{LOG}") if log.is_file() and (log.parent / PLAN).is_file()]
    logs.sort(key=lambda log: -log.stat().st_mtime)
    found = (_training(log.parent) for log in logs[:MOST_FOLDERS])
    return [one for one in found if one["generations"] or one["problem"]]


def _training(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = {"name": folder.name, "plan": None, "generations": [], "ratings": [], "problem": ""}
    try:
        plan = asdict(read_plan(folder))
    except PodiumError as error:
        return {**told, "problem": str(error)}
    generations = [asdict(one) for one in read_log(folder)[-MOST_GENERATIONS:]]
    ratings = [{**asdict(one), "score": one.score} for one in read_ladder(folder)[-MOST_RATINGS:]]
    store = f"{folder.name}/{MATCHES}" if (folder / MATCHES).exists() else ""  # a path from the served store's folder
    return {**told, "plan": plan, "generations": generations, "ratings": ratings, "store": store}
