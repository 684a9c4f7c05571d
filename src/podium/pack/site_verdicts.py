"""Plays a game of a contest's site again, through the exact referee, and says how far it agrees.

The recorded answers go through the referee; who is asked, how the game goes on and the result are compared. Three
verdicts: the game *agrees*, it *agrees up to a turn*, or it is *another game* (of another contest, league, seed or
version of the rules).

Contest: the game that the user names, or the one of that title, or else the first game for this number of players in
which the replay agrees. League: where an external referee has leagues, the one that the file tells, or else the first
that agrees. Settings in the file win over what the seed would draw.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from podium.arena.game.record import Recorder
from podium.arena.game.turn import Turn
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Annulment, Answer, AnswerVerdict, Ending, Fault, Game, Outcome, Request, annulled
from podium.games.loop import RefereeError, run_game
from podium.model.params import Value
from podium.pack.site_replay import SiteReplay
from podium.referees.names import SCHEME, parse

LEAGUES = range(1, 7)  # of an external referee, tried where the file tells none
UNKNOWN_TIME = 0.0  # ms: a replay tells no times
NO_GAMES: Mapping[str, int] = {}
NO_SETTINGS: Mapping[str, Value] = {}


class SiteVerdict(StrEnum):
    """How a game of the site compares with the referee's."""

    AGREES = "agrees"
    PARTLY = "agrees up to a turn"
    ANOTHER = "another game"


@dataclass(frozen=True)
class Replayed:
    """A game of the site after it was played again."""

    replay: SiteReplay
    game: str
    agreement: SiteVerdict
    turn: int  # the last turn that agrees
    reason: str  # where it departs; empty if it agrees
    recorder: Recorder
    outcome: Outcome  # the site's, with the referee's words where it agrees

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        if self.agreement is SiteVerdict.AGREES:
            return "agrees"
        head = f"agrees up to turn {self.turn}" if self.agreement is SiteVerdict.PARTLY else "another game"
        return f"{head}: {self.reason}"


class _OtherwiseError(Exception):
    """Raised where the referee asks for something else than the file has."""


class _Answers:
    """The answers of a replay in the order in which a referee asks for them.

    An empty answer is a time-out, or a step in which nobody was asked. Referees usually disqualify a seat that gave no
    answer, so an empty one counts as a time-out if its seat never answers again; with `tolerant`, also if it does.
    """

    def __init__(self, replay: SiteReplay, tolerant: bool = False) -> None:
        self.frames, self.tolerant = replay.frames, tolerant
        self.next = 0
        self.last = {frame.seat: place for place, frame in enumerate(replay.frames) if frame.stdout}

    def take(self, request: Request) -> tuple[str | None, str]:
        """The answer of a seat that is asked now (None: nothing in time) and what it wrote to standard error."""
        seat, stderr, empty = request.seat, "", False
        silent = self.last.get(seat, -1) < self.next  # it never answers again
        while self.next < len(self.frames):
            frame = self.frames[self.next]
            if frame.stdout and frame.seat != seat:
                if empty and silent:  # the frame of a time-out may have another seat's number
                    return None, stderr
                raise _OtherwiseError(f"the referee asks seat {seat}, the replay has seat {frame.seat}")
            self.next += 1
            stderr += frame.stderr if frame.seat == seat else ""
            if frame.stdout:
                lines = frame.stdout.replace("\r\n", "\n").removesuffix("\n").split("\n")
                return "\n".join(lines[: max(1, request.answers)]), stderr
            if frame.seat == seat and (silent or self.tolerant):
                return None, stderr
            empty = True
        if empty and silent:
            return None, stderr
        raise _OtherwiseError(f"the referee asks seat {seat}, the replay has ended")

    def check_end(self) -> None:
        """A _OtherwiseError if answers are left."""
        left = sum(bool(frame.stdout) for frame in self.frames[self.next :])
        if left:
            raise _OtherwiseError(f"the referee has ended the game, the replay has {left} more answers")


def play_again(game: Game, replay: SiteReplay) -> Replayed:
    """Give a game's referee the recorded answers, and compare who is asked and the result."""
    if game.seats != replay.seats:
        raise PodiumError(f"{replay.source} has {replay.seats} players, and {game.title} has {game.seats}")
    try:
        settings = game.settings_among(replay.parameters)
        found = _play(game, replay, settings, _Answers(replay))
        if found.agreement is not SiteVerdict.AGREES and not all(frame.stdout for frame in replay.frames):
            again = _play(game, replay, settings, _Answers(replay, tolerant=True))
            found = again if again.agreement is SiteVerdict.AGREES or again.turn > found.turn else found
    except PodiumError as error:  # a setting that the game does not have, or a referee that cannot be started
        return _another(game, replay, str(error))
    return found


def _another(game: Game, replay: SiteReplay, reason: str, settings: Mapping[str, Value] = NO_SETTINGS) -> Replayed:
    """A game of which no answer agrees, so that none is stored."""
    recorder = Recorder()
    recorder.record.settings = dict(settings)
    found = Replayed(replay, game.name, SiteVerdict.ANOTHER, 0, reason, recorder, _outcome(replay, ""))
    return replace(found, outcome=_outcome(replay, found.sentence))


def _play(game: Game, replay: SiteReplay, settings: Mapping[str, Value], answers: _Answers) -> Replayed:
    referee, recorder, turn = game.new_referee(replay.seed, settings), Recorder(), 0
    recorder.record.settings = dict(settings)

    def ask(requests: Sequence[Request]) -> list[Answer]:
        nonlocal turn
        found = [(request, *answers.take(request)) if request.answers else (request, "", "") for request in requests]
        for place, (request, line, stderr) in enumerate(found):
            verdict = AnswerVerdict.SILENT if line is None else AnswerVerdict.ANSWERED
            last = place == len(found) - 1
            recorder.add(Turn(request, line, UNKNOWN_TIME, verdict, stderr=stderr, last=last))
        turn += 1
        return [Answer(line) for _, line, _ in found]

    try:
        outcome = run_game(referee, ask)
        answers.check_end()
        if replay.scores and [float(score) for score in outcome.scores] != list(replay.scores):
            raise _OtherwiseError(
                f"the scores are {plain_scores(outcome.scores)}, on the site {plain_scores(replay.scores)}"
            )
    except (_OtherwiseError, RefereeError) as departure:
        if not _goes_on(recorder):
            return _another(game, replay, str(departure), settings)
        found = Replayed(replay, game.name, SiteVerdict.PARTLY, turn, str(departure), recorder, _outcome(replay, ""))
        return replace(found, outcome=_outcome(replay, found.sentence))
    finally:
        recorder.record.archive = dict(referee.archive())
        referee.close()
    return Replayed(replay, game.name, SiteVerdict.AGREES, turn, "", recorder, outcome)


def _goes_on(recorder: Recorder) -> bool:
    """Whether the referee has taken the answer of some seat: it asked that seat again."""
    return max(Counter(recorder.record.seats).values(), default=0) > 1


def plain_scores(scores: Iterable[float]) -> str:
    """Scores for people."""
    return ", ".join(f"{score:.15g}" for score in scores)


def _outcome(replay: SiteReplay, detail: str) -> Outcome:
    """The result as the site tells it; a game without one does not count."""
    if not replay.scores:
        return annulled(replay.seats, Annulment.NO_RESULT, detail)
    return Outcome(replay.scores, replay.ranks, Ending.NORMAL, detail, "", tuple(_silences(replay)))


def _silences(replay: SiteReplay) -> Iterator[Fault]:
    """Seats whose last frame is empty though others answered later: they gave no answer in time."""
    last = {frame.seat: place for place, frame in enumerate(replay.frames)}
    for seat, place in sorted(last.items()):
        if not replay.frames[place].stdout and any(frame.stdout for frame in replay.frames[place + 1 :]):
            yield Fault(seat, Ending.NO_ANSWER, place, f"player {seat} gave no answer in time")


def find_game(replay: SiteReplay, named: str = "", agreed: Mapping[str, int] = NO_GAMES) -> Replayed:
    """Play a replay again in the game that the user names, that its title names, or in which it agrees.

    `agreed` says for how many other replays each game was right: these are tried first. Where nothing names the game
    and none agrees, it is stored under a game that may not be its own, and does not count there.
    """
    tried = []
    for name in sorted(_candidates(replay, named), key=lambda name: -agreed.get(name, 0)):
        found = play_again(load(name), replay)
        if found.agreement is SiteVerdict.AGREES:
            return found
        tried.append(found)
    if not tried:
        raise PodiumError(f"{replay.source}: there is no game for {replay.seats} players; name one with --game")
    best = max(tried, key=lambda found: found.turn if found.agreement is SiteVerdict.PARTLY else 0)
    is_named = named or _letters(replay.title) == _contest(best.game)[0]
    if best.agreement is SiteVerdict.ANOTHER and not is_named:
        told = f"{best.sentence}; on the site {plain_scores(replay.scores)}"
        return replace(best, outcome=annulled(replay.seats, Annulment.NO_RESULT, told))
    return best


def _candidates(replay: SiteReplay, named: str) -> list[str]:
    if named.startswith(f"{SCHEME}:"):
        return _with_leagues(named, replay)
    if named:
        return [named]
    sizes = [name for name in names() if _contest(name)[1] == replay.seats]
    titled = [name for name in sizes if replay.title and _contest(name)[0] == _letters(replay.title)]
    return titled or sizes


def _with_leagues(named: str, replay: SiteReplay) -> list[str]:
    """The names of an external referee in the leagues to try: its own, the file's, or all."""
    name = parse(named)
    name = name.with_options(players=replay.seats)
    if "league" not in name.options or dict(name.given).get("league"):
        return [str(name)]
    return [str(name.with_options(league=league)) for league in ([replay.league] if replay.league else LEAGUES)]


@cache
def _contest(name: str) -> tuple[str, int]:
    """The letters of a game's title, and its number of players; nothing of a plug-in that cannot be loaded."""
    try:
        game = load(name)
    except PodiumError:
        return "", 0
    return _letters(game.title), game.seats


def _letters(title: str) -> str:
    return "".join(filter(str.isalnum, title.lower()))
