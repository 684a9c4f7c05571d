"""Podium: a laboratory for contest game bots.

Each command is one call in Python, with the same words:

    import podium

    podium.games()                                                # list the games
    podium.match("zuniq", "champion", "py:mybot.py", games=200)   # which one is stronger?
    podium.league("zuniq", "champion", "uct", "random", nodes=200)
    podium.ablate("zuniq", "champion", nodes=200)                 # what does each part contribute?
    podium.tune("zuniq", "champion", "impact=0.5:2", nodes=200)   # which parameters are best?
    podium.play("wondev_woman", "champion", "greedy", time=20)    # one game, turn by turn
    podium.analyze("zuniq", ["E5v", "A2h"], time=2000)            # the best moves of a position
    podium.show("g12")                                            # a stored game, or the report of a run (r3)
    podium.trace("zuniq", ["E5v", "A2h"], nodes=1000)             # the search of a position, node by node
    podium.review("g12")                                          # where was a stored game lost?
    podium.replay("g12")                                          # check a stored game against the referee
    podium.runs(game="zuniq")                                     # the runs of the store, with their verdicts
    podium.claims("zuniq")                                        # the claims of a write-up, and measurements
    podium.load("zuniq")                                          # a game: referee, rules, bots

A game is its name, or the object that `load` returns.
Results print as tables, have `data()`, `rows()` and, with pandas, `frame()`, and display themselves in a notebook. The
searches are here too: `AlphaBeta`, `MaxN`, `Mcts`, `Puct`, `Beam`, and for simultaneous moves `DecoupledUct`,
`Smitsimax`, `RollingHorizon` and `RootMatrix`. See docs/python.md.

The import is lazy: each call imports what it needs, and kernels are compiled when they are first used.
"""

from os import environ
from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from typing import TypeVar

    Function = TypeVar("Function")
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from podium.arena.analysis.analyze import Opinion
    from podium.arena.analysis.gate import GateReport
    from podium.arena.analysis.pins import Pin, PinsReport
    from podium.arena.analysis.review import Review
    from podium.arena.analysis.slices import SliceReport
    from podium.arena.analysis.stored_runs import Replay
    from podium.arena.game.play_once import PlayedGame, WatchGame
    from podium.arena.store.store import Run
    from podium.arena.tournament.calibration import CalibrationReport
    from podium.arena.tournament.league import League, LeagueReport
    from podium.arena.tournament.match import Match
    from podium.arena.tournament.options import MatchOptions, RunOptions
    from podium.arena.tournament.report import MatchReport
    from podium.errors import IllegalError as IllegalError
    from podium.errors import LimitError as LimitError
    from podium.errors import MalformedError as MalformedError
    from podium.errors import PodiumError as PodiumError
    from podium.errors import StoreError as StoreError
    from podium.errors import UnfitSearchError as UnfitSearchError
    from podium.errors import UnknownNameError as UnknownNameError
    from podium.games.game import Game as Game
    from podium.games.game_list import GameList
    from podium.games.rules_game import make_game as make_game
    from podium.lab.claims.claims_report import ClaimsReport
    from podium.lab.reports import Report
    from podium.lab.run_list import RunList
    from podium.lab.tune.ablation import Ablation, AblationReport
    from podium.lab.tune.tuning import Tuning
    from podium.lab.tune.tuning_report import TuningReport
    from podium.model.ruleset import Rules as Rules
    from podium.pack.site_games import ImportReport
    from podium.search.alphabeta import AlphaBeta as AlphaBeta
    from podium.search.beam import Beam as Beam
    from podium.search.decoupled import DecoupledUct as DecoupledUct
    from podium.search.maxn import MaxN as MaxN
    from podium.search.mcts import Mcts as Mcts
    from podium.search.puct import Puct as Puct
    from podium.search.rolling_horizon import RollingHorizon as RollingHorizon
    from podium.search.root_matrix import RootMatrix as RootMatrix
    from podium.search.smitsimax import Smitsimax as Smitsimax
    from podium.search.trace import Trace

    def games() -> GameList:
        """All games by name, in a list that shows itself."""

    def kernel(function: Function) -> Function:
        """Decorate a function that is compiled on first use, such as an evaluation for a search."""


__version__ = "0.1.0"

PINS = "pins.jsonl"  # where pinned positions are kept, in the present folder
STORE = environ.get("PODIUM_STORE") or "podium.db"  # where matches and leagues keep their games

__all__ = [
    "AlphaBeta",
    "Beam",
    "DecoupledUct",
    "Game",
    "IllegalError",
    "LimitError",
    "MalformedError",
    "MaxN",
    "Mcts",
    "PodiumError",
    "Puct",
    "RollingHorizon",
    "RootMatrix",
    "Rules",
    "Smitsimax",
    "StoreError",
    "UnfitSearchError",
    "UnknownNameError",
    "ablate",
    "analyze",
    "calibrate",
    "claims",
    "delete",
    "games",
    "gate",
    "import_replays",
    "kernel",
    "league",
    "load",
    "load_trace",
    "make_game",
    "match",
    "pin",
    "pins",
    "play",
    "remark",
    "replay",
    "review",
    "runs",
    "show",
    "slices",
    "trace",
    "tune",
]

ERRORS = (
    "IllegalError",
    "LimitError",
    "MalformedError",
    "PodiumError",
    "StoreError",
    "UnfitSearchError",
    "UnknownNameError",
)
ELSEWHERE = {
    "AlphaBeta": "podium.search.alphabeta",
    "Beam": "podium.search.beam",
    "DecoupledUct": "podium.search.decoupled",
    "MaxN": "podium.search.maxn",
    "Mcts": "podium.search.mcts",
    "Puct": "podium.search.puct",
    "RollingHorizon": "podium.search.rolling_horizon",
    "RootMatrix": "podium.search.root_matrix",
    "Smitsimax": "podium.search.smitsimax",
    "Game": "podium.games.game",
    "make_game": "podium.games.rules_game",
    "Rules": "podium.model.ruleset",
    **dict.fromkeys(ERRORS, "podium.errors"),
}


def __getattr__(name: str) -> Any:
    """What is imported when it is first asked for."""
    from importlib import import_module

    if name in ("games", "kernel"):  # packages that can be called
        return import_module(f"podium.{name}")
    if name in ELSEWHERE:
        return getattr(import_module(ELSEWHERE[name]), name)
    from difflib import get_close_matches

    near = get_close_matches(name, __all__, n=1)
    hint = f"; did you mean {near[0]}?" if near and not name.startswith("_") else ""
    raise AttributeError(f"module 'podium' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def load(name: str) -> "Game":
    """The game of that name; `podium.games()` lists them.

    >>> game = podium.load("zuniq")
    >>> game.title, game.seats
    ('Zuniq', 2)
    """
    from podium.games import load

    return load(name)


def play(
    game: "Game | str",
    *bots: str,
    seed: int = 1,
    time: float = 0.0,
    nodes: int = 0,
    settings: "Mapping[str, object] | None" = None,
    watch: "WatchGame | None" = None,
) -> "PlayedGame":
    """Play one game between bots, one for each seat, and return it turn by turn; it is not stored.

    `time` is the limit per move in ms (0: the contest's limits), `nodes` a limit of nodes instead. `watch` is called
    with the referee and the turn after each answer.

    >>> game = podium.play("zuniq", "random", "random", seed=1)
    >>> sorted(game.scores)
    [50, 100]
    """
    from podium.arena.game.play_once import play_once
    from podium.games import game_name

    return play_once(game_name(game), bots, seed=seed, time=time, nodes=nodes, settings=settings, watch=watch)


def match(
    game: "Game | str",
    first: str,
    second: str,
    *,
    games: int = 0,
    sprt: tuple[float, float] | None = None,
    logistic: bool = False,
    alpha: float = 0.05,
    beta: float = 0.05,
    sharing: str = "half",
    progress: "Callable[[Match], None] | None" = None,
    **options: Unpack["MatchOptions"],
) -> "MatchReport":
    """Play a match between two bots in pairs of games, and report which one is stronger.

    Every game is stored as it ends: the same call continues the same match, after an interruption or with more games.
    `games` is 200 if neither it nor a sequential test (`sprt`: its bounds in normalized Elo) is given. `options` are
    those of `podium.arena.tournament.options.MatchOptions`: time, nodes, seed, jobs, store, settings, handicaps and so
    on. `progress` is called a few times a second.

    >>> report = podium.match("zuniq", "champion", "random", games=4, nodes=20)
    >>> report.won, report.drawn, report.lost
    (4, 0, 0)
    """
    from podium.arena.tournament.match import Match
    from podium.games import game_name

    with Match(
        game_name(game),
        first,
        second,
        games=games,
        sprt=sprt,
        logistic=logistic,
        alpha=alpha,
        beta=beta,
        sharing=sharing,
        **options,
    ) as found:
        return found.play(progress=progress)


def calibrate(
    game: "Game | str",
    bot: str,
    *,
    games: int = 100,
    progress: "Callable[[Match], None] | None" = None,
    **options: Unpack["RunOptions"],
) -> "CalibrationReport":
    """Let a bot play itself: the noise of this machine, the fairness of the seats, and whether time limits hold.

    >>> report = podium.calibrate("zuniq", "random", games=4, nodes=1)
    >>> report.overruns, report.match.games
    (0, 4)
    """
    from podium.arena.tournament.calibration import Calibration
    from podium.games import game_name

    with Calibration(game_name(game), bot, games=games, **options) as found:
        return found.play(progress=progress)


def gate(
    game: "Game | str",
    old: str,
    new: str,
    *,
    require: str = "not-weaker",
    sprt: tuple[float, float] | None = None,
    games: int = 2000,
    faults: int = 0,
    pins: "Path | str" = PINS,
    progress: "Callable[[Match], None] | None" = None,
    **options: Unpack["MatchOptions"],
) -> "GateReport":
    """Check a new version of a bot against the old one: all pinned positions, a sequential test of strength, faults.

    `require` is `not-weaker` or `stronger`; `sprt` are the bounds of the test in normalized Elo (default: -30 and 0, or
    0 and 30), and `games` is its largest number of games. `faults` is the number of games in which the new version may
    be disqualified. `options` are those of a match.

    >>> report = podium.gate("zuniq", "random", "uct", sprt=(-200, 0), nodes=20)
    >>> report.verdict.value, [row["check"] for row in report.rows()]
    ('passed', ['strength', 'faults'])
    """
    from pathlib import Path

    from podium.arena.analysis.gate import run_gate
    from podium.games import game_name

    look = progress or (lambda match: None)
    wanted: Any = {"require": require, "sprt": sprt, "games": games, "faults": faults}
    return run_gate(game_name(game), old, new, pins=Path(pins), progress=look, **wanted, **options)


def league(
    game: "Game | str",
    *bots: str,
    rounds: int = 10,
    against: str = "",
    ladder: bool = False,
    name: str = "league",
    progress: "Callable[[League], None] | None" = None,
    **options: Unpack["MatchOptions"],
) -> "LeagueReport":
    """Play a league and rate all its bots in one table; bots named later join the league of that name.

    `against` names the bot that all others play (a gauntlet); with `ladder` neighbours in the table play each other.
    With `archive=True` bots of the game are packed beside the store, to be met when they have changed.

    >>> report = podium.league("zuniq", "champion", "random", rounds=1, nodes=20)
    >>> [row["bot"] for row in report.rows()]
    ['champion', 'random']
    """
    from podium.arena.tournament.league import League
    from podium.games import game_name
    from podium.pack.releases import write_version

    form: dict[str, Any] = {"rounds": rounds, "against": against, "ladder": ladder}
    with League(game_name(game), bots, **form, name=name, packer=write_version, **options) as found:
        return found.play(progress=progress)


def ablate(
    game: "Game | str",
    bot: str,
    *,
    parts: "Sequence[str]" = (),
    values: "Mapping[str, Sequence[object]] | None" = None,
    games: int = 2000,
    progress: "Callable[[Ablation], None] | None" = None,
    **options: Unpack["RunOptions"],
) -> "AblationReport":
    """Measure what each part of a bot contributes: variants with one parameter changed play the complete bot.

    `parts` are switches to toggle, `values` other values by parameter; without both, every switch that is on is
    switched off. `games` is the total of all variants; they go to the variants with the widest intervals.

    >>> report = podium.ablate("zuniq", "champion", parts=["rave"], games=4, nodes=20)
    >>> [row["part"] for row in report.rows()]
    ['rave=off']
    """
    from podium.games import game_name
    from podium.lab.tune.ablation import Ablation

    texts = {name: [str(value) for value in others] for name, others in (values or {}).items()}
    with Ablation(game_name(game), bot, parts=parts, values=texts, games=games, **options) as found:
        return found.play(progress=progress)


def tune(
    game: "Game | str",
    bot: str,
    *space: str,
    games: int = 2000,
    against: "Sequence[str]" = (),
    method: str | None = None,
    sprt: tuple[float, float] = (0.0, 20.0),
    tests: int | None = None,
    progress: "Callable[[Tuning], None] | None" = None,
    **options: Unpack["RunOptions"],
) -> "TuningReport":
    """Tune the parameters of a bot, and test the result against the unchanged bot on fresh seeds.

    `space` lists the parameters with their ranges: `width=20:200`, `nodes=100:10000:log`, `placing=worst|random`,
    `rave=on|off`. `games` is the number of games of the search; each of the two tests after it takes at most `tests`
    games (by default as many as the search; 0: no tests). `method` is `design`, `surface` or `spsa`.

    >>> report = podium.tune("zuniq", "uct", "exploration=0.2:2", games=8, tests=0, nodes=20)
    >>> [row["parameter"] for row in report.rows()]
    ['exploration']
    """
    from podium.games import game_name
    from podium.lab.tune.tuning import Tuning

    with Tuning(
        game_name(game), bot, space, games=games, against=against, method=method, sprt=sprt, tests=tests, **options
    ) as found:
        return found.play(progress=progress)


def analyze(
    game: "Game | str",
    position: "Sequence[str] | str" = (),
    *,
    bot: str = "",
    time: float = 5000.0,
    nodes: int = 0,
    turn: int = 0,
    seat: int | None = None,
    store: "Path | str" = STORE,
) -> "Opinion":
    """Let a bot analyze a position for `time` ms or a limit of nodes: its best moves, values and expected line.

    Without a `bot` it is the champion, or the first bot of a game that has none.

    A position is given by the moves that lead to it or by a prompt, as the page of the game in docs/games describes. A
    stored game such as `["g41"]`, or `["r7"]` for the last game of a run, is a position too: at a `turn` from 1 (0: the
    last), as a `seat` saw it.

    >>> opinion = podium.analyze("zuniq", ["E5v", "A2h", "B3h", "C4v"], nodes=2000)
    >>> opinion.rows()[0]["move"]
    'F1h'
    """
    from podium.arena.analysis.analyze import TurnReference, analyze_position
    from podium.games import game_name

    return analyze_position(
        game_name(game), position, bot=bot, time=time, nodes=nodes, turn=TurnReference(turn, seat, store)
    )


def show(what: str, *, store: "Path | str" = STORE) -> "Report | PlayedGame":
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


def trace(
    game: "Game | str",
    position: "Sequence[str] | str" = (),
    *,
    bot: str = "",
    time: float = 5000.0,
    nodes: int = 0,
    turn: int = 0,
    seat: int | None = None,
    store: "Path | str" = STORE,
) -> "Trace":
    """Record the search with which a bot chooses its move in a position, node by node (docs/traces.md).

    The position, the bot and its limit are given as for `analyze`. `rows()` are the moves of the root, `frame()` all
    nodes; `save(path)` writes the file that `podium analyze --trace` writes, and `load_trace(path)` reads it.

    >>> trace = podium.trace("zuniq", ["E5v", "A2h", "B3h", "C4v"], nodes=500)
    >>> trace.facts["result"]["nodes"], trace.rows()[0]["move"]
    (500, 'F1h')
    """
    from podium.arena.analysis.analyze import TurnReference
    from podium.arena.analysis.trace_position import trace_position
    from podium.games import game_name

    return trace_position(
        game_name(game), position, bot=bot, time=time, nodes=nodes, turn=TurnReference(turn, seat, store)
    )


def load_trace(path: "Path | str") -> "Trace":
    """The trace of a file.

    >>> podium.trace("zuniq", ["E5v", "A2h"], nodes=50).save("trace.npz")
    >>> podium.load_trace("trace.npz").search
    'MCTS'
    """
    from podium.arena.analysis.trace_position import load_trace

    return load_trace(path)


def review(
    game: str,
    *,
    seat: int | None = None,
    bot: str = "",
    time: float | None = None,
    nodes: int = 0,
    store: "Path | str" = STORE,
    progress: "Callable[[int], None] | None" = None,
) -> "Review":
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

    stored, look = find_stored_game(game, store), progress or (lambda turn: None)
    rules = load(stored.run.game)
    return review_stored(rules, stored, judge_of(rules, bot), seat=seat, time=time, nodes=nodes, progress=look)


def pin(
    game: str,
    turn: int,
    *,
    seat: int | None = None,
    expect: "Sequence[str]" = (),
    avoid: "Sequence[str]" = (),
    note: str = "",
    pins: "Path | str" = PINS,
    store: "Path | str" = STORE,
) -> "Pin":
    """Keep the position of a turn of a stored game with what should, or should not, be played there.

    Without `expect` and `avoid`, what was played there is to be avoided. The pin is appended to the file `pins`.

    >>> report = podium.match("zuniq", "uct", "random", games=2, nodes=50)
    >>> podium.pin("g1", 3, expect=["A1h"]).wanted
    'A1h'
    """
    from pathlib import Path

    from podium.arena.analysis.pins import add_pin, pin_of
    from podium.arena.analysis.review import seat_asked
    from podium.arena.analysis.stored_runs import find_stored_game

    stored = find_stored_game(game, store)
    whose = seat_asked(load(stored.run.game), stored, turn) if seat is None else seat
    made = pin_of(stored, turn, whose, expect=expect, avoid=avoid, note=note)
    add_pin(made, Path(pins))
    return made


def pins(
    bot: str,
    *,
    game: str = "",
    time: float = 0.0,
    nodes: int = 0,
    repeats: int = 1,
    seed: int = 1,
    pins: "Path | str" = PINS,
) -> "PinsReport":
    """Let a bot play in all pinned positions of a file, and compare with what should be played there.

    >>> report = podium.match("zuniq", "uct", "random", games=2, nodes=50)
    >>> pin = podium.pin("g1", 3)
    >>> podium.pins("champion", nodes=50).failed <= 1
    True
    """
    from pathlib import Path

    from podium.arena.analysis.pins import run_pins

    return run_pins(bot, Path(pins), game=game, time=time, nodes=nodes, repeats=repeats, seed=seed)


def replay(*what: str, store: "Path | str" = STORE) -> "Replay":
    """Replay stored games (`g12`, or `r3` for all of a run) through the referee, and compare every line.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.replay("g1", "g2").headline
    '2 games agree in every prompt and in the result, 0 differ'
    """
    from podium.arena.analysis.stored_runs import replay_stored

    return replay_stored(what, store)


def runs(*, game: str = "", kind: str = "", tag: str = "", store: "Path | str" = STORE) -> "RunList":
    """The runs of a store with their scores and verdicts; only those of a game, of a kind or with a tag, if given.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> [row["run"] for row in podium.runs(game="zuniq").rows()]
    ['r1']
    """
    from podium.lab.run_list import list_runs

    return list_runs(store, game, kind, tag)


def slices(run: str, *, bot: str = "", by: "Sequence[str]" = (), store: "Path | str" = STORE) -> "SliceReport":
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


def delete(*runs: str, store: "Path | str" = STORE) -> int:
    """Delete runs such as `r3` with all their games; the number of games that are gone.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.delete("r1")
    2
    """
    from podium.lab.run_list import delete_runs

    return delete_runs(list(runs), store)


def remark(
    run: str,
    *,
    title: str | None = None,
    note: str | None = None,
    add_tags: "Sequence[str]" = (),
    remove_tags: "Sequence[str]" = (),
    store: "Path | str" = STORE,
) -> "Run":
    """Give a run such as `r3` a title, a note or tags; None leaves something as it is, "" removes it.

    >>> report = podium.match("zuniq", "champion", "random", games=2, nodes=20)
    >>> podium.remark("r1", title="the first one").title
    'the first one'
    """
    from podium.lab.run_list import remark_on

    return remark_on(run, store, title=title, note=note, add_tags=add_tags, remove_tags=remove_tags)


def import_replays(
    *files: "Path | str", game: str = "", me: str = "", anonymous: bool = False, store: "Path | str" = STORE
) -> "ImportReport":
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


def claims(
    *games: str,
    only: "Sequence[str]" = (),
    measure: bool = False,
    again: bool = False,
    games_each: int = 0,
    store: "Path | str" = STORE,
    jobs: int = 0,
    cluster: str = "",
) -> "ClaimsReport":
    """What the write-ups claim about some games (or all), what was measured, and the verdicts.

    `measure` measures what is missing first, or everything `again`: matches are runs of the store, of as many games as
    the lists say or of `games_each` at most, and the same call goes on. `only` names some claims by their ids.

    >>> report = podium.claims("zuniq")
    >>> {row["game"] for row in report.rows()}
    {'zuniq'}
    """
    from podium.lab.claims.claims_report import claims
    from podium.lab.claims.measurements import MeasurementSession

    session = MeasurementSession(store, jobs, cluster, games_each) if measure or again else None
    return claims(games, only, session=session, again=again, store=store)
