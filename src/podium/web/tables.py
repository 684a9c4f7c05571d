"""Games with people in them, and games that go on from a turn of another one.

Each is played at a table: a process of its own, in which the arena plays the game as it plays any other. A person is a
player who is asked through a pipe; what the page shows is what that seat may see, and the moves offered come from the
referee's side of the game. When the game is over it is stored like any other, with `human` as the person's bot.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from podium.arena.conditions import Conditions
from podium.arena.entrants import Entrant
from podium.arena.finished import FinishedGame
from podium.arena.limits import Clock, Verdict
from podium.arena.play import Turn
from podium.arena.players import Player, player
from podium.arena.program import Heard
from podium.arena.record import Recorder, unpack
from podium.arena.rewinding import Rewound, beginning, rewind
from podium.arena.work import Fixture, play_seated, seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Referee, Request
from podium.web.asking import tell_history
from podium.web.replaying import position

HUMAN = "human"
PATIENT = 1e9  # a person's share of the time that bots get: nobody looks at the clock
MOST_TABLES = 4  # at which somebody plays
MOST_KEPT = 20  # tables that are remembered
IDLE_SECONDS = 3600.0
AWAY_SECONDS = 10.0  # without a page: it is closed, not only loaded anew
LONGEST_ANSWER = 400  # characters


@dataclass(frozen=True)
class Seating:
    """Who plays what, and from where; plain data that travels to the table's process."""

    conditions: Conditions
    entrants: tuple[Entrant, ...]  # by seat
    seed: int
    record: bytes = b""  # of the game that it goes on from
    turn: int = 0  # from the beginning of this turn of it
    parent: int = 0  # its number

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, who in enumerate(self.entrants) if who.kind == HUMAN]


def human(name: str = HUMAN) -> Entrant:
    """A person as an entrant."""
    return Entrant(name, "human", HUMAN, handicap=1.0)


class Left(Exception):  # noqa: N818 - nothing went wrong
    """The person left the table."""


class Person(Player):
    """Somebody in front of a page."""

    def __init__(self, ask: Callable[[Request], str]) -> None:
        self._ask = ask

    def ask(self, request: Request, clock: Clock) -> Heard:
        """Wait for the answer, however long it takes."""
        start = time.perf_counter()
        line = self._ask(request)
        return Heard(line, (time.perf_counter() - start) * 1000, Verdict.ANSWERED)

    def tell(self, lines: Sequence[str]) -> None:
        """The page shows the scene; lines that want no answer are in it."""


class Host:
    """The table's side of the pipe: plays the game and tells the page how it goes."""

    def __init__(self, seating: Seating, link: Connection) -> None:
        self.seating, self.link = seating, link
        self.game: Game = load(seating.conditions.game)
        self.record = Recorder()
        self.referee: Referee

    def play(self) -> None:
        """Play the game; what it comes to is the last message."""
        seating, game = self.seating, self.game
        past = unpack(seating.record) if seating.record else Recorder()
        at = rewind(game, seating.seed, seating.conditions.settings, past, seating.turn)
        self.referee = at.referee
        self.record = Watched(self.tell_position, beginning(past, at.answers))
        players = [self._player(seat, who, at) for seat, who in enumerate(seating.entrants)]
        self.tell_position()
        fixture = Fixture("play", 0, 0, tuple(range(game.seats)), seating.seed)
        handicaps = [PATIENT if seat in seating.people else who.handicap for seat, who in enumerate(seating.entrants)]
        try:
            finished = play_seated(
                seating.conditions, fixture, self.referee, players, handicaps, time.time(), self.record
            )
            self.link.send(("finished", finished))
        finally:
            for one in players:
                one.close(())

    def _player(self, seat: int, who: Entrant, at: Rewound) -> Player:
        if who.kind == HUMAN:
            return Person(self._ask)
        one = player(self.game, who, seed_of(self.seating.seed, seat), self.seating.conditions.memory)
        tell_history(one, at, seat, self.seating.conditions.allowance)
        return one

    def scene(self) -> dict[str, Any]:
        """The position as the page may see it."""
        people = self.seating.people
        hidden = people and self.game.seen and self.referee.outcome is None
        scene = self.game.seen(self.referee, people[0]) if hidden and self.game.seen else self.game.scene(self.referee)
        return position(self.game, scene)

    def tell_position(self) -> None:
        """Tell the page where the game stands."""
        self.link.send(("position", {"turn": self.referee.turn, **self.scene()}))

    def _ask(self, request: Request) -> str:
        choices = self.game.choices(self.referee, request.seat) if self.game.choices else []
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
        self.link.send(("record", self.record.pack()))
        try:
            line: str | None = self.link.recv()
        except EOFError:
            line = None
        if line is None:
            raise Left
        return line


class Watched(Recorder):
    """A record that tells when a turn is over."""

    def __init__(self, told: Callable[[], None], past: Recorder) -> None:
        super().__init__(
            past.seats, past.lines, past.times, past.prompts, past.cpu, past.verdicts, past.thoughts, past.stderr
        )
        self._told = told

    def __call__(self, turn: Turn) -> None:
        """Keep the turn, and tell."""
        super().__call__(turn)
        self._told()


def sit_down(seating: Seating, link: Connection) -> None:
    """The table's process."""
    try:
        Host(seating, link).play()
    except Left:
        link.send(("left", None))
    except PodiumError as error:
        link.send(("failed", str(error)))
    except Exception as error:  # whatever a bot does, the page hears of it
        link.send(("failed", f"the game broke off: {error!r}"))


@dataclass
class Table:
    """The server's side of a table."""

    id: str
    seating: Seating
    events: list[tuple[str, Any]] = field(default_factory=list)  # name and data; the place is the event's id
    asked: dict[str, Any] | None = None  # what the person is asked now
    record: bytes = b""  # of the game so far
    over: bool = False
    touched: float = field(default_factory=time.monotonic)  # when somebody was last seen there
    pages: int = 0  # that show it

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While a page shows the table."""
        self.pages += 1
        try:
            yield
        finally:
            self.pages -= 1
            self.touched = time.monotonic()

    @property
    def is_deserted(self) -> bool:
        """Whether the game goes on though no page shows it any more."""
        return not self.over and not self.pages and time.monotonic() - self.touched > AWAY_SECONDS

    def start(self, store: Callable[[Seating, FinishedGame], int]) -> None:
        """Start the process, and listen to it."""
        context = get_context("forkserver")
        context.set_forkserver_preload(["podium.arena.work"])
        self._link, far = context.Pipe()
        self._process = context.Process(target=sit_down, args=(self.seating, far), daemon=True)
        self._process.start()
        far.close()
        threading.Thread(target=self._listen, args=(store,), daemon=True).start()

    def _listen(self, store: Callable[[Seating, FinishedGame], int]) -> None:
        while not self.over:
            try:
                name, data = self._link.recv()
            except (EOFError, OSError):
                name, data = "failed", "the table's process ended"
            if self.over:  # the person has left meanwhile
                return
            if name == "record":
                self.record = data
                continue
            if name == "finished":
                data = {"game": store(self.seating, data), "sentence": data.sentence, "scores": list(data.scores)}
            self.asked = data if name == "asked" else None
            self.events.append((name, data))
            self.over = name in ("finished", "failed", "left")

    def answer(self, turn: int, line: str) -> None:
        """What the person plays."""
        self.touched = time.monotonic()
        if self.asked is None or self.asked["turn"] != turn:
            raise PodiumError("it is not your turn")
        if not 0 < len(line) <= LONGEST_ANSWER or "\n" in line or "\r" in line:
            raise PodiumError(f"an answer is one line of at most {LONGEST_ANSWER} characters")
        self.asked = None
        self._link.send(line)

    def leave(self) -> None:
        """End the game; nothing is stored."""
        if self.over:
            return
        self.over = True
        self.events.append(("left", None))
        self._process.terminate()


class Tables:
    """The tables of a server."""

    def __init__(self, store: Callable[[Seating, FinishedGame], int]) -> None:
        self._store = store
        self._tables: dict[str, Table] = {}

    def open(self, seating: Seating) -> Table:
        """A new table, in the place of one that everybody has left if need be. A PodiumError if there are too many."""
        self._tidy()
        deserted = [table for table in self._tables.values() if table.is_deserted]
        if self._full and deserted:
            min(deserted, key=lambda table: table.touched).leave()
        if self._full:
            raise PodiumError(f"{MOST_TABLES} games are being played already; end one of them first")
        table = Table(secrets.token_urlsafe(9), seating)
        self._tables[table.id] = table
        table.start(self._store)
        return table

    @property
    def _full(self) -> bool:
        return sum(not table.over for table in self._tables.values()) >= MOST_TABLES

    def _tidy(self) -> None:
        for table in list(self._tables.values()):
            if not table.over and time.monotonic() - table.touched > IDLE_SECONDS:
                table.leave()
        for name in list(self._tables)[:-MOST_KEPT]:
            if self._tables[name].over:
                del self._tables[name]

    def __getitem__(self, name: str) -> Table:
        if name not in self._tables:
            raise PodiumError(f"there is no table {name[:40]!r}; the server may have been started anew")
        return self._tables[name]

    def close(self) -> None:
        """End all games."""
        for table in self._tables.values():
            table.leave()
