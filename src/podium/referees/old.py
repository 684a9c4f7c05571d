"""The older protocol of referees for brutaltester: lines that begin with ### on standard input and output.

    ###Seed N, ###Start PLAYERS          to the referee; some know no seed and take the line for something else
    ###Input P, lines                    what player P is sent
    ###Output P N                        N lines of player P are wanted, and passed on unchanged
    ###End 1 0, ###End 01, ###End 2 01   the game is over: players from best to worst, those of a group tied

It knows no time and no silence. So the arena's limits hold, and a player who does not answer ends the game as its last.
"""

import re
from collections.abc import Sequence
from functools import cache

from podium.games.game import Answer, Ending, Fault, Limits, Outcome, Request, ranks_of
from podium.referees.channel import Channel, ProcessChannel
from podium.referees.messages import UNKNOWN_SEED, ForeignError, one_line
from podium.referees.remote import RemoteReferee

TRIED_SECONDS = 20.0  # for a referee that is tried to come to its first question


class OldReferee(RemoteReferee):
    """One game under a referee of the old kind."""

    def __init__(self, channel: Channel, players: int, seed: int | None, limits: Limits) -> None:
        super().__init__(channel, players, seed)
        self.limits = limits
        self._inputs: list[list[str]] = [[] for _ in range(players)]
        self._asked = [0] * players
        seeding = "" if seed is None else f"###Seed {seed}\n"
        channel.send(f"{seeding}###Start {players}\n".encode())

    def answer(self, answers: Sequence[Answer]) -> None:
        """Pass the lines on."""
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
                target = None  # an error for people, or something newer: brutaltester would hang here
                self.annals.add_summary([line])
            elif target is not None:
                target.append(line)
        raise ForeignError("the referee ended in the middle of the game")

    def _seat(self, line: str, words: Sequence[str]) -> int:
        seat = _number(line, words)
        if seat >= self.players:
            raise ForeignError(f"the referee speaks of player {seat} in {line!r}, but there are {self.players}")
        return seat

    def _ask(self, seat: int, wanted: int) -> None:
        limit = self.limits.later if self._asked[seat] else self.limits.first
        lines, self._inputs[seat] = self._inputs[seat], []
        self.annals.ask(seat, wanted, limit, lines)
        self._request = Request(seat, lines, limit, answers=wanted)

    def _finish(self, groups: Sequence[Sequence[int]], *faults: Fault) -> None:
        """End the game: a player's score is how many others it left behind."""
        self._channel.release(well=True)
        behind = {seat: sum(map(len, groups[place + 1 :])) for place, group in enumerate(groups) for seat in group}
        scores = tuple(float(behind[seat]) for seat in range(self.players))
        order = ", then ".join(" and ".join(f"player {seat}" for seat in group) for group in groups)
        why = "".join(f"; {fault.sentence}" for fault in faults) + ("" if self.seed is not None else UNKNOWN_SEED)
        ending = faults[0].ending if faults else Ending.FINISHED
        self.outcome = Outcome(scores, ranks_of(scores), ending, f"{order}{why}", "", faults, self.seed)
        self.annals.scores = scores


def _number(line: str, words: Sequence[str]) -> int:
    if not words or not re.fullmatch(r"\d{1,6}", words[0]):
        raise ForeignError(f"the referee should name a player, or a number of lines, in {line!r}")
    return int(words[0])


def _groups(line: str, words: Sequence[str], players: int) -> list[list[int]]:
    groups = [[int(digit) for digit in word if digit.isdigit()] for word in words]
    if sorted(seat for group in groups for seat in group) != list(range(players)):
        raise ForeignError(f"the end of a game should name each of {players} players once, not {line!r}")
    return groups


@cache
def knows_seeds(argv: tuple[str, ...], players: int) -> bool:
    """Whether a referee takes a seed: it begins alike with the same one, and otherwise with another.

    It is started three times up to its first question. One that begins alike in any case is taken not to know seeds.
    """
    first, again, other = (_beginning(argv, players, seed) for seed in (1, 1, 2))
    return bool(first) and first == again != other


def _beginning(argv: tuple[str, ...], players: int, seed: int) -> list[str]:
    channel = ProcessChannel(argv, TRIED_SECONDS)
    try:
        referee = OldReferee(channel, players, seed, Limits(1.0, 1.0))
        return [line for request in referee.requests() for line in request.lines]
    except ForeignError:
        return []
    finally:
        channel.close()
