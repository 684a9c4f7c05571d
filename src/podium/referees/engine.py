"""The referee's side of a game over the pipe of CodinGame's engine, versions 1 to 4.7.

One *step* asks one player: the referee sends its input, how many lines it wants back and within which time. In a turn
with simultaneous moves there is a step for each player, and all of them see the position before the turn. The engine
has no word for a player who is out: it is simply asked no more.

    1. INIT with the number of players and the parameters, the seed among them
    2. GET_GAME_INFO; the referee answers with a block that ends in NEXT_PLAYER_INFO, or in SCORES, or in FAIL
    3. the player's answer, or SET_PLAYER_TIMEOUT; again from 2

Time is kept by whoever runs the players. Newer engines (4.6 and later) are told how long each answer took and count it
themselves; they are told no more than the limit, so that there is one judge of lateness and not two.
"""

import re
from collections.abc import Mapping, Sequence

from podium.games.game import Answer, Ending, Fault, Outcome, Request, ranks_of
from podium.referees.annals import told
from podium.referees.channel import Channel
from podium.referees.messages import ForeignError, Message, Reader, ToldError, encode, one_line
from podium.referees.remote import RemoteReferee

GRACE = 50  # ms that engines from 4.7 on add to the limits that they announce
ROUND_LIMIT = 100  # contests' first limits are multiples of so many ms
PUT_OUT = re.compile(r"invalid|illegal|disqualif|unrecogni[sz]ed|unexpected|not provided|time ?-?out|eliminat", re.I)
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
        """Without a seed the referee takes one of its own.

        `measured`: engines are told the full time of late answers that the arena forgave, and count them too.
        """
        super().__init__(channel, players, seed)
        self._measured = measured
        self._reader = Reader(channel.line)
        self._monitored = False  # the engine wants to know how long answers take
        self._grace: int | None = None
        self._limit = 0  # of the present answer, as announced
        self._asked_last = [-1] * players  # the step at which a player was last asked for lines
        self._timed_out: dict[int, Fault] = {}
        given = {**({} if seed is None else {"seed": str(seed)}), **(parameters or {})}
        init = [str(players), *(property_line(key, value) for key, value in given.items())]
        channel.send(encode("INIT", init) + encode("GET_GAME_INFO"))

    def answer(self, answers: Sequence[Answer]) -> None:
        """Hand the player's lines to the referee, exactly as many as it wants; too few are none."""
        (answer,) = answers
        request = self._taken()
        wanted = self.annals.steps[-1][1]
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
        """The time of an answer in whole ms, as the engine is told."""
        return int(milliseconds) if self._measured else min(int(milliseconds), int(limit))

    def _advance(self) -> None:
        """Read a block: up to the next question, or to the end of the game."""
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
                    raise ToldError(f"the referee failed: {_cause(message.lines)}")
                case _:
                    self._note(message)
        stray = f"; it printed {self._reader.stray[-1]!r}" if self._reader.stray else ""
        raise ForeignError(f"the referee ended in the middle of the game{stray}")

    def _note(self, message: Message) -> None:
        """Keep what is not needed to play on; messages that are unknown are skipped."""
        match message.name:
            case "MONITORING":
                self._monitored = True
            case "VIEW":
                self.annals.add_view(message.lines)
            case "SUMMARY":
                self.annals.add_summary(message.lines)
            case "TOOLTIP":
                self.annals.add_tooltips(message.lines, self.players)
            case "UINPUT":
                self.annals.parameters = message.lines
            case "METADATA":
                self.annals.metadata = "\n".join(message.lines)

    def _ask(self, message: Message, lines: Sequence[str]) -> None:
        try:
            seat, wanted, limit = map(int, message.lines)
        except ValueError:
            raise ForeignError(f"NEXT_PLAYER_INFO should hold three numbers, not {message.lines!r}") from None
        if not 0 <= seat < self.players:
            raise ForeignError(f"the referee asks player {seat}, but there are {self.players}")
        self._limit = limit
        if wanted:
            if self._grace is None:
                self._grace = GRACE if self._monitored and limit % ROUND_LIMIT == GRACE else 0
            self._asked_last[seat] = len(self.annals.steps)
        nominal = max(0, limit - (self._grace or 0))
        self.annals.ask(seat, wanted, nominal, lines)
        # no time at all is no question: the player is sent its lines, and nobody waits
        self._request = Request(seat, lines, float(nominal), answers=wanted if limit > 0 else 0)

    def _finish(self, message: Message) -> None:
        scores = _scores(message.lines, self.players)
        if max(self._asked_last) < 0:
            raise ForeignError(
                "the referee ended the game without asking anybody; it may not play with so many players"
            )
        self._channel.release(well=True)
        self.annals.scores = scores
        faults = self._faults(scores)
        ending = faults[0].ending if len(faults) >= self.players - 1 > 0 else Ending.FINISHED
        why = "; ".join(fault.sentence for fault in faults)
        result = " to ".join(f"{score:g}" for score in scores)
        sentence = f"{result} after {self.turn} steps{': ' if why else ''}{why}"
        seed = self.annals.parameter("seed")
        real = int(seed) if seed and re.fullmatch(r"-?\d{1,19}", seed) else self.seed
        self.outcome = Outcome(scores, ranks_of(scores), ending, sentence, "", tuple(faults), real)

    def _faults(self, scores: Sequence[float]) -> list[Fault]:
        """Who was put out: those whose last answer did not come, and those whom the referee says it put out."""
        found = []
        for seat in range(self.players):
            fault = self._timed_out.get(seat) or self._expelled(seat, scores[seat])
            if fault:
                found.append(fault)
        return sorted(found, key=lambda fault: fault.turn)

    def _expelled(self, seat: int, score: float) -> Fault | None:
        """A player whose answer the referee would not take.

        A score below nothing alone proves nothing, nor do words about the player after its last answer (a Kutulu
        explorer may die in the turn of a spell that did not work); both together do.
        """
        last = self._asked_last[seat]
        if score >= 0:
            return None
        for step in range(last + 1, len(self.annals.steps) + 1):
            marks = [text for text, index in self.annals.tooltips.get(step, []) if index == seat]
            lines = [line for line in self.annals.summaries.get(step, "").split("\n") if f"${seat}" in line]
            for text in lines + marks:
                if PUT_OUT.search(text):
                    said = told(text, [f"player {index}" for index in range(self.players)])
                    return Fault(seat, Ending.ILLEGAL, last + 1, f"player {seat} was put out: {said}")
        return None


def _scores(lines: Sequence[str], players: int) -> tuple[float, ...]:
    try:
        scores = {int(index): float(score) for index, score in (line.split() for line in lines)}
    except ValueError:
        raise ForeignError(f"SCORES should hold lines of an index and a score, not {list(lines)!r}") from None
    if sorted(scores) != list(range(players)):
        raise ForeignError(f"SCORES should hold {players} players, not {list(lines)!r}")
    return tuple(scores[seat] for seat in range(players))


def _cause(trace: Sequence[str]) -> str:
    """The first line of a Java stack trace, and the line of the game's own code that it came from."""
    first = trace[0] if trace else "without a word"
    own = next((line.strip() for line in trace if "com.codingame.game." in line), "")
    return f"{first} {own}".strip()
