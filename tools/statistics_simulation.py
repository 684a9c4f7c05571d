"""Checks of the statistics by simulation: leagues and sequential tests of bots whose true strengths are known.

    python -m tools.statistics_simulation [--seconds 2] [--json]

A league's bots have true strengths; games are drawn from the Plackett-Luce model (two seats: Bradley-Terry). In a share
`luck` of the blocks all games have the same luck: that of the bots, so that a bot wins all of its games or none, or, if
`luck` is negative, that of the seats, which swapped seats take back. The distribution of a single game is the same in
all cases.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from tools.common import parser, print_table

from podium.arena.stats.intervals import PAIR_SCORES, SURE, K, elo, pairs
from podium.arena.stats.ratings import ELO, PairResults, draws_of, quantiles
from podium.arena.stats.sprt import Sprt, forecast, log_likelihood_ratio, unbiased_elo
from podium.cli.console import console, errors, print_json
from podium.games.game import Findings, Study


@dataclass(frozen=True)
class LeagueCase:
    """Leagues of one kind."""

    bots: int
    seats: int
    rounds: int
    spread: float  # Elo, the standard deviation of the true strengths; 0: all equal
    luck: float = 0.0
    tables: int = 0  # how many meetings of all that are possible; 0: all

    @property
    def meetings(self) -> int:
        """How many meetings each round has."""
        possible = math.comb(self.bots, min(self.seats, self.bots))
        return min(self.tables, possible) if self.tables else possible

    @property
    def games(self) -> float:
        """Games of each bot."""
        return self.meetings * self.rounds * self.seats * self.seats / self.bots


@dataclass(frozen=True)
class LeagueFinding:
    """How often a league told the truth."""

    covered: float  # share of the 95 % intervals that hold the bot's true rating
    named: float  # share of the leagues that call a bot the strongest
    wrong: float  # and of those that call one so that is not; where all are equal, nobody is
    width: float  # Elo, mean of the intervals


def played(case: LeagueCase, strengths: np.ndarray, random: np.random.Generator) -> PairResults:
    """The results of one league. As many bots as seats meet; the table moves round, as in a real block."""
    seats = case.seats
    tables = np.array(list(combinations(range(case.bots), seats)))
    tables = tables[random.permutation(len(tables))[: case.meetings]]
    bots = np.repeat(tables, case.rounds, axis=0)
    blocks = len(bots)
    luck = random.gumbel(size=(blocks, seats, seats))  # of each block, game and bot
    shared = (random.random(blocks) < abs(case.luck))[:, None, None]
    if case.luck > 0:
        luck = np.where(shared, luck[:, :1], luck)
    elif case.luck < 0:
        turned = np.stack([np.roll(luck[:, 0], -game, axis=1) for game in range(seats)], axis=1)
        luck = np.where(shared, turned, luck)
    value = strengths[bots][:, None, :] + luck
    couples = list(combinations(range(seats), 2))
    points = [(value[:, :, one] > value[:, :, other]).sum(axis=1) for one, other in couples]
    return PairResults(
        size=case.bots,
        seats=seats,
        blocks=blocks,
        block=np.tile(np.arange(blocks), len(couples)),
        one=np.concatenate([bots[:, one] for one, _ in couples]),
        other=np.concatenate([bots[:, other] for _, other in couples]),
        points=np.concatenate(points).astype(float),
        met=np.full(blocks * len(couples), float(seats)),
    )


def league_study(case: LeagueCase, leagues: int, seed: int = 1) -> LeagueFinding:
    """Play a number of leagues of one kind, each with its own true strengths, and compare their tables with these."""
    random = np.random.default_rng(seed)
    covered: list[bool] = []
    widths: list[float] = []
    named = wrong = 0
    for _ in range(leagues):
        truth = random.standard_normal(case.bots) * case.spread / ELO
        _, draws, weights = draws_of(played(case, truth, random))
        for bot, true in enumerate(truth - truth.mean()):
            low, high = quantiles(draws[:, bot], weights, (0.025, 0.975))
            covered.append(bool(low <= true <= high))
            widths.append((high - low) * ELO)
        best = np.bincount(draws.argmax(axis=1), weights=weights, minlength=case.bots)
        if best.max() >= SURE:
            named += 1
            wrong += not case.spread or best.argmax() != truth.argmax()
    return LeagueFinding(float(np.mean(covered)), named / leagues, wrong / leagues, float(np.mean(widths)))


# Pairs of equal contest bots: most are split, a fifth of the games is drawn.
EVEN_PAIRS = (0.06, 0.21, 0.46, 0.21, 0.06)


def pair_distribution(difference: float) -> np.ndarray:
    """Chances of the five results of a pair: the even ones, tilted to a normalized difference."""
    scores = np.array(PAIR_SCORES)
    low, high = -5.0, 5.0
    for _ in range(60):
        tilt = (low + high) / 2
        distribution = np.array(EVEN_PAIRS) * np.exp(tilt * scores)
        distribution /= distribution.sum()
        mean = float(distribution @ scores)
        found = K * (mean - 0.5) / math.sqrt(2 * float(distribution @ (scores - mean) ** 2))
        low, high = (tilt, high) if found < difference else (low, tilt)
    return distribution


@dataclass(frozen=True)
class CheckedForecast:
    """What a running test said, and what became of it."""

    chance: float  # of H1, as it was said
    games: float  # still to play, as it was said
    accepted: bool  # H1, in the end
    played: int  # games from there to the end


@dataclass(frozen=True)
class Ended:
    """What a test said at its end."""

    truth: float  # Elo
    elo: float  # median-unbiased
    low: float
    high: float
    plain: float  # Elo of the score
    verdict: int


FORECASTS = 5  # pairs from one forecast to the next
CLASSES = 5  # of forecasts that are compared with what came


def run_test(test: Sprt, difference: float, random: np.random.Generator) -> tuple[list[CheckedForecast], Ended]:
    """Play a sequential test to its end, pair by pair, at a true normalized difference."""
    distribution = pair_distribution(difference)
    counts = [0] * len(PAIR_SCORES)
    said: list[tuple[int, float, float]] = []
    for number, result in enumerate(_endless(distribution, random), 1):
        counts[result] += 1
        seen = pairs(counts)
        ratio = log_likelihood_ratio(seen, test)
        if verdict := test.accepted(ratio):
            break
        if number % FORECASTS == 0 and (expected := forecast(seen, test, ratio)):
            said.append((2 * number, expected.chance, expected.games))
    found = unbiased_elo(seen, test, verdict)
    assert found
    forecasts = [CheckedForecast(chance, games, verdict > 0, 2 * number - at) for at, chance, games in said]
    truth = elo(float(distribution @ np.array(PAIR_SCORES)))
    return forecasts, Ended(truth, found.elo, found.low, found.high, elo(seen.mean), verdict)


def _endless(distribution: np.ndarray, random: np.random.Generator) -> Iterator[int]:
    """PairResults of pairs, one after the other."""
    while True:
        yield from random.choice(len(distribution), 256, p=distribution).tolist()


@dataclass(frozen=True)
class TestFinding:
    """How often sequential tests told the truth."""

    forecasts: list[tuple[float, float, int]]  # chance of H1 said (mean of a class), share that came true, how many
    games_said: float  # still to play, mean over all moments of all tests
    games_played: float
    above: float  # share of the median-unbiased differences that lie above the true one
    plain_above: float  # share of the plain ones that accept H1 and lie above, among those that accept H1
    covered: float  # share of the 95 % intervals that hold it

    # pytest must not take this class for a test of its own
    __test__ = False


def sequential_study(test: Sprt, spread: float, tests: int, seed: int = 1) -> TestFinding:
    """Run a number of tests at true differences spread around the middle of the bounds; `spread` is in widths of
    the bounds.
    """
    random = np.random.default_rng(seed)
    middle, width = (test.elo0 + test.elo1) / 2, test.elo1 - test.elo0
    forecasts: list[CheckedForecast] = []
    ends: list[Ended] = []
    for difference in random.normal(middle, spread * width, tests):
        said, end = run_test(test, float(difference), random)
        forecasts += said
        ends.append(end)
    passed = [end for end in ends if end.verdict > 0]
    return TestFinding(
        forecasts=list(_classes(forecasts)),
        games_said=float(np.mean([said.games for said in forecasts])),
        games_played=float(np.mean([said.played for said in forecasts])),
        above=float(np.mean([end.elo > end.truth for end in ends])),
        plain_above=float(np.mean([end.plain > end.truth for end in passed])),
        covered=float(np.mean([end.low <= end.truth <= end.high for end in ends])),
    )


def _classes(forecasts: Sequence[CheckedForecast]) -> Iterator[tuple[float, float, int]]:
    """Forecasts of like chance together: what was said, what came true, how many."""
    for number in range(CLASSES):
        alike = [said for said in forecasts if number <= CLASSES * said.chance < number + 1]
        if alike:
            yield (
                float(np.mean([said.chance for said in alike])),
                float(np.mean([said.accepted for said in alike])),
                len(alike),
            )


# Leagues from a handful of games to a thousand for each bot: (bots, seats, rounds, tables).
SIZES = (
    *((2, 2, rounds, 0) for rounds in (2, 3, 5, 10, 50, 500)),
    *((3, 2, rounds, 0) for rounds in (1, 5, 50)),
    *((6, 2, rounds, 0) for rounds in (1, 5, 100)),
    *((12, 2, rounds, 0) for rounds in (1, 4, 45)),
    *((4, 4, rounds, 0) for rounds in (1, 2, 10, 250)),
    *((6, 4, rounds, 0) for rounds in (1, 25)),
    *((12, 4, *rest) for rest in ((1, 3), (1, 20), (5, 150))),
)
SPREADS = (0.0, 100.0, 300.0)


def league_cases() -> list[LeagueCase]:
    """Two to twelve bots in two and four seats, equal and unequal; and equal ones whose games share their luck."""
    cases = [
        LeagueCase(bots, seats, rounds, spread, 0.0, tables)
        for bots, seats, rounds, tables in SIZES
        for spread in SPREADS
    ]
    lucky = [
        LeagueCase(bots, seats, rounds, 0.0, luck, tables)
        for bots, seats, rounds, tables in SIZES
        for luck in (0.25, -0.5)
    ]
    return cases + lucky


LEAGUES = 100  # of each kind, for each second that a study may take; fewer than that are played in one
TESTS = 40


def _leagues(seconds: float) -> Findings:
    """How often the tables of leagues tell the truth."""
    rows: list[tuple[object, ...]] = []
    for case in league_cases():
        found = league_study(case, max(1, round(seconds * LEAGUES)))
        shared = "" if not case.luck else f"of {'bots' if case.luck > 0 else 'seats'}, {abs(case.luck):.0%}"
        rows.append(
            (
                case.bots,
                case.seats,
                round(case.games),
                f"{case.spread:g}",
                shared,
                f"{found.covered:.1%}",
                f"{found.named:.0%}",
                f"{found.wrong:.1%}",
                f"{found.width:.0f}",
            )
        )
    columns = ("bots", "seats", "games each", "spread", "shared luck", "covered", "named", "wrongly", "width")
    sentence = (
        "covered: 95 % intervals that hold the true rating; named: leagues that call a bot the strongest; spread and "
        "width in Elo. Few games have few results, and intervals that hold rather too often than too rarely."
    )
    return Findings(columns, rows, sentence)


def _tests(seconds: float) -> Findings:
    """How often sequential tests tell the truth on their way."""
    rows: list[tuple[object, ...]] = []
    for width, spread in product((50.0, 100.0), (0.5, 1.0, 2.0)):
        found = sequential_study(Sprt(0, width), spread, max(1, round(seconds * TESTS)))
        came = "  ".join(f"{said:.0%}: {true:.0%}" for said, true, _ in found.forecasts)
        games = f"{found.games_said:.0f}: {found.games_played:.0f}"
        rows.append(
            (f"[0, {width:g}]", f"{spread:g} widths", came, games, f"{found.above:.0%}", f"{found.covered:.1%}")
        )
    columns = ("nElo", "truth within", "H1 said: came", "games said: came", "Elo too high", "covered")
    return Findings(columns, rows, "Elo is the median-unbiased one; covered are its 95 % intervals.")


STUDIES = (
    Study("leagues: intervals, and who is called the strongest", _leagues),
    Study("sequential tests: forecasts, and the difference at the end", _tests),
)


def main() -> None:
    """Simulate and print: more seconds simulate more leagues and tests."""
    options = parser(__doc__, 2.0, "effort of each study, roughly in seconds").parse_args()
    documents = []
    for study in STUDIES:
        with errors.status(f"{study.summary} ..."):
            found = study.run(options.seconds)
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        documents.append({"study": study.summary, "sentence": found.sentence, "rows": rows})
        if not options.json:
            print_table(found.columns, found.rows, study.summary)
            console.print(found.sentence)
    if options.json:
        print_json({"studies": documents})


if __name__ == "__main__":
    main()
