"""Trials before a run: a bot or a referee that cannot play ends the run before its first game.

Each program and Python bot plays against itself until every seat has answered once. It cannot play if it gives no
answer, an answer that the protocol does not know, or, in two games with different seeds, a first move that the referee
rejects. A script that runs the bots itself plays a whole game.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import cycle, islice

from podium.arena.entrants.entrant import Entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.players import Player, can_join, seated
from podium.arena.game.sentences import verdict_sentence
from podium.arena.processes.reaper import sweep
from podium.arena.tournament.worker import seed_of
from podium.errors import PodiumError
from podium.games.game import Annulment, Answer, Ending, Fault, Game, Referee, Request, ScriptRunner
from podium.games.loop import RefereeError, run_game

PATIENCE = 10_000.0  # ms for an answer
SEEDS = (1, 2)  # of the games of a trial
LAST_LINES = 20  # of standard error, which say what went wrong
MOST_TURNS = 500  # without answers, after which the referee is believed to forgive that


def probe(game: Game, entrants: Sequence[Entrant], conditions: Conditions) -> None:
    """Try every program and Python bot, and the referee; a PodiumError if one of them cannot play."""
    if game.external.script_runner:
        _probe_script(game, game.external.script_runner, entrants)
        return
    programs = [who for who in entrants if who.is_program]
    if programs:
        sweep()
    for who in programs:
        _probe_bot(game, who, conditions)


def _probe_bot(game: Game, who: Entrant, conditions: Conditions) -> None:
    reason = ""
    for seed in SEEDS:
        fault = TrialGame(game, who, conditions, seed_of(seed)).fault()
        if fault is None:
            return
        if fault.code is Ending.MALFORMED:
            raise PodiumError(f"{who.label} does not speak the protocol of {game.title}: {fault.detail}")
        reason = fault.detail
    raise PodiumError(f"{who.label} cannot play {game.title}: its first answer is rejected: {reason}")


class TrialGame:
    """A game of a bot against itself, up to the first answer of each seat."""

    def __init__(self, game: Game, who: Entrant, conditions: Conditions, seed: int) -> None:
        self.game, self.who, self.conditions = game, who, conditions
        self.seed = seed
        self.answered: set[int] = set()  # seats
        self.first: set[int] = set()  # those asked before anybody had moved
        self.silent_turns = 0

    def fault(self) -> Fault | None:
        """Why the referee rejects a first answer; None if it does not. A PodiumError if there is no first answer."""
        referee = self.game.new_referee(self.seed, self.conditions.settings)
        sitting = [self.who] * self.game.seats
        try:
            awake = replace(self.conditions, suspend=False)
            with seated(self.game, sitting, range(self.game.seats), awake) as players:
                self._play(referee, players)
        finally:
            referee.close()
        faults = referee.outcome.faults if referee.outcome else ()
        return next((fault for fault in faults if self._is_rejected(fault)), None)

    def _is_rejected(self, fault: Fault) -> bool:
        """Whether the fault is one of a first answer; later seats may be at a loss against their own first move."""
        return fault.code is Ending.MALFORMED or (fault.code is Ending.ILLEGAL and fault.seat in self.first)

    def _play(self, referee: Referee, players: Sequence[Player]) -> None:
        try:
            with suppress(_EnoughError):
                run_game(referee, lambda requests: self._answers(players, requests))
        except RefereeError as error:
            if not self.answered:
                raise
            if not self.silent_turns and error.annulment is Annulment.PROGRAM_FAILED:
                text = f"the referee fails at the first answers of {self.who.label}: {error}"
                raise PodiumError(text) from None
            # a referee of a game that fails gets its games annulled, which their report says
        if not self.answered:
            raise PodiumError("the referee ends the game before anybody is asked")

    def _answers(self, players: Sequence[Player], requests: Sequence[Request]) -> list[Answer]:
        """First answers; then none, so that the game ends and the referee tells its faults."""
        asked = {request.seat for request in requests if request.answers}
        if self.silent_turns or asked & self.answered:
            self.silent_turns += 1
            if self.silent_turns > MOST_TURNS:
                raise _EnoughError
            return [Answer(None if request.answers else "") for request in requests]
        self.answered |= asked
        self.first = self.first or asked
        return [self._answer(players[request.seat], request) for request in requests]

    def _answer(self, player: Player, request: Request) -> Answer:
        if not request.answers:
            player.tell(request.lines)
            return Answer("")
        clock = Clock(TimeControl(PATIENCE))
        clock.start(request)
        reply = player.ask(request, clock)
        if reply.verdict.has_line:
            return Answer(reply.line)
        stderr = (reply.stderr + player.close(())).strip().splitlines()[-LAST_LINES:]
        wrote = "\n".join(["; it wrote to standard error:", *stderr]) if stderr else ""
        raise PodiumError(f"{self.who.label} cannot play: {verdict_sentence(reply.verdict, reply.evidence)}{wrote}")


class _EnoughError(Exception):
    """Raised to end a trial whose referee goes on without answers."""


def _probe_script(game: Game, run: ScriptRunner, entrants: Sequence[Entrant]) -> None:
    """Let a script play, so that every program has a seat in one of its games."""
    others = [who.name for who in entrants if not who.argv]
    if others:
        raise PodiumError(f"{game.title} runs the bots itself, so only programs can play it, not {others[0]}")
    for first in range(0, len(entrants), game.seats):
        sitting = islice(cycle((*entrants[first:], *entrants[:first])), game.seats)
        run(seed_of(SEEDS[0]), [who.argv for who in sitting])


def refuse_bots_without_observe(game: Game, entrants: Iterable[Entrant], conditions: Conditions) -> None:
    """Raise a PodiumError if a bot cannot join a game that it has not played from the start."""
    for who in entrants:
        if not can_join(game, who, conditions):
            raise PodiumError(
                f"{who.label} cannot begin in a position, since it cannot be told what was answered before it "
                "came: give its class a method observe(lines, line)"
            )
