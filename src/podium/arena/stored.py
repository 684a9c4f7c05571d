"""Runs and games that are in a store already: their reports, and games that are played or gone through again."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from podium.arena.entrants import bot_kind
from podium.arena.finished import FinishedGame
from podium.arena.league import LeagueReport, stored_league
from podium.arena.match import stored_match
from podium.arena.positions import position_lines
from podium.arena.record import Departure, Recorder, check, unpack
from podium.arena.report import MatchReport
from podium.arena.review import Judge, Review, review, seat_of
from podium.arena.rewinding import rewind
from podium.arena.session import LEAGUE
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.arena.tally import points_of
from podium.arena.work import seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Budget, Game
from podium.games.numbers import integer
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import shortened
from podium.tables import Shown

LARGEST = 2**63 - 1  # number of anything in a store
LATELY = 1000  # games among which a loss is looked for
NAMED = re.compile(r"[rg][0-9]+", re.IGNORECASE)  # how a run or a game is named


def stored_report(store: Store, run: Run) -> MatchReport | LeagueReport:
    """All figures of a stored run."""
    return stored_league(store, run) if run.kind == LEAGUE else stored_match(store, run)


def number_of(text: str, default: str) -> tuple[str, int]:
    """The kind (r or g) and the number that `r3`, `g125` or a plain number stand for."""
    kind = text[0].lower() if text[:1].lower() in ("r", "g") else default
    digits = text[1:] if text[:1].lower() in ("r", "g") else text
    if integer(digits, 0, LARGEST) is None:
        raise PodiumError(f"expected a run such as r3 or a game such as g125, not {shortened(text)!r}")
    return kind, int(digits)


def game_named(store: Store, text: str) -> FinishedGame:
    """The stored game that `g41` names, or the last game of a run such as `r7`."""
    kind, number = number_of(text, "g")
    if kind == "g":
        return store.game(number)
    last = store.last_games(store.run(number), 1)
    if not last:
        raise PodiumError(f"r{number} has no games yet")
    return last[0]


def last_losses(store: Store, run: Run) -> dict[str, str]:
    """The last game that each bot of a run has lost, by the bot's name, such as `g41`: where to ask why."""
    bots = store.bots(run)
    found: dict[str, str] = {}
    for game in store.last_games(run, LATELY):
        for bot in set(game.bots) if len(set(game.bots)) > 1 else ():
            if points_of(game.bots, game.ranks, bot)[0] < 0.5:
                found[bots[bot].label] = f"g{game.id}"
    return found


@dataclass(frozen=True)
class Replay(Shown):
    """What came of playing stored games again."""

    agree: int  # in every prompt and in the result
    departures: tuple[tuple[int, Departure], ...]  # the number of a game that differs, and where it does first

    @property
    def headline(self) -> str:
        """How many agree."""
        games = "1 game agrees" if self.agree == 1 else f"{self.agree:,} games agree"
        return f"{games} in every prompt and in the result, {len(self.departures):,} differ"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game that differs."""
        return [{"game": f"g{number}", **asdict(departure)} for number, departure in self.departures]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"agree": self.agree, "differing": self.rows()}


def replay_stored(what: Sequence[str], path: Path | str = DEFAULT_STORE) -> Replay:
    """Play stored games again through the referee, and compare every prompt and the result with what was stored."""
    agree = 0
    departures: list[tuple[int, Departure]] = []
    with Store(Path(path), create=False) as store:
        for game in _games(store, what):
            run = store.run(game.run)
            _, departure = check(load(run.game), run.conditions.settings, game, unpack(store.record(game.id)))
            if departure:
                departures.append((game.id, departure))
            else:
                agree += 1
    return Replay(agree, tuple(departures))


@dataclass(frozen=True)
class Case:
    """A stored game with all that it takes to play it again."""

    rules: Game
    settings: Mapping[str, Any]
    game: FinishedGame
    record: Recorder
    players: tuple[str, ...]  # who sat where


def case_of(what: str, path: Path | str = DEFAULT_STORE) -> Case:
    """The stored game that `g41` names, or the last game of a run such as `r7`."""
    with Store(Path(path), create=False) as store:
        game = game_named(store, what)
        run, record = store.run(game.run), unpack(store.record(game.id))
        bots = store.bots(run)
    players = tuple(bots[number].label for number in game.bots)
    return Case(load(run.game), run.conditions.settings, game, record, players)


def judge_of(case: Case, bot: str) -> Judge:
    """The bot that is to judge a game, with all that it needs compiled."""
    kind, changes = bot_kind(case.rules, bot)
    kind.bot(changes).warm_up()
    return kind, changes


def review_case(
    case: Case,
    judge: Judge,
    *,
    seat: int | None = None,
    time: float = 200.0,
    nodes: int = 0,
    progress: Callable[[int], None] = lambda turn: None,
) -> Review:
    """Let a bot judge the answers of a seat (None: the loser's), for so many milliseconds or nodes each."""
    whose = seat_of(case.game, seat)

    def budget() -> Budget:
        return Budget(now() + int(time * MILLISECOND), nodes=nodes)

    player = case.players[whose]
    return review(case.rules, case.settings, case.game, case.record, whose, player, judge, budget, progress)


def stored_positions(store: Store, runs: Iterable[Run], turns: range) -> Iterator[str]:
    """A position of each game that lasted long enough, as the lines of a file.

    Its turn is drawn from those given, by the game's number: the same games give the same positions. Positions that
    were reached twice on the same way are told once.
    """
    return position_lines(
        data for run in runs for game in store.games(run) if (data := _position(store, run, game, turns)) is not None
    )


def _position(store: Store, run: Run, game: FinishedGame, turns: range) -> dict[str, Any] | None:
    rules, settings = load(run.game), run.conditions.settings
    if not rules.begins_anywhere:
        raise PodiumError(f"games of {rules.title} cannot begin in a position: its referee is another program")
    record = unpack(store.record(game.id))
    turn = turns[seed_of(game.seed, game.id) % len(turns)]
    try:
        at = rewind(rules, game.seed, settings, record, turn - 1)
    except PodiumError:  # the game was over before
        return None
    over = not at.referee.requests()
    at.referee.close()
    if over:
        return None
    answers = record.lines[: at.answers]
    place = {"game": run.game, "settings": dict(settings), "seed": game.seed, "answers": answers}
    return place | {"from": f"g{game.id}", "turn": turn}


def _games(store: Store, what: Sequence[str]) -> Iterator[FinishedGame]:
    for text in what:
        kind, number = number_of(text, "g")
        yield from [store.game(number)] if kind == "g" else store.games(store.run(number))
