"""The report of a league: ratings with intervals, cross table, warnings, and a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from podium.arena.stats.intervals import SURE
from podium.arena.stats.rating_data import RatedGames
from podium.arena.stats.ratings import pair_results, ratings
from podium.arena.store.store import Run, Store
from podium.arena.tournament.checkpoints import counted
from podium.arena.tournament.league_tally import LeagueTally
from podium.arena.tournament.rating_history import RatingSnapshot
from podium.arena.tournament.report import RunReport, annulment_warnings, fault_warnings, run_fields
from podium.arena.tournament.tally import Times


class LeagueFormat(Enum):
    """Which pairings a league plays."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    LADDER = "ladder"
    CONTINUOUS = "standing"  # the name that stores have


PLAYS, PAUSED, REMOVED, RETIRED = "plays", "paused", "removed", "retired"  # states of a bot in a league


def idle_bots(run: Run) -> dict[int, str]:
    """The paused and removed bots of a league, with their states."""
    return {int(number): str(state) for number, state in run.wanted.get("bots", {}).items()}


@dataclass(frozen=True)
class Standing:
    """A row of the table of a league."""

    bot: str
    id: int
    elo: float
    low: float  # the 95 % interval
    high: float
    games: int
    score: float
    above_next: float  # probability that it is stronger than the next one
    strongest: float  # probability that it is the strongest of all
    faults: dict[str, int]
    clock: Times
    state: str  # plays, paused, or retired: changed or gone since, so that it does not play on
    retired: bool  # changed or gone; unlike `state` also while it is paused
    spec: str  # what it is, as the user wrote it


@dataclass(frozen=True, kw_only=True, repr=False)
class LeagueReport(RunReport):
    """The report of a league: ratings, cross table, ratings over time."""

    games: int
    annulled: int  # because the referee or its program failed
    machine_faults: int  # annulled because the machine decided them
    remaining_games: int  # roughly, for a ladder
    remaining_seconds: float | None
    ratings: tuple[Standing, ...]  # the best first
    cross: tuple[tuple[float | None, ...], ...]  # the score of each against each, in the order of the ratings
    imported: bool = False  # played on a contest's site: seed and limits are not the run's
    history: tuple[RatingSnapshot, ...] = ()  # how the ratings went, where that was asked for

    def summary(self) -> dict[str, Any]:
        """What lists of runs show of it."""
        best = self.ratings[0] if self.ratings else None
        words = "is the strongest" if best and best.strongest >= SURE and not self.remaining_games else "leads"
        return {"sentence": f"{best.bot} {words}" if best else self.sentence}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bot, the best first."""
        rows = []
        for standing in self.ratings:
            row = {"bot": standing.bot, "elo": standing.elo, "elo_low": standing.low, "elo_high": standing.high}
            row |= {"games": standing.games, "score": standing.score, "above_next": standing.above_next}
            rows.append(row | {"ms_mean": standing.clock.mean, "disqualified": sum(standing.faults.values())})
        return rows


def league_report(run: Run, table: LeagueTally, left: int = 0, seconds: float | None = None) -> LeagueReport:
    """The report of a league from the sums over its games."""
    bots, tallies, idle, games = table.bots, table.tallies, idle_bots(run), table.played
    rated = ratings(games, [bot for bot, state in idle.items() if state == REMOVED])
    rows = tuple(
        Standing(
            bot=bots[rating.bot].label,
            id=rating.bot,
            elo=rating.elo,
            low=rating.low,
            high=rating.high,
            games=rating.games,
            score=rating.score,
            above_next=rating.above,
            strongest=rating.best,
            faults=dict(tallies[rating.bot].faults),
            clock=tallies[rating.bot].clock.times(),
            state=idle.get(rating.bot) or (RETIRED if rating.bot in table.retired else PLAYS),
            retired=rating.bot in table.retired,
            spec=bots[rating.bot].name,
        )
        for rating in rated
    )
    warnings = [
        text for rating in rated for text in fault_warnings(bots[rating.bot].label, tallies[rating.bot], rating.games)
    ]
    warnings += annulment_warnings(table.annulled, table.machine_faults)
    return LeagueReport(
        **run_fields(run),
        games=table.counted,
        annulled=len(table.annulled),
        machine_faults=len(table.machine_faults),
        remaining_games=left,
        remaining_seconds=seconds,
        ratings=rows,
        cross=_cross(games, [rating.bot for rating in rated]),
        imported=bool(run.wanted.get("imported")),
        warnings=tuple(warnings),
        sentence=_sentence(rows, _goes_on(run, table)),
    )


def _goes_on(run: Run, table: LeagueTally) -> bool:
    """Whether games are left to play; a ladder does not know their number."""
    return run.wanted.get("form") == LeagueFormat.CONTINUOUS.value or _left(run, table) > 0


def _left(run: Run, table: LeagueTally) -> int:
    return max(0, int(run.wanted.get("games") or 0) - table.finished)


def stored_league(store: Store, run: Run) -> LeagueReport:
    """The report of a stored league."""
    bots = store.bots(run)
    table = counted(store, run, lambda: LeagueTally(bots)).tally
    return replace(league_report(run, table, _left(run, table)), history=table.history())


def _cross(games: RatedGames, order: Sequence[int]) -> tuple[tuple[float | None, ...], ...]:
    """The score of each bot (row) against each other one (column); None where they never met."""
    others = games.games_of_bots().keys() - set(order)
    wins = pair_results(games, [*order, *others]).wins[: len(order), : len(order)]
    met = wins + wins.T
    return tuple(
        tuple(float(won / games) if games else None for won, games in zip(*rows, strict=True))
        for rows in zip(wins, met, strict=True)
    )


def _sentence(rows: Sequence[Standing], goes_on: bool) -> str:
    """Who is the strongest; a league that goes on has a leader only."""
    if len(rows) < 2:
        return "no games yet"
    best, second = rows[0], rows[1]
    gap = best.elo - second.elo
    if goes_on:
        return f"so far {best.bot} leads {second.bot} by {gap:.0f} Elo (the strongest with {best.strongest:.0%})"
    if best.strongest >= SURE:
        return f"{best.bot} is the strongest, {gap:.0f} Elo above {second.bot}"
    return (
        f"no bot is shown to be the strongest: {best.bot} is {gap:.0f} Elo above {second.bot} (the strongest with "
        f"{best.strongest:.0%})"
    )
