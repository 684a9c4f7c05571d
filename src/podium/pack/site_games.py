"""Games of a contest's site in the store, like any others.

They are played again (`site_verdicts`) and stored, whatever the verdict, in a run of their own: a league whose games
were not played here. Importing a file again adds nothing. What most games of the same import agree with is tried first,
long games before short ones: a game of few answers may agree with several contests.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from podium.arena.analysis.slices import OPPONENT, SEAT, SliceReport, bot_of, slice_games
from podium.arena.entrants.entrant import Entrant
from podium.arena.entrants.fingerprint import digest
from podium.arena.game.conditions import Conditions
from podium.arena.store.game_row import MOST_ROUNDS, GameRow
from podium.arena.store.store import SITE_PLAYER, Run, Store
from podium.arena.tournament.run_session import LEAGUE
from podium.arena.tournament.worker import Fixture, finished_row
from podium.display import Displayable
from podium.errors import PodiumError, unknown
from podium.games import load
from podium.pack.replay_files import read_replays, replay_paths
from podium.pack.site_replay import SiteReplay
from podium.pack.site_verdicts import Replayed, SiteVerdict, find_game, plain_scores

PARTS = 10**6  # the number of a game on the site is its round and, beyond what a round can be, its part


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
    def played(self) -> dict[str, str]:
        """The game or referee that the games of each run were replayed with."""
        return dict(zip(self.runs, dict.fromkeys(found.game for found in self.games), strict=True))

    @property
    def headline(self) -> str:
        """How many games agree, and with which games or referees they were replayed."""
        if not self.games:
            return "nothing imported" if self.refused else "nothing imported: no replay files were found"
        refused = f"; not imported: {len(self.refused)}" if self.refused else ""
        counts = Counter(found.agreement for found in self.games)
        words = [f"{agreement}: {counts[agreement]}" for agreement in SiteVerdict if counts[agreement]]
        words += [f"stored before: {self.known}"] if self.known else []
        where = ", ".join(f"{run} ({game})" for run, game in self.played.items())
        return f"games imported in {where}: {len(self.games)} ({', '.join(words)}){refused}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each game."""
        return [
            {
                "game": found.replay.game_id,
                "file": found.replay.source,
                "contest": found.game,
                "players": " vs ".join(found.replay.names),
                "scores": plain_scores(found.replay.scores or found.outcome.scores),
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
    if game and load(game).external.script_runner:  # what is wrong with the name is one error, not one of each file
        raise PodiumError(f"{game} runs the bots itself: it cannot play recorded games again")
    refused: list[str] = []
    replays = [
        replay
        for path in replay_paths(paths)
        for replay in read_replays(path, lambda error: refused.append(str(error)))
    ]
    found = _found_games(replays, game, refused, progress)
    names = list(dict.fromkeys(name for each in found for name in each.replay.names))
    if me and found and me not in names:
        raise unknown("player of these games", me, names)
    me = me or _common_name(found)
    if anonymous:
        found = [replace(each, replay=_anonymous(each.replay, me)) for each in found]
    added, runs, results = store_games(store, found, me)
    return ImportReport(runs, tuple(found), len(found) - added, tuple(refused), me, results)


def _found_games(
    replays: Sequence[SiteReplay], game: str, refused: list[str], progress: Callable[[int], None]
) -> list[Replayed]:
    """Play replays again, and return them in their order; the reasons against others are added to `refused`."""
    agreed: Counter[str] = Counter()
    found: dict[int, Replayed] = {}
    for place, replay in sorted(enumerate(replays), key=lambda each: -len(each[1].frames)):
        try:
            found[place] = find_game(replay, game, agreed)
            agreed[found[place].game] += found[place].agreement is SiteVerdict.AGREES
        except PodiumError as error:
            refused.append(str(error))
        progress(len(found))
    return [found[place] for place in sorted(found)]


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
    return Entrant(name, digest("site", name), kind=SITE_PLAYER)


def _number(replay: SiteReplay) -> tuple[int, int]:
    """The place of a game in its run: its number on the site, or one made of its answers, as round and part."""
    number = abs(replay.game_id) or int(digest(str(replay.seed), *(frame.stdout for frame in replay.frames)), 16)
    return number % MOST_ROUNDS, number // MOST_ROUNDS % PARTS


def _row(found: Replayed, number: tuple[int, int], bots: Sequence[int]) -> GameRow:
    """The game as the store keeps it."""
    replay = found.replay
    pairing = ",".join(sorted(digest("site", name) for name in replay.names))
    fixture = Fixture(pairing, *number, tuple(bots), replay.seed)
    row = finished_row(fixture, found.outcome, found.recorder, time.time(), 0.0)
    return replace(row, times=np.full(len(row.asked), np.nan, np.float32).tobytes())
