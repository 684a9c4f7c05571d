"""Recorded sessions with CodinGame's referees, and replaying the arena's side of them.

A file holds one session a line, as JSON: `players`, `init` (the lines of the first message), `exchange` (entries
`["to", lines]` and `["from", lines]`, as the runner saw them), `scores` and how it `ended`. A channel made from such a
session replays the lines of the real referee, and notes each message of ours that differs from the recorded one.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.arena.game.recordings import json_lines
from podium.errors import PodiumError
from podium.games.game import Answer
from podium.referees.channel import Channel
from podium.referees.engine import EngineReferee
from podium.referees.messages import ENDS_A_LINE, ExternalRefereeError, Message, Reader

FINISHED = "scores"  # how a session ended that has a result


@dataclass(frozen=True)
class RecordedSession:
    """One recorded game with a referee."""

    number: int  # the line of the file, from 1
    players: int
    init: list[str]
    exchange: list[tuple[str, list[str]]]  # "to" or "from" the referee, and the lines
    ended: str
    scores: list[int] | None
    note: str = ""
    league: int = 0  # 0: not recorded
    uinput: tuple[str, ...] = ()  # the parameters that the referee reported at the end

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the first message, among them the seed."""
        pairs = (line.partition("=") for line in self.init[2:])
        return {key: value for key, _, value in pairs}

    @property
    def seed(self) -> int | None:
        """The seed that the runner asked for, if any."""
        text = self.parameters.get("seed")
        return None if text is None else int(text)

    @property
    def played_seed(self) -> int | None:
        """The seed that was played, if known."""
        found = [line.removeprefix("seed=") for line in self.uinput if line.startswith("seed=")]
        return int(found[-1]) if found else self.seed


def is_session(data: Any) -> bool:
    """Whether the data of a line is a session, and not a recording of another kind."""
    return isinstance(data, dict) and "exchange" in data


def read_sessions(path: Path) -> Iterator[RecordedSession]:
    """The sessions of a file; PodiumError for a line that is none."""
    for number, data in json_lines(path):
        try:
            exchange = [(way, [str(line) for line in lines]) for way, lines in data["exchange"]]
            if any(way not in ("to", "from") for way, _ in exchange):
                raise ValueError("an entry of the exchange is neither `to` nor `from`")
            init = [str(line) for line in data["init"]]
            yield RecordedSession(
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


class RecordedChannel(Channel):
    """Replays the referee of a recorded session, and compares what it receives."""

    def __init__(self, session: RecordedSession) -> None:
        self._script = deque([("to", session.init), *session.exchange])
        self._lines: deque[bytes] = deque()
        self.messages = 0  # received as recorded
        self.lines = 0  # sent
        self.differences: list[tuple[list[str], list[str]]] = []  # recorded, received
        self.monitored = False
        self._wanted: int | None = None  # answer lines, if an answer is due
        self._limit = 0

    def send(self, data: bytes) -> None:
        """Compare a message with the recorded one, and continue as the real referee did."""
        lines = deque(data.split(b"\n")[:-1])
        reader = Reader(lambda: lines.popleft() if lines else None)
        while message := reader.read():
            self._receive(message)

    def _receive(self, message: Message) -> None:
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
            self._replay(self._script.popleft()[1])

    def _replay(self, lines: Sequence[str]) -> None:
        self.lines += len(lines)
        self._lines.extend(line.encode() for line in lines)
        self.monitored = self.monitored or "[[MONITORING] 0]" in lines
        if len(lines) >= 4 and lines[-4] == "[[NEXT_PLAYER_INFO] 3]":
            self._wanted, self._limit = int(lines[-2]), int(lines[-1])

    def line(self) -> bytes | None:
        """The next line of the real referee; None where the recording ends."""
        return self._lines.popleft() if self._lines else None

    def recorded(self) -> list[str]:
        """The next message that the real referee received."""
        return next((lines for way, lines in self._script if way == "to"), [])

    def breaks_off(self) -> bool:
        """Whether the next recorded message breaks the protocol, as recordings of a referee's errors do on purpose."""
        header, *body = self.recorded() or [""]
        if any(ENDS_A_LINE.search(line) for line in body):
            return True
        if self._wanted is None:
            return False
        if header == "[[SET_PLAYER_TIMEOUT] 0]":
            return False
        if self._wanted and self._limit <= 0:
            return True  # an answer although no time was left
        due = self._wanted + self.monitored
        return not (header == f"[[SET_PLAYER_OUTPUT] {due}]" and (not self.monitored or body[0].lstrip("-").isdigit()))

    def answer(self) -> Answer:
        """The answer of the bot in the recording."""
        header, *body = self.recorded() or [""]
        if self.breaks_off():
            return Answer("\n".join(["?"] * (self._wanted or 0)))
        if "TIMEOUT" in header:
            return Answer(None)
        spent = float(body[0]) if self.monitored else 0.0
        return Answer("\n".join(body[1:] if self.monitored else body), spent)


@dataclass
class Agreement:
    """Counts of what agreed in replayed sessions, and the first difference."""

    sessions: int = 0
    messages: int = 0  # of the arena
    lines: int = 0  # of the referee
    differing: int = 0
    first: tuple[int, str, Any, Any] | None = None  # session, where, recorded, received

    def differ(self, number: int, where: str, expected: Any, found: Any) -> None:
        """Count a session that does not agree."""
        self.differing += 1
        self.first = self.first or (number, where, expected, found)


def verify_session(session: RecordedSession, total: Agreement) -> None:
    """Replay the arena's side of a session, and compare every message and the end."""
    channel = RecordedChannel(session)
    parameters = {key: value for key, value in session.parameters.items() if key != "seed"}
    referee = EngineReferee(channel, session.players, session.seed, parameters, measured=True)
    asked = False
    failure = ""
    try:
        while requests := referee.requests():
            asked = asked or bool(requests[0].answers)
            referee.answer([channel.answer()])
    except ExternalRefereeError as error:
        failure = str(error)
    total.sessions += 1
    total.messages += channel.messages
    total.lines += channel.lines
    if channel.differences:
        expected, found = channel.differences[0]
        total.differ(session.number, f"message {channel.messages + 1}", expected, found)
        return
    failed = session.ended != FINISHED or not asked
    if failed != bool(failure):
        total.differ(session.number, "the end", session.ended, failure or "a result")
    elif not failed:
        assert referee.outcome is not None
        scores = [int(score) for score in referee.outcome.scores]
        if scores != session.scores:
            total.differ(session.number, "scores", session.scores, scores)
