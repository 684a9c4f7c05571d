"""What a match says, as plain data and as one plain sentence."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from podium.arena.finished import EXCUSED, STALLS
from podium.arena.sprt import Test, plan, unbiased
from podium.arena.statistics import Estimate, Law, estimate, games_to_show, score_of_elo
from podium.arena.store import Run
from podium.arena.tally import BotTally, MatchTally, Times
from podium.tables import Shown

OFTEN = 0.05  # a share of lost games that deserves a warning
FEW_GAMES = 10
FAR = 400.0  # Elo; an interval that reaches so far says nothing


@dataclass(frozen=True)
class SeatFigures:
    """How the first bot fared in one seat."""

    won: int
    drawn: int
    lost: int
    score: float | None  # None if it never had it


@dataclass(frozen=True)
class TestFigures:
    """Where a sequential test stands."""

    bounds: tuple[float, float]
    unit: str
    llr: float
    lower: float
    upper: float
    accepted: str | None  # H0 or H1
    chance_of_h1: float | None  # of being accepted in the end, as far as one can tell
    elo: (
        tuple[float, float, float] | None
    )  # median-unbiased, with the 95 % interval: the plain one has seen a good moment

    # pytest must not take this class for a test of its own
    __test__ = False


@dataclass(frozen=True, kw_only=True)
class RunReport(Shown):
    """What all reports of runs tell; the figures are those of each kind."""

    run: str
    kind: str
    game: str
    sentence: str  # what was found out, in plain words
    warnings: tuple[str, ...]

    @property
    def headline(self) -> str:
        """What was found out, and what one should know about it."""
        return " ".join([self.sentence, *(f"Warning: {warning}" for warning in self.warnings)])

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class MatchReport(RunReport):
    """All figures of a match of two bots; the first one's view where there is a choice."""

    bots: tuple[str, str]
    games: int  # that count
    finished: int  # played, whether they count or not
    void: int  # that the referee could not bring to an end
    spoiled: int  # that the machine decided: void too, and others were played in their place
    won: int
    drawn: int
    lost: int
    score: float
    elo: tuple[float, float, float]  # with the 95 % interval
    nelo: tuple[float, float]  # with its error
    los: float
    games_per_block: int
    blocks: dict[str, float]  # how many blocks had which score
    seats: tuple[SeatFigures, ...]
    endings: dict[str, int]
    faults: tuple[dict[str, int], ...]  # by bot: why it was put out
    marks: tuple[dict[str, int], ...]  # by bot: what the arena saw of its answers
    clocks: tuple[Times, ...]  # by bot
    distinct_games: int
    remaining_games: int | None  # None if nobody can tell
    remaining_seconds: float | None
    games_per_second: float
    sprt: TestFigures | None

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
                row | {"ms_mean": clock.mean, "ms_worst": clock.worst, "put_out": sum(self.faults[index].values())}
            )
        return rows


def match_report(
    run: Run,
    tally: MatchTally,
    names: tuple[str, str],
    test: Test | None,
    target: int,
    games_per_second: float = 0.0,
) -> MatchReport:
    """What a tally says; `target` is the number of games wanted, 0 where the test decides."""
    law = tally.law
    found = estimate(law)
    remaining = _remaining(tally, law, test, target)
    return MatchReport(
        run=f"r{run.id}",
        kind=run.kind,
        game=run.game,
        bots=names,
        games=tally.counted,
        finished=tally.finished,
        void=len(tally.void),
        spoiled=len(tally.spoiled),
        won=tally.total.won,
        drawn=tally.total.drawn,
        lost=tally.total.lost,
        score=found.score,
        elo=(found.elo, found.elo_low, found.elo_high),
        nelo=(found.nelo, found.nelo_error),
        los=found.los,
        games_per_block=law.games,
        blocks={f"{score:g}": count for score, count in zip(law.scores, law.counts, strict=True)},
        seats=tuple(SeatFigures(s.won, s.drawn, s.lost, s.points / s.games if s.games else None) for s in tally.seats),
        endings=dict(tally.endings),
        faults=tuple(dict(bot.faults) for bot in tally.bots.values()),
        marks=tuple(dict(bot.marks) for bot in tally.bots.values()),
        clocks=tuple(bot.clock.times() for bot in tally.bots.values()),
        distinct_games=tally.distinct,
        remaining_games=remaining,
        remaining_seconds=remaining / games_per_second if remaining is not None and games_per_second else None,
        games_per_second=games_per_second,
        sprt=_test_figures(tally, test, law),
        sentence=sentence(names, found, law, tally, test),
        warnings=tuple(warnings(names, tally)),
    )


def _remaining(tally: MatchTally, law: Law, test: Test | None, target: int) -> int | None:
    """How many games are still to come; None if nobody can tell."""
    left = max(0, target - tally.finished) if target else None
    if not test or not tally.decision:
        return left
    if tally.decided:
        return 0
    expected = plan(law, test, tally.decision.ratio)
    if expected is None:
        return left
    games = math.ceil(expected.games)
    return games if left is None else min(games, left)


def _test_figures(tally: MatchTally, test: Test | None, law: Law) -> TestFigures | None:
    if not test or not tally.decision:
        return None
    expected = None if tally.decided else plan(law, test, tally.decision.ratio)
    found = unbiased(law, test, tally.decision.verdict)
    return TestFigures(
        bounds=(test.low, test.high),
        unit="nElo" if test.normalized else "Elo",
        llr=tally.decision.ratio,
        lower=test.lower,
        upper=test.upper,
        accepted={1: "H1", 0: None, -1: "H0"}[tally.decision.verdict],
        chance_of_h1=expected.chance if expected else None,
        elo=(found.elo, found.low, found.high) if found else None,
    )


def difference(found: Estimate) -> str:
    """An Elo difference with its error, for a sentence about the stronger bot."""
    if found.score in (0.0, 1.0):
        return f"Elo above +{min(abs(found.elo_low), abs(found.elo_high)):.0f}: it won everything"
    low, high = sorted((abs(found.elo_low), abs(found.elo_high)))
    if found.decided and found.elo_error > abs(found.elo) / 2:  # so few games that the interval is lopsided
        return f"Elo {low:+z.0f} to {high:+z.0f}"
    return f"Elo {abs(found.elo):+z.0f} ± {found.elo_error:.0f}"


def sentence(names: tuple[str, str], found: Estimate, law: Law, tally: MatchTally, test: Test | None) -> str:
    """Which bot is stronger, in plain words."""
    if not found.games:
        return "nothing is known yet"
    first, second = names if names[0] != names[1] else ("the first bot", "the second bot")
    lent = _lent_by_the_machine(found, tally)
    if lent:
        return (
            f"nothing is shown: the machine decided {lent:,} of {found.games:,} games (--fair plays such blocks again, "
            "--nodes needs no clock)"
        )
    if test and tally.decision:
        return _test_sentence(first, second, found, law, tally, test)
    if found.decided:
        return f"{first if found.decided > 0 else second} is stronger ({difference(found)})"
    more = games_to_show(law)
    largest = max(abs(found.elo_low), abs(found.elo_high))
    if (more is None or more > 50 * found.games) and largest > FAR:
        return f"no difference shown yet in {found.games:,} games"
    if more is None or more > 50 * found.games:
        return f"no difference shown in {found.games:,} games; if there is one, it is below {largest:.0f} Elo"
    return f"no difference shown yet; if it goes on like this, about {_round(more):,} more games will show it"


def _lent_by_the_machine(found: Estimate, tally: MatchTally) -> int:
    """How many games the machine decided in favour of the bot that seems stronger, if without them it would not."""
    first, second = (bot.marks[EXCUSED] for bot in tally.bots.values())
    lent = second if found.decided > 0 else first
    surest = min(abs(found.elo_low), abs(found.elo_high))
    return lent if found.decided and lent >= (score_of_elo(surest) - 0.5) * found.games else 0


def _test_sentence(first: str, second: str, found: Estimate, law: Law, tally: MatchTally, test: Test) -> str:
    assert tally.decision
    unit = "nElo" if test.normalized else "Elo"
    if tally.decision.verdict > 0:
        if found.elo > 0:
            return f"{first} is stronger ({difference(found)}); the test accepted {test.high:+g} {unit}"
        return f"{first} is not weaker by {-test.low:g} {unit}; the test accepted {test.high:+g} {unit}"
    if tally.decision.verdict < 0:
        if found.decided < 0:
            return f"{second} is stronger ({difference(found)}); the test accepted {test.low:+g} {unit}"
        return f"{first} is not shown to be stronger: the test accepted {test.low:+g} {unit} over {test.high:+g}"
    expected = plan(law, test, tally.decision.ratio)
    if expected is None:
        return "nothing is known yet"
    return f"no difference shown yet; about {_round(math.ceil(expected.games)):,} more games until the test decides"


def _round(games: int) -> int:
    """Two digits of an estimate are enough."""
    scale = 10 ** max(0, len(str(games)) - 2)
    return math.ceil(games / scale) * scale


def warnings(names: tuple[str, str], tally: MatchTally) -> list[str]:
    """What a user should know before believing the figures."""
    found = []
    games = tally.counted
    for name, bot in zip(names, tally.bots.values(), strict=True):
        found += fault_warnings(name, bot, games)
    if tally.void:
        found.append(void_warning(tally.void))
    if tally.spoiled:
        found.append(spoiled_warning(tally.spoiled))
    found += machine_warnings(names, tally.bots.values())
    if games >= FEW_GAMES and tally.distinct <= games // 2:
        found.append(
            f"only {tally.distinct} of {games} games are different: bots without chance repeat themselves, "
            "and repeated games prove nothing"
        )
    return found


def spoiled_warning(games: Sequence[int]) -> str:
    """What to say of games that the machine decided."""
    which = "1 game is" if len(games) == 1 else f"{len(games):,} games are"
    return f"{which} void, because the machine made a bot late (see g{games[0]}): not counted"


def machine_warnings(names: Sequence[str], bots: Iterable[BotTally]) -> list[str]:
    """What the machine took from the bots, where it may have mattered."""
    found = []
    for name, bot in zip(names, bots, strict=True):
        answers, stalled, excused = bot.clock.times().answers, bot.marks[STALLS], bot.marks[EXCUSED]
        if excused:
            times = "once" if excused == 1 else f"{excused:,} times"
            found.append(f"{name} was put out {times} by the machine's fault: --fair plays such blocks again")
        if answers and stalled > OFTEN * answers:
            found.append(
                f"other programs took processor time from {stalled:,} of {answers:,} answers of {name}: use fewer "
                "--jobs, or --nodes if it can count them"
            )
    return found


def void_warning(games: Sequence[int]) -> str:
    """What to say of games that the referee could not bring to an end."""
    which = "1 game is" if len(games) == 1 else f"{len(games):,} games are"
    return f"{which} void, because the referee failed (see g{games[0]}): not counted"


def fault_warnings(name: str, bot: BotTally, games: int) -> list[str]:
    """What is wrong with a bot, where it is more than an accident."""
    found = []
    for word, count in bot.faults.most_common():
        if games and count > OFTEN * games:
            found.append(f"{name} was put out in {count} of {games} games: {word} (see g{bot.example[word]})")
    answers = bot.clock.times().answers
    overruns = bot.marks["overrun"] + bot.marks["late"]
    if answers and overruns > OFTEN * answers:
        found.append(f"{name} overran its time in {overruns} of {answers:,} answers")
    return found
