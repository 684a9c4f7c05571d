"""Live games: people against bots, and games that continue a stored game from one of its turns.

Each runs in a process of its own, in which the arena plays it like any other game. A person is a player that is asked
through a pipe. The page shows what that seat may see; the moves offered come from the referee's side of the game. When
the game is over it is stored like any other, with `human` as the person's bot.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from podium.arena.entrants.entrant import Entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import Clock
from podium.arena.game.players import Player, player
from podium.arena.game.record import GameRecord, Recorder, unpack
from podium.arena.game.rewind import Rewound, replay_history, rewind
from podium.arena.processes.fork_server import worker_context
from podium.arena.processes.program import Reply
from podium.arena.store.game_row import GameRow
from podium.arena.tournament.worker import Fixture, Stopwatch, play_seated, seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Referee, Request
from podium.web.game_document import position
from podium.web.repository import MissingError
from podium.web.seat_names import with_names

HUMAN = "human"
PATIENT = 1e9  # the handicap of a person: a multiple of the bots' time, in effect no limit
MOST_LIVE = 4  # games that run at the same time
MOST_KEPT = 20  # games, finished ones included, that a page can still ask for
IDLE_SECONDS = 3600.0
AWAY_SECONDS = 10.0  # without a page before a game makes room for another; longer than a reload takes
GONE_SECONDS = 120.0  # without a page before a game is ended
LONGEST_ANSWER = 400  # characters


@dataclass(frozen=True)
class LiveGameSetup:
    """The game to play: conditions, entrants and starting point; plain data, sent to the game's process."""

    conditions: Conditions
    entrants: tuple[Entrant, ...]  # by seat
    seed: int
    record: bytes = b""  # of the game that it continues
    turn: int = 0  # of that game, at whose beginning it starts
    parent: int = 0  # the number of that game

    @property
    def people(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat, who in enumerate(self.entrants) if who.kind == HUMAN]


def human() -> Entrant:
    """The entrant that stands for a person."""
    return Entrant(HUMAN, "human", HUMAN)


class PersonLeftError(Exception):
    """Raised when the person leaves the game."""


class Person(Player):
    """A person at a page, as a player."""

    def __init__(self, ask: Callable[[Request], str]) -> None:
        self._ask = ask

    def ask(self, request: Request, clock: Clock) -> Reply:
        """Wait for the person's answer, without a time limit."""
        start = time.perf_counter()
        line = self._ask(request)
        return Reply(line, (time.perf_counter() - start) * 1000)

    def tell(self, lines: Sequence[str]) -> None:
        """Ignore lines that need no answer: the page shows the scene."""


class GameProcess:
    """The game's side of the pipe: plays the game and reports its progress to the page."""

    def __init__(self, setup: LiveGameSetup, link: Connection) -> None:
        self.setup, self.link = setup, link
        self.game: Game = load(setup.conditions.game)
        self.recorder = Recorder()
        self.referee: Referee

    def play(self) -> None:
        """Play the game; the last message holds its result."""
        setup, game = self.setup, self.game
        past = unpack(setup.record) if setup.record else GameRecord()
        at = rewind(game, setup.seed, setup.conditions.settings, past, setup.turn)
        self.referee = at.referee
        self.recorder = Recorder(past.beginning(at.answers))
        players = [self._player(seat, who, at) for seat, who in enumerate(setup.entrants)]
        self.tell_position()
        fixture = Fixture("play", 0, 0, tuple(range(game.seats)), setup.seed)
        handicaps = [PATIENT if seat in setup.people else who.handicap for seat, who in enumerate(setup.entrants)]
        try:
            row = play_seated(
                setup.conditions,
                fixture,
                self.referee,
                players,
                handicaps,
                Stopwatch(),
                self.recorder,
                lambda turn: self.tell_position(),
            )
            self.link.send(("finished", row))
        finally:
            for one in players:
                one.close(())

    def _player(self, seat: int, who: Entrant, at: Rewound) -> Player:
        if who.kind == HUMAN:
            return Person(self._ask)
        conditions = self.setup.conditions
        one = player(self.game, who, seed_of(self.setup.seed, seat), conditions)
        replay_history(one, at, seat, conditions.time_control)
        return one

    def scene(self) -> dict[str, Any]:
        """The position as the page may see it."""
        people = self.setup.people
        viewer = people[0] if people and self.referee.outcome is None else None
        return position(self.game, self.game.scene_of(self.referee, viewer))

    def tell_position(self) -> None:
        """Send the current position to the page."""
        self.link.send(("position", {"turn": self.referee.turn, **self.scene()}))

    def _ask(self, request: Request) -> str:
        choices = self.game.choices_of(self.referee, request.seat)
        self.link.send(
            (
                "asked",
                {
                    "turn": self.referee.turn,
                    "seat": request.seat,
                    "prompt": list(request.lines),
                    "choices": [choice.data() for choice in choices],
                    **self.scene(),
                },
            )
        )
        self.link.send(("record", self.recorder.record.pack()))
        try:
            line: str | None = self.link.recv()
        except EOFError:
            line = None
        if line is None:
            raise PersonLeftError
        return line


def run_live_game(setup: LiveGameSetup, link: Connection) -> None:
    """The main function of a live game's process."""
    try:
        GameProcess(setup, link).play()
    except PersonLeftError:
        link.send(("left", None))
    except PodiumError as error:
        link.send(("failed", str(error)))
    except Exception as error:  # whatever a bot raises, the page shows it
        link.send(("failed", f"the game broke off: {error!r}"))


@dataclass
class LiveGame:
    """The server's side of a live game."""

    id: str
    setup: LiveGameSetup
    events: list[tuple[str, Any]] = field(default_factory=list)  # name and data; the index is the event's id
    asked: dict[str, Any] | None = None  # the question that the person has to answer now
    record: bytes = b""  # of the game so far
    over: bool = False
    touched: float = field(default_factory=time.monotonic)  # when a page last used it
    pages: int = 0  # that show it now

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Counts a page that shows the game, while it does."""
        self.pages += 1
        try:
            yield
        finally:
            self.pages -= 1
            self.touched = time.monotonic()
            self._await_page()

    def _await_page(self) -> None:
        """End the game if no page shows it after a while."""
        limit = GONE_SECONDS

        def end() -> None:
            if self.is_unseen(limit):
                self.leave()

        timer = threading.Timer(limit, end)
        timer.daemon = True
        timer.start()

    def is_unseen(self, seconds: float) -> bool:
        """Whether the game is still running although no page has shown it for this time."""
        return not self.over and not self.pages and time.monotonic() - self.touched >= seconds

    def start(self, store: Callable[[LiveGameSetup, GameRow], int]) -> None:
        """Start the game's process and read its messages."""
        context = worker_context()
        self._link, far = context.Pipe()
        self._process = context.Process(target=run_live_game, args=(self.setup, far), daemon=True)
        self._process.start()
        far.close()
        threading.Thread(target=self._listen, args=(store,), daemon=True).start()
        self._await_page()

    def _listen(self, store: Callable[[LiveGameSetup, GameRow], int]) -> None:
        while not self.over:
            try:
                name, data = self._link.recv()
            except (EOFError, OSError):
                name, data = "failed", "the game's process ended"
            if self.over:  # the person has left meanwhile
                return
            if name == "record":
                self.record = data
                continue
            if name == "finished":
                bots, rules = [who.label for who in self.setup.entrants], load(self.setup.conditions.game)
                sentence = with_names(data.sentence, rules, bots)
                data = {"game": store(self.setup, data), "sentence": sentence, "scores": list(data.scores)}
            self.asked = data if name == "asked" else None
            self.events.append((name, data))
            self.over = name in ("finished", "failed", "left")

    def answer(self, turn: int, line: str) -> None:
        """Pass on the person's answer to a turn."""
        self.touched = time.monotonic()
        if self.asked is None or self.asked["turn"] != turn:
            raise PodiumError("it is not your turn")
        if not 0 < len(line) <= LONGEST_ANSWER or "\n" in line or "\r" in line:
            raise PodiumError(f"an answer is one line of at most {LONGEST_ANSWER} characters")
        self.asked = None
        try:
            self._link.send(line)
        except OSError:  # its process has just ended
            raise PodiumError("the game is over") from None

    def leave(self) -> None:
        """End the game without storing it."""
        if self.over:
            return
        self.over = True
        self.events.append(("left", None))
        self._process.terminate()


class LiveGames:
    """All live games of a server."""

    def __init__(self, store: Callable[[LiveGameSetup, GameRow], int]) -> None:
        self._store = store
        self._games: dict[str, LiveGame] = {}

    def open(self, setup: LiveGameSetup) -> LiveGame:
        """Start a game, ending an abandoned one if there is no room. Raises a PodiumError if too many are running."""
        self._tidy()
        abandoned = [live_game for live_game in self._games.values() if live_game.is_unseen(AWAY_SECONDS)]
        if self._full and abandoned:
            min(abandoned, key=lambda live_game: live_game.touched).leave()
        if self._full:
            raise PodiumError(f"{MOST_LIVE} games are being played already; end one of them first")
        live_game = LiveGame(secrets.token_urlsafe(9), setup)
        self._games[live_game.id] = live_game
        live_game.start(self._store)
        return live_game

    @property
    def _full(self) -> bool:
        return sum(not live_game.over for live_game in self._games.values()) >= MOST_LIVE

    def _tidy(self) -> None:
        for live_game in list(self._games.values()):
            if not live_game.over and time.monotonic() - live_game.touched > IDLE_SECONDS:
                live_game.leave()
        for name in list(self._games)[:-MOST_KEPT]:
            if self._games[name].over:
                del self._games[name]

    def __getitem__(self, name: str) -> LiveGame:
        if name not in self._games:
            raise MissingError(f"there is no live game {name[:40]!r}; the server may have been restarted")
        return self._games[name]

    def close(self) -> None:
        """End all games that are still running."""
        for live_game in self._games.values():
            live_game.leave()
