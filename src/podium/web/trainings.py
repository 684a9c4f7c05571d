"""Runs of learning, as `podium train` leaves them in folders: what was planned, and how each generation went."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.lab.learner import LOG, PLAN, read_log, read_plan
from podium.lab.yardstick import read_ratings

MOST_FOLDERS = 20
MOST_GENERATIONS = 2000
MOST_RATINGS = 1000


def trainings(folder: Path) -> list[dict[str, Any]]:
    """The runs of learning in the folders beside a store, the one that went on last first; what is wrong with one."""
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
    ratings = [{**asdict(rating), "score": rating.score} for rating in read_ratings(folder)[-MOST_RATINGS:]]
    return {**told, "plan": plan, "generations": generations, "ratings": ratings}
