"""What is in a store: its games and runs, read, checked, named and deleted; games imported from contests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.api import STORE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from podium.arena.analysis.review import Review
    from podium.arena.analysis.slices import SliceReport
    from podium.arena.analysis.stored_runs import Replay
    from podium.arena.game.play_once import PlayedGame
    from podium.arena.store.store import Run
    from podium.lab.reports import Report
    from podium.lab.run_list import RunList
    from podium.pack.site_games import ImportReport


def show(what: str, *, store: Path | str = STORE) -> Report | PlayedGame:
    """The report of a stored run (`r3`), or a stored game turn by turn (`g12`).

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.show("r1").won
    2
    >>> game = podium.show("g1")
    >>> game.bots, game.turns[0].prompt, game.turns[0].answer
    (('champion', 'random'), ('Start',), 'A5h')
    """
    from podium.lab.reports import show_stored

    return show_stored(what, store)


def review(
    game: str,
    *,
    seat: int | None = None,
    bot: str = "",
    time: float | None = None,
    nodes: int = 0,
    store: Path | str = STORE,
    progress: Callable[[int], None] | None = None,
) -> Review:
    """Let a bot review a stored game (`g41`, or `r7`: the last one of a run) and report where it was lost.

    For every answer of a `seat` (default: the loser's) it searches for `time` ms or a limit of nodes (default: eight
    times what the player had), and reports its own move and what the played move cost; `surprises` has what came
    otherwise than expected. `progress` is called with each turn. Without a `bot` it is the champion, or the first bot
    of a game that has none.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> review = podium.review("g1", nodes=20)
    >>> review.rows()[0]["turn"]
    2
    """
    from podium.arena.analysis.stored_runs import find_stored_game, judge_of, review_stored
    from podium.games import load

    stored, look = find_stored_game(game, store), progress or (lambda turn: None)
    rules = load(stored.run.game)
    return review_stored(rules, stored, judge_of(rules, bot), seat=seat, time=time, nodes=nodes, progress=look)


def replay(*what: str, store: Path | str = STORE) -> Replay:
    """Replay stored games (`g12`, or `r3` for all of a run) through the referee, and compare every line.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.replay("g1", "g2").headline
    '2 games agree in every prompt and in the result, 0 differ'
    """
    from podium.arena.analysis.stored_runs import replay_stored

    return replay_stored(what, store)


def slices(run: str, *, bot: str = "", by: Sequence[str] = (), store: Path | str = STORE) -> SliceReport:
    """Slice the results of a bot in a stored run by attributes of games: where is it weaker than elsewhere?

    `bot` is by default the first of a match. `by` names attributes: `opponent`, `seat`, `length`, settings, what the
    seed drew, and what the bot set on standard error; without it all are used. Differences are adjusted for the number
    of slices (Benjamini and Hochberg).

    >>> report = podium.match("zuniq", "uct", "random", games=4, nodes=20)
    >>> [row["value"] for row in podium.slices("r1", by=["seat"]).rows()]
    ['0', '1']
    """
    from podium.arena.analysis.slices import slice_stored

    return slice_stored(run, bot=bot, by=by, path=store)


def runs(*, game: str = "", kind: str = "", tag: str = "", store: Path | str = STORE) -> RunList:
    """The runs of a store with their scores and verdicts; only those of a game, of a kind or with a tag, if given.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> [row["run"] for row in podium.runs(game="zuniq").rows()]
    ['r1']
    """
    from podium.lab.run_list import list_runs

    return list_runs(store, game, kind, tag)


def remark(
    run: str,
    *,
    title: str | None = None,
    note: str | None = None,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
    store: Path | str = STORE,
) -> Run:
    """Give a run such as `r3` a title, a note or tags; None leaves something as it is, "" removes it.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.remark("r1", title="the first one").title
    'the first one'
    """
    from podium.lab.run_list import remark_on

    return remark_on(run, store, title=title, note=note, add_tags=add_tags, remove_tags=remove_tags)


def delete(*runs: str, store: Path | str = STORE) -> int:
    """Delete runs such as `r3` with all their games; the number of games that are gone.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.delete("r1")
    2
    """
    from podium.lab.run_list import delete_runs

    return delete_runs(list(runs), store)


def import_replays(
    *files: Path | str, game: str = "", me: str = "", anonymous: bool = False, store: Path | str = STORE
) -> ImportReport:
    """Import replay files saved from CodinGame, game texts of CodeCup, or folders of them: each game is played
    again through the referee, compared, and stored.

    `game` names the game or `referee:...` to replay with; by default it is the one in which a replay agrees. `me` is
    the player whose results are reported. With `anonymous` the names of all others are replaced.

    >>> podium.import_replays("replays/").headline      # doctest: +SKIP
    'games imported in r1 (wondev_woman): 12 (agrees: 12)'
    """
    from pathlib import Path

    from podium.pack.site_games import import_replays

    return import_replays([Path(file) for file in files], Path(store), game=game, me=me, anonymous=anonymous)
