"""Recorded sessions with CodinGame's referees, and playing our side of them again.

A file holds one session a line, as JSON: `players`, `init` (the lines of the first message), `exchange` (entries
`["to", lines]` and `["from", lines]`, as the runner saw them), `scores` and how it `ended`. A fake referee made of such
a session says what the real one said, and notes where it is told something else than the real one was.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.arena.recordings import json_lines
from podium.errors import PodiumError
from podium.games.game import Answer
from podium.referees.channel import Channel
from podium.referees.engine import EngineReferee
from podium.referees.messages import ENDS_A_LINE, ForeignError, Message, Reader

FINISHED, FAILED = "scores", "fail"


@dataclass(frozen=True)
class Session:
    """One recorded game."""

    number: int  # the line of the file, from 1
    players: int
    init: list[str]
    exchange: list[tuple[str, list[str]]]  # "to" or "from" the referee, and the lines
    ended: str
    scores: list[int] | None
    note: str = ""
    league: int = 0  # 0: not told
    told: tuple[str, ...] = ()  # the parameters that the referee told at the end

    @property
    def parameters(self) -> dict[str, str]:
        """What the referee was given with the first message, the seed among it."""
        pairs = (line.partition("=") for line in self.init[2:])
        return {key: value for key, _, value in pairs}

    @property
    def seed(self) -> int | None:
        """The seed that was asked for, if any was."""
        text = self.parameters.get("seed")
        return None if text is None else int(text)

    @property
    def played_seed(self) -> int | None:
        """The seed that was played, if it is known."""
        found = [line.removeprefix("seed=") for line in self.told if line.startswith("seed=")]
        return int(found[-1]) if found else self.seed


def is_session(data: Any) -> bool:
    """Whether a line of a file is a session, and not a recording of another kind."""
    return isinstance(data, dict) and "exchange" in data


def read_sessions(path: Path) -> Iterator[Session]:
    """The sessions of a file."""
    for number, data in json_lines(path):
        try:
            exchange = [(way, [str(line) for line in lines]) for way, lines in data["exchange"]]
            if any(way not in ("to", "from") for way, _ in exchange):
                raise ValueError("an entry of the exchange is neither `to` nor `from`")
            init = [str(line) for line in data["init"]]
            yield Session(
                number,
                int(data["players"]),
                init,
                exchange,
                str(data["ended"]),
                data.get("scores"),
                str(data.get("note", "")),
                int(data.get("league", 0)),
                tuple(str(line) for line in data.get("uinput") or ()),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise PodiumError(f"{path}, line {number}: not a session with a referee: {error}") from None


class FakeReferee(Channel):
    """The referee of a recorded session."""

    def __init__(self, session: Session) -> None:
        self._script = deque([("to", session.init), *session.exchange])
        self._lines: deque[bytes] = deque()
        self.messages = 0  # that were as recorded
        self.lines = 0  # that were sent to us
        self.differences: list[tuple[list[str], list[str]]] = []  # what was recorded, what came
        self.monitored = False
        self._wanted: int | None = None  # answer lines, if an answer is due
        self._limit = 0

    def send(self, data: bytes) -> None:
        """Compare with what the real referee was told, and go on as it did."""
        lines = deque(data.split(b"\n")[:-1])
        reader = Reader(lambda: lines.popleft() if lines else None)
        while message := reader.read():
            self._hear(message)

    def _hear(self, message: Message) -> None:
        if self._script and self._script[0][0] == "to":
            found = [f"[[{message.name}] {len(message.lines)}]", *message.lines]
            _, expected = self._script[0]
            if found == expected:
                self.messages += 1
            elif not self.breaks_off():
                self.differences.append((expected, found))
            self._script.popleft()
            self._wanted = None
        while self._script and self._script[0][0] == "from":
            self._say(self._script.popleft()[1])

    def _say(self, lines: Sequence[str]) -> None:
        self.lines += len(lines)
        self._lines.extend(line.encode() for line in lines)
        self.monitored = self.monitored or "[[MONITORING] 0]" in lines
        if len(lines) >= 4 and lines[-4] == "[[NEXT_PLAYER_INFO] 3]":
            self._wanted, self._limit = int(lines[-2]), int(lines[-1])

    def line(self) -> bytes | None:
        """What the real referee said; the end where the recording ends."""
        return self._lines.popleft() if self._lines else None

    def recorded(self) -> list[str]:
        """What the real referee was told next."""
        return next((lines for way, lines in self._script if way == "to"), [])

    def breaks_off(self) -> bool:
        """Whether the recorded runner breaks the protocol next, as recordings of a referee's errors do on purpose."""
        header, *body = self.recorded() or [""]
        if any(ENDS_A_LINE.search(line) for line in body):
            return True
        if self._wanted is None:
            return False
        if header == "[[SET_PLAYER_TIMEOUT] 0]":
            return False
        if self._wanted and self._limit <= 0:
            return True  # it answered though no time was left
        due = self._wanted + self.monitored
        return not (header == f"[[SET_PLAYER_OUTPUT] {due}]" and (not self.monitored or body[0].lstrip("-").isdigit()))

    def answer(self) -> Answer:
        """What the bot answered in the recording."""
        header, *body = self.recorded() or [""]
        if self.breaks_off():
            return Answer("\n".join(["?"] * (self._wanted or 0)))
        if "TIMEOUT" in header:
            return Answer(None)
        spent = float(body[0]) if self.monitored else 0.0
        return Answer("\n".join(body[1:] if self.monitored else body), spent)


@dataclass
class Agreement:
    """What agreed in sessions that were played again, and what did not."""

    sessions: int = 0
    messages: int = 0  # of ours
    lines: int = 0  # of the referee's
    differing: int = 0
    first: tuple[int, str, Any, Any] | None = None  # session, where, what was recorded, what came

    def differ(self, number: int, where: str, expected: Any, found: Any) -> None:
        """Note a session that does not agree."""
        self.differing += 1
        self.first = self.first or (number, where, expected, found)


def verify_session(session: Session, total: Agreement) -> None:
    """Play our side of a session again, and compare every message and the end."""
    fake = FakeReferee(session)
    parameters = {key: value for key, value in session.parameters.items() if key != "seed"}
    referee = EngineReferee(fake, session.players, session.seed, parameters, measured=True)
    asked = False
    failure = ""
    try:
        while requests := referee.requests():
            asked = asked or bool(requests[0].answers)
            referee.answer([fake.answer()])
    except ForeignError as error:
        failure = str(error)
    total.sessions += 1
    total.messages += fake.messages
    total.lines += fake.lines
    if fake.differences:
        expected, found = fake.differences[0]
        total.differ(session.number, f"message {fake.messages + 1}", expected, found)
        return
    void = session.ended != FINISHED or not asked
    if void != bool(failure):
        total.differ(session.number, "the end", session.ended, failure or "a result")
    elif not void:
        assert referee.outcome is not None
        scores = [int(score) for score in referee.outcome.scores]
        if scores != session.scores:
            total.differ(session.number, "scores", session.scores, scores)
