"""Podium: a laboratory for contest game bots.

What the commands do is one call in Python, with the same words:

    import podium

    podium.games()                                                # what can be played
    podium.match("zuniq", "champion", "py:mybot.py", games=200)   # which one is stronger?
    podium.league("zuniq", "champion", "uct", "random", nodes=200)
    podium.ablate("zuniq", "champion", nodes=200)                 # what is each part worth?
    podium.tune("zuniq", "champion", "impact=0.5:2", nodes=200)   # which numbers are best?
    podium.play("wondev_woman", "champion", "greedy", time=20)    # one game, turn by turn
    podium.analyze("zuniq", ["E5v", "A2h"], time=2000)            # the best moves of a position
    podium.review("g12")                                          # why was it lost? a bot goes through a stored game
    podium.replay("g12")                                          # a stored game through the referee again
    podium.claims("zuniq")                                        # what a write-up says, and what was measured
    podium.load("zuniq")                                          # a game itself: referee, rules, bots

What they return prints well, has `data()`, `rows()` and, with pandas, `frame()`, and shows itself in a notebook. The
searches are here too: `AlphaBeta`, `MaxN`, `Mcts`, `Puct`, `Beam`. docs/python.md tells more.

Nothing happens on import: what a call needs is imported by it, and kernels are compiled when they are first used.
"""

from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from podium.arena.conditions import Terms
    from podium.arena.exhibition import PlayedGame, Watch
    from podium.arena.league import League, LeagueReport
    from podium.arena.match import Match
    from podium.arena.report import MatchReport
    from podium.arena.review import Review
    from podium.arena.stored import Replay
    from podium.arena.thinking import Opinion
    from podium.errors import PodiumError as PodiumError
    from podium.games.game import Game
    from podium.games.listing import GameList
    from podium.lab.ablation import Ablation, AblationReport
    from podium.lab.claims_report import ClaimsReport
    from podium.lab.tuned import TuningReport
    from podium.lab.tuning import Tuning
    from podium.search.alphabeta import AlphaBeta as AlphaBeta
    from podium.search.beam import Beam as Beam
    from podium.search.maxn import MaxN as MaxN
    from podium.search.mcts import Mcts as Mcts
    from podium.search.puct import Puct as Puct

    def games() -> GameList:
        """All games by name, in a list that shows itself."""


__version__ = "0.1.0"

STORE = "podium.db"  # where matches and leagues keep their games, in the present folder

__all__ = [
    "AlphaBeta",
    "Beam",
    "MaxN",
    "Mcts",
    "PodiumError",
    "Puct",
    "ablate",
    "analyze",
    "claims",
    "games",
    "league",
    "load",
    "match",
    "play",
    "replay",
    "review",
    "tune",
]

_ELSEWHERE = {
    "AlphaBeta": "podium.search.alphabeta",
    "Beam": "podium.search.beam",
    "MaxN": "podium.search.maxn",
    "Mcts": "podium.search.mcts",
    "Puct": "podium.search.puct",
    "PodiumError": "podium.errors",
}


def __getattr__(name: str) -> Any:
    """What is imported when it is first asked for."""
    from importlib import import_module

    if name == "games":
        return import_module("podium.games")
    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module 'podium' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def load(name: str) -> "Game":
    """The game of that name; `podium.games()` lists them."""
    from podium.games import load

    return load(name)


def play(
    game: str,
    *bots: str,
    seed: int = 1,
    time: float = 0.0,
    nodes: int = 0,
    settings: "Mapping[str, object] | None" = None,
    watch: "Watch | None" = None,
) -> "PlayedGame":
    """Play one game between bots, one for each seat, and return it turn by turn; it is not stored.

    `time` are milliseconds per answer (0: the contest's own limits), `nodes` a budget of nodes instead. `watch` is
    called with the referee and the turn after each answer was played.
    """
    from podium.arena.exhibition import exhibit

    return exhibit(game, bots, seed=seed, time=time, nodes=nodes, settings=settings, watch=watch)


def match(
    game: str,
    first: str,
    second: str,
    *,
    games: int = 0,
    sprt: tuple[float, float] | None = None,
    logistic: bool = False,
    alpha: float = 0.05,
    beta: float = 0.05,
    sharing: str = "half",
    handicaps: "Mapping[str, float] | None" = None,
    seed: int = 1,
    store: "Path | str" = STORE,
    jobs: int = 0,
    cluster: str = "",
    progress: "Callable[[Match], None] | None" = None,
    **terms: Unpack["Terms"],
) -> "MatchReport":
    """Play two bots against each other in pairs of games until it is enough, and say which one is stronger.

    Every game is stored as it ends: the same call goes on with the same match, after an interruption or with more
    games. `games` are 200 if neither they nor a sequential test (`sprt`, its bounds in normalized Elo) are given.
    `terms` are the conditions of `podium.arena.conditions.Terms`: time, nodes, policy, startup, memory, settings, and
    so on. `jobs` games are played at a time (0: one per core), or all on a Dask `cluster`; `progress` is called
    meanwhile.
    """
    from podium.arena.match import Match

    with Match(
        game,
        first,
        second,
        games=games,
        sprt=sprt,
        logistic=logistic,
        alpha=alpha,
        beta=beta,
        sharing=sharing,
        handicaps=handicaps,
        seed=seed,
        store=store,
        **terms,
    ) as found:
        return found.play(jobs, cluster, progress)


def league(
    game: str,
    *bots: str,
    rounds: int = 10,
    against: str = "",
    ladder: bool = False,
    name: str = "league",
    handicaps: "Mapping[str, float] | None" = None,
    seed: int = 1,
    store: "Path | str" = STORE,
    jobs: int = 0,
    cluster: str = "",
    progress: "Callable[[League], None] | None" = None,
    **terms: Unpack["Terms"],
) -> "LeagueReport":
    """Rate many bots in one table. Bots named later join those that take part in the league of that name already.

    `against` names the one bot that all others meet; with `ladder` neighbours in the table meet.
    """
    from podium.arena.league import League

    with League(
        game,
        bots,
        rounds=rounds,
        against=against,
        ladder=ladder,
        name=name,
        handicaps=handicaps,
        seed=seed,
        store=store,
        **terms,
    ) as found:
        return found.play(jobs, cluster, progress)


def ablate(
    game: str,
    bot: str,
    *,
    parts: "Sequence[str]" = (),
    values: "Mapping[str, Sequence[object]] | None" = None,
    games: int = 2000,
    seed: int = 1,
    store: "Path | str" = STORE,
    jobs: int = 0,
    cluster: str = "",
    progress: "Callable[[Ablation], None] | None" = None,
    **terms: Unpack["Terms"],
) -> "AblationReport":
    """Say what each part of a bot is worth: variants with one parameter changed play the whole bot.

    `parts` are switches to turn over, `values` other values by parameter; without both, every switch that is on is
    turned off. `games` are those of all variants together, and go where the interval is still widest.
    """
    from podium.lab.ablation import Ablation

    texts = {name: [str(value) for value in others] for name, others in (values or {}).items()}
    with Ablation(game, bot, parts=parts, values=texts, games=games, seed=seed, store=store, **terms) as found:
        return found.play(jobs, cluster, progress)


def tune(
    game: str,
    bot: str,
    *space: str,
    games: int = 2000,
    against: "Sequence[str]" = (),
    method: str | None = None,
    sprt: tuple[float, float] = (0.0, 20.0),
    tests: int | None = None,
    seed: int = 1,
    store: "Path | str" = STORE,
    jobs: int = 0,
    cluster: str = "",
    progress: "Callable[[Tuning], None] | None" = None,
    **terms: Unpack["Terms"],
) -> "TuningReport":
    """Find the settings that make a bot strongest, and test them against the bot as it is on fresh seeds.

    `space` are the parameters with what they may be: `width=20:200`, `nodes=100:10000:log`, `fog=worst|random`,
    `rave=on|off`. `games` are those of the search; each of the two tests after it takes at most `tests` games (as many
    as the search by default; 0: no tests). `method` is `design`, `surface` or `spsa`.
    """
    from podium.lab.tuning import Tuning

    with Tuning(
        game,
        bot,
        space,
        games=games,
        against=against,
        method=method,
        sprt=sprt,
        tests=tests,
        seed=seed,
        store=store,
        **terms,
    ) as found:
        return found.play(jobs, cluster, progress)


def analyze(
    game: str,
    position: "Sequence[str]" = (),
    *,
    bot: str = "champion",
    time: float = 5000.0,
    nodes: int = 0,
    turn: int = 0,
    seat: int | None = None,
    store: "Path | str" = STORE,
) -> "Opinion":
    """Let a bot think about a position, for so many milliseconds or nodes: its best moves, values and expected line.

    What a position is (the moves that lead to it, or a prompt) is told on the page of each game in docs/games. A stored
    game such as `["g41"]`, or `["r7"]` for the last one of a run, is a position too: at a `turn` from 1 (0: the last),
    as a `seat` saw it.
    """
    from podium.arena.thinking import Moment, think

    return think(game, position, bot=bot, time=time, nodes=nodes, moment=Moment(turn, seat, store))


def review(
    game: str,
    *,
    seat: int | None = None,
    bot: str = "champion",
    time: float = 200.0,
    nodes: int = 0,
    store: "Path | str" = STORE,
    progress: "Callable[[int], None] | None" = None,
) -> "Review":
    """Let a bot go through a stored game (`g41`, or `r7`: the last one of a run) and say where it was lost.

    It judges every answer of a `seat` (the loser's, if none is given), for so many milliseconds or nodes each: what it
    would have played, and what the difference cost. `progress` is called with each turn.
    """
    from podium.arena.stored import case_of, judge_of, review_case

    case, look = case_of(game, store), progress or (lambda turn: None)
    return review_case(case, judge_of(case, bot), seat=seat, time=time, nodes=nodes, progress=look)


def replay(*what: str, store: "Path | str" = STORE) -> "Replay":
    """Play stored games (`g12`, or `r3` for all of a run) through the referee again, and compare every line."""
    from podium.arena.stored import replay_stored

    return replay_stored(what, store)


def claims(
    *games: str,
    only: "Sequence[str]" = (),
    measure: bool = False,
    again: bool = False,
    undecided: bool = False,
    games_each: int = 0,
    store: "Path | str" = STORE,
    jobs: int = 0,
    cluster: str = "",
) -> "ClaimsReport":
    """What the write-ups claim about some games (or all), what was measured, and the verdicts.

    `measure` measures what is missing first, or everything `again`, or only what is `undecided`: matches are runs of
    the store, of as many games as the lists say or of `games_each`, and the same call goes on. `only` names some claims
    by their ids.
    """
    from podium.lab.claims_report import claims
    from podium.lab.measures import Bench

    bench = Bench(store, jobs, cluster, games_each) if measure or again or undecided else None
    return claims(games, only, bench=bench, again=again, undecided=undecided, store=store)
