"""Runs of learning, as `podium train` leaves them in folders: what was planned, and how each generation went."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from podium.lab.learner import LOG, PLAN
from podium.lab.yardstick import read_ratings

MOST_FOLDERS = 20
MOST_GENERATIONS = 2000
MOST_RATINGS = 1000


def trainings(folder: Path) -> list[dict[str, Any]]:
    """The runs of learning in the folders beside a store, the one that went on last first."""
    logs = sorted(folder.glob(f"*/{LOG}"), key=lambda log: -log.stat().st_mtime)
    found = (_training(log.parent) for log in logs[:MOST_FOLDERS] if (log.parent / PLAN).is_file())
    return [one for one in found if one["generations"]]


def _training(folder: Path) -> dict[str, Any]:
    plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    lines = (folder / LOG).read_text(encoding="utf-8").splitlines()[-MOST_GENERATIONS:]
    generations = [one for line in lines if (one := _generation(line))]
    ratings = [{**asdict(rating), "score": rating.score} for rating in read_ratings(folder)[-MOST_RATINGS:]]
    return {"name": folder.name, "plan": plan, "generations": generations, "ratings": ratings}


def _generation(line: str) -> dict[str, Any] | None:
    """A line of the log; None for the last one of a run that was killed while it wrote."""
    try:
        data: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    return data
