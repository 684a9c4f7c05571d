"""A game under CodinGame's engine, versions 1 to 4.7, over its pipe protocol.

One *step* asks one player: the referee sends its input, how many lines it wants back and within which time. In a turn
with simultaneous moves there is a step for each player, and all of them see the position before the turn. The protocol
has no message for an eliminated player: it is simply not asked again.

    1. INIT with the number of players and the parameters, the seed among them
    2. GET_GAME_INFO; the referee answers with a block that ends in NEXT_PLAYER_INFO, or in SCORES, or in FAIL
    3. the player's answer, or SET_PLAYER_TIMEOUT; again from 2

Time is kept by the runner of the players, here the arena. Newer engines (4.6 and later) receive the time of each answer
and count overruns themselves; they receive at most the limit, so that the arena alone decides who is late.
"""

import re
from collections.abc import Mapping, Sequence

from podium.games.game import Answer, Ending, Fault, Outcome, Request, ranks_of
from podium.referees.channel import Channel
from podium.referees.expulsion import expulsion
from podium.referees.messages import ExternalRefereeError, Message, Reader, ReportedFailureError, encode, one_line
from podium.referees.remote import RemoteReferee

GRACE = 50  # ms that engines from 4.7 on add to the limits that they announce
ROUND_LIMIT = 100  # ms; the limits of first answers are multiples of it
ESCAPED = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def property_line(key: str, value: str) -> str:
    """A parameter as `java.util.Properties` reads it back."""
    name = re.sub(r"([\\=: #!])", r"\\\1", key)
    text = "".join(ESCAPED.get(sign, sign) for sign in value)
    blanks = len(text) - len(text.lstrip(" "))
    return one_line(f"{name}={chr(92) + ' ' if blanks else ''}{text[1:] if blanks else text}")


class EngineReferee(RemoteReferee):
    """One game under a referee of CodinGame's engine."""

    def __init__(
        self,
        channel: Channel,
        players: int,
        seed: int | None,
        parameters: Mapping[str, str] | None = None,
        measured: bool = False,
    ) -> None:
        """Start a game; without a seed the referee draws one.

        `measured`: report the full time of late answers that the arena forgave, so that the engine counts them too.
        """
        super().__init__(channel, players, seed)
        self._measured = measured
        self._reader = Reader(channel.line)
        self._monitored = False  # the engine expects the time of each answer
        self._grace: int | None = None
        self._limit = 0  # ms for the present answer, as announced
        self._asked_last = [-1] * players  # the step at which a player was last asked for lines
        self._timed_out: dict[int, Fault] = {}
        given = {**({} if seed is None else {"seed": str(seed)}), **(parameters or {})}
        init = [str(players), *(property_line(key, value) for key, value in given.items())]
        channel.send(encode("INIT", init) + encode("GET_GAME_INFO"))

    def answer(self, answers: Sequence[Answer]) -> None:
        """Pass exactly the wanted number of lines on; fewer count as no answer."""
        (answer,) = answers
        request = self._taken()
        wanted = self.transcript.steps[-1][1]
        lines = [] if answer.line is None or not wanted else answer.line.split("\n")[:wanted]
        if len(lines) < wanted or self._limit <= 0 < wanted:
            self._time_out(request.seat, wanted)
            reply = encode("SET_PLAYER_TIMEOUT")
        else:
            if wanted:
                self._timed_out.pop(request.seat, None)
            spent = self._reported(answer.milliseconds, request.milliseconds)
            reply = encode(
                "SET_PLAYER_OUTPUT",
                [str(spent)] * self._monitored + [one_line(line.removesuffix("\r")) for line in lines],
            )
        self._channel.send(reply + encode("GET_GAME_INFO"))

    def _time_out(self, seat: int, wanted: int) -> None:
        lines = "" if wanted == 1 else f" with {wanted} lines"
        why = f"did not answer{lines} in time" if self._limit > 0 else "has no time left"
        self._timed_out[seat] = Fault(seat, Ending.NO_ANSWER, self.turn, f"player {seat} {why}")

    def _reported(self, milliseconds: float, limit: float) -> int:
        """The time of an answer in whole ms, as it is reported to the engine."""
        return int(milliseconds) if self._measured else min(int(milliseconds), int(limit))

    def _advance(self) -> None:
        """Read one block: up to the next question, or to the end of the game."""
        pending: list[str] = []
        while (message := self._reader.read()) is not None:
            match message.name:
                case "NEXT_PLAYER_INPUT":
                    pending = message.lines
                case "NEXT_PLAYER_INFO":
                    return self._ask(message, pending)
                case "SCORES":
                    return self._finish(message)
                case "FAIL":
                    raise ReportedFailureError(f"the referee failed: {_cause(message.lines)}")
                case _:
                    self._note(message)
        stray = f"; it printed {self._reader.stray[-1]!r}" if self._reader.stray else ""
        raise ExternalRefereeError(f"the referee ended in the middle of the game{stray}")

    def _note(self, message: Message) -> None:
        """Keep what the game does not depend on; unknown messages are skipped."""
        match message.name:
            case "MONITORING":
                self._monitored = True
            case "VIEW":
                self.transcript.add_view(message.lines)
            case "SUMMARY":
                self.transcript.add_summary(message.lines)
            case "TOOLTIP":
                self.transcript.add_tooltips(message.lines, self.players)
            case "UINPUT":
                self.transcript.parameters = message.lines
            case "METADATA":
                self.transcript.metadata = "\n".join(message.lines)

    def _ask(self, message: Message, lines: Sequence[str]) -> None:
        try:
            seat, wanted, limit = map(int, message.lines)
        except ValueError:
            raise ExternalRefereeError(f"NEXT_PLAYER_INFO should hold three numbers, not {message.lines!r}") from None
        if not 0 <= seat < self.players:
            raise ExternalRefereeError(f"the referee asks player {seat}, but there are {self.players}")
        self._limit = limit
        if wanted:
            if self._grace is None:
                self._grace = GRACE if self._monitored and limit % ROUND_LIMIT == GRACE else 0
            self._asked_last[seat] = len(self.transcript.steps)
        nominal = max(0, limit - (self._grace or 0))
        self.transcript.ask(seat, wanted, nominal, lines)
        # a limit of 0 ms is no question: the lines are sent, and no answer is awaited
        self._request = Request(seat, lines, float(nominal), answers=wanted if limit > 0 else 0)

    def _finish(self, message: Message) -> None:
        scores = _scores(message.lines, self.players)
        if max(self._asked_last) < 0:
            raise ExternalRefereeError(
                "the referee ended the game without asking anybody; it may not support this number of players"
            )
        self._channel.release(reusable=True)
        self.transcript.scores = scores
        faults = self._faults(scores)
        ending = faults[0].code if len(faults) >= self.players - 1 > 0 else Ending.NORMAL
        why = "; ".join(fault.detail for fault in faults)
        result = " to ".join(f"{score:g}" for score in scores)
        sentence = f"{result} after {self.turn} steps{': ' if why else ''}{why}"
        seed = self.transcript.parameter("seed")
        real = int(seed) if seed and re.fullmatch(r"-?\d{1,19}", seed) else self.seed
        self.outcome = Outcome(scores, ranks_of(scores), ending, sentence, "", tuple(faults), real)

    def _faults(self, scores: Sequence[float]) -> list[Fault]:
        """Disqualified players: those whose last answer did not come, and those whom the referee disqualified."""
        found = []
        for seat in range(self.players):
            told = self.transcript.tooltips, self.transcript.summaries
            fault = self._timed_out.get(seat) or expulsion(seat, scores[seat], self._asked_last[seat], *told)
            if fault:
                found.append(fault)
        return sorted(found, key=lambda fault: fault.turn)


def _scores(lines: Sequence[str], players: int) -> tuple[float, ...]:
    try:
        scores = {int(index): float(score) for index, score in (line.split() for line in lines)}
    except ValueError:
        raise ExternalRefereeError(f"SCORES should hold lines of an index and a score, not {list(lines)!r}") from None
    if sorted(scores) != list(range(players)):
        raise ExternalRefereeError(f"SCORES should hold {players} players, not {list(lines)!r}")
    return tuple(scores[seat] for seat in range(players))


def _cause(trace: Sequence[str]) -> str:
    """The first line of a Java stack trace, and its first line from the code of the game."""
    first = trace[0] if trace else "no reason given"
    own = next((line.strip() for line in trace if "com.codingame.game." in line), "")
    return f"{first} {own}".strip()
