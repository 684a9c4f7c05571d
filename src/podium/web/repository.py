"""The store as the pages need it. This module is all that pages know about the arena's store and reports.

Only `store_game` writes. The figures of a run are computed once and then updated game by game, so that the page of a
long run stays fast.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from podium.arena.entrants.entrant import COPY, Entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import TimeControl
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import Run, Store, StoredBot
from podium.arena.store.store_file import UNREADABLE
from podium.arena.tournament.checkpoints import Counted, counted
from podium.arena.tournament.league_report import LeagueFormat, league_report
from podium.arena.tournament.league_tally import LeagueTally
from podium.arena.tournament.match import stored_tally, stored_test
from podium.arena.tournament.report import match_report
from podium.arena.tournament.run_session import LEAGUE, MATCH
from podium.arena.tournament.tally import MatchTally
from podium.errors import PodiumError
from podium.games import load_stored, names
from podium.games.game import Limits
from podium.lab.reports import report_of
from podium.lab.tune.variant_run import ABLATION, TUNING
from podium.web.game_lines import fits_filters, game_line

STUDIES = (ABLATION, TUNING)  # runs of many variants of a bot
PLAY = "play"  # the kind of a run that holds one live game
MOST_LISTED = 200  # games or runs in one answer
HISTOGRAM_BARS = 24
RECENT = 50  # games whose pace tells how long the rest will take
MOST_FILTERS = 8  # whose games are remembered for each run


class MissingError(PodiumError):
    """What was asked for is not in the store."""


@dataclass
class RunTotals:
    """What the games of a run add up to so far."""

    tally: MatchTally | LeagueTally | None = None  # of a kind of run whose games are added up one by one
    games: int = 0
    last: int = 0  # the number of the newest game
    shown: tuple[Any, dict[str, Any]] | None = None  # the last report, and what it depends on
    # the numbers of the games that match some filters, up to the newest game that was looked at
    filtered: dict[tuple[tuple[str, str], ...], tuple[list[int], int]] = field(default_factory=dict)


class Repository:
    """Reads one store. Its methods may be called from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._totals: dict[tuple[int, float], RunTotals] = {}  # by number of the run, and when it was made
        self._lock = threading.Lock()

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """The store, opened for one query."""
        with Store(self.path, create=False) as store:
            yield store

    def runs(self, before: int = 0, number: int = 50, game: str = "", kind: str = "") -> list[dict[str, Any]]:
        """The newest runs, or those before one; of a game or kind alone; each with its state and its result so far."""
        with self.opened() as store:
            rows = [
                row
                for row in reversed(store.runs())
                if (not before or row[0].id < before) and game in ("", row[0].game) and kind in ("", row[0].kind)
            ]
            return [
                self._line(store, run, self._report(store, run), games, last)
                for run, games, last in rows[: min(number, MOST_LISTED)]
            ]

    def _line(self, store: Store, run: Run, report: Mapping[str, Any], games: int, last: float) -> dict[str, Any]:
        wanted = int(run.wanted.get("games") or 0) or self._league_games(store, run)
        return {
            "run": f"r{run.id}",
            "kind": run.kind,
            "game": run.game,
            "title": load_stored(run.game).title,
            "name": run.name,
            "created": run.created,
            "last": last,
            "games": games,
            "wanted": wanted,
            "state": self._state(store, run, report, games, wanted),
            "sentence": report["sentence"],
            "verdict": report.get("verdict"),
            "results": [report[name] for name in ("won", "drawn", "lost") if name in report],
            "remaining_seconds": self._seconds_left(store, run, report, games, wanted),
        }

    def _league_games(self, store: Store, run: Run) -> int:
        """About how many games a league will have."""
        bots, form = len(store.bots(run)), str(run.wanted.get("form"))
        pairings = {
            LeagueFormat.ROUND_ROBIN.value: bots * (bots - 1) // 2,
            LeagueFormat.GAUNTLET.value: bots - 1,
        }.get(form, 0)  # of other leagues the number is not known
        if run.kind != LEAGUE or not pairings:
            return 0
        seats = load_stored(run.game).seats
        return int(run.wanted.get("rounds") or 0) * pairings * seats if seats == 2 else 0

    def _state(self, store: Store, run: Run, report: Mapping[str, Any], games: int, wanted: int) -> str:
        """The state of a run: running, finished or paused."""
        accepted = (report.get("sprt") or {}).get("accepted")
        if accepted or (wanted and games >= wanted) or run.kind == PLAY:
            return "finished"
        return "running" if store.is_played(run) else "paused"

    def _seconds_left(self, store: Store, run: Run, report: Mapping[str, Any], games: int, wanted: int) -> float | None:
        """The seconds left at the pace of the last games."""
        left = report.get("remaining_games")
        left = max(0, wanted - games) if left is None and wanted else left
        recent = store.last_games(run, RECENT) if left else []
        if not left or len(recent) < 2:
            return None
        spent = recent[-1].started + recent[-1].seconds - recent[0].started
        return float(left * spent / len(recent))

    def run(self, number: int) -> dict[str, Any]:
        """All figures of a run: the same as `podium show rN --json`, and more that pages draw."""
        with self.opened() as store:
            run = self._run(store, number)
            report = self._report(store, run)
            totals = self._known(run)
            last = store.last_games(run, 1)
            ended = last[0].started + last[0].seconds if last else run.created
            line = self._line(store, run, report, totals.games, ended)
            bots = store.bots(run)
            game = load_stored(run.game)
        time_control = run.conditions.time_control
        return {
            **report,
            **line,
            "title": game.title,
            "seed": str(run.seed),
            "settings": dict(run.conditions.settings),
            "limits": {
                "milliseconds": time_control.milliseconds,
                "nodes": time_control.nodes,
                "policy": time_control.policy.value,
                "answer": _limit(game.contest.limits, time_control),
            },
            "sprt_wanted": run.wanted.get("sprt"),
            "parent": run.wanted.get("parent"),
            "imported": bool(run.wanted.get("imported")),
            "entrants": [_bot_data(bot) for bot in list(bots.values())[:MOST_LISTED]],
            "curve": totals.tally.score_curve() if isinstance(totals.tally, MatchTally) else [],
            "times": _histograms(totals.tally, bots) if totals.tally else [],
            "last_game": totals.last,
        }

    def _run(self, store: Store, number: int) -> Run:
        try:
            return store.run(number)
        except PodiumError as error:
            raise MissingError(str(error)) from None

    def _known(self, run: Run) -> RunTotals:
        """What is known of a run; of one with its number in a store that was replaced, nothing."""
        return self._totals.setdefault((run.id, run.created), RunTotals())

    def totals(self, store: Store, run: Run) -> RunTotals:
        """What the games of a run add up to, the newest included."""
        with self._lock:
            totals = self._known(run)
            if run.kind in (PLAY, *STUDIES):
                totals.games, totals.last = store.size(run)
                return totals
            if totals.tally is None:
                if not store.size(run)[0]:
                    return totals
                totals.tally, totals.last = _counted(store, run)
            if isinstance(totals.tally, LeagueTally):
                totals.tally.join(store.bots(run))
            for games in store.columns(run, totals.last):
                totals.tally.add(games)
                totals.last = int(games.id[-1])
            totals.games = totals.tally.finished
            return totals

    def _report(self, store: Store, run: Run) -> dict[str, Any]:
        totals, bots = self.totals(store, run), store.bots(run)
        depends_on = (totals.last, run.wanted, [bot.name for bot in bots.values()])
        if totals.shown is None or totals.shown[0] != depends_on:
            totals.shown = depends_on, self._new_report(store, run, totals, bots)
        return totals.shown[1]

    def _new_report(self, store: Store, run: Run, totals: RunTotals, bots: Mapping[int, StoredBot]) -> dict[str, Any]:
        if not totals.games:
            return {"sentence": "nothing is known yet", "warnings": []}
        if run.kind == PLAY:  # one game proves nothing
            game = store.last_games(run, 1)[0]
            return {"sentence": game_line(game, bots, load_stored(run.game))["sentence"], "warnings": []}
        if run.kind in STUDIES:
            return report_of(store, run).data()
        if isinstance(totals.tally, LeagueTally):
            return league_report(run, totals.tally).data()
        assert totals.tally
        playing = (bots[totals.tally.first], bots[totals.tally.second])
        target = int(run.wanted.get("games") or 0)
        return match_report(run, totals.tally, playing, stored_test(run.wanted), target).data()

    def games(self, number: int, filters: Mapping[str, str], offset: int = 0, most: int = 50) -> dict[str, Any]:
        """The games of a run that match filters, the newest first."""
        most = min(most, MOST_LISTED)
        with self.opened() as store:
            run = self._run(store, number)
            if filters:
                matching = self._matching(store, run, filters)
                found = len(matching)
                shown = [store.game(game) for game in matching[::-1][offset : offset + most]]
            else:
                found, shown = store.size(run)[0], store.last_games(run, most, offset)[::-1]
            bots = store.bots(run)
            rules = load_stored(run.game)
            with store.decoding(f"r{number}"):
                return {"found": found, "offset": offset, "games": [game_line(game, bots, rules) for game in shown]}

    def next_lost(self, number: int, seat: int) -> int | None:
        """The next game of the same run that the bot in a seat of a game lost, after the last one the first again."""
        with self.opened() as store:
            game = game_row(store, number)
            if not 0 <= seat < len(game.bots):
                raise MissingError(f"g{number} has no seat {seat}")
            run = store.run(game.run)
            lost = self._matching(store, run, {"bot": str(game.bots[seat]), "result": "lost"})
        return next((each for each in lost if each > number), next((each for each in lost if each != number), None))

    def _matching(self, store: Store, run: Run, filters: Mapping[str, str]) -> list[int]:
        """The numbers of the games of a run that match filters; those that are known are not looked at again."""
        key = tuple(sorted(filters.items()))
        with self._lock:
            totals = self._known(run)
            known, last = totals.filtered.pop(key, ([], 0))
            newest = store.size(run)[1]
            fresh = store.matching(run, last, fits_filters(filters)) if newest > last else []
            totals.filtered[key] = known + fresh, newest
            for old in list(totals.filtered)[:-MOST_FILTERS]:
                del totals.filtered[old]
            return totals.filtered[key][0]

    def new_games(self, number: int, after: int) -> list[dict[str, Any]]:
        """The games of a run that came after one, the oldest first; of many the newest."""
        with self.opened() as store:
            run = self._run(store, number)
            if store.size(run)[1] <= after:
                return []
            bots = store.bots(run)
            fresh = [game for game in store.last_games(run, MOST_LISTED) if game.id > after]
            with store.decoding(f"r{number}"):
                return [game_line(game, bots, load_stored(run.game)) for game in fresh]

    def games_known(self) -> list[str]:
        """The names of all games, and of those in the store that are files of a user or programs."""
        with self.opened() as store:
            played = {run.game for run, *_ in store.runs()}
        return [*names(), *sorted(played - {*names()})]

    def choices(self) -> dict[str, Any]:
        """What the list of runs can be narrowed to: games that were played, with their titles, and kinds of runs."""
        with self.opened() as store:
            runs = [run for run, *_ in store.runs()]
        games = sorted({run.game for run in runs})
        return {"games": {game: load_stored(game).title for game in games}, "kinds": sorted({run.kind for run in runs})}

    def programs(self, game: str) -> list[str]:
        """The programs and Python bots of a game in the store, as they were named."""
        with self.opened() as store:
            bots = [bot for run, _, _ in store.runs() if run.game == game for bot in store.bots(run).values()]
        return sorted({bot.name.removesuffix(COPY) for bot in bots if not bot.detail.get("kind")})

    def store_game(
        self, conditions: Conditions, entrants: Sequence[Entrant], game: GameRow, wanted: Mapping[str, Any]
    ) -> int:
        """Store a finished live game as a run of its own; returns the game's number."""
        with Store(self.path) as store:
            name = " vs ".join(who.label for who in entrants)
            run = store.open_run(PLAY, uuid4().hex, name, game.seed, conditions)
            store.amend(run, {"games": 1, **wanted})
            bots = store.enter(run, entrants)
            pairing = ",".join(who.fingerprint for who in entrants)
            (stored,) = store.add(run, [replace(game, bots=tuple(bots), pairing=pairing)])
            return stored.id

    def lab(self) -> list[dict[str, Any]]:
        """The runs of the lab (ablations, tunings, calibrations), the newest first."""
        return [line for line in self.runs(number=MOST_LISTED) if line["kind"] not in (MATCH, LEAGUE, PLAY)]

    def league(self, name: str) -> dict[str, Any]:
        """A league by its name (the newest of that name) or its run."""
        with self.opened() as store:
            leagues = [run for run, _, _ in store.runs() if run.kind == LEAGUE]
        for run in reversed(leagues):
            if name in (run.name, f"r{run.id}", str(run.id)):
                return {**self.run(run.id), "history": self._history(run), "me": run.wanted.get("me")}
        raise MissingError(f"there is no league {name!r} in {self.path}")

    def _history(self, run: Run) -> list[dict[str, Any]]:
        """The history of each version's rating."""
        with self.opened() as store:
            table = self.totals(store, run).tally
        return [asdict(moment) for moment in table.history()] if isinstance(table, LeagueTally) else []


def _limit(limits: Limits, time_control: TimeControl) -> float | None:
    """The time limit per answer in ms; None for node budgets and for one limit per game."""
    if time_control.nodes:
        return None
    return time_control.milliseconds or (None if limits.bank else limits.later)


def _counted(store: Store, run: Run) -> Counted[MatchTally] | Counted[LeagueTally]:
    """The tally of a run that has games; a run that is no match of two bots is counted as a league."""
    if run.kind != LEAGUE:
        with suppress(*UNREADABLE):
            return counted(store, run, stored_tally(store, run))
    bots = store.bots(run)
    return counted(store, run, lambda: LeagueTally(bots))


def _bot_data(bot: StoredBot) -> dict[str, Any]:
    return {
        "id": bot.id,
        "bot": bot.label,
        "name": bot.name.removesuffix(COPY),
        "fingerprint": bot.fingerprint,
        "detail": bot.detail,
    }


def _histograms(tally: MatchTally | LeagueTally, bots: Mapping[int, StoredBot]) -> list[dict[str, Any]]:
    """Histograms of the time per answer of each bot, in equal bins up to the longest."""
    clocks = {number: bot.clock for number, bot in tally.bot_tallies.items() if number in bots}
    longest = max((clock.worst for clock in clocks.values()), default=0.0)
    edges = np.linspace(0.0, longest or 1.0, HISTOGRAM_BARS + 1)
    return [
        {"bot": bots[number].label, "edges": edges.tolist(), "counts": clock.histogram(edges)}
        for number, clock in clocks.items()
    ]


def game_row(store: Store, number: int) -> GameRow:
    """The game of that number; MissingError if there is none."""
    try:
        return store.game(number)
    except PodiumError as error:
        raise MissingError(str(error)) from None
