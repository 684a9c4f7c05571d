"""One game: ask whom the referee names, keep everybody's clock, tell what was seen.

Seats that move at the same time are asked one after the other, so that no bot thinks on another's processor time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from podium.arena.limits import HEARD, Allowance, Clock, Verdict
from podium.arena.players import OwnPlayer, Player, ProgramPlayer
from podium.arena.program import Heard
from podium.games.game import Answer, Bot, Outcome, Referee, Request, Thoughts
from podium.games.loop import RefereeError, conduct

__all__ = ["Allowance", "Turn", "play_game"]


IN_TIME_ELSEWHERE = frozenset({Verdict.LATE, Verdict.OVERRUN})  # perhaps


@dataclass(slots=True)
class Turn:
    """One answered request."""

    request: Request
    answer: Answer  # what the referee was given
    thoughts: Thoughts | None
    heard: Heard  # what the arena saw
    last: bool = True  # of those that move at the same time

    @property
    def verdict(self) -> Verdict:
        """What the arena saw of the answer."""
        return self.heard.verdict


def ignore(turn: Turn) -> None:
    """Watch nothing."""


def play_game(
    referee: Referee,
    bots: Sequence[Bot | Player],
    allowance: Allowance,
    watch: Callable[[Turn], None] = ignore,
    handicaps: Sequence[float] | None = None,
) -> Outcome:
    """Play a game to its end; `watch` is called after each turn's answers were played. The caller closes players.

    A RefereeError if the referee fails; the answers at which it failed are watched too.
    """
    players = [bot if isinstance(bot, Player) else OwnPlayer(bot) for bot in bots]
    clocks = [Clock(allowance, factor) for factor in handicaps or [1.0] * len(players)]
    extra = [allowance.startup if isinstance(player, ProgramPlayer) else 0.0 for player in players]
    counted = [bool(allowance.nodes) and player.counts_nodes for player in players]
    turns: list[Turn] = []

    def ask(request: Request) -> Answer:
        seat = request.seat
        player, clock = players[seat], clocks[seat]
        if not request.answers:
            player.tell(request.lines)
            turns.append(Turn(request, Answer(""), None, Heard("", 0.0, Verdict.ANSWERED)))
            return turns[-1].answer
        clock.start(request, extra[seat])
        extra[seat] = 0.0
        heard = player.ask(request, clock)
        over = clock.spend(heard.milliseconds)
        if over and heard.verdict in HEARD and not counted[seat]:
            _judge_time(heard, clock, over)
        if over and heard.verdict in IN_TIME_ELSEWHERE and not counted[seat]:
            _excuse(heard, clock)
        answer = Answer(heard.line, heard.milliseconds)
        turns.append(Turn(request, answer, player.thoughts, heard))
        return answer

    def show(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        for turn in turns:
            turn.last = turn is turns[-1]
            watch(turn)
        turns.clear()

    try:
        return conduct(referee, lambda requests: [ask(request) for request in requests], show)
    except RefereeError:
        show((), ())
        raise


def _excuse(heard: Heard, clock: Clock) -> None:
    """Note whether an answer would have been in time on a quiet machine: its processor time says that it could be.

    What a program takes from itself, with threads of its own, is its own fault: that is processor time too.
    """
    in_time = heard.milliseconds - heard.waited <= clock.limit and (heard.cpu is None or heard.cpu <= clock.limit)
    if in_time:
        clock.excused += 1
        heard.reason += f"; the machine took {heard.waited:.0f} ms of them"
    heard.excused = heard.verdict is not Verdict.OVERRUN and bool(clock.excused)


def _judge_time(heard: Heard, clock: Clock, over: float) -> None:
    """Mark an answer that came after the limit; a late one is no answer."""
    heard.reason = f"{heard.milliseconds:.1f} ms instead of {clock.limit:.1f}"
    if clock.is_late(over):
        heard.verdict = Verdict.LATE
        heard.reason += f", with {heard.line!r}"
        heard.line = None
    else:
        heard.verdict = Verdict.OVERRUN
