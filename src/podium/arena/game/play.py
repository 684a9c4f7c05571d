"""One game: ask the seats that the referee names, keep their clocks, and make a `Turn` of each answer.

Seats that move at the same time are asked one after the other, so that no bot thinks on another's processor time.
All games are played here: those of matches and leagues, those that are only watched, and those with people in them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.players import InProcessPlayer, Player
from podium.arena.game.record import Recorder
from podium.arena.game.sentences import verdict_sentence
from podium.arena.game.turn import Turn
from podium.arena.processes.program import Reply
from podium.games.game import (
    Annulment,
    Answer,
    AnswerVerdict,
    Bot,
    Fault,
    Outcome,
    Referee,
    Request,
    Thoughts,
    annulled,
)
from podium.games.loop import RefereeError, run_game

WatchAnswer = Callable[[Turn], None]

__all__ = ["TimeControl", "Turn", "play_game", "play_recorded"]

STALLED_SHARE = 0.1  # of an answer's time: what the machine may take before it counts as an irregularity
SHORTEST_STALL = 1.0  # ms
PERHAPS_IN_TIME = frozenset({AnswerVerdict.LATE, AnswerVerdict.OVERRUN})  # on a quiet machine


def ignore(turn: Turn) -> None:
    """The default of `watch`: do nothing."""


def play_recorded(
    referee: Referee,
    players: Sequence[Player],
    time_control: TimeControl,
    recorder: Recorder,
    *,
    handicaps: Sequence[float] | None = None,
    fair: bool = False,
    watch: WatchAnswer = ignore,
) -> Outcome:
    """Play a game to its end into a record, and close the players with the referee's farewell.

    A game in which the referee fails is annulled; a fair one also if the machine made a bot late. The outcome's faults
    have what the arena saw as evidence.
    """

    def add(turn: Turn) -> None:
        recorder.add(turn)
        watch(turn)

    farewells: Sequence[Sequence[str]] = [()] * len(players)
    try:
        outcome = play_game(referee, players, time_control, recorder.add if watch is ignore else add, handicaps)
        farewells = [referee.farewell(seat) for seat in range(len(players))]
    except RefereeError as error:
        outcome = annulled(len(players), error.annulment, str(error))
    record = recorder.record
    record.archive = dict(referee.archive())
    if fair and record.excused:
        first = record.excused[0]
        seen = verdict_sentence(*record.verdicts[first])
        outcome = annulled(len(players), Annulment.MACHINE_FAULT, f"seat {record.seats[first]} was {seen}")
    for seat, player in enumerate(players):
        words = player.close(farewells[seat])
        if player.orphans:
            words += f"\n[podium: {player.orphans} processes left behind were killed]"
        recorder.add_last_words(seat, words)
    return replace(outcome, faults=tuple(with_evidence(fault, recorder) for fault in outcome.faults))


def with_evidence(fault: Fault, recorder: Recorder) -> Fault:
    """A referee's fault with what the arena saw of the seat's last answer, unless it has evidence already."""
    seen = recorder.record.verdicts.get(recorder.last.get(fault.seat, -1))
    if seen is None or fault.verdict is not AnswerVerdict.ANSWERED:
        return fault
    return replace(fault, verdict=seen[0], evidence=seen[1])


def play_game(
    referee: Referee,
    bots: Sequence[Bot | Player],
    time_control: TimeControl,
    watch: WatchAnswer = ignore,
    handicaps: Sequence[float] | None = None,
) -> Outcome:
    """Play a game to its end; `watch` is called after each turn's answers were played. The caller closes players.

    A RefereeError if the referee fails; the answers at which it failed are watched too.
    """
    players = [bot if isinstance(bot, Player) else InProcessPlayer(bot) for bot in bots]
    clocks = [Clock(time_control, factor) for factor in handicaps or [1.0] * len(players)]
    extra = [player.startup for player in players]
    timed = [not (time_control.nodes and player.counts_nodes) for player in players]
    turns: list[Turn] = []

    def ask(request: Request, last: bool) -> Answer:
        seat = request.seat
        player, clock = players[seat], clocks[seat]
        if not request.answers:
            player.tell(request.lines)
            turns.append(Turn(request, "", last=last))
            return Answer("")
        clock.start(request, extra[seat])
        extra[seat] = 0.0
        reply = player.ask(request, clock)
        turn = judged(request, reply, clock, timed[seat], player.thoughts, last)
        turns.append(turn)
        return Answer(turn.line, turn.milliseconds)

    def show(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        for turn in turns:
            watch(turn)
        turns.clear()

    try:
        return run_game(referee, lambda requests: [ask(request, request is requests[-1]) for request in requests], show)
    except RefereeError:
        show((), ())
        raise


def judged(
    request: Request, reply: Reply, clock: Clock, timed: bool, thoughts: Thoughts | None, last: bool = True
) -> Turn:
    """The turn that a reply makes, its time counted; `timed` is False where nodes are counted instead of time."""
    line, milliseconds, verdict, evidence = reply.line, reply.milliseconds, reply.verdict, reply.evidence
    over = clock.spend(milliseconds)
    is_excused = False
    if over and timed:
        if verdict.has_line:
            verdict, evidence = AnswerVerdict.OVERRUN, {"ms": milliseconds, "limit_ms": clock.limit}
            if clock.count_overrun(over):
                verdict, evidence = AnswerVerdict.LATE, {**evidence, "line": line}
                line = None
        if verdict in PERHAPS_IN_TIME:
            if in_time_elsewhere(reply, clock):
                evidence = {**evidence, "lost_ms": reply.lost_ms}
            is_excused = count_excuse(reply, verdict, clock)
    is_stalled = reply.lost_ms > SHORTEST_STALL and reply.lost_ms > STALLED_SHARE * milliseconds
    return Turn(
        request,
        line,
        milliseconds,
        verdict,
        evidence,
        reply.cpu_ms,
        round(reply.lost_ms, 1) if is_stalled else 0.0,
        reply.stderr,
        is_excused,
        thoughts,
        last,
    )


def in_time_elsewhere(reply: Reply, clock: Clock) -> bool:
    """Whether an answer would have been in time on a quiet machine: its processor time says that it could be.

    What a program takes from itself, with threads of its own, is its own fault: that is processor time too.
    """
    quiet = reply.milliseconds - reply.lost_ms
    return quiet <= clock.limit and (reply.cpu_ms is None or reply.cpu_ms <= clock.limit)


def count_excuse(reply: Reply, verdict: AnswerVerdict, clock: Clock) -> bool:
    """Count an overrun that the machine caused; returns whether it makes a late answer the machine's fault.

    The machine may have caused the late answer itself, or one of the overruns before it.
    """
    clock.excused += in_time_elsewhere(reply, clock)
    return verdict is not AnswerVerdict.OVERRUN and bool(clock.excused)
