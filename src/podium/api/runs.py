"""Runs: many games between bots, stored as they end, with a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podium.api import PINS, STORE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    from podium.arena.analysis.gate import GateReport
    from podium.arena.tournament.calibration import CalibrationReport
    from podium.arena.tournament.league import League
    from podium.arena.tournament.league_report import LeagueReport
    from podium.arena.tournament.match import Match
    from podium.arena.tournament.options import MatchOptions, RunOptions
    from podium.arena.tournament.report import MatchReport
    from podium.games.game import Game
    from podium.lab.claims.claims_report import ClaimsReport
    from podium.lab.tune.ablation import Ablation, AblationReport
    from podium.lab.tune.tuning import Tuning
    from podium.lab.tune.tuning_report import TuningReport


def match(
    game: Game | str,
    first: str,
    second: str,
    *,
    games: int = 0,
    sprt: tuple[float, float] | None = None,
    logistic: bool = False,
    alpha: float = 0.05,
    beta: float = 0.05,
    sharing: str = "half",
    progress: Callable[[Match], None] | None = None,
    **options: Unpack[MatchOptions],
) -> MatchReport:
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
    game: Game | str,
    bot: str,
    *,
    games: int = 100,
    progress: Callable[[Match], None] | None = None,
    **options: Unpack[RunOptions],
) -> CalibrationReport:
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
    game: Game | str,
    old: str,
    new: str,
    *,
    require: str = "not-weaker",
    sprt: tuple[float, float] | None = None,
    games: int = 2000,
    faults: int = 0,
    pins: Path | str = PINS,
    progress: Callable[[Match], None] | None = None,
    **options: Unpack[MatchOptions],
) -> GateReport:
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
    game: Game | str,
    *bots: str,
    rounds: int = 10,
    against: str = "",
    ladder: bool = False,
    name: str = "league",
    progress: Callable[[League], None] | None = None,
    **options: Unpack[MatchOptions],
) -> LeagueReport:
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
    game: Game | str,
    bot: str,
    *,
    parts: Sequence[str] = (),
    values: Mapping[str, Sequence[object]] | None = None,
    games: int = 2000,
    progress: Callable[[Ablation], None] | None = None,
    **options: Unpack[RunOptions],
) -> AblationReport:
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
    game: Game | str,
    bot: str,
    *space: str,
    games: int = 2000,
    against: Sequence[str] = (),
    method: str | None = None,
    sprt: tuple[float, float] = (0.0, 20.0),
    tests: int | None = None,
    progress: Callable[[Tuning], None] | None = None,
    **options: Unpack[RunOptions],
) -> TuningReport:
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


def claims(
    *games: str,
    only: Sequence[str] = (),
    measure: bool = False,
    again: bool = False,
    games_each: int = 0,
    store: Path | str = STORE,
    jobs: int = 0,
    cluster: str = "",
) -> ClaimsReport:
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
