"""Games of a contest's site, played again through the exact referee and stored like any others.

The recorded answers go through the referee; who is asked, how the game goes on and the result are compared. Three
verdicts: the game *agrees*, it *agrees up to a turn*, or it is *another game* (of another contest, league, seed or
version of the rules). All are stored, with the reason, in a run of their own: a league whose games were not played
here. Importing a file again adds nothing.

Contest: the game that the user names, or the one of that title, or else the first game for this number of players in
which the replay agrees. League: where an external referee has leagues, the one that the file tells, or else the first
that agrees. Settings in the file win over what the seed would draw.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from podium.arena.analysis.slices import OPPONENT, SEAT, SliceReport, bot_of, slice_games
from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.fingerprint import digest
from podium.arena.game.conditions import Conditions
from podium.arena.game.record import Recorder
from podium.arena.game.turn import Turn
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import Run, Store
from podium.arena.tournament.run_session import LEAGUE
from podium.arena.tournament.worker import Fixture, finished_row
from podium.display import Displayable
from podium.errors import PodiumError, unknown
from podium.games import load, names
from podium.games.game import Annulment, Answer, Ending, Fault, Game, Outcome, Request, Verdict, annulled
from podium.games.loop import RefereeError, run_game
from podium.model.params import Value
from podium.pack.replay_files import read_replays, replay_paths
from podium.pack.site_replay import SiteReplay
from podium.referees.names import SCHEME, parse

LEAGUES = range(1, 7)  # of an external referee, tried where the file tells none
ROUNDS = 10**9  # of a pairing; the number of a game on the site is its round,
PARTS = 10**6  # and its part, beyond nine digits
UNKNOWN_TIME = 0.0  # ms: a replay tells no times


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
        return _another(game, replay, f"{game.title} has {game.seats} players, not {replay.seats}")
    try:
        settings = game.settings_among(replay.parameters)
        found = _play(game, replay, settings, _Answers(replay))
        if found.agreement is not SiteVerdict.AGREES and not all(frame.stdout for frame in replay.frames):
            again = _play(game, replay, settings, _Answers(replay, tolerant=True))
            found = again if again.agreement is SiteVerdict.AGREES or again.turn > found.turn else found
    except PodiumError as error:  # a setting that the game does not have, or a referee that cannot be started
        return _another(game, replay, str(error))
    return found


def _another(game: Game, replay: SiteReplay, reason: str) -> Replayed:
    found = Replayed(replay, game.name, SiteVerdict.ANOTHER, 0, reason, Recorder(), _outcome(replay, ""))
    return replace(found, outcome=_outcome(replay, found.sentence))


def _play(game: Game, replay: SiteReplay, settings: Mapping[str, Value], answers: _Answers) -> Replayed:
    referee, recorder, turn = game.new_referee(replay.seed, settings), Recorder(), 0
    recorder.record.settings = dict(settings)

    def ask(requests: Sequence[Request]) -> list[Answer]:
        nonlocal turn
        found = [(request, *answers.take(request)) if request.answers else (request, "", "") for request in requests]
        for place, (request, line, stderr) in enumerate(found):
            verdict = Verdict.SILENT if line is None else Verdict.ANSWERED
            last = place == len(found) - 1
            recorder.add(Turn(request, line, UNKNOWN_TIME, verdict, stderr=stderr, last=last))
        turn += 1
        return [Answer(line) for _, line, _ in found]

    try:
        outcome = run_game(referee, ask)
        answers.check_end()
        if replay.scores and [float(score) for score in outcome.scores] != list(replay.scores):
            raise _OtherwiseError(f"the scores are {_plain(outcome.scores)}, on the site {_plain(replay.scores)}")
    except (_OtherwiseError, RefereeError) as departure:
        agreed = SiteVerdict.PARTLY if turn > 1 else SiteVerdict.ANOTHER
        found = Replayed(replay, game.name, agreed, turn, str(departure), recorder, _outcome(replay, ""))
        return replace(found, outcome=_outcome(replay, found.sentence))
    finally:
        recorder.record.archive = dict(referee.archive())
        referee.close()
    return Replayed(replay, game.name, SiteVerdict.AGREES, turn, "", recorder, outcome)


def _plain(scores: Iterable[float]) -> str:
    return ", ".join(f"{score:g}" for score in scores)


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


def find_game(replay: SiteReplay, named: str = "") -> Replayed:
    """Play a replay again in the game that the user names, that its title names, or in which it agrees."""
    tried = []
    for name in _candidates(replay, named):
        found = play_again(load(name), replay)
        if found.agreement is SiteVerdict.AGREES:
            return found
        tried.append(found)
    if not tried:
        raise PodiumError(f"{replay.source}: there is no game for {replay.seats} players; name one with --game")
    return max(tried, key=lambda found: found.turn)


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


@dataclass(frozen=True, repr=False)
class ImportReport(Displayable):
    """What an import found: the verdict of every game, and the results of one player."""

    runs: tuple[str, ...]  # where the games are stored
    games: tuple[Replayed, ...]
    known: int  # games that were in the store already
    refused: tuple[str, ...]  # what is no replay, each with the reason
    me: str  # the player whose results are shown; empty if none is in all games
    results: tuple[SliceReport, ...]  # of that player by opponent and seat, in all games of each run

    @property
    def headline(self) -> str:
        """How many games agree, and with which games or referees they were replayed."""
        refused = f"; not imported: {len(self.refused)}" if self.refused else ""
        if not self.games:
            return f"nothing imported{refused or ': no replay files were found'}"
        counts = Counter(found.agreement for found in self.games)
        words = [f"{agreement}: {counts[agreement]}" for agreement in SiteVerdict if counts[agreement]]
        words += [f"stored before: {self.known}"] if self.known else []
        played = dict.fromkeys(found.game for found in self.games)
        where = ", ".join(f"{run} ({game})" for run, game in zip(self.runs, played, strict=True))
        return f"games imported in {where}: {len(self.games)} ({', '.join(words)}){refused}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game."""
        return [
            {
                "game": found.replay.game_id,
                "file": found.replay.source,
                "contest": found.game,
                "players": " vs ".join(found.replay.names),
                "scores": _plain(found.outcome.scores),
                "agreement": found.agreement.value,
                "turn": found.turn,
                "reason": found.reason,
                "verdict": found.sentence,
            }
            for found in self.games
        ]

    def data(self) -> dict[str, Any]:
        """All as plain data."""
        return {
            "runs": list(self.runs),
            "games": self.rows(),
            "known": self.known,
            "refused": list(self.refused),
            "me": self.me,
            "results": [each.data() for each in self.results],
        }


def import_replays(
    paths: Sequence[Path],
    store: Path,
    *,
    game: str = "",
    me: str = "",
    anonymous: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> ImportReport:
    """Play the replays in files and folders again, and store them; `progress` is called with the number of games.

    `me` is the player whose results are reported, by default the only one that is in all games. With `anonymous` the
    names of all others are replaced.
    """
    if game and not game.startswith(f"{SCHEME}:"):
        load(game)  # a misspelled name is an error of its own, not one of each file
    found: list[Replayed] = []
    refused: list[str] = []
    for path in replay_paths(paths):
        for replay in read_replays(path, lambda error: refused.append(str(error))):
            try:
                found.append(find_game(replay, game))
            except PodiumError as error:
                refused.append(str(error))
            progress(len(found))
    names = list(dict.fromkeys(name for each in found for name in each.replay.names))
    if me and found and me not in names:
        raise unknown("player of these games", me, names)
    me = me or _common_name(found)
    if anonymous:
        found = [replace(each, replay=_anonymous(each.replay, me)) for each in found]
    added, runs, results = store_games(store, found, me)
    return ImportReport(runs, tuple(found), len(found) - added, tuple(refused), me, results)


def _common_name(found: Sequence[Replayed]) -> str:
    """The only player that is in all games; empty if there is none, or several are."""
    sets = [set(each.replay.names) for each in found]
    common = set.intersection(*sets) if sets else set()
    return common.pop() if len(common) == 1 else ""


def _anonymous(replay: SiteReplay, me: str) -> SiteReplay:
    """The same game with names that tell nothing but who is who."""
    tokens = {name: blake2b(name.encode(), digest_size=3).hexdigest() for name in replay.names}
    return replace(replay, names=tuple(name if name == me else f"player {tokens[name]}" for name in replay.names))


def store_games(
    path: Path, found: Sequence[Replayed], me: str = ""
) -> tuple[int, tuple[str, ...], tuple[SliceReport, ...]]:
    """Store games, those of each contest in a run: how many are new, the runs, and the results of a player in them.

    A game that is in the run already stays as it is, whatever names it has there.
    """
    by_game: dict[str, list[Replayed]] = {}
    for each in found:
        by_game.setdefault(each.game, []).append(each)
    if not by_game:
        return 0, (), ()
    added, runs, results = 0, [], []
    with Store(path) as store:
        for game, games in by_game.items():
            run = store.open_run(LEAGUE, digest("import", game), "imported", 0, Conditions(game))
            store.claim(run)
            added += _add_games(store, run, games, me)
            run = store.run(run.id)
            runs.append(f"r{run.id}")
            if me and me in {bot.label for bot in store.bots(run).values()}:
                with suppress(PodiumError):  # none of its games counts
                    results.append(slice_games(store, run, bot_of(store, run, me), (OPPONENT, SEAT)))
    return added, tuple(runs), tuple(results)


def _add_games(store: Store, run: Run, games: Sequence[Replayed], me: str) -> int:
    """Store the games that are not in a run; returns how many they are."""
    known = {(row.round, row.part) for row in store.games(run)}
    rows = []
    for each in games:
        number = _number(each.replay)
        if number not in known:
            known.add(number)
            rows.append(_row(each, number, store.enter(run, [_entrant(name) for name in each.replay.names])))
    store.add(run, rows)
    store.amend(run, {"rounds": 0, "games": len(known), "imported": True} | ({"me": me} if me else {}))
    return len(rows)


def _entrant(name: str) -> Entrant:
    """A player of the site. It has a kind, so that no page takes its name for a program that it may start."""
    return Entrant(name, digest("site", name), kind="player")


def _number(replay: SiteReplay) -> tuple[int, int]:
    """The place of a game in its run: its number on the site, or one made of its answers, as round and part."""
    number = abs(replay.game_id) or int(digest(str(replay.seed), *(frame.stdout for frame in replay.frames)), 16)
    return number % ROUNDS, number // ROUNDS % PARTS


def _row(found: Replayed, number: tuple[int, int], bots: Sequence[int]) -> GameRow:
    """The game as the store keeps it."""
    replay = found.replay
    pairing = ",".join(sorted(digest("site", name) for name in replay.names))
    fixture = Fixture(pairing, *number, tuple(bots), replay.seed)
    row = finished_row(fixture, found.outcome, found.recorder, time.time(), 0.0)
    return replace(row, times=np.full(len(row.asked), np.nan, np.float32).tobytes())
