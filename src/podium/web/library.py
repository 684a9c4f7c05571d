"""What the store holds, as the pages want it. All that pages know of the arena's store and reports is in this module.

Only `keep` writes. A run's figures are added up once and then game by game, so that a run of ten thousand games is
looked at as quickly as it grows.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from podium.arena.batch import batch_of
from podium.arena.conditions import Conditions
from podium.arena.entrants import COPY, Entrant
from podium.arena.finished import FinishedGame
from podium.arena.league import LeagueTally, league_report
from podium.arena.limits import Allowance
from podium.arena.report import match_report
from podium.arena.session import LEAGUE, MATCH
from podium.arena.sprt import Test
from podium.arena.statistics import estimate
from podium.arena.store import Run, Store, StoredBot
from podium.arena.tally import MatchTally
from podium.errors import PodiumError
from podium.games import load_stored
from podium.games.game import Limits
from podium.lab.stored import report_of
from podium.lab.study import ABLATION, TUNING
from podium.web.curve import Curve

STUDIES = (ABLATION, TUNING)  # runs of many variants of a bot
PLAY = "play"  # the kind of a run of one game, played at a table
MOST_LISTED = 200  # games or runs in one answer
HISTOGRAM_BARS = 24


class MissingError(PodiumError):
    """What was asked for is not in the store."""


@dataclass
class Ledger:
    """The games of a run, and what they add up to so far."""

    games: list[FinishedGame] = field(default_factory=list)
    tally: MatchTally | None = None
    test: Test | None = None
    curve: Curve = field(default_factory=Curve)
    study: tuple[int, dict[str, Any]] | None = None  # the report of a study after the game of a number

    @property
    def last(self) -> int:
        """The number of the newest game that is in."""
        return self.games[-1].id if self.games else 0

    def add(self, games: Sequence[FinishedGame]) -> None:
        """Take in games, as many at a time as lie between two points of the curve."""
        self.games += games
        while games and self.tally:
            some, games = games[: self.curve.stride], games[self.curve.stride :]
            before = self.tally.counted
            self.tally.add(batch_of(some))
            if self.tally.counted > before and self.curve.wants(self.tally.counted):
                found, decision = estimate(self.tally.law), self.tally.decision
                band = [_score_of(found.elo_low), _score_of(found.elo_high)]
                self.curve.add([self.tally.counted, found.score, *band, decision.ratio if decision else None])


class Library:
    """Reads one store. Its methods may be called from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ledgers: dict[int, Ledger] = {}
        self._lock = threading.Lock()

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """The store, for one question."""
        with Store(self.path, create=False) as store:
            yield store

    def runs(self, before: int = 0, number: int = 50) -> list[dict[str, Any]]:
        """The newest runs, or those before one; each with its state and what it says so far."""
        with self.opened() as store:
            rows = [row for row in reversed(store.runs()) if not before or row[0].id < before]
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
            "name": run.name,
            "created": run.created,
            "last": last,
            "games": games,
            "wanted": wanted,
            "state": self._state(store, run, report, games, wanted),
            "sentence": report["sentence"],
            "remaining_seconds": self._seconds_left(run, report, games, wanted),
        }

    def _league_games(self, store: Store, run: Run) -> int:
        """How many games a league comes to; roughly."""
        if run.kind != LEAGUE or run.wanted.get("form") not in ("round-robin", "gauntlet"):
            return 0
        bots = len(store.bots(run))
        meetings = bots - 1 if run.wanted["form"] == "gauntlet" else bots * (bots - 1) // 2
        seats = load_stored(run.game).seats
        return int(run.wanted.get("rounds") or 0) * meetings * seats if seats == 2 else 0

    def _state(self, store: Store, run: Run, report: Mapping[str, Any], games: int, wanted: int) -> str:
        """Running, finished or paused."""
        accepted = (report.get("sprt") or {}).get("accepted")
        if accepted or (wanted and games >= wanted) or run.kind == PLAY:
            return "finished"
        return "running" if store.is_played(run) else "paused"

    def _seconds_left(self, run: Run, report: Mapping[str, Any], games: int, wanted: int) -> float | None:
        """The time that is left at the pace of the last games."""
        ledger = self._ledgers.get(run.id)
        recent = ledger.games[-50:] if ledger else []
        left = report.get("remaining_games")
        left = max(0, wanted - games) if left is None and wanted else left
        if not left or len(recent) < 2:
            return None
        spent = recent[-1].started + recent[-1].seconds - recent[0].started
        return float(left * spent / len(recent))

    def run(self, number: int) -> dict[str, Any]:
        """All figures of a run: the same as `podium show rN --json`, and more that pages draw."""
        with self.opened() as store:
            run = self._run(store, number)
            report = self._report(store, run)
            ledger = self._ledgers[number]
            last = ledger.games[-1] if ledger.games else None
            ended = last.started + last.seconds if last else run.created
            line = self._line(store, run, report, len(ledger.games), ended)
            bots = store.bots(run)
            game = load_stored(run.game)
        allowance = run.conditions.allowance
        return {
            **report,
            **line,
            "title": game.title,
            "seed": str(run.seed),
            "settings": dict(run.conditions.settings),
            "limits": {
                "milliseconds": allowance.milliseconds,
                "nodes": allowance.nodes,
                "policy": allowance.policy.value,
                "answer": _limit(game.limits, allowance),
            },
            "sprt_wanted": run.wanted.get("sprt"),
            "parent": run.wanted.get("parent"),
            "entrants": [_bot_data(bot) for bot in list(bots.values())[:MOST_LISTED]],
            "curve": ledger.curve.data(),
            "times": _histograms(ledger.games, bots) if ledger.games and run.kind not in STUDIES else [],
            "last_game": ledger.last,
        }

    def _run(self, store: Store, number: int) -> Run:
        try:
            return store.run(number)
        except PodiumError as error:
            raise MissingError(str(error)) from None

    def ledger(self, store: Store, run: Run) -> Ledger:
        """The games of a run, the newest included."""
        with self._lock:
            ledger = self._ledgers.setdefault(run.id, Ledger())
            fresh = list(store.games(run, ledger.last))
            if fresh and not ledger.games and run.kind not in (LEAGUE, PLAY, *STUDIES):
                ledger.tally, ledger.test = _new_tally(store, run, fresh[0])
            ledger.add(fresh)
            return ledger

    def _report(self, store: Store, run: Run) -> dict[str, Any]:
        ledger = self.ledger(store, run)
        if not ledger.games:
            return {"sentence": "nothing is known yet", "warnings": []}
        if run.kind == PLAY:  # one game proves nothing
            return {"sentence": ledger.games[-1].sentence, "warnings": []}
        if run.kind in STUDIES:  # which take a while to add up
            if ledger.study is None or ledger.study[0] != ledger.last:
                ledger.study = ledger.last, report_of(store, run).data()
            return ledger.study[1]
        bots = store.bots(run)
        if run.kind == LEAGUE or ledger.tally is None:
            return league_report(run, LeagueTally(bots, [batch_of(ledger.games)])).data()
        tally = ledger.tally
        names = (bots[tally.first].label, bots[tally.second].label)
        return match_report(run, tally, names, ledger.test, run.wanted.get("games") or 0).data()

    def games(self, number: int, wishes: Mapping[str, str], offset: int = 0, most: int = 50) -> dict[str, Any]:
        """The games of a run that fit the wishes, the newest first."""
        with self.opened() as store:
            run = self._run(store, number)
            ledger = self.ledger(store, run)
            bots = store.bots(run)
        fitting = [game for game in reversed(ledger.games) if _fits(game, wishes)]
        shown = fitting[offset : offset + min(most, MOST_LISTED)]
        return {"found": len(fitting), "offset": offset, "games": [game_line(game, bots) for game in shown]}

    def news(self, number: int, after: int) -> list[dict[str, Any]]:
        """The games of a run that came after one, the oldest first."""
        with self.opened() as store:
            run = self._run(store, number)
            ledger = self.ledger(store, run)
            bots = store.bots(run)
        fresh = []
        for game in reversed(ledger.games):
            if game.id <= after:
                break
            fresh.append(game_line(game, bots))
        return fresh[::-1]

    def programs(self, game: str) -> list[str]:
        """The bots of a game in the store that are not its own, as they were named."""
        with self.opened() as store:
            bots = [bot for run, _, _ in store.runs() if run.game == game for bot in store.bots(run).values()]
        return sorted({bot.name.removesuffix(COPY) for bot in bots if not bot.detail.get("kind")})

    def keep(
        self, conditions: Conditions, entrants: Sequence[Entrant], game: FinishedGame, wanted: Mapping[str, Any]
    ) -> int:
        """Store a game that was played at a table, as a run of its own; its number."""
        with Store(self.path) as store:
            name = " - ".join(who.label for who in entrants)
            run = store.open_run(PLAY, uuid4().hex, name, game.seed, conditions)
            store.want(run, {"games": 1, **wanted})
            bots = store.enter(run, entrants)
            meeting = ",".join(who.fingerprint for who in entrants)
            (stored,) = store.add(run, [replace(game, bots=tuple(bots), meeting=meeting)])
            return stored.id

    def lab(self) -> list[dict[str, Any]]:
        """The runs that are no matches, leagues or single games: measurements of the lab, the newest first."""
        return [line for line in self.runs(number=MOST_LISTED) if line["kind"] not in (MATCH, LEAGUE, PLAY)]

    def league(self, name: str) -> dict[str, Any]:
        """A league by its name (the newest of that name) or its run."""
        with self.opened() as store:
            leagues = [run for run, _, _ in store.runs() if run.kind == LEAGUE]
        for run in reversed(leagues):
            if name in (run.name, f"r{run.id}", str(run.id)):
                return {**self.run(run.id), "history": self._history(run)}
        raise MissingError(f"there is no league {name!r} in {self.path}")

    def _history(self, run: Run) -> list[dict[str, Any]]:
        """How each version's rating went."""
        with self.opened() as store:
            table = LeagueTally(store.bots(run), [batch_of(self.ledger(store, run).games)])
        return [asdict(moment) for moment in table.history()]


def _limit(limits: Limits, allowance: Allowance) -> float | None:
    """What each answer may take in ms; None where it is nodes that count, or one sum for the whole game."""
    if allowance.nodes:
        return None
    return allowance.milliseconds or (None if limits.bank else limits.later)


def _score_of(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def _new_tally(store: Store, run: Run, game: FinishedGame) -> tuple[MatchTally | None, Test | None]:
    """How the games of a match add up, told from the first of them and from what was wanted."""
    fingerprints = {bot.fingerprint: bot.id for bot in store.bots(run).values()}
    parts = [fingerprints.get(part) for part in game.meeting.split(",")[:2]]
    if len(parts) < 2 or parts[0] is None or parts[1] is None or parts[0] == parts[1]:
        return None, None
    wanted, test = run.wanted, None
    if wanted.get("sprt"):
        low, high = wanted["sprt"]
        test = Test(low, high, wanted["alpha"], wanted["beta"], not wanted["logistic"])
    return MatchTally(parts[0], parts[1], len(game.bots), wanted.get("block") or len(game.bots), test), test


def _bot_data(bot: StoredBot) -> dict[str, Any]:
    return {"id": bot.id, "bot": bot.label, "fingerprint": bot.fingerprint, "detail": bot.detail}


def game_line(game: FinishedGame, bots: Mapping[int, StoredBot]) -> dict[str, Any]:
    """A game in a list."""
    return {
        "game": f"g{game.id}",
        "id": game.id,
        "round": game.round,
        "part": game.part,
        "seed": str(game.seed),
        "bots": [bots[bot].label for bot in game.bots],
        "scores": game.scores,
        "ranks": game.ranks,
        "ending": game.ending,
        "sentence": game.sentence,
        "faults": [{"seat": seat, "why": word, "sentence": text} for seat, word, text in game.faults],
        "answers": len(game.asked),
        "started": game.started,
        "seconds": game.seconds,
    }


def _fits(game: FinishedGame, wishes: Mapping[str, str]) -> bool:
    """Whether a game fits all wishes: bot and its seat, won or lost by it, fault, ending, length."""
    bot = int(wishes.get("bot") or 0)
    seats = [seat for seat, other in enumerate(game.bots) if other == bot] if bot else list(range(len(game.bots)))
    seat = wishes.get("seat") or ""
    if seat and (int(seat) not in seats):
        return False
    result = wishes.get("result") or ""
    if result and result not in {_result(game, s) for s in ([int(seat)] if seat else seats)}:
        return False
    fault = wishes.get("fault") or ""
    words = {word for s, word, _ in game.faults if s in seats}
    if fault and not (words if fault == "any" else fault in words):
        return False
    if wishes.get("ending") and game.ending != wishes["ending"]:
        return False
    answers = len(game.asked)
    return int(wishes.get("shortest") or 0) <= answers <= int(wishes.get("longest") or 10**9)


def _result(game: FinishedGame, seat: int) -> str:
    rank = game.ranks[seat]
    others = [r for s, r in enumerate(game.ranks) if s != seat]
    if rank == 1:
        return "won" if 1 not in others else "drawn"
    return "lost"


def _histograms(games: Sequence[FinishedGame], bots: Mapping[int, StoredBot]) -> list[dict[str, Any]]:
    """How long the answers of each bot took: counts of equal shares of the longest."""
    asked = np.frombuffer(b"".join([game.asked for game in games]), np.uint8)
    times = np.frombuffer(b"".join([game.times for game in games]), np.float32)
    lengths = [len(game.asked) for game in games]
    seats = np.array([list(game.bots) for game in games], np.int64)
    who = np.repeat(seats, lengths, axis=0)[np.arange(len(asked)), asked] if len(asked) else asked
    longest = float(times.max()) if len(times) else 0.0
    edges = np.linspace(0.0, longest or 1.0, HISTOGRAM_BARS + 1)
    return [
        {"bot": bot.label, "edges": edges.tolist(), "counts": np.histogram(times[who == number], edges)[0].tolist()}
        for number, bot in bots.items()
    ]
