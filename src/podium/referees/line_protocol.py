"""Brutaltester's line protocol (its "old" mode): commands that begin with ### on standard input and output.

    ###Seed N, ###Start PLAYERS          to the referee; some know no ###Seed and misread the line
    ###Input P, lines                    the input of player P
    ###Output P N                        asks for N lines of player P, which are passed on unchanged
    ###End 1 0, ###End 01, ###End 2 01   the game is over: players from best to worst, those of a group tied

The protocol has neither time limits nor time-outs. So the arena's limits hold, and a player that does not answer ends
the game and is ranked last.
"""

import re
from collections.abc import Sequence
from functools import cache

from podium.games.game import Answer, Ending, Fault, Limits, Outcome, Request, ranks_of
from podium.referees.channel import Channel, ProcessChannel
from podium.referees.messages import UNKNOWN_SEED, ExternalRefereeError, one_line
from podium.referees.remote import RemoteReferee

TRIAL_SECONDS = 20.0  # timeout of a trial start, for each line up to the first question


class LineReferee(RemoteReferee):
    """One game under a referee that speaks the line protocol."""

    def __init__(self, channel: Channel, players: int, seed: int | None, limits: Limits) -> None:
        super().__init__(channel, players, seed)
        self.limits = limits
        self._inputs: list[list[str]] = [[] for _ in range(players)]
        self._asked = [0] * players
        seeding = "" if seed is None else f"###Seed {seed}\n"
        channel.send(f"{seeding}###Start {players}\n".encode())

    def answer(self, answers: Sequence[Answer]) -> None:
        """Pass the lines on; without them the game ends, and the player is ranked last."""
        request = self._taken()
        self._asked[request.seat] += 1
        lines = [] if answers[0].line is None else answers[0].line.split("\n")[: request.answers]
        if len(lines) < request.answers:
            seat = request.seat
            fault = Fault(seat, Ending.NO_ANSWER, self.turn, f"player {seat} did not answer in time")
            self._finish([[other for other in range(self.players) if other != seat], [seat]], fault)
        elif lines:
            self._channel.send("".join(f"{one_line(line)}\n" for line in lines).encode("utf-8", "replace"))

    def _advance(self) -> None:
        target: list[str] | None = None
        while (raw := self._channel.line()) is not None:
            line = raw.removesuffix(b"\r").decode("utf-8", "replace")
            command, *words = line.split() or [""]
            if command == "###Input":
                target = self._inputs[self._seat(line, words)]
            elif command == "###Output":
                return self._ask(self._seat(line, words), _number(line, words[1:]))
            elif command == "###End":
                return self._finish(_groups(line, words, self.players))
            elif line.startswith("###"):
                target = None  # a message for people, or an unknown command: brutaltester would hang here
                self.transcript.add_summary([line])
            elif target is not None:
                target.append(line)
        raise ExternalRefereeError("the referee ended in the middle of the game")

    def _seat(self, line: str, words: Sequence[str]) -> int:
        seat = _number(line, words)
        if seat >= self.players:
            raise ExternalRefereeError(
                f"the referee names player {seat} in {line!r}, but there are {self.players} players"
            )
        return seat

    def _ask(self, seat: int, wanted: int) -> None:
        limit = self.limits.later if self._asked[seat] else self.limits.first
        lines, self._inputs[seat] = self._inputs[seat], []
        self.transcript.ask(seat, wanted, limit, lines)
        self._request = Request(seat, lines, limit, answers=wanted)

    def _finish(self, groups: Sequence[Sequence[int]], *faults: Fault) -> None:
        """End the game: the score of a player is the number of players ranked below it."""
        self._channel.release(reusable=True)
        below = {seat: sum(map(len, groups[place + 1 :])) for place, group in enumerate(groups) for seat in group}
        scores = tuple(float(below[seat]) for seat in range(self.players))
        order = ", then ".join(" and ".join(f"player {seat}" for seat in group) for group in groups)
        why = "".join(f"; {fault.detail}" for fault in faults) + ("" if self.seed is not None else UNKNOWN_SEED)
        ending = faults[0].code if faults else Ending.NORMAL
        self.outcome = Outcome(scores, ranks_of(scores), ending, f"{order}{why}", "", faults, self.seed)
        self.transcript.scores = scores


def _number(line: str, words: Sequence[str]) -> int:
    if not words or not re.fullmatch(r"\d{1,6}", words[0]):
        raise ExternalRefereeError(f"the referee should name a player, or a number of lines, in {line!r}")
    return int(words[0])


def _groups(line: str, words: Sequence[str], players: int) -> list[list[int]]:
    groups = [[int(digit) for digit in word if digit.isdigit()] for word in words]
    if sorted(seat for group in groups for seat in group) != list(range(players)):
        raise ExternalRefereeError(f"the end of a game should name each of {players} players once, not {line!r}")
    return groups


@cache
def accepts_seeds(argv: tuple[str, ...], players: int) -> bool:
    """Whether a referee accepts a seed: equal seeds give equal first inputs, different seeds different ones.

    It is started three times up to its first question. One whose first input never changes counts as ignoring seeds.
    """
    first, again, other = (_first_input(argv, players, seed) for seed in (1, 1, 2))
    return bool(first) and first == again != other


def _first_input(argv: tuple[str, ...], players: int, seed: int) -> list[str]:
    channel = ProcessChannel(argv, TRIAL_SECONDS)
    try:
        referee = LineReferee(channel, players, seed, Limits(1.0, 1.0))
        return [line for request in referee.requests() for line in request.lines]
    except ExternalRefereeError:
        return []
    finally:
        channel.close()
