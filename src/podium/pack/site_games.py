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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.fingerprint import digest
from podium.arena.game.conditions import Conditions
from podium.arena.game.record import Recorder
from podium.arena.game.turn import Turn
from podium.arena.store.game_row import GameRow
from podium.arena.store.store import Store
from podium.arena.tournament.run_session import LEAGUE
from podium.arena.tournament.worker import Fixture, finished_row
from podium.display import Displayable
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Answer, Ending, Fault, Game, Outcome, Request, Verdict
from podium.games.loop import RefereeError, run_game
from podium.pack.replay_files import SiteReplay, read_replays, replay_paths
from podium.referees.names import SCHEME, parse

LEAGUES = range(1, 7)  # of an external referee, tried where the file tells none
ROUNDS = 10**9  # of a pairing; the number of a game on the site is its round
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
    """The answers of a replay in the order in which a referee asks for them."""

    def __init__(self, replay: SiteReplay) -> None:
        self.frames = replay.frames
        self.next = 0

    def take(self, request: Request) -> tuple[str | None, str]:
        """The answer of a seat that is asked now (None: nothing in time) and what it wrote to standard error."""
        while self.next < len(self.frames):
            frame = self.frames[self.next]
            answers_later = any(later.seat == frame.seat and later.stdout for later in self.frames[self.next + 1 :])
            self.next += 1
            if frame.stdout:
                if frame.seat != request.seat:
                    raise _OtherwiseError(f"the referee asks seat {request.seat}, the replay has seat {frame.seat}")
                return "\n".join(frame.stdout.splitlines()[: max(1, request.answers)]), frame.stderr
            if frame.seat == request.seat and not answers_later:
                return None, frame.stderr  # otherwise nobody was asked in this step
        raise _OtherwiseError(f"the referee asks seat {request.seat}, the replay has ended")

    def check_end(self) -> None:
        """A _OtherwiseError if answers are left."""
        left = sum(bool(frame.stdout) for frame in self.frames[self.next :])
        if left:
            raise _OtherwiseError(f"the referee has ended the game, the replay has {left} more answers")


def play_again(game: Game, replay: SiteReplay) -> Replayed:
    """Give a game's referee the recorded answers, and compare who is asked and the result."""
    if game.seats != replay.seats:
        reason = f"{game.title} has {game.seats} players, not {replay.seats}"
        return Replayed(replay, game.name, SiteVerdict.ANOTHER, 0, reason, Recorder(), _outcome(replay, reason))
    referee = game.new_referee(replay.seed, game.settings_among(replay.parameters))
    answers, recorder, turn = _Answers(replay), Recorder(), 0

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
        if [float(score) for score in outcome.scores] != list(replay.scores):
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
    """The result as the site tells it."""
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
    """What an import found: the verdict of every game, and the score against each opponent."""

    runs: tuple[str, ...]  # where the games are stored
    games: tuple[Replayed, ...]
    known: int  # games that were in the store already
    refused: tuple[str, ...]  # files that are no replays, each with the reason
    me: str  # the player whose results are shown; empty if none is in all games

    @property
    def headline(self) -> str:
        """How many games agree."""
        refused = f"; files that are no replays: {len(self.refused)}" if self.refused else ""
        if not self.games:
            return f"nothing imported{refused or ': no replay files were found'}"
        counts = Counter(found.agreement for found in self.games)
        words = [f"{agreement}: {counts[agreement]}" for agreement in SiteVerdict if counts[agreement]]
        words += [f"stored before: {self.known}"] if self.known else []
        where = f" in {', '.join(self.runs)}" if self.runs else ""
        return f"games imported{where}: {len(self.games)} ({', '.join(words)}){refused}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game."""
        return [
            {
                "game": found.replay.game_id,
                "contest": found.game,
                "players": " vs ".join(found.replay.names),
                "scores": _plain(found.replay.scores),
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
            "opponents": self.opponents(),
        }

    def opponents(self) -> list[dict[str, Any]]:
        """The results of `me` against each opponent and in each seat, the most frequent first."""
        if not self.me:
            return []
        results: dict[tuple[bool, str], list[float]] = {}  # by whether it is a seat, and its name
        for found in self.games:
            seat = found.replay.names.index(self.me)
            ranks = found.replay.ranks
            for other, name in enumerate(found.replay.names):
                if other != seat:
                    point = 0.5 if ranks[seat] == ranks[other] else float(ranks[seat] < ranks[other])
                    results.setdefault((False, name), []).append(point)
                    results.setdefault((True, f"in seat {seat}"), []).append(point)
        ranked = sorted(results.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1]))
        return [
            {
                "against": name,
                "games": len(points),
                "won": points.count(1.0),
                "drawn": points.count(0.5),
                "lost": points.count(0.0),
                "score": sum(points) / len(points),
                "interval": wilson(sum(points), len(points)),
            }
            for (_, name), points in ranked
        ]


Z = 1.96  # of a 95 % interval


def wilson(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a score (Wilson, "Probable inference", 1927); draws count half a win."""
    share, n = points / games, float(games)
    centre = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * (share * (1 - share) / n + Z * Z / (4 * n * n)) ** 0.5
    return round(max(0.0, centre - half), 4), round(min(1.0, centre + half), 4)


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
    found: list[Replayed] = []
    refused: list[str] = []
    for path in replay_paths(paths):
        try:
            replays = read_replays(path)
        except PodiumError as error:
            refused.append(str(error))
            continue
        for replay in replays:
            try:
                found.append(find_game(replay, game))
            except PodiumError as error:
                refused.append(str(error))
            progress(len(found))
    me = me or _common_name(found)
    if anonymous:
        found = [replace(each, replay=_anonymous(each.replay, me)) for each in found]
    added, runs = store_games(store, found)
    return ImportReport(runs, tuple(found), len(found) - added, tuple(refused), me)


def _common_name(found: Sequence[Replayed]) -> str:
    """The only player that is in all games; empty if there is none, or several are."""
    sets = [set(each.replay.names) for each in found]
    common = set.intersection(*sets) if sets else set()
    return common.pop() if len(common) == 1 else ""


def _anonymous(replay: SiteReplay, me: str) -> SiteReplay:
    """The same game with names that tell nothing but who is who."""
    tokens = {name: blake2b(name.encode(), digest_size=3).hexdigest() for name in replay.names}
    return replace(replay, names=tuple(name if name == me else f"player {tokens[name]}" for name in replay.names))


def store_games(path: Path, found: Sequence[Replayed]) -> tuple[int, tuple[str, ...]]:
    """Store games, those of each contest in a run; returns how many are new, and the runs."""
    added, runs = 0, []
    by_game: dict[str, list[Replayed]] = {}
    for each in found:
        by_game.setdefault(each.game, []).append(each)
    if not by_game:
        return 0, ()
    with Store(path) as store:
        for game, games in by_game.items():
            run = store.open_run(LEAGUE, digest("import", game), "imported", 0, Conditions(game))
            store.claim(run)
            known = {row.place for row in store.games(run)}
            rows = []
            for each in games:
                row = _row(each, store.enter(run, [_entrant(name) for name in each.replay.names]))
                if row.place not in known:
                    known.add(row.place)
                    rows.append(row)
            store.add(run, rows)
            store.amend(run, {"rounds": 0, "games": len(known), "imported": True})
            added += len(rows)
            runs.append(f"r{run.id}")
    return added, tuple(runs)


def _entrant(name: str) -> Entrant:
    return Entrant(name, digest("site", name))


def _row(found: Replayed, bots: Sequence[int]) -> GameRow:
    """The game as the store keeps it: its number on the site is its place in the run."""
    replay = found.replay
    pairing = ",".join(sorted(digest("site", name) for name in replay.names))
    number = replay.game_id or int(digest(*(frame.stdout for frame in replay.frames)), 16)
    fixture = Fixture(pairing, number % ROUNDS, 0, tuple(bots), replay.seed)
    return finished_row(fixture, found.outcome, found.recorder, time.time(), 0.0)
