"""The report of a match: all figures as plain data, and the conclusion in one sentence."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from textwrap import shorten
from typing import Any

from podium.arena.entrants.bot_names import counts_nodes
from podium.arena.entrants.entrant import Entrant
from podium.arena.game.sentences import fault_sentence, name_of
from podium.arena.stats.intervals import estimate, score_of_elo
from podium.arena.stats.sprt import Sprt
from podium.arena.store.game_row import Irregularity
from podium.arena.store.store import Run, StoredBot
from podium.arena.tournament.conclusion import Conclusion, MatchVerdict, conclude
from podium.arena.tournament.tally import BotTally, MatchTally, Times
from podium.display import Displayable
from podium.games import load_stored
from podium.games.game import AnswerVerdict, Fault

OFTEN = 0.05  # share of games or answers that deserves a warning
FEW_GAMES = 10
SEVERAL = 3.0  # times the cost of a move at equal nodes that deserve a warning
AT_ONCE = 0.5  # ms: bots that answer quicker choose by a rule or at random
NEAR = 0.5  # share of the time limit from which on a busy machine may have changed an answer
FIRST_TURNS = 2  # of a game, in which each of two seats gives its first answer
LONGEST_REASON = 120  # characters of a referee's sentence in a warning


@dataclass(frozen=True)
class SeatFigures:
    """The results of the first bot in one seat."""

    won: int
    drawn: int
    lost: int
    score: float | None  # None if it never had it


@dataclass(frozen=True)
class SprtFigures:
    """The state of a sequential test."""

    bounds: tuple[float, float]
    unit: str
    llr: float
    lower: float
    upper: float
    accepted: str | None  # H0 or H1
    chance_of_h1: float | None  # of being accepted in the end, as far as one can tell
    # median-unbiased, with its 95 % interval: the plain estimate is biased by the stopping rule
    elo: tuple[float, float, float] | None

    # pytest must not take this class for a test of its own
    __test__ = False


@dataclass(frozen=True, kw_only=True, repr=False)
class RunReport(Displayable):
    """What the reports of all kinds of runs have in common."""

    run: str
    kind: str
    game: str
    name: str  # of the run
    seed: int
    time: float  # limit per move in ms; 0: none, or the contest's
    nodes: int  # limit per move; 0: none
    policy: str  # of late answers
    sentence: str  # the conclusion
    warnings: tuple[str, ...]

    @property
    def headline(self) -> str:
        """The conclusion and the warnings."""
        return " ".join([self.sentence, *(f"Warning: {warning}" for warning in self.warnings)])

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return asdict(self)

    def summary(self) -> dict[str, Any]:
        """What lists of runs show of it."""
        return {"sentence": self.sentence}


def run_fields(run: Run) -> dict[str, Any]:
    """What every report says of its run."""
    time_control = run.conditions.time_control
    return {
        "run": f"r{run.id}",
        "kind": run.kind,
        "game": run.game,
        "name": run.title,
        "seed": run.seed,
        "time": time_control.milliseconds,
        "nodes": time_control.nodes,
        "policy": time_control.policy.value,
    }


@dataclass(frozen=True, kw_only=True, repr=False)
class MatchReport(RunReport):
    """All figures of a match, from the first bot's side."""

    bots: tuple[str, str]
    verdict: MatchVerdict
    games: int  # that count
    finished: int  # played, whether they count or not
    annulled: int  # because the referee or its program failed
    machine_faults: int  # annulled because the machine decided them; others were played in their place
    won: int
    drawn: int
    lost: int
    score: float
    elo: tuple[float, float, float]  # of the first bot, with the 95 % interval; `sprt.elo` after a sequential test
    nelo: tuple[float, float]  # with its error
    los: float
    games_per_block: int
    blocks: dict[str, float]  # how many blocks had which score
    seats: tuple[SeatFigures, ...]
    endings: dict[str, int]
    faults: tuple[dict[str, int], ...]  # by bot: disqualifications by code
    irregularities: tuple[dict[str, int], ...]  # by bot, by code
    clocks: tuple[Times, ...]  # by bot
    distinct_games: int
    remaining_games: int | None  # None if it cannot be estimated
    remaining_seconds: float | None
    games_per_second: float
    sprt: SprtFigures | None

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        low, high = (score_of_elo(bound) for bound in self.elo[1:])  # Elo ends before 0 and 1
        return min(low, self.score), max(high, self.score)

    def summary(self) -> dict[str, Any]:
        """What lists of runs show of it."""
        return {"score": self.score, "verdict": self.verdict.value, "bots": list(self.bots)}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each bot, with the difference in Elo from its side."""
        elo, low, high = self.elo
        sides = (
            (self.won, self.lost, self.score, elo, low, high),
            (self.lost, self.won, 1 - self.score, -elo, -high, -low),
        )
        rows = []
        for index, (won, lost, *figures) in enumerate(sides):
            clock = self.clocks[index]
            row = {"bot": self.bots[index], "games": self.games, "won": won, "drawn": self.drawn, "lost": lost}
            row |= dict(zip(("score", "elo", "elo_low", "elo_high"), figures, strict=True))
            rows.append(
                row | {"ms_mean": clock.mean, "ms_worst": clock.worst, "disqualified": sum(self.faults[index].values())}
            )
        return rows


def match_report(
    run: Run,
    tally: MatchTally,
    bots: tuple[Entrant | StoredBot, Entrant | StoredBot],
    test: Sprt | None,
    target: int,
    games_per_second: float = 0.0,
) -> MatchReport:
    """What a tally says; `target` is the number of games wanted, 0 where the test decides."""
    distribution, names = tally.distribution, (bots[0].label, bots[1].label)
    found, concluded = estimate(distribution), conclude(names, tally, test, target)
    remaining = _remaining(tally, concluded, target)
    return MatchReport(
        **run_fields(run) | {"name": run.remarks.get("title") or " vs ".join(names)},
        bots=names,
        verdict=concluded.verdict,
        games=tally.counted,
        finished=tally.finished,
        annulled=len(tally.annulled),
        machine_faults=len(tally.machine_faults),
        won=tally.total.won,
        drawn=tally.total.drawn,
        lost=tally.total.lost,
        score=found.score,
        elo=(found.elo, found.elo_low, found.elo_high),
        nelo=(found.nelo, found.nelo_error),
        los=found.los,
        games_per_block=distribution.games,
        blocks={f"{score:g}": count for score, count in zip(distribution.scores, distribution.counts, strict=True)},
        seats=tuple(SeatFigures(s.won, s.drawn, s.lost, s.points / s.games if s.games else None) for s in tally.seats),
        endings=dict(tally.endings),
        faults=tuple(dict(bot.faults) for bot in tally.bots.values()),
        irregularities=tuple(
            {str(code): times for code, times in bot.irregularities.items()} for bot in tally.bots.values()
        ),
        clocks=tuple(bot.clock.times() for bot in tally.bots.values()),
        distinct_games=tally.distinct,
        remaining_games=remaining,
        remaining_seconds=remaining / games_per_second if remaining is not None and games_per_second else None,
        games_per_second=games_per_second,
        sprt=_test_figures(tally, test, concluded),
        sentence=concluded.sentence,
        warnings=(*warnings(bots, tally, run), *node_cost_warnings(bots, tally, run.conditions.time_control.nodes)),
    )


def _remaining(tally: MatchTally, concluded: Conclusion, target: int) -> int | None:
    """The number of games still to play; None if it cannot be estimated."""
    if tally.decided:
        return 0
    left = max(0, target - tally.finished) if target else None
    if not concluded.forecast:
        return left
    games = math.ceil(concluded.forecast.games)
    return games if left is None else min(games, left)


def _test_figures(tally: MatchTally, test: Sprt | None, concluded: Conclusion) -> SprtFigures | None:
    if not test or not tally.decision:
        return None
    expected, found = concluded.forecast, concluded.difference
    return SprtFigures(
        bounds=(test.elo0, test.elo1),
        unit="nElo" if test.normalized else "Elo",
        llr=tally.decision.ratio,
        lower=test.lower,
        upper=test.upper,
        accepted={1: "H1", 0: None, -1: "H0"}[tally.decision.accepted],
        chance_of_h1=expected.chance if expected else None,
        elo=(found.elo, found.low, found.high) if tally.counted else None,
    )


def warnings(bots: Sequence[Entrant | StoredBot], tally: MatchTally, run: Run) -> list[str]:
    """What casts doubt on the figures, in sentences."""
    found = []
    games = tally.counted
    for bot, seen in zip(bots, tally.bots.values(), strict=True):
        found += fault_warnings(bot.label, seen, games)
    found += annulment_warnings(tally.annulled, tally.machine_faults)
    for bot, seen in zip(bots, tally.bots.values(), strict=True):
        found += machine_warnings(bot, seen, run)
    if games >= FEW_GAMES and tally.distinct <= games // 2:
        found.append(
            f"only {tally.distinct} of {games} games are different: bots without chance repeat themselves, "
            "and repeated games prove nothing"
        )
    return found


def node_cost_warnings(bots: Sequence[Entrant | StoredBot], tally: MatchTally, nodes: int) -> list[str]:
    """A warning if, with a limit of nodes, one bot's answers took several times as long as the other's.

    The times are those of the games themselves. Bots that answer at once do not search, and count no nodes.
    """
    times = [seen.clock.times().mean for seen in tally.bots.values()]
    slow, quick = (0, 1) if times[0] >= times[1] else (1, 0)
    if not nodes or times[quick] < AT_ONCE or times[slow] < SEVERAL * times[quick]:
        return []
    programs = [bot.label for bot in bots if not counts_nodes(bot.name)]
    why = f"--nodes does not limit {' and '.join(programs)}" if programs else "with the same number of nodes"
    often = f"{times[slow] / times[quick]:.1f} times as long as {bots[quick].label}"
    each = f"{times[slow]:.3g} and {times[quick]:.3g} ms per move"
    return [f"{why}: {bots[slow].label} thinks {often} ({each}); --time compares them at equal time"]


def annulment_warnings(annulled: Sequence[int], machine_faults: Sequence[int]) -> list[str]:
    """What to say of games that the referee could not bring to an end, and of those that the machine decided."""
    reasons = {"the referee or its program failed": annulled, "the machine made a bot late": machine_faults}
    return [
        f"{'1 game is' if len(games) == 1 else f'{len(games):,} games are'} annulled, because {reason} "
        f"(see g{games[0]}): not counted"
        for reason, games in reasons.items()
        if games
    ]


def machine_warnings(bot: Entrant | StoredBot, seen: BotTally, run: Run) -> list[str]:
    """Where the load of the machine may have changed results, in sentences: where an answer came near its limit."""
    found = []
    times, stalled, excused = (
        seen.clock.times(),
        seen.irregularities[Irregularity.STALLED],
        seen.irregularities[Irregularity.EXCUSED],
    )
    if excused:
        often = "once" if excused == 1 else f"{excused:,} times"
        found.append(f"{bot.label} was disqualified {often} by the machine's fault: --fair plays such blocks again")
    if counts_nodes(bot.name) and run.conditions.time_control.nodes:
        return found  # it has no limit of time to come near
    if times.answers and stalled > OFTEN * times.answers and times.worst >= NEAR * _time_limit(run):
        cure = "end other programs, or use fewer --jobs" + (", or --nodes" if counts_nodes(bot.name) else "")
        found.append(
            f"the machine was busy with other work during {stalled:,} of {times.answers:,} answers of {bot.label}: "
            f"{cure}"
        )
    return found


def _time_limit(run: Run) -> float:
    """The shortest limit of an answer in a run, in ms; 0 where bots divide the time of a game among their answers."""
    control = run.conditions.time_control
    if control.milliseconds:
        return control.milliseconds
    limits = load_stored(run.game).contest.limits
    return 0.0 if limits.bank and not control.nodes else min(limits.first, limits.later)


def _startup_hint(fault: Fault) -> str:
    """What helps a program that has lost by its start: its first answer includes it."""
    is_first = fault.turn <= FIRST_TURNS and fault.verdict in (AnswerVerdict.LATE, AnswerVerdict.SILENT)
    return "; --startup MS gives programs time to start" if is_first else ""


def fault_warnings(name: str, bot: BotTally, games: int) -> list[str]:
    """Frequent faults and overruns of a bot, in sentences."""
    found = []
    for cause, count in bot.faults.most_common():
        if games and count > OFTEN * games:
            game, fault = bot.example[cause]
            why = shorten(fault_sentence(fault).removeprefix(f"{name_of(cause)}: "), LONGEST_REASON)
            which = f"{count} of {games} games: {name_of(cause)} (see g{game}: {why})"
            found.append(f"{name} was disqualified in {which}{_startup_hint(fault)}")
    answers = bot.clock.times().answers
    overruns = bot.irregularities[Irregularity.OVERRUN] + bot.irregularities[Irregularity.LATE]
    if answers and overruns > OFTEN * answers:
        found.append(f"{name} overran its time in {overruns} of {answers:,} answers")
    return found
