"""The reports of stored runs of every kind."""

from podium.arena.league import LeagueReport
from podium.arena.report import MatchReport
from podium.arena.store import Run, Store
from podium.arena.stored import stored_report
from podium.lab.ablation import AblationReport, stored_ablation
from podium.lab.study import ABLATION, TUNING
from podium.lab.tuned import TuningReport
from podium.lab.tuning import stored_tuning

Report = MatchReport | LeagueReport | AblationReport | TuningReport


def report_of(store: Store, run: Run) -> Report:
    """All figures of a stored run."""
    if run.kind == ABLATION:
        return stored_ablation(store, run)
    return stored_tuning(store, run) if run.kind == TUNING else stored_report(store, run)
