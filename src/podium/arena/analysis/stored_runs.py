"""Runs and games that are in a store already: their reports, and games that are played or gone through again."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from podium.arena.analysis.review import Judge, JudgeBudget, Review, review
from podium.arena.analysis.stored_turn import seat_of
from podium.arena.entrants.bot_names import bot_kind
from podium.arena.game.replay import Departure
from podium.arena.game.rewind import rewind
from podium.arena.game.start_positions import position_lines
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import Run, Store
from podium.arena.store.stored_game import StoredGame, stored_game
from podium.arena.tournament.league_report import LeagueReport, stored_league
from podium.arena.tournament.match import stored_match
from podium.arena.tournament.report import MatchReport
from podium.arena.tournament.run_session import LEAGUE
from podium.arena.tournament.tally import points_of
from podium.arena.tournament.worker import seed_of
from podium.display import Displayable
from podium.errors import MalformedError, PodiumError, StoreError
from podium.games import load
from podium.games.game import Game
from podium.games.parsing import parse_int
from podium.model.params import LARGEST, shortened

LATELY = 1000  # games among which a loss is looked for
NAMED = re.compile(r"[rg][0-9]+", re.IGNORECASE)  # how a run or a game is named


def stored_report(store: Store, run: Run) -> MatchReport | LeagueReport:
    """All figures of a stored run."""
    return stored_league(store, run) if run.kind == LEAGUE else stored_match(store, run)


def number_of(text: str, default: str) -> tuple[str, int]:
    """The kind (r or g) and the number that `r3`, `g125` or a plain number stand for."""
    kind = text[0].lower() if text[:1].lower() in ("r", "g") else default
    digits = text[1:] if text[:1].lower() in ("r", "g") else text
    if parse_int(digits, 0, LARGEST) is None:
        raise MalformedError(f"expected a run such as r3 or a game such as g125, not {shortened(text)!r}")
    return kind, int(digits)


def game_named(store: Store, text: str) -> GameRow:
    """The stored game that `g41` names, or the last game of a run such as `r7`."""
    kind, number = number_of(text, "g")
    if kind == "g":
        return store.game(number)
    last = store.last_games(store.run(number), 1)
    if not last:
        raise StoreError(f"r{number} has no games yet")
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


@dataclass(frozen=True, repr=False)
class Replay(Displayable):
    """What came of playing stored games again."""

    agree: int  # in every prompt and in the result
    departures: tuple[tuple[int, Departure], ...]  # the number of a game that differs, and where it does first

    @property
    def headline(self) -> str:
        """How many games agree, in one sentence."""
        games = "1 game agrees" if self.agree == 1 else f"{self.agree:,} games agree"
        return f"{games} in every prompt and in the result, {len(self.departures):,} differ"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game that differs."""
        return [{"game": f"g{number}", **asdict(departure)} for number, departure in self.departures]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"agree": self.agree, "differing": self.rows()}


def replay_stored(what: Sequence[str], path: Path | str) -> Replay:
    """Play stored games again through the referee, and compare every prompt and the result with what was stored."""
    agree = 0
    departures: list[tuple[int, Departure]] = []
    with Store(Path(path), create=False) as store:
        for game in _games(store, what):
            stored = stored_game(store, game)
            _, departure = stored.replay(load(stored.run.game))
            if departure:
                departures.append((game.id, departure))
            else:
                agree += 1
    return Replay(agree, tuple(departures))


def find_stored_game(what: str, path: Path | str) -> StoredGame:
    """The stored game that `g41` names, or the last game of a run such as `r7`, with all that belongs to it."""
    with Store(Path(path), create=False) as store:
        return stored_game(store, game_named(store, what))


def judge_of(rules: Game, bot: str) -> Judge:
    """The bot that is to judge a game (default: the game's default bot), with all that it needs compiled."""
    kind, changes = bot_kind(rules, bot or rules.default_bot)
    kind.bot(changes).warm_up()
    return kind, changes


def review_stored(
    rules: Game,
    stored: StoredGame,
    judge: Judge,
    *,
    seat: int | None = None,
    time: float | None = None,
    nodes: int = 0,
    progress: Callable[[int], None] = lambda turn: None,
) -> Review:
    """Let a bot judge the answers of a seat (None: the loser's), with a limit in ms or nodes for each.

    With neither it gets several times what the player had.
    """
    return review(rules, stored, seat_of(stored.row, seat), judge, JudgeBudget(stored, time, nodes), progress)


def stored_positions(store: Store, runs: Iterable[Run], turns: range) -> Iterator[str]:
    """A position of each game that lasted long enough, as the lines of a file.

    Its turn is drawn from those given, by the game's number: the same games give the same positions. Positions that
    were reached twice by the same answers are listed once.
    """
    return position_lines(
        data
        for run in runs
        for game in store.games(run)
        if (data := _position(stored_game(store, game), turns)) is not None
    )


def _position(stored: StoredGame, turns: range) -> dict[str, Any] | None:
    rules, settings, game, record = load(stored.run.game), stored.settings, stored.row, stored.record
    if not rules.begins_anywhere:
        raise PodiumError(f"games of {rules.title} cannot begin in a position: its referee is another program")
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
    place = {"game": rules.name, "settings": dict(settings), "seed": game.seed, "answers": answers}
    return place | {"from": f"g{game.id}", "turn": turn}


def _games(store: Store, what: Sequence[str]) -> Iterator[GameRow]:
    for text in what:
        kind, number = number_of(text, "g")
        yield from [store.game(number)] if kind == "g" else store.games(store.run(number))
