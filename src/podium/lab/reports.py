"""The reports of stored runs of every kind."""

from podium.arena.analysis.stored_runs import stored_report
from podium.arena.store.store import Run, Store
from podium.arena.tournament.league import LeagueReport
from podium.arena.tournament.report import MatchReport
from podium.lab.tune.ablation import AblationReport, stored_ablation
from podium.lab.tune.tuning import stored_tuning
from podium.lab.tune.tuning_report import TuningReport
from podium.lab.tune.variant_run import ABLATION, TUNING

Report = MatchReport | LeagueReport | AblationReport | TuningReport


def report_of(store: Store, run: Run) -> Report:
    """The report of a stored run, whatever its kind."""
    if run.kind == ABLATION:
        return stored_ablation(store, run)
    return stored_tuning(store, run) if run.kind == TUNING else stored_report(store, run)
