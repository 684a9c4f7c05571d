"""Compare a referee of this package with the contest's: equal seeds and answers give equal inputs and results."""

from collections.abc import Callable, Iterator
from typing import Any

from podium.arena.game.recordings import Comparison, verify
from podium.arena.tournament.worker import seed_of
from podium.errors import PodiumError
from podium.games.game import Answer, Game, Referee
from podium.kernel.clock import now
from podium.model.budget import Budget
from podium.referees.engine import EngineReferee
from podium.referees.messages import ExternalRefereeError
from podium.referees.recorded_sessions import RecordedChannel, RecordedSession

Answering = Callable[[int, list[str]], Answer]  # (seat, lines of its prompt)
FEW_NODES = 20


def cross_check(own: Game, other: Game, number: int, seed: int, bot: str) -> Comparison:
    """Play one game of a bot against itself under the contest's referee, and verify it with ours."""
    if other.seats != own.seats:
        raise PodiumError(f"{own.title} has {own.seats} players, {other.title} {other.seats}: give --players")
    kind, changes = own.named(bot)
    game_seed = seed_of(seed, number)
    bots = [kind.bot(changes, seed_of(game_seed, seat)) for seat in range(own.seats)]

    def answering(seat: int, lines: list[str]) -> Answer:
        return Answer(bots[seat].reply(lines, Budget(now(), nodes=FEW_NODES)))

    return compare(own, other.new_referee(game_seed), answering, number, game_seed, {})


def check_session(own: Game, session: RecordedSession) -> Comparison:
    """Verify a recorded session of the contest's referee with ours."""
    seed = session.played_seed
    if seed is None or session.players != own.seats:
        raise PodiumError(f"session {session.number} is not one of {own.title} with a seed and {own.seats} players")
    channel = RecordedChannel(session)
    parameters = {key: value for key, value in session.parameters.items() if key != "seed"}
    other = EngineReferee(channel, session.players, session.seed, parameters, measured=True)
    params = {**parameters, "league": session.league or None}
    return compare(own, other, lambda seat, lines: channel.answer(), session.number, seed, params)


def compare(
    own: Game, other: Referee, answering: Answering, number: int, seed: int, params: dict[str, Any]
) -> Comparison:
    """Verify a game under another referee with ours, like a recording, while it is being played."""
    result: dict[str, Any] = {}
    recording = {
        "game": own.name,
        "seed": seed,
        "params": params,
        "init": [[] for _ in range(own.seats)],
        "turns": _turns(other, answering, result),
        "result": result,
    }
    try:
        return verify(own, number, recording)
    except ExternalRefereeError as error:
        raise PodiumError(f"game {number}, seed {seed}: {error}") from None
    finally:
        other.close()


def _turns(other: Referee, answering: Answering, result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The steps of a game as turns of a recording; lines that want no answer go with the player's next step."""
    pending: dict[int, list[str]] = {}
    while requests := other.requests():
        (request,) = requests
        lines = [*pending.pop(request.seat, []), *request.lines]
        if not request.answers:
            pending[request.seat] = lines
            other.answer([Answer("")])
            continue
        answer = answering(request.seat, lines)
        yield {"player": request.seat, "input": lines, "output": None if answer.line is None else [answer.line]}
        other.answer([answer])
    assert other.outcome is not None
    result |= {"scores": list(other.outcome.scores), "ranks": list(other.outcome.ranks)}
