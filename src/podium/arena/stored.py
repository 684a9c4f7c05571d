"""Runs that are only looked at."""

from podium.arena.league import LeagueReport, stored_league
from podium.arena.match import stored_match
from podium.arena.report import MatchReport
from podium.arena.session import LEAGUE
from podium.arena.store import Run, Store


def stored_report(store: Store, run: Run) -> MatchReport | LeagueReport:
    """All figures of a stored run."""
    return stored_league(store, run) if run.kind == LEAGUE else stored_match(store, run)
